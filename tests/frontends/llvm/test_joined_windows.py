"""Halves of registers that are stored side by side, as one."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.pipeline.aim import Aim, aim_of
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.text.parse import parse_instruction, parse_module
from frontends.llvm.transform import joined_windows
from frontends.llvm.transform.halves import Finder
from frontends.llvm.transform.wider import declaration, is_doubled, says_same
from frontends.llvm.transform.wider import text as wider
from isel.model.verdict import Proved
from semantics import searched_for
from semantics.older import TargetsOf
from tests.frontends.llvm.toy import TOOLS
from tests.frontends.llvm.transformed import scope_of, transformed, whys

HEAD = """
declare <8 x i8> @llvm.umax.v8i8(<8 x i8>, <8 x i8>)
declare void @g()
define void @f(ptr noalias %p, ptr noalias %q, <8 x i8> noundef %v) {
  %p1 = getelementptr i8, ptr %p, i64 8
  %q1 = getelementptr i8, ptr %q, i64 8
  %far = getelementptr i8, ptr %q, i64 9
"""


def function(*lines: str) -> str:
    return HEAD + "".join(f"  {line}\n" for line in lines) + "  ret void\n}\n"


def halves(of: str, *more: str, low: str = "%p", high: str = "%p1") -> str:
    """Two loads, the same operation on each, two stores."""
    return function(
        "%a = load <8 x i8>, ptr %q, align 1",
        "%b = load <8 x i8>, ptr %q1, align 1",
        f"%x = {of.replace('$', '%a')}",
        f"%y = {of.replace('$', '%b')}",
        f"store <8 x i8> %x, ptr {low}, align 1",
        *more,
        f"store <8 x i8> %y, ptr {high}, align 1",
    )


def _lanes(*ends: int) -> str:
    """A mask of lanes, from the first of each two up to the second."""
    lanes = (k for a, b in zip(ends[::2], ends[1::2], strict=True) for k in range(a, b))
    return "<" + ", ".join(f"i32 {k}" for k in lanes) + ">"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (halves("add nsw <8 x i8> $, splat (i8 3)"), "add nsw <16 x i8> %isel.0, splat (i8 3)"),
        (halves("add <8 x i8> $, %v", low="%p1", high="%p"), ""),
        (halves("mul <8 x i8> $, %v"), "shufflevector <8 x i8> %v, <8 x i8> poison, <16 x i32>"),
        (
            halves("call <8 x i8> @llvm.umax.v8i8(<8 x i8> $, <8 x i8> splat (i8 9))"),
            "call <16 x i8> @llvm.umax.v16i8(<16 x i8> %isel.0, <16 x i8> splat (i8 9))",
        ),
        (
            halves(f"shufflevector <8 x i8> $, <8 x i8> %v, <8 x i32> {_lanes(1, 9)}"),
            f"<16 x i32> {_lanes(1, 8, 16, 17, 9, 16, 24, 25)}",
        ),
        (
            halves(f"shufflevector <8 x i8> $, <8 x i8> poison, <8 x i32> {_lanes(0, 7, 0, 1)}"),
            f"poison, <16 x i32> {_lanes(0, 7, 0, 1, 8, 15, 8, 9)}",
        ),
    ],
    ids=["add", "exchanged", "what both look at", "intrinsic", "moves", "moves of one"],
)
def test_one_store(text: str, said: str) -> None:
    if not said:
        assert whys(joined_windows, text) == []
        return
    assert whys(joined_windows, text) == [("y", "")]
    after, verdict = transformed(joined_windows, text)
    assert isinstance(verdict, Proved)
    assert said in after and after.count("store ") == 1 and after.count("load ") == 1


@pytest.mark.parametrize(
    "text",
    [
        halves("add <8 x i8> $, <i8 1, i8 2, i8 3, i8 4, i8 5, i8 6, i8 7, i8 8>"),
        halves("add <8 x i8> $, %v").replace(
            "%b = load <8 x i8>, ptr %q1", "%b = load <8 x i8>, ptr %far"
        ),
        halves("add <8 x i8> $, %v").replace("%y = add <8", "%y = add nuw <8"),
        halves("add <8 x i8> $, %v").replace(
            "align 1\n  %b", "align 1\n  store <8 x i8> %v, ptr %q1\n  %b"
        ),
        halves("add <8 x i8> $, %v", "%k = mul <8 x i8> %x, %y", "store <8 x i8> %k, ptr %far"),
        halves("add <8 x i8> $, %v").replace("store <8 x i8> %x", "store volatile <8 x i8> %x"),
    ],
    ids=[
        "weights",
        "a byte further",
        "flags",
        "written between",
        "used elsewhere",
        "volatile",
    ],
)
def test_what_is_not_alike(text: str) -> None:
    assert whys(joined_windows, text) == []


def test_a_half_is_of_one_pair() -> None:
    scope = scope_of(halves("add <8 x i8> $, %v", "store <8 x i8> %x, ptr %p1, align 1"))
    stores = [i for i in scope.view if i.opcode == "store"]
    groups, used = Finder(scope).pairs(stores)
    assert len(groups) + len(used) <= 1


def test_only_halves_of_a_register() -> None:
    text = halves("add <8 x i8> $, %v")
    assert whys(joined_windows, text, 256) == whys(joined_windows, text, 64) == []


@pytest.mark.parametrize("between", ["call void @g()", "%r = load i8, ptr %p"])
def test_memory_that_is_used_between(between: str) -> None:
    text = halves("add <8 x i8> $, %v", between)
    assert whys(joined_windows, text) == [("y", "memory is used between both")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "%x = zext nneg <4 x i8> %a.v4i8 to <4 x i16>, !dbg !3",
            "%y = zext nneg <8 x i8> %a.v4i8 to <8 x i16>, !dbg !3",
        ),
        (
            "%x = select i1 %c, <4 x i8> %a, <4 x i8> zeroinitializer",
            "%y = select i1 %c, <8 x i8> %b, <8 x i8> zeroinitializer",
        ),
        ("store <4 x i8> %a, ptr %p, align 4, !tbaa !7", "store <8 x i8> %b, ptr %p, align 4"),
        (
            "%x = call <4 x i8> @llvm.abs.v4i8(<4 x i8> %a, i1 true)",
            "%y = call <8 x i8> @llvm.abs.v8i8(<8 x i8> %b, i1 1)",
        ),
    ],
)
def test_twice_as_many_lanes(line: str, said: str) -> None:
    i = parse_instruction(line, 0)
    assert wider(i, {"a": "b", "x": "y"}) == said
    named = {"llvm.abs.v8i8": "declare <8 x i8> @llvm.abs.v8i8(<8 x i8>, i1)"}
    assert not i.callee or declaration(i) == named
    assert is_doubled(i) is (i.opcode != "store") and says_same(i, i)
    assert not says_same(i, parse_instruction("%x = add i8 1, 2", 0))


LOOP = """
target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr noalias %p, ptr noalias %q) #0 {{
  %p1 = getelementptr i8, ptr %p, i64 32
  %q1 = getelementptr i8, ptr %q, i64 32
  %a = load <32 x i8>, ptr %q, align 1
  %b = load <32 x i8>, ptr %q1, align 1
  %x = add <32 x i8> %a, splat (i8 3)
  %y = add <32 x i8> %b, splat (i8 3)
  store <32 x i8> %x, ptr %p, align 1
  store <32 x i8> %y, ptr %p1, align 1
  ret void
}}
attributes #0 = {{ {attributes} }}
"""


@pytest.mark.parametrize(
    ("attributes", "version", "joined"),
    [
        ('"target-cpu"="znver5"', 22, True),
        ('"target-cpu"="znver5" "prefer-vector-width"="256"', 22, False),
        ('"target-cpu"="znver5" "target-features"="-evex512"', 19, False),
        ('"target-cpu"="haswell"', 22, False),
    ],
)
def test_registers_that_a_function_may_not_use(attributes: str, version: int, joined: bool) -> None:
    module = parse_module(normalise(LOOP.format(attributes=attributes)))
    target = (searched_for if version == 22 else TargetsOf(version))(module.triple)
    aim = aim_of(module.functions[0], target, Options())
    assert isinstance(aim, Aim)
    assert bool(whys(joined_windows, LOOP.format(attributes=attributes), aim.bits)) is joined


def test_what_windows_make_of_it_is_theirs_to_prove() -> None:
    """A joined value that a window replaces is not compared with what was proved of the join."""
    average = (
        "%{0}a = zext <8 x i8> %{0} to <8 x i16>",
        "%{0}b = zext <8 x i8> %{0}2 to <8 x i16>",
        "%{0}s = add nuw nsw <8 x i16> %{0}a, %{0}b",
        "%{0}t = add nuw nsw <8 x i16> %{0}s, splat (i16 1)",
        "%{0}h = lshr <8 x i16> %{0}t, splat (i16 1)",
        "%{0}r = trunc <8 x i16> %{0}h to <8 x i8>",
    )
    text = function(
        "%o1 = getelementptr i8, ptr %o, i64 8",
        "%a = load <8 x i8>, ptr %p, align 1",
        "%b = load <8 x i8>, ptr %p1, align 1",
        "%a2 = load <8 x i8>, ptr %q, align 1",
        "%b2 = load <8 x i8>, ptr %q1, align 1",
        *(line.format(x) for x in "ab" for line in average),
        "store <8 x i8> %ar, ptr %o, align 1",
        "store <8 x i8> %br, ptr %o1, align 1",
    ).replace("ptr noalias %q,", "ptr noalias %q, ptr noalias %o,")
    done = rewrite_module(
        'target triple = "x86_64-pc-linux-gnu"\n' + text, Options(vector_width=128), TOOLS, "x.ll"
    )
    assert {w.by for w in done.report.rewritten} == {"joined-windows", "windows"}
    assert "pavg.b" in done.text and done.text.count("store ") == 1
