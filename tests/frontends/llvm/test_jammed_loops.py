"""Passes of an outer loop at once: what is proposed, that it is proved, and does the same."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from frontends.halide import resolve
from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes.witness import Exchange
from frontends.llvm.report.tried import Outcome
from frontends.llvm.text.rewording import respell
from frontends.llvm.transform import jammed_loops
from frontends.llvm.transform.site import Opportunity, Scope
from isel.cli.halide import rewriter
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import do_the_same, scope_of, transformed, verifies, whys
from tests.frontends.llvm.turned_loops import calls

WIDE = 16
LACKS = "the passes of the loop around it are not known, odd, or do not fit into registers"
MORE = "it does more than load, compute and store"
WAITS = "a pass waits for what the one before it ends with"
UNLIKE = "the loop in it does not count alike in each pass"


def product(
    *,
    rows: str = "8",
    depth: str = "4",
    to: str = "c",
    by: str = "b",
    attributes: str = "",
    body: str = "",
    head: str = "",
    carried: str = "",
    step: int = 1,
) -> str:
    """Return rows of a product: bytes at ``a`` by vectors at ``by``, summed up, stored at ``to``;
    ``carried`` and ``head``, and ``body``, are more lines of the loops.
    """
    return f"""
declare void @g()
declare <16 x i8> @llvm.umin.v16i8(<16 x i8>, <16 x i8>)
define void @f(ptr noundef %a, ptr noalias %b, ptr noalias %c, ptr %d) {attributes} {{
entry:
  %n = ptrtoint ptr %a to i64
  br label %rows
rows:
  %r = phi i64 [ 0, %entry ], [ %rn, %next ]
  {carried}
  %row = mul i64 %r, 4
  %of = getelementptr i8, ptr %a, i64 %row
  {head}
  br label %inner
inner:
  %k = phi i64 [ 0, %rows ], [ %kn, %inner ]
  %sum = phi <16 x i8> [ zeroinitializer, %rows ], [ %then, %inner ]
  %at = getelementptr i8, ptr %of, i64 %k
  %x = load i8, ptr %at, align 1
  %one = insertelement <16 x i8> poison, i8 %x, i64 0
  %all = shufflevector <16 x i8> %one, <16 x i8> poison, <16 x i32> zeroinitializer
  %up = mul i64 %k, {WIDE}
  %from = getelementptr i8, ptr %{by}, i64 %up
  %y = load <16 x i8>, ptr %from, align 1
  %z = load <16 x i8>, ptr %from, align 1
  %m = mul <16 x i8> %all, %y
  %o = call <16 x i8> @llvm.umin.v16i8(<16 x i8> %m, <16 x i8> %z)
  %then = add <16 x i8> %sum, %o
  {body}
  %kn = add nuw nsw i64 %k, 1
  %ke = icmp eq i64 %kn, {depth}
  br i1 %ke, label %next, label %inner
next:
  %off = mul i64 %r, {WIDE}
  %into = getelementptr i8, ptr %{to}, i64 %off
  store <16 x i8> %then, ptr %into, align 1
  %rn = add nuw nsw i64 %r, {step}
  %re = icmp eq i64 %rn, {rows}
  br i1 %re, label %out, label %rows
out:
  ret void
}}
"""


class Bold:
    """Proposes what the transform sees a reason against, too."""

    def sites(self, scope: Scope) -> Iterator[Opportunity]:
        return (replace(x, why_not="") for x in jammed_loops.sites(scope))


@pytest.mark.parametrize(
    ("rows", "step", "times"), [(8, 1, 8), (12, 1, 4), (6, 1, 2), (16, 2, 8), (12, 6, 2)]
)
@pytest.mark.parametrize("depth", ["4", "1", "%n"])
def test_rows_of_a_product(rows: int, step: int, times: int, depth: str) -> None:
    before = product(rows=str(rows), step=step, depth=depth)
    (site,) = jammed_loops.sites(scope := scope_of(before))
    change = site.edits(scope, scope.view.free_names())
    assert change.exchanges == (Exchange("rows", "inner", times),)
    assert change.passes == dict.fromkeys(("rows", "inner", "next"), times)
    after, verdict = transformed(jammed_loops, before)
    assert isinstance(verdict, Proved)
    assert after.count("load <16 x i8>") == 1 and after.count("load i8") == times
    assert depth == "%n" or do_the_same(before, after, calls())


def test_what_it_says_is_what_it_does() -> None:
    """Random rows and depths, an inner loop that stores too: proved, and the same bytes."""
    rng = random.Random(7)
    for _ in range(40):
        rows, depth, at = rng.choice((2, 4, 6, 8, 10)), rng.choice("1234"), rng.randrange(64)
        index = rng.choice(("%row", "%off2", "%r"))
        head = f"%off2 = mul i64 %r, {rng.choice((4, 8, 16))}"
        body = f"%e = add i64 {index}, %k\n %f = getelementptr i8, ptr %c, i64 %e\n"
        body += f" %g = getelementptr i8, ptr %f, i64 {at + 128}\n store i8 %x, ptr %g, align 1"
        before = product(rows=str(rows), depth=depth, head=head, body=body)
        after, verdict = transformed(jammed_loops, before)
        if isinstance(verdict, Proved):
            assert do_the_same(before, after, calls())


WRONG = {
    "rows are stored where they are loaded": product(to="b"),
    "rows may be stored where they are loaded": product(to="d"),
    "a row loads what the one before stores": product(
        head="%up2 = mul i64 %r, 16\n %h0 = getelementptr i8, ptr %c, i64 %up2\n"
        "%h1 = getelementptr i8, ptr %h0, i64 -16\n %h = load i8, ptr %h1, align 1"
    ).replace("i8 %x, i64 0", "i8 %h, i64 0"),
    "a pass stores what the next row loads": product(
        body="%w = getelementptr i8, ptr %b, i64 %up\n store <16 x i8> %y, ptr %w, align 1"
    ),
    "a byte of the next row": product(
        body="%w = getelementptr i8, ptr %of, i64 4\n store i8 %x, ptr %w, align 1"
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_proved(name: str) -> None:
    _, verdict = transformed(Bold(), WRONG[name])
    assert not isinstance(verdict, Proved)


STAYS = {
    "7 passes": (product(rows="7"), LACKS),
    "a number that is not known": (product(rows="%n"), LACKS),
    "2^63 passes": (product(rows="-9223372036854775808"), LACKS),
    "a function that is to be small": (
        product(attributes="optsize"),
        "the function is to be small",
    ),
    "a call": (product(body="call void @g()"), MORE),
    "a call before it": (product(head="call void @g()"), MORE),
    "a volatile load": (product().replace("%x = load", "%x = load volatile"), MORE),
    "a value behind it": (
        product().replace("ret void", "store i64 %rn, ptr %d, align 8\n  ret void"),
        "its values are used behind it",
    ),
    "a sum over all rows": (
        product(
            carried="%total = phi <16 x i8> [ zeroinitializer, %entry ], [ %then, %next ]"
        ).replace("[ zeroinitializer, %rows ]", "[ %total, %rows ]"),
        WAITS,
    ),
    "what the row before loads": (
        product(carried="%old = phi <16 x i8> [ zeroinitializer, %entry ], [ %y, %next ]").replace(
            "[ zeroinitializer, %rows ]", "[ %old, %rows ]"
        ),
        WAITS,
    ),
    "how far the row before came": (
        product(carried="%far = phi i64 [ 0, %entry ], [ %k, %next ]").replace(
            "%of = getelementptr i8, ptr %a, i64 %row", "%of = getelementptr i8, ptr %a, i64 %far"
        ),
        WAITS,
    ),
    "a triangle": (product(depth="%more", head="%more = add i64 %r, 1"), UNLIKE),
    "a triangle on its head": (
        product(depth="9")
        .replace("%k = phi i64 [ 0,", "%k = phi i64 [ %r,")
        .replace("i64 %up", "i64 8"),
        UNLIKE,
    ),
    "whether it is the last pass is stored": (
        product().replace(
            "br i1 %re", "%last = sext i1 %re to i8\n store i8 %last, ptr %c\n br i1 %re"
        ),
        "more than the end of a pass depends on whether it is the last",
    ),
    "a way past the inner loop": (
        product(head="%q = icmp ult i64 %r, 3")
        .replace("br label %inner", "br i1 %q, label %next, label %inner")
        .replace("store <16 x i8> %then", "store <16 x i8> zeroinitializer"),
        "the loop around it may go past it",
    ),
}


@pytest.mark.parametrize("name", STAYS)
def test_what_stays(name: str) -> None:
    text, why = STAYS[name]
    assert [x for _, x in whys(jammed_loops, text)] == [why]


@pytest.mark.parametrize("given", ["%y", "%then", "%same"])
def test_what_the_row_before_had(given: str) -> None:
    """A value of it is used at the end of a row, or one that all rows have in common anywhere."""
    kind, zero = ("i64", "0") if given == "%same" else ("<16 x i8>", "zeroinitializer")
    carried = f"%old = phi {kind} [ {zero}, %entry ], [ {given}, %next ]"
    before = product(carried=carried, head="%same = and i64 %n, 8")
    used = "i64 %row" if given == "%same" else "<16 x i8> %then, ptr"
    before = before.replace(used, used.replace("row", "old").replace("then", "old"))
    after, verdict = transformed(jammed_loops, before)
    assert isinstance(verdict, Proved) and after.count("load i8") == 8
    assert do_the_same(before, after, calls())


def test_where_little_is_shared() -> None:
    half = product().replace("%z = load <16 x i8>, ptr %from, align 1", "%z = add <16 x i8> %y, %y")
    assert whys(jammed_loops, half) == []
    gather = "call <2 x i8> @llvm.masked.gather.v2i8.v2p0(<2 x ptr> zeroinitializer, i32 1, "
    gather += "<2 x i1> zeroinitializer, <2 x i8> zeroinitializer)"
    declared = "declare <2 x i8> @llvm.masked.gather.v2i8.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i8>)"
    assert whys(jammed_loops, declared + product(body=f"%few = {gather}")) == []
    assert whys(jammed_loops, product().replace("ptr %b, i64 %up", "ptr %of, i64 %up")) == []
    assert (
        whys(
            jammed_loops, product(rows="8", by="e", head="%e = getelementptr i8, ptr %b, i64 %row")
        )
        == []
    )


def says(text: str, bits: int = 128) -> str:
    """Return what is said of the one place of a module."""
    (site,) = jammed_loops.sites(scope := scope_of(text, bits))
    return site.why_not or site.edits(scope, scope.view.free_names()).says


@pytest.mark.parametrize(("kind", "add"), [("<16 x i8>", "add"), ("<4 x float>", "fadd")])
@pytest.mark.parametrize(("bits", "fit"), [(128, 1), (256, 2), (512, 8)])
def test_what_does_not_fit_into_registers(kind: str, add: str, bits: int, fit: int) -> None:
    """Seven sums leave room for none beside them; there are twice as many wide registers."""
    found = []
    for count in (1, 3, 6, 7):
        more = "".join(
            f"%s{n} = phi {kind} [ zeroinitializer, %rows ], [ %t{n}, %inner ]\n  "
            for n in range(1, count * fit)
        )
        adds = "".join(f"%t{n} = {add} {kind} %s{n}, %v\n  " for n in range(1, count * fit))
        text = product(body=f"%v = bitcast <16 x i8> %y to {kind}\n  {adds}")
        found.append(says(text.replace("  %at = ", f"  {more}%at = ", 1), bits))
    assert found == [*(f"{n} passes at once" for n in (8, 4, 2)), LACKS]


@pytest.mark.parametrize(("used", "times"), [("add <16 x i8> %h", 2), ("[ %h, %rows ]", 4)])
def test_what_is_loaded_before_a_loop_takes_a_register_if_no_sum_begins_with_it(
    used: str, times: int
) -> None:
    more = "%s = phi <16 x i8> [ zeroinitializer, %rows ], [ %t, %inner ]\n  "
    more += more.replace("%s", "%s2").replace("%t,", "%t2,")
    body = "%t = add <16 x i8> %s, %y\n  %t2 = add <16 x i8> %s2, %t\n"
    before = product(head="%h = load <16 x i8>, ptr %of, align 1", body=body)
    before = before.replace("  %at = ", f"  {more}%at = ", 1)
    before = before.replace(
        "add <16 x i8> %sum" if "add" in used else "[ zeroinitializer, %rows ]", used, 1
    )
    assert says(before) == f"{times} passes at once"


def test_what_each_pass_loads_and_stores_again() -> None:
    """A pass adds to what the one before it stored; what lies apart is loaded once."""
    body = "%own = getelementptr i8, ptr %c, i64 %up\n  %was = load <16 x i8>, ptr %own, align 1\n"
    body += "  %is = add <16 x i8> %was, %all\n  store <16 x i8> %is, ptr %own, align 1\n"
    before = product(depth="2", body=body).replace("store <16 x i8> %then, ptr %into, align 1", "")
    before = before.replace("ptr noalias %c", "ptr noalias noundef %c")
    after, verdict = transformed(jammed_loops, before)
    assert isinstance(verdict, Proved) and after.count("load <16 x i8>") == 8 + 1
    assert do_the_same(before, after, calls())


def test_values_without_names_and_records_of_them() -> None:
    """LLVM wants numbers of values in their order; records of what is done once go."""
    names = re.findall(r"^ +%(\w+) = ", named := product(), re.MULTILINE)
    numbers = {x: f"%{n}" for n, x in enumerate(names)}
    records = named.replace(
        "%off = mul", "#dbg_value(i64 %r, !4, !DIExpression(), !5)\n  %off = mul"
    )
    before = respell(records.replace("{\nentry", "!dbg !3 {\nentry"), numbers) + DEBUG
    after, verdict = transformed(jammed_loops, before)
    assert isinstance(verdict, Proved) and "#dbg_value" not in after
    assert after.count("load <16 x i8>") == 1 and do_the_same(before, after, calls())


DEBUG = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !6, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DILocalVariable(name: "r", scope: !3, file: !1, line: 1, type: !7)
!5 = !DILocation(line: 1, scope: !3)
!6 = !DISubroutineType(types: !8)
!7 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!8 = !{null}
"""
ROWS = """
define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %c) {
entry:
  br label %rows
rows:
  %r = phi i64 [ 0, %entry ], [ %rn, %next ]
  %row = shl nuw nsw i64 %r, 7
  %of = getelementptr inbounds i8, ptr %a, i64 %row
  br label %inner
inner:
  %k = phi i64 [ 0, %rows ], [ %kn, %inner ]
  %sum = phi <16 x i32> [ zeroinitializer, %rows ], [ %then, %inner ]
  %at = getelementptr inbounds i16, ptr %of, i64 %k
  %x = load i16, ptr %at, align 2
  %wide = sext i16 %x to i32
  %one = insertelement <16 x i32> poison, i32 %wide, i64 0
  %all = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  %up = shl nuw nsw i64 %k, 5
  %from = getelementptr inbounds i8, ptr %b, i64 %up
  %y = load <16 x i16>, ptr %from, align 2
  %half = getelementptr inbounds i8, ptr %from, i64 2048
  %z = load <16 x i16>, ptr %half, align 2
  %ys = sext <16 x i16> %y to <16 x i32>
  %zs = sext <16 x i16> %z to <16 x i32>
  %m = mul nsw <16 x i32> %all, %ys
  %o = mul nsw <16 x i32> %m, %zs
  %then = add nsw <16 x i32> %sum, %o
  %kn = add nuw nsw i64 %k, 1
  %ke = icmp eq i64 %kn, 64
  br i1 %ke, label %next, label %inner
next:
  %off = shl nuw nsw i64 %r, 6
  %into = getelementptr inbounds i8, ptr %c, i64 %off
  store <16 x i32> %then, ptr %into, align 4
  %rn = add nuw nsw i64 %r, 1
  %re = icmp eq i64 %rn, 64
  br i1 %re, label %out, label %rows
out:
  ret void
}
"""


def test_a_function_is_written_with_rows_at_once() -> None:
    text = normalise(f'target triple = "x86_64-linux-gnu"\n{ROWS}')
    with rewriter(resolve("x86", cpu="znver4"), jobs=1, cache="off") as rewrite:
        done = rewrite(text, "f.ll")
    found = {w.by for w in done.report.windows if w.outcome is Outcome.REWRITTEN}
    assert "jammed-loops" in found and done.text.count("= phi <16 x i32>") == 8
    assert verifies(text, done.text)
