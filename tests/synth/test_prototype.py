"""The prototype's 29 windows: all solved and proved, at the price of its programs or less."""

from __future__ import annotations

import pytest

from isel.model.program import meaning
from isel.model.verdict import Proved
from isel.verify.windows import prove_window
from tests.synth.prototype import KNOWN, cost_of, machine, price_of, search, windows

pytestmark = pytest.mark.shared


def test_there_are_29() -> None:
    assert len(windows()) == 29
    assert [name.split()[0] for name in windows()] == list(KNOWN)


@pytest.mark.parametrize("key", KNOWN)
def test_solved_proved_and_no_dearer(key: str) -> None:
    window = next(w for name, w in windows().items() if name.split()[0] == key)
    result = search(window)
    assert result.candidates, result.reason
    program = result.candidates[0].program
    lanes = meaning(program, machine().by_name)
    assert isinstance(prove_window(window, [lanes[r] for r in program.roots]), Proved)
    known = KNOWN[key]
    assert known is None or price_of(program) <= cost_of(known)


def test_the_row_of_a_gaussian_filter_is_four_byte_operations() -> None:
    window = next(w for name, w in windows().items() if name.startswith("09"))
    steps = [s for s in search(window).candidates[0].program.steps if s.kind == "apply"]
    assert [s.width for s in steps] == [8] * 4
