"""A first pass before its loop: what is proposed, that it is proved, and does the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frontends.llvm.transform import peeled_passes
from tests.frontends.llvm.transformed import change, do_the_same, verifies, whys
from tests.fuzz.case import Call, Pointer

LOOP = """define void @f(ptr noundef %a, ptr noundef %b, i32 noundef %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %kn, %loop ]
  %begins = phi i1 [ true, %entry ], [ false, %loop ]
  %last = phi i8 [ 0, %entry ], [ %x, %loop ]
  %at = getelementptr i8, ptr %a, i32 %k
  %x = load i8, ptr %at, align 1
  %y = sub i8 %x, %last
  %z = select i1 %begins, i8 %x, i8 %y
  %to = getelementptr i8, ptr %b, i32 %k
  store i8 %z, ptr %to, align 1
  %kn = add i32 %k, 1
  %done = icmp eq i32 %kn, %n
  br i1 %done, label %out, label %loop
out:
  %l = phi i8 [ %x, %loop ]
  store i8 %l, ptr %a, align 1
  ret void
}
"""
RIGHT = {
    "a flag": LOOP,
    "a number of passes": LOOP.replace("%kn, %n", "%kn, 9"),
    "an argument": LOOP.replace(
        "i1 [ true, %entry ], [ false,", "i32 [ 7, %entry ], [ %n,"
    ).replace("select i1 %begins, i8 %x, i8 %y", "trunc i32 %begins to i8"),
    "what was the same before": LOOP.replace("select i1 %begins", "select i1 %older").replace(
        "  %last = phi", "  %older = phi i1 [ true, %entry ], [ %begins, %loop ]\n  %last = phi"
    ),
    "to the loop first": LOOP.replace("icmp eq", "icmp ne").replace(
        "label %out, label %loop", "label %loop, label %out"
    ),
}


def _calls() -> Iterator[Call]:
    for n in (1, 2, 9, 20):
        data = tuple(bytes((n * k * k + 11 * m) % 251 for k in range(64)) for m in range(2))
        yield Call(data, (Pointer(0, 8), Pointer(1, 8), n), high=False)
        yield Call(data, (Pointer(0, 8), Pointer(0, 9), n), high=False)


@pytest.mark.parametrize("name", RIGHT)
def test_the_first_pass_is_before_the_loop(name: str) -> None:
    after = change(peeled_passes, RIGHT[name])
    assert after.count("load i8") == 2 and "%begins" not in after
    assert verifies(RIGHT[name], after) and do_the_same(RIGHT[name], after, _calls())


WRONG = {
    "another first value": ("store i8 %isel.3", "store i8 7"),
    "another arm": ("select i1 false, i8 %x, i8 %y", "select i1 true, i8 %x, i8 %y"),
    "the first pass once more": ("phi i32 [ %isel.5, %entry ]", "phi i32 [ 0, %entry ]"),
    "what comes out": ("[ %isel.1, %entry ]\n  store", "[ 0, %entry ]\n  store"),
    "the end is not asked": ("br i1 %isel.6, label %out,", "br i1 false, label %out,"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_proved(name: str) -> None:
    after = change(peeled_passes, LOOP)
    old, new = WRONG[name]
    assert old in after and not verifies(LOOP, after.replace(old, new))


def test_what_stays() -> None:
    assert whys(peeled_passes, LOOP.replace("[ false, %loop ]", "[ %done, %loop ]")) == []
    used = LOOP.replace("i8 %l,", "i8 %x,").replace("  %l = phi i8 [ %x, %loop ]\n", "")
    assert whys(peeled_passes, used) == [("begins", "its values are used behind it")]
    call = LOOP.replace("  %kn =", "  call void @g()\n  %kn =") + "declare void @g()\n"
    assert whys(peeled_passes, call) == [("begins", "it does more than load, compute and store")]
    guard = "entry:\n  %no = icmp eq i32 %n, 0\n  br i1 %no, label %end, label %loop"
    text = LOOP.replace("entry:\n  br label %loop", guard).replace(
        "ret void", "br label %end\nend:\n  ret void"
    )
    assert whys(peeled_passes, text) == []
