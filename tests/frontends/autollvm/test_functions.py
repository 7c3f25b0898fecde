"""The calls of a function: what is defined, what is wider or narrower than registers, what is lowered
together with its neighbours, and what stays.
"""

from __future__ import annotations

from functools import cache
from itertools import count

import pytest

from equiv_classes.calls import in_width
from equiv_classes.dictionary import dictionary
from frontends.autollvm.defined import Defined
from frontends.autollvm.functions import is_call
from frontends.autollvm.joined import Vector, Wanted, joinings, read_lanes
from frontends.autollvm.lower import Lines, Lowering, Search, as_result
from frontends.autollvm.module import Lowered
from frontends.autollvm.read import calls_in, read_call
from frontends.autollvm.write import own_calls, write_autollvm
from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.ast import IntType, Local, VectorType
from frontends.llvm.text.parse import parse_module
from isel.cli.lower import searcher
from isel.ir.expr import elem, leaves
from isel.model.answer import Result
from isel.model.verdict import Proved
from isel.model.window import Window
from isel.rules import derived
from semantics import target_named
from tests.frontends.autollvm.modules import ARM, X86, lower, machine

CHAIN = """\
target triple = "x86_64-unknown-linux-gnu"
define <16 x i8> @f(<16 x i8> noundef %a, <16 x i8> noundef %b, <16 x i8> noundef %c) {
  %t = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %a, <16 x i8> %b)
  %r = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %t, <16 x i8> %a)
  ret <16 x i8> %r
}
declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)
"""
NARROW = """\
target triple = "aarch64-unknown-linux-gnu"
define <8 x i8> @f(<8 x i8> noundef %a, <8 x i8> noundef %b) {
  %r = call <8 x i8> @llvm.aarch64.neon.urhadd.v8i8(<8 x i8> %a, <8 x i8> %b)
  ret <8 x i8> %r
}
declare <8 x i8> @llvm.aarch64.neon.urhadd.v8i8(<8 x i8>, <8 x i8>)
"""


@cache
def search(name: str) -> Search:
    return searcher(machine(name, ARM if name == "arm" else X86), 1)


def auto(text: str, name: str) -> str:
    return write_autollvm(text, target_named(name), dictionary()).text


def proved(found: Lowered) -> bool:
    return not found.left and all(isinstance(a.verdict, Proved) for a in found.proofs)


def only_both(w: Window) -> Result:
    """Find nothing for an average alone, whose lanes have two leaves."""
    (lane,) = (e for e in w.roots[0].lanes[:1] if e is not None)
    nested = repr(lane).count("extract") > 1
    return (
        search("arm")(w) if nested and len(leaves(lane)) == 2 else Result((), False, "not alone", 0)
    )


def test_neighbours_are_lowered_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call without code waits for the one that reads it; nothing is left of it."""
    monkeypatch.setattr(Lowering, "_member", lambda *_: None)
    found = lower(auto(CHAIN, "x86"), only_both)
    assert proved(found), found.left
    assert found.ways == {"a program of the search": 1, "together with the calls that read it": 1}
    assert "autollvm." not in found.text.partition("declare")[0]


def test_a_call_that_something_else_reads_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lowering, "_member", lambda *_: None)
    text = CHAIN.replace("ret <16 x i8> %r", "%x = xor <16 x i8> %r, %t\n  ret <16 x i8> %x")
    found = lower(auto(text, "x86"), only_both)
    assert [x.function for x in found.left] == ["f"] and "@autollvm.uavg" in found.text


def test_joined_lanes_read_what_the_first_call_reads() -> None:
    module = parse_module(normalise(auto(CHAIN, "x86")))
    first, second = (read_call(i, dictionary()) for i in calls_in(module) if is_call(i))
    ((names, both),) = joinings(second, {"t": first})
    assert names == {"t"} and len(both.known) == 2 and both.result == (16, 8)
    assert {x.offset for x in leaves(both.lanes[3])} == {24}
    assert read_lanes(first).known.keys() == {"a", "b"}
    assert not list(joinings(second, {}))
    assert [e.width for e in in_width(both.lanes, 16)] == [16] * 8


def test_narrower_calls_are_widened() -> None:
    found = lower(auto(NARROW, "arm"), search("x86"), aim=X86)
    assert proved(found) and "@llvm.x86.sse2.pavg.b" in found.text


def test_what_is_over_three_registers_is_cut() -> None:
    kind = VectorType(48, IntType(8))
    known = {x: Vector(Local(x, kind), 48, 8) for x in "ab"}
    lanes = tuple(derived.BINARY["uavg"](*(elem(x, 8 * k, 8) for x in "ab")) for k in range(48))
    lowering = Lowering(machine("arm", ARM), dictionary(), search("arm"), plain=False)
    names = map("n{}".format, count())
    found = lowering.program(Wanted(lanes, known, (48, 8)), lambda: next(names))
    assert isinstance(found, Lines)
    text = f"define {kind} @f({kind} %a, {kind} %b) {{\n"
    text += "\n".join(
        [*as_result(found, "r"), f"  ret {kind} %r", "}", *found.declarations.values()]
    )
    text = normalise(text)
    assert text.count("= tail call") + text.count("= call") == 3 and "urhadd" in text
    assert text.count("<48 x i32>") == 1 and "i32 poison" in text


DEFINED = """\
define void @f(<4 x i16> noundef %a, <4 x i16> %b, i16 noundef %x, ptr %p) {
  %one = insertelement <4 x i16> poison, i16 %x, i64 0
  %splat = shufflevector <4 x i16> %one, <4 x i16> poison, <4 x i32> zeroinitializer
  %half = shufflevector <4 x i16> %a, <4 x i16> %b, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %low = shufflevector <4 x i16> %half, <4 x i16> poison, <2 x i32> <i32 0, i32 1>
  %far = insertelement <4 x i16> %a, i16 %x, i64 7
  %hole = shufflevector <4 x i16> %a, <4 x i16> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  %lost = insertelement <4 x i16> %a, i16 poison, i64 1
  %sum = add <4 x i16> %splat, %a
  %flag = add nsw <4 x i16> %splat, %a
  %kept = freeze <4 x i16> %b
  %read = load <4 x i16>, ptr %p, align 8, !noundef !0
  %loose = load <4 x i16>, ptr %p, align 8
  %with = add <4 x i16> %read, %loose
  ret void
}
!0 = !{}
"""


def test_elements_that_are_defined() -> None:
    (f,) = parse_module(normalise(DEFINED)).functions
    known = Defined(f)
    for i in f.view:
        known.see(i)
    names = [i.name for i in f.view if i.name in known]
    assert names == ["splat", "low", "sum", "kept", "read"]


def test_a_cast_to_a_value_s_own_type_is_left_out() -> None:
    lines = ("%a = add <2 x i8> %x, %x", "%b = bitcast <2 x i8> %a to <2 x i8>")
    assert as_result(Lines(lines, {}, ""), "r") == ("  %r = add <2 x i8> %x, %x",)
    other = (lines[0], "%b = bitcast <2 x i8> %x to <2 x i8>")
    assert as_result(Lines(other, {}, ""), "r")[-1] == "  %r = bitcast <2 x i8> %x to <2 x i8>"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("sse.max.ps", "<4 x float>"), ("sse42.pcmpistri128", "<16 x i8>"), ("nothing.new", "i32")],
)
def test_what_is_no_autollvm_is_named_and_left(name: str, kind: str) -> None:
    """Floating point, flags of strings, what has no meaning here."""
    text = f"""\
target triple = "x86_64-unknown-linux-gnu"
define {kind} @f({kind} %a) {{
  %r = call {kind} @llvm.x86.{name}({kind} %a, {kind} %a)
  ret {kind} %r
}}
declare {kind} @llvm.x86.{name}({kind}, {kind})
"""
    module = parse_module(text)
    assert [i.callee for _, i in own_calls(module, target_named("x86"))] == [f"llvm.x86.{name}"]
