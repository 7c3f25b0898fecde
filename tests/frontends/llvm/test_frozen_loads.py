"""Loads under reductions in functions that write memory, as one that is frozen."""

from __future__ import annotations

import pytest

from frontends.llvm.transform import frozen_loads
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import proves, transformed, whys

HEAD = """declare i16 @llvm.vector.reduce.add.v4i16(<4 x i16>)
declare i16 @llvm.vector.reduce.umax.v4i16(<4 x i16>)
declare void @g()
"""
ROW = """define i16 @f(ptr %p, ptr %q, i64 %n) {
entry:
  store i32 %FIRST%, ptr %q, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i16 [ 0, %entry ], [ %t, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %b = getelementptr i8, ptr %a, i64 4
  %lb = load <4 x i8>, ptr %b, align 1
  %la = load <4 x i8>, ptr %a, align 1
  %x = zext <4 x i8> %la to <4 x i16>
  %y = zext <4 x i8> %lb to <4 x i16>
  %d = sub <4 x i16> %x, %y
  %r = call i16 @llvm.vector.reduce.add.v4i16(<4 x i16> %d)
  %t = add i16 %s, %r
  %i1 = add i64 %i, 8
  %done = icmp eq i64 %i1, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i16 %t
}
""".replace("%FIRST%", "7")
SQUARES = """  %m = mul <4 x i16> %d, %d
  %rm = call i16 @llvm.vector.reduce.add.v4i16(<4 x i16> %m)
  %r0 = call i16 @llvm.vector.reduce.add.v4i16(<4 x i16> %d)
  %r = xor i16 %r0, %rm
"""
SUM = "  %r = call i16 @llvm.vector.reduce.add.v4i16(<4 x i16> %d)\n"
STORE = "  store i32 7, ptr %q, align 4\n"
LOADS = "  %la = load <4 x i8>, ptr %a, align 1\n"
TWO = [("lb", "")]
LATE = (  # the lower address is known behind the first load
    ("  %a = getelementptr i8, ptr %p", "  %c = getelementptr i8, ptr %p"),
    ("ptr %a, i64 4", "ptr %c, i64 4"),
    (LOADS, "  %a = getelementptr i8, ptr %b, i64 -4\n" + LOADS),
)


def one(text: str, *exchanges: tuple[str, str]) -> str:
    """Return a module with parts exchanged, each of which is there."""
    for old, new in exchanges:
        assert old in text, old
        text = text.replace(old, new)
    return text if text.startswith("declare") else HEAD + text


@pytest.mark.parametrize(
    ("text", "sites", "said"),
    [
        (one(ROW), TWO, "load <8 x i8>"),
        (one(ROW, (SUM, SQUARES)), TWO, "load <8 x i8>"),
        (one(ROW, (".add.v4", ".umax.v4")), TWO, "load <8 x i8>"),
        (one(ROW, (STORE, "  call void @g()\n")), TWO, "load <8 x i8>"),
        (one(ROW, (STORE, ""), ("  %i1 =", STORE + "  %i1 =")), TWO, "load <8 x i8>"),
        (one(ROW, ("i64 4\n", "i64 -4\n")), TWO, "i32 4, i32 5, i32 6, i32 7"),
        (one(ROW, ("i64 4\n", "i64 5\n")), [("lb", ""), ("la", "")], "freeze <4 x i8>"),
        (one(ROW, ("align 1\n", "align 4\n")), TWO, "align 4"),
        (
            one(ROW, (LOADS, LOADS.replace("1\n", "2\n"))),
            TWO,
            "load <8 x i8>, ptr %a, align 1",
        ),
        (one(ROW, *LATE), TWO, "load <8 x i8>, ptr %isel"),
        (
            one(ROW, (LOADS, STORE + LOADS)),
            [("lb", ""), ("la", "")],
            "freeze <4 x i8>",
        ),
    ],
    ids=[
        "a sum",
        "two results",
        "a maximum",
        "a call",
        "written behind",
        "downwards",
        "a gap",
        "aligned",
        "aligned apart",
        "an address known later",
        "written between",
    ],
)
def test_right(text: str, sites: list[tuple[str, str]], said: str) -> None:
    assert whys(frozen_loads, text) == sites
    after, verdict = transformed(frozen_loads, text)
    assert isinstance(verdict, Proved), verdict
    assert said in after and after.count("freeze") == len(sites)


FROZEN = one(
    ROW,
    ("  %lb = load <4 x i8>, ptr %b, align 1\n", ""),
    (
        LOADS,
        """  %w = load <8 x i8>, ptr %a, align 1
  %z = freeze <8 x i8> %w
  %la = shufflevector <8 x i8> %z, <8 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %lb = shufflevector <8 x i8> %z, <8 x i8> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
""",
    ),
)
TURNED = ("<4 x i32> <i32 0, i32 1, i32 2, i32 3>", "<4 x i32> <i32 3, i32 2, i32 1, i32 0>")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (one(ROW), one(FROZEN, ("i64 4\n", "i64 4\n  store i8 1, ptr %q\n"))),
        (
            one(ROW),
            one(FROZEN, ("load <8 x i8>, ptr %a, align 1", "load <8 x i8>, ptr %a, align 8")),
        ),
        (one(ROW), one(FROZEN, ("i32 5, i32 6", "i32 5, i32 5"))),
        (one(ROW), one(FROZEN, ("load <8 x i8>, ptr %a", "load <8 x i8>, ptr %b"))),
        (one(ROW), one(FROZEN, ("<8 x i8>", "<9 x i8>"))),
        (one(ROW), one(FROZEN, ("%x, %y", "%y, %x"))),
        (one(ROW), one(FROZEN, ("= load", "= load volatile"))),
        (one(ROW, (LOADS, STORE + LOADS)), one(FROZEN, ("  %w =", STORE + "  %w ="))),
        (one(ROW, (LOADS, STORE + LOADS)), one(FROZEN, ("  %x =", STORE + "  %x ="))),
        (one(ROW, ("i64 4\n", "i64 5\n")), one(FROZEN)),
    ],
    ids=[
        "another store",
        "aligned more",
        "another lane",
        "other bytes",
        "bytes that are not read",
        "the other way round",
        "volatile",
        "behind a store",
        "ahead of a store",
        "over a gap",
    ],
)
def test_wrong(before: str, after: str) -> None:
    assert proves(one(ROW), FROZEN)
    assert not proves(before, after)


@pytest.mark.parametrize(
    "text",
    [
        one(ROW, (STORE, "")),
        one(ROW, (STORE, ""), ("  ret", STORE + "  ret")),
        one(ROW, ("= load", "= load volatile")),
        one(ROW, (SUM, "  %r = extractelement <4 x i16> %d, i64 0\n")),
        one(ROW, ("ptr %q, i64 %n", "ptr noalias %q, i64 %n")),
    ],
    ids=["nothing is written", "written later", "volatile", "no reduction", "another object"],
)
def test_what_stays(text: str) -> None:
    assert whys(frozen_loads, text) == []


def test_two_looks_are_not_proved_without_a_freeze() -> None:
    """A sum in another order that looks twice at what may have been stored needs its freeze."""
    turned = one(FROZEN, TURNED, ("i32 4, i32 5, i32 6, i32 7", "i32 7, i32 6, i32 5, i32 4"))
    assert proves(one(ROW), turned)
    frozen = one(turned, (SUM, SQUARES))
    source, thawed = one(ROW, (SUM, SQUARES)), "%z = bitcast <8 x i8> %w to <8 x i8>"
    assert proves(source, frozen)
    assert not proves(source, one(frozen, ("%z = freeze <8 x i8> %w", thawed)))
