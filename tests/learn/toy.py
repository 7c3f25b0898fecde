"""The library of a target that is small."""

from __future__ import annotations

from typing import Final

from isel.model.machine import Machine
from isel.synth.instructions.library import library_of
from tests.synth.toy import ToyTarget

LIBRARY: Final = library_of(Machine(ToyTarget(), "toy", frozenset(), 512))
