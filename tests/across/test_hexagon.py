"""HVX by hand against the loop in C: what is right is proved, and executed alike."""

from __future__ import annotations

import pytest

from isel.model.verdict import Proved
from semantics.execution import NotRun
from tests.across.hexagon import KERNELS, NAMES, compare, executed

pytestmark = pytest.mark.tools


@pytest.mark.parametrize("name", NAMES)
def test_intrinsics_are_proved_to_be_the_loop(name: str) -> None:
    verdict = compare(name, "HAND").verdict
    assert isinstance(verdict, Proved), verdict


@pytest.mark.parametrize("name", NAMES)
def test_intrinsics_do_what_the_loop_does_and_wrong_ones_do_not(name: str) -> None:
    loop, right, wrong = (executed(KERNELS / f"{name}.c", v) for v in ("C", "HAND", "WRONG"))
    assert not isinstance(loop, NotRun), loop
    assert right == loop and wrong != loop
