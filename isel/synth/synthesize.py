"""The search of windows, with all sources."""

from __future__ import annotations

from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.memory import Memory
from isel.synth.cegis.run import Mapper
from isel.synth.loop import SearchSynthesizer
from isel.synth.sources import SOURCES


def make_synthesizer(
    machine: Machine, options: Options, pool: Mapper | None = None, memory: Memory | None = None
) -> SearchSynthesizer:
    """Return the search for one machine."""
    return SearchSynthesizer(machine, options, pool, memory, SOURCES)
