"""What the search finds for windows at hand is what the golden files say: a change of a program is
seen, and either wanted (``make bless``) or not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.golden.golden import MARK, WINDOWS, answers, found, without_answers

FILES = sorted(WINDOWS.glob("*.ll"))
# What is not found although there are instructions for it: failures, with what would do it.
NOT_FOUND: Final = {
    "two_registers_in_turn": "vpunpcklbw and vpunpckhbw of the sums and differences, put together",
}


@pytest.mark.findings
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_same_programs(path: Path) -> None:
    text = path.read_text()
    assert found(without_answers(text)) == answers(text)


def test_what_is_not_found_is_a_failure_with_a_name() -> None:
    """A window that loses its program, or gets one, is named here; no golden file blesses it."""
    nothing = {p.stem for p in FILES if f"{MARK}    nothing: " in answers(p.read_text())}
    assert nothing == set(NOT_FOUND)


def test_every_file_has_answers() -> None:
    assert len(FILES) >= 20
    assert [p.name for p in FILES if not answers(p.read_text())] == []
