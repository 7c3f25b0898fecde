"""What the search finds for windows at hand is what the golden files say: a change of a program is
seen, and either wanted (``make bless``) or not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.golden import WINDOWS, answers, found, without_answers

FILES = sorted(WINDOWS.glob("*.ll"))


@pytest.mark.findings
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_same_programs(path: Path) -> None:
    text = path.read_text()
    assert found(without_answers(text)) == answers(text)


def test_every_file_has_answers() -> None:
    assert len(FILES) >= 20
    assert [p.name for p in FILES if not answers(p.read_text())] == []
