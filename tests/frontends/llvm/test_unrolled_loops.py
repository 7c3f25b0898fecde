"""Loops that add one product a pass: four passes as one, and what is no such thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pytest

from frontends.halide import resolve
from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes.counting import loop_of
from frontends.llvm.passes.unroll import unroll
from frontends.llvm.report.tried import Outcome
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform import unrolled_loops
from frontends.llvm.transform.site import Opportunity, Scope
from isel.cli.halide import rewriter
from isel.model.verdict import Proved, Unknown
from tests.frontends.llvm.transformed import change, transformed, verifies, whys


def rows(passes: int = 64, lanes: int = 16) -> str:
    """Rows of a matrix, each times a number, added up."""
    return f"""define void @f(ptr noalias %c, ptr noalias %a, ptr noalias %b) {{
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %kn, %loop ]
  %sum = phi <{lanes} x i32> [ zeroinitializer, %entry ], [ %new, %loop ]
  %at = getelementptr i16, ptr %a, i64 %k
  %x = load i16, ptr %at, align 2
  %wide = sext i16 %x to i32
  %put = insertelement <{lanes} x i32> poison, i32 %wide, i64 0
  %all = shufflevector <{lanes} x i32> %put, <{lanes} x i32> poison, <{lanes} x i32> zeroinitializer
  %off = shl nuw nsw i64 %k, 5
  %row = getelementptr i8, ptr %b, i64 %off
  %y = load <{lanes} x i16>, ptr %row, align 2
  %z = sext <{lanes} x i16> %y to <{lanes} x i32>
  %m = mul nsw <{lanes} x i32> %all, %z
  %new = add nsw <{lanes} x i32> %m, %sum
  %kn = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %kn, {passes}
  br i1 %done, label %out, label %loop
out:
  store <{lanes} x i32> %new, ptr %c, align 4
  ret void
}}
"""


@pytest.mark.parametrize(("passes", "times"), [(64, 4), (8, 4), (6, 2)])
def test_passes_become_one(passes: int, times: int) -> None:
    after = change(unrolled_loops, rows(passes))
    assert after.count("= mul nsw") == times and after.count("= phi") == 2
    assert f"%kn = add i64 %k, {times}" in after
    assert verifies(rows(passes), after)


LEFT = {
    "odd": (("%kn, 64", "%kn, 63"), "odd, or small"),
    "few": (("%kn, 64", "%kn, 4"), "odd, or small"),
    "seen behind": (("%new, ptr %c", "%sum, ptr %c"), "behind"),
    "small": (("ptr noalias %b) {", "ptr noalias %b) minsize {"), "small"),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_alone(name: str) -> None:
    (old, new), why = LEFT[name]
    assert rows().count(old) == 1
    found = whys(unrolled_loops, rows().replace(old, new))
    assert [root for root, _ in found] == ["new"] and why in found[0][1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%kn, 64", "%kn, %off"),
        ("mul nsw", "sub nsw"),
        ("zeroinitializer\n", "<" + ", ".join(f"i32 {k}" for k in range(16)) + ">\n"),
        ("%m, %sum", "%m, %z"),
    ],
    ids=["passes unknown", "no product", "other lanes", "no sum"],
)
def test_what_is_no_sum_of_such_products(old: str, new: str) -> None:
    assert rows().count(old) == 1
    assert whys(unrolled_loops, rows().replace(old, new)) == []


PLANTED = {
    "fewer passes": ("add i64 %k, 4", "add i64 %k, 8"),
    "more passes": ("add i64 %k, 4", "add i64 %k, 2"),
    "an earlier end": ("icmp eq i64 %kn, 64", "icmp eq i64 %kn, 60"),
    "another place": ("add i64 %k, 2", "add i64 %k, 1"),
    "a sum that is left out": ("%isel.9, %sum", "%isel.9, %isel.9"),
    "a promise more": ("add i64 %k, 1\n", "add nuw nsw i64 %k, 1\n  %p = sdiv i64 1, %k\n"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_errors_are_refused(name: str) -> None:
    old, new = PLANTED[name]
    after = change(unrolled_loops, rows())
    assert after.count(old) == 1, after
    assert not verifies(rows(), after.replace(old, new))


class _Bold:
    """Unrolls whatever the passes of a loop do."""

    def sites(self, scope: Scope) -> Iterator[Opportunity]:
        loop = loop_of(scope.view, "loop")
        assert loop is not None
        yield Opportunity(loop.counter, partial(unrolled_loops.write_passes, scope, loop, 4))


def test_what_may_not_come_back_is_not_unrolled() -> None:
    called = rows().replace("  %kn =", "  call void @g()\n  %kn =")
    text = called.replace("define", "declare void @g()\n\ndefine")
    assert isinstance(transformed(_Bold(), rows())[1], Proved)
    assert isinstance(transformed(_Bold(), text)[1], Unknown)
    assert whys(unrolled_loops, text) == [("new", "it does more than load, compute and store")]


def test_stores_stay_in_order() -> None:
    text = rows().replace("  %kn =", "  store <16 x i32> %new, ptr %c, align 4\n  %kn =")
    assert change(unrolled_loops, text).count("store <16 x i32> %new") == 2


def test_two_phis_that_pass_a_value_on() -> None:
    carried = "  %last = phi i16 [ 0, %entry ], [ %x, %loop ]\n  %at ="
    text = rows().replace("  %at =", carried).replace("sext i16 %x", "sext i16 %last")
    view = parse_module(text).functions[0].view
    loop = loop_of(view, "loop")
    assert loop is not None
    lines = unroll(view, loop, 2, iter(f"n{k}" for k in range(99)))
    whole = [x for new in lines.values() for x in new]
    assert "%wide = sext i16 %n1 to i32" in whole and "%n2 = sext i16 %last to i32" in whole
    assert isinstance(transformed(unrolled_loops, text)[1], Proved)


def four_rows() -> str:
    """The same with four vectors of a row, so that sums need not wait for each other."""
    lines: list[str] = []
    for line in rows(256).replace("%k, 5", "%k, 7").splitlines():
        own = any(f"%{n}" in line for n in ("sum", "row", "y", "z", "m", "new"))
        names = r"%(sum|row|y|z|m|new)\b"
        copies = [re.sub(names, rf"%\g<1>.{n}", line) for n in range(4)] if own else [line]
        lines += [_apart(x, n) for n, x in enumerate(copies)]
    return "\n".join(lines) + "\n"


def _apart(line: str, n: int) -> str:
    where = f"  %in.{n} = add i64 %off, {32 * n}\n"
    if "%row." in line and "getelementptr" in line:
        return where + line.replace("i64 %off", f"i64 %in.{n}")
    return line.replace("ptr %c", f"ptr %c{n}") if "store" in line else line


def test_products_are_found_in_four_passes() -> None:
    arguments = ", ".join(f"ptr noalias %c{n}" for n in range(4))
    body = four_rows().replace("ptr noalias %c,", f"{arguments},")
    text = normalise(f'target triple = "x86_64-linux-gnu"\n{body}')
    with rewriter(resolve("x86", cpu="znver4"), jobs=1, cache="off") as rewrite:
        done = rewrite(text, "f.ll")
    found = {w.by for w in done.report.windows if w.outcome is Outcome.REWRITTEN}
    cost = done.report.functions[0].cost
    assert found == {"unrolled-loops", "windows"} and "vpdpwssd" in done.text
    assert cost is not None and cost[1] < cost[0]
    assert verifies(text, done.text)


HANDED_ON = """define void @f(ptr noalias %p, ptr noalias %q) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %kn, %loop ]
  %a = phi i8 [ 1, %entry ], [ %x, %loop ]
  %b = phi i8 [ 2, %entry ], [ %a, %loop ]
"""
ONCE = """  %at = getelementptr i8, ptr %p, i64 %k
  %x = load i8, ptr %at, align 1
  %to = getelementptr i8, ptr %q, i64 %k
  store i8 %b, ptr %to, align 1
  %kn = add i64 %k, 1
"""
TWICE = """  %at0 = getelementptr i8, ptr %p, i64 %k
  %x0 = load i8, ptr %at0, align 1
  %to0 = getelementptr i8, ptr %q, i64 %k
  store i8 %b, ptr %to0, align 1
  %k1 = add i64 %k, 1
  %at = getelementptr i8, ptr %p, i64 %k1
  %x = load i8, ptr %at, align 1
  %to = getelementptr i8, ptr %q, i64 %k1
  store i8 %a, ptr %to, align 1
  %kn = add i64 %k, 2
"""
END = """  %done = icmp eq i64 %kn, 8
  br i1 %done, label %out, label %loop
out:
  ret void
}
"""


def test_a_phi_that_is_what_another_one_was_is_not_unrolled() -> None:
    """This was proved once: in the third pass ``b`` is ``x0``, not what ``a`` was in the first."""
    assert not verifies(HANDED_ON + ONCE + END, HANDED_ON + TWICE + END)
    carried = "  %last = phi i16 [ 0, %entry ], [ %x, %loop ]\n"
    handed = f"{carried}  %older = phi i16 [ 0, %entry ], [ %last, %loop ]\n  %at ="
    text = rows().replace("  %at =", handed).replace("sext i16 %x", "sext i16 %older")
    assert whys(unrolled_loops, text) == [("new", "it carries what another value was")]
