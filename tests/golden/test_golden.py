"""What the search finds for windows at hand is what the golden files say: a change of a program is
seen, and either wanted (``make bless``) or not.
"""

from __future__ import annotations

import re

import pytest

from tests.golden.golden import MARK, WINDOWS, answers, found, without_answers

FILES = sorted(WINDOWS.glob("*.ll"))
_PRICE = re.compile(rf"{MARK} +price ([0-9.]+)")


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_same_programs(path: object) -> None:
    text = (WINDOWS / getattr(path, "name", "")).read_text()
    assert found(without_answers(text)) == answers(text)


def test_every_file_has_answers() -> None:
    assert len(FILES) >= 20
    assert [p.name for p in FILES if not _PRICE.search(p.read_text())] == []
