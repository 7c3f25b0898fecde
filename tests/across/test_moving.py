"""Windows there and back, and across: ``python -m tests.across.trip`` and ``cross`` print all."""

from __future__ import annotations

import pytest

from semantics import isa_named, target_named
from tests.across.cross import cross
from tests.across.trip import trip
from tests.across.windows import window_for
from tests.golden.golden import WINDOWS


def window(name: str, target: str) -> str:
    text = (WINDOWS / f"{name}.ll").read_text()
    return window_for(text, isa_named(target).machine.triple)


def test_values_become_memory() -> None:
    text = window("average_of_four", "arm")
    assert text.startswith('target triple = "aarch64') and text.count("load <32 x i8>") == 4
    assert "store <32 x i8> %r, ptr %out.p" in text and window_for(text, "x").count("load") == 4


@pytest.mark.parametrize(
    ("name", "target"), [("clamped_sum_of_bytes", "x86"), ("rounded_product_q15", "arm")]
)
def test_there_and_back_is_the_same_code(name: str, target: str) -> None:
    same, proved, words = trip(name, window(name, target))
    assert same and proved, words


@pytest.mark.parametrize(
    ("name", "own"), [("average_by_widening", "x86"), ("multiply_shift_round_saturate", "arm")]
)
def test_windows_cross(name: str, own: str) -> None:
    """The second is a saturating product, which x86 has only without saturation."""
    found, words = cross(name, window(name, own), target_named(own), executed=False)
    assert found == "crossed" and "dearer" not in words, words
