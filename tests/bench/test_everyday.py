"""Everyday C: what is plain is there by hand as well."""

from __future__ import annotations

import re

from bench.everyday.__main__ import HERE

_FUNCTION = re.compile(r"^(?:void|ONE|TWO|THREE)[ (](\w+)", re.MULTILINE)


def test_each_function_is_there_by_hand() -> None:
    plain = [p for p in sorted(HERE.glob("*.c")) if "_by_hand" not in p.stem]
    assert [p.stem for p in plain] == ["blocks", "loops", "masks", "pixels", "tables"]
    for path in plain:
        hand = path.with_stem(f"{path.stem}_by_hand")
        assert _FUNCTION.findall(path.read_text()) == _FUNCTION.findall(hand.read_text())
