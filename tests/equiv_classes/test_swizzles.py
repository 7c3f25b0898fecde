"""Which movement compute instructions call for, and that it groups as instructions do."""

from __future__ import annotations

import re

from equiv_classes.swizzles import Swizzle, build_swizzles, calls_of, counts, swizzles, swizzles_of
from tests.equiv_classes.entries import binary, entry, instructions, source

ONE = ("w in 8", "bits in 256")
MADD = entry(
    "madd",
    "in a, b: n x w",
    "where j = 2 * i",
    "lane sext(a[j], 2 * w) * sext(b[j], 2 * w) + sext(a[j + 1], 2 * w) * sext(b[j + 1], 2 * w)",
    result="n / 2 x 2 * w",
)
PACK = entry(
    "pack",
    "in a, b: n / 2 x 2 * w",
    "let m = 128 / w",
    "where j = i / m * m / 2 + i % m % (m / 2)",
    "lane sat_s(i % m < m / 2 ? a[j] : b[j], w)",
    loops=ONE,
)


def asked(text: str) -> dict[str, Swizzle]:
    (first, *_) = instructions(text)
    return dict(swizzles_of(first))


def test_lanes_in_place_need_nothing() -> None:
    assert asked(binary("add", "a[i] + b[i]")) == {}


def test_movement_itself_needs_nothing() -> None:
    assert asked(entry("even", "in a: 2 * n x w", "lane a[2 * i]")) == {}


def test_two_holes_of_one_operand_are_interleaved() -> None:
    found = asked(MADD)
    assert set(found) == {"a", "b"}
    assert (
        found["a"]
        == found["b"]
        == Swizzle(
            8,
            8,
            4,
            2,
            tuple((2 * lane + source, source, lane) for lane in range(4) for source in range(2)),
        )
    )


def test_results_are_put_in_the_order_of_reading() -> None:
    found = asked(PACK)
    order = (*range(8), *range(16, 24), *range(8, 16), *range(24, 32))
    assert found["result"] == Swizzle(
        8, 32, 32, 1, tuple((place, 0, lane) for place, lane in enumerate(order))
    )


def test_an_element_of_several_holes_is_not_packed() -> None:
    assert asked(entry("slide", "in a: 2 * n x w", "lane a[i] + a[i + 1]")) == {}


def test_five_sources_are_too_many() -> None:
    assert asked(entry("sum", "in a: 5 * n x w", "lane fold(+, k < 5, a[5 * i + k])")) == {}


def test_swizzles_are_grouped_like_instructions() -> None:
    toys = source(MADD, PACK)
    found = build_swizzles([toys], [calls_of(toys.instructions)], "test")
    assert [c.operation for c in found.classes] == ["swizzle_of_2", "swizzle_of_1"]
    (toy, together) = counts(found)
    assert (
        (toy.called_for, toy.distinct, toy.classes)
        == (together.called_for, together.distinct, together.classes)
        == (11, 7, 2)
    )


def test_what_has_no_formula_is_a_ciphers() -> None:
    unread = {m.name: c.reason for c in swizzles().classes if c.reason for m in c.members}
    assert [name for name in unread if not re.search("aes(enc|dec|d)", name)] == []
    assert set(unread.values()) == {"offsets are not affine"}


def test_calls_of_one_operand_are_told_apart() -> None:
    names = [m.name for c in swizzles().classes for m in c.members if "clmulepi64" in m.name]
    assert len(set(names)) == len(names)
    assert "_mm512_clmulepi64_epi128.result.2" in names
