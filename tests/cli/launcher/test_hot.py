"""Which functions of a module are hot, by its text alone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from isel.cli.launcher.hot import by_heat, names_in, read_list

LOOP = """\
define void @{name}(ptr %p) {prof}{{
  br label %1

1:
  %v{n} = load <4 x i32>, ptr %p
  br i1 undef, label %1, label %2{weights}

2:
  ret void
}}
"""
PLAIN = "define i32 @plain() {\n  ret i32 0\n}\n"
STRAIGHT = "define void @straight(ptr %p) {\n  store <4 x i8> zeroinitializer, ptr %p\n}\n"
NEST = """\
define internal <4 x i32> @"nest of"(ptr %p) {
  br label %outer

outer:                                            ; preds = %rest, %0
  br label %inner

inner:
  %v = load <4 x i32>, ptr %p
  br i1 undef, label %inner, label %rest

rest:
  br i1 undef, label %outer, label %"the end"

"the end":
  ret <4 x i32> %v
}
"""


def loop(name: str, count: int = 0) -> str:
    """Return a function with a loop, of which a profile has counted the runs."""
    prof = f"!prof !{count} " if count else ""
    weights = f", !prof !1{count}" if count else ""
    return LOOP.format(name=name, n=1, prof=prof, weights=weights)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (PLAIN, []),
        (PLAIN + STRAIGHT, [("straight", 0, 0, 0)]),
        (STRAIGHT + loop("f") + NEST, [("nest of", 2, 100, 1), ("f", 1, 10, 1), ("straight",)]),
        (loop("g") + loop("f"), [("f", 1, 10, 1), ("g", 1, 10, 1)]),
        (loop("f").replace("br label %1\n", "br label %2\n"), [("f", 0, 0, 0)]),  # not reached
    ],
)
def test_loops_by_text(text: str, found: list[tuple[object, ...]]) -> None:
    got = [(f.name, f.depth, f.heat, f.vectors) for f in by_heat("target triple\n" + text, {})]
    assert [g[: len(f)] for g, f in zip(got, found, strict=True)] == found


def test_every_definition_has_a_name() -> None:
    for text in (PLAIN + NEST + loop("f"), "declare void @x()\n" + PLAIN + NEST + loop("f")):
        assert list(names_in(text)) == ["plain", "nest of", "f"]
    assert list(names_in("")) == []


PERF = """\
# Overhead  Command  Shared Object  Symbol
    62.50%  prog     prog           [.] g
     7.25%  prog     libc.so.6      [.] __memcpy_avx
     1.00%  prog     [kernel]       [k] page_fault
"""


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        (PERF, {"g": 62.5, "__memcpy_avx": 7.25, "page_fault": 1.0}),
        ("3 f\n2.5 f.part.0\n1 .name\n", {"f": 5.5, ".name": 1.0}),
        ("f\n\nnothing here\n# 1 f\n12", {}),
    ],
)
def test_lists(text: str, weights: Mapping[str, float]) -> None:
    assert read_list(text) == weights


PROFILE = """\
!1 = !{!"function_entry_count", i64 1}
!11 = !{!"branch_weights", i32 90, i32 9}
!2 = !{!"function_entry_count", i64 100}
!12 = !{!"branch_weights", i32 150, i32 150}
"""


def test_what_a_run_has_shown_goes_before_loops() -> None:
    text = loop("f", 1) + loop("g", 2) + NEST
    assert [f.name for f in by_heat(text, {})] == ["nest of", "f", "g"]
    expected = text.replace("entry", "expected") + PROFILE.replace("function_entry_count", "x")
    assert [f.weight for f in by_heat(expected, {})] == [0, 0, 0]
    found = by_heat(text + PROFILE, {})
    assert [(f.name, round(f.weight)) for f in found] == [("g", 75), ("f", 25), ("nest of", 0)]
    assert next(f.name for f in by_heat(text + PROFILE, read_list("9 f.cold"))) == "f"
