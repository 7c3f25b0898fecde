"""Accumulators that are said to hold the same together: what is not of their kind shows nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from frontends.llvm.cuts.compare import compare_by_cuts
from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes.guesses import GUESSES
from frontends.llvm.passes.sums import sums_of
from frontends.llvm.passes.witness import Guesses, Sums
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.options import Options
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved

_LOOP = """define i32 @f(ptr noalias %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <4 x i32> [ zeroinitializer, %entry ], [ %sn, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %x = load <4 x i32>, ptr %at, align 4
  %sn = add <4 x i32> %s, %x
  %next = add i64 %i, 16
  %end = icmp eq i64 %next, 64
  br i1 %end, label %done, label %loop
done:
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sn)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
"""
_HALF = "shufflevector <4 x i32> %x, <4 x i32> %x, <2 x i32> "
_PAIRS = (
    _LOOP.replace("<4 x i32> %s, %x", "<2 x i32> %t, %h")
    .replace("%s = phi <4 x i32>", "%t = phi <2 x i32>")
    .replace("  %sn =", f"  %a = {_HALF}<i32 0, i32 1>\n  %b = {_HALF}<i32 2, i32 3>\n  %sn =")
    .replace("  %sn =", "  %h = add <2 x i32> %a, %b\n  %sn =")
    .replace("v4i32(<4 x i32> %sn)", "v2i32(<2 x i32> %sn)")
)


def _is_proved(target: str, said: Sums, source: str = _LOOP) -> bool:
    a, b = (parse_module(normalise(x)) for x in (source, target))
    options = Options(guesses=Guesses(sums=lambda *_: [said]))
    sides = Frames.of(a, b).sides(a.functions[0], b.functions[0], (None, None), options)
    return isinstance(compare_by_cuts(sides), Proved)


def _said(
    source: Sequence[str] = ("s",),
    target: Sequence[str] = ("t",),
    label: str = "loop",
    how: tuple[str, str, str] = ("add", "add", "zext"),
) -> Sums:
    return Sums(*how, {label: [(source, target)]})


def test_what_is_said_is_what_is_guessed() -> None:
    a, b = (parse_module(normalise(x)).functions[0].view for x in (_LOOP, _PAIRS))
    blocks = {x: x for x in ("entry", "loop", "done")}
    (found,), (again,) = (f(a, b, blocks, lambda _: False) for f in (sums_of, GUESSES.sums))
    assert found.phis == again.phis
    assert (found.join, found.other) == ("add", "add")
    assert {k: list(v) for k, v in found.phis.items()} == {"loop": [(("s",), ("t",))]}
    assert _is_proved(_PAIRS, found) and _is_proved(_PAIRS, _said())


LIES = {
    "another join": _said(how=("xor", "xor", "zext")),
    "no join": _said(how=("mul", "add", "zext")),
    "no cast": _said(how=("add", "add", "add")),
    "another block": _said(label="entry"),
    "no phi": _said(target=("sn",)),
    "no value": _said(source=("none",)),
    "nothing": _said(source=()),
    "more than they are": _said(source=("s", "i")),
}


@pytest.mark.parametrize("name", LIES)
def test_what_is_wrong_shows_nothing(name: str) -> None:
    assert not _is_proved(_PAIRS, LIES[name])


def test_a_phi_named_twice_is_no_double() -> None:
    """The target returns 0: that the source's lanes, each twice, are 0 is true, and says nothing of
    what they are once.
    """
    source = _LOOP.replace("%sn)", "%s)").replace("reduce.add", "reduce.xor")
    source = source.replace("add <4 x i32> %s, %x", "xor <4 x i32> %s, %x")
    target = _PAIRS.replace("%sn)", "%t)").replace("reduce.add", "reduce.xor")
    right = target.replace("add <2 x i32>", "xor <2 x i32>")
    how = ("xor", "xor", "zext")
    assert _is_proved(right, _said(how=how), source)
    wrong = right.replace("[ %sn, %loop ]", "[ %t, %loop ]")
    assert not _is_proved(wrong, _said(("s", "s"), how=how), source)
    two = [(("s",), ("t",)), (("s",), ("t",))]
    assert not _is_proved(_PAIRS, Sums("add", "add", "zext", {"loop": two}))
