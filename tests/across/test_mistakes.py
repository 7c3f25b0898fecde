"""Wrong ports: none is proved, and most are refuted with numbers."""

from __future__ import annotations

import pytest

from isel.model.verdict import Proved
from tests.across.mistake import FILES, found, refuted_with_numbers

pytestmark = pytest.mark.tools


@pytest.mark.parametrize("file", FILES)
def test_none_is_proved(file: str) -> None:
    assert [x.name for x in found(file) if isinstance(x.verdict, Proved)] == []


def test_there_are_forty_and_numbers_show_most() -> None:
    assert sum(len(found(file)) for file in FILES) == 40
    assert len(list(refuted_with_numbers())) >= 35
