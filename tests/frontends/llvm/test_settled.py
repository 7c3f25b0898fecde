"""An index that an address looks at twice: allowed where no look can differ from another."""

from __future__ import annotations

import pytest

from frontends.llvm.function.settled import Settled
from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved
from semantics import target_named
from tests.verdicts import verify_modules

# arguments beside %p, and what makes %i of them
_FIXED = {
    "argument": ("i64 noundef %i", ""),
    "extended": ("i32 noundef %n", "%i = sext i32 %n to i64"),
    "frozen": ("i64 %x", "%i = freeze i64 %x"),
    "frozen_below": ("i32 %x", "%f = freeze i32 %x\n%i = zext i32 %f to i64"),
    "loaded": ("ptr %m", "%i = load i64, ptr %m, align 8, !noundef !0"),
    "returned": ("", "%i = call noundef i64 @some(i64 0)"),
    "quotient": ("i64 noundef %x, i64 noundef %y", "%i = sdiv exact i64 %x, %y"),
    "shifted_too_far": ("i64 noundef %x, i64 noundef %y", "%i = lshr i64 %x, %y"),
    "chosen": (
        "i1 noundef %c, i64 noundef %x, i64 noundef %y",
        "%i = select i1 %c, i64 %x, i64 %y",
    ),
    "element": (
        "<2 x i64> noundef %v, i32 noundef %k",
        "%i = extractelement <2 x i64> %v, i32 %k",
    ),
    "lesser": ("i64 noundef %x", "%i = call i64 @llvm.smin.i64(i64 %x, i64 7)"),
    "met": (
        "i1 noundef %c, i64 noundef %x",
        "br i1 %c, label %a, label %b\na:\nbr label %b\nb:\n%i = phi i64 [ 5, %0 ], [ %x, %a ]",
    ),
    "counted": (
        "i64 noundef %x, i1 noundef %c",
        (
            "br label %a\na:\n%i = phi i64 [ %x, %0 ], [ %j, %a ]\n%j = add nuw i64 %i, 3\n"
            "br i1 %c, label %a, label %b\nb:"
        ),
    ),
}
_OPEN = {
    "argument": ("i64 %i", ""),
    "in_quotes": ('i64 "noundef" %i', ""),
    "extended": ("i32 %n", "%i = sext i32 %n to i64"),
    "loaded": ("ptr noundef %m", "%i = load i64, ptr %m, align 8"),
    "in_a_range": ("ptr noundef %m", "%i = load i64, ptr %m, align 8, !range !1"),
    "returned": ("", "%i = call i64 @some(i64 noundef 0)"),
    "sum": ("i64 noundef %x, i64 %y", "%i = xor i64 %x, %y"),
    "of_a_literal": ("i64 noundef %x", "%i = xor i64 %x, undef"),
    "quotient": ("i64 %x, i64 noundef %y", "%i = udiv i64 %x, %y"),
    "chosen": ("i1 noundef %c, i64 noundef %x", "%i = select i1 %c, i64 %x, i64 undef"),
    "chosen_by": (
        "i1 %c, i64 noundef %x, i64 noundef %y",
        "%i = select i1 %c, i64 %x, i64 %y",
    ),
    "element": ("<2 x i64> %v", "%i = extractelement <2 x i64> %v, i32 1"),
    "element_put_beside": (
        "<2 x i64> %v, i64 noundef %x",
        "%w = insertelement <2 x i64> %v, i64 %x, i32 0\n%i = extractelement <2 x i64> %w, i32 1",
    ),
    "met": (
        "i1 noundef %c, i64 noundef %x, i64 %y",
        "br i1 %c, label %a, label %b\na:\nbr label %b\nb:\n%i = phi i64 [ %y, %0 ], [ %x, %a ]",
    ),
    "met_with_undef": (
        "i1 noundef %c, i64 noundef %x",
        "br i1 %c, label %a, label %b\na:\nbr label %b\nb:\n%i = phi i64 [ undef, %0 ], [ %x, %a ]",
    ),
    "counted": (
        "i64 noundef %x, i64 %y, i1 noundef %c",
        (
            "br label %a\na:\n%i = phi i64 [ %x, %0 ], [ %j, %a ]\n%j = add i64 %i, %y\n"
            "br i1 %c, label %a, label %b\nb:"
        ),
    ),
    "frozen_elsewhere": ("i64 %x", "%f = freeze i64 %x\n%i = add i64 %x, 1"),
}
_TAIL = """
declare i64 @some(i64)
declare i64 @llvm.smin.i64(i64, i64)
!0 = !{}
!1 = !{i64 0, i64 9}
"""


def _proved(case: tuple[str, str], once: str, twice: str) -> bool:
    """Tell whether the function with an address looked at twice is proved to refine the one with
    one look.
    """
    arguments, made = case
    listed = ", ".join(x for x in ("ptr %p", arguments) if x)
    sides = (
        f"define ptr @{side}({listed}) {{\n{made}\n{distance}\n"
        "%q = getelementptr i8, ptr %p, i64 %d\nret ptr %q\n}\n"
        for side, distance in (("src", once), ("tgt", twice))
    )
    text = "\n".join(sides) + _TAIL
    ((_, verdict),) = verify_modules(parse_module(normalise(text)), None, target_named("x86"))
    return isinstance(verdict, Proved)


@pytest.mark.parametrize("name", _FIXED)
def test_looks_of_what_is_not_undef_are_alike(name: str) -> None:
    """Poison is no matter: the other address is poison with it."""
    assert _proved(_FIXED[name], "%d = shl i64 %i, 1", "%d = add i64 %i, %i")


@pytest.mark.parametrize("name", _OPEN)
def test_what_may_be_undef_is_looked_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two looks at it are two values, whose sum may be odd; this guard is what refuses it."""
    assert not _proved(_OPEN[name], "%d = shl i64 %i, 1", "%d = add i64 %i, %i")
    monkeypatch.setattr(Settled, "holds", lambda self, name: True)
    assert _proved(_OPEN[name], "%d = shl i64 %i, 1", "%d = add i64 %i, %i")


@pytest.mark.parametrize("cases", [_FIXED, _OPEN], ids=["fixed", "open"])
def test_one_look_is_any(cases: dict[str, tuple[str, str]]) -> None:
    """Where the source looks twice the target may look once."""
    assert all(_proved(c, "%d = add i64 %i, %i", "%d = shl i64 %i, 1") for c in cases.values())
