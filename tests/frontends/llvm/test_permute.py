"""Passes of loops that come in another order: what is proved, what is not, and that whatever a
witness says, what comes out does what the source does.
"""

from __future__ import annotations

import random

import pytest

from frontends.llvm.cuts.permute import permute
from frontends.llvm.function.graph import Graph
from frontends.llvm.passes.left import Left
from frontends.llvm.passes.orders import guess_exchange
from frontends.llvm.passes.witness import Exchange
from tests.frontends.llvm.test_follow import _text
from tests.frontends.llvm.transformed import do_the_same, scope_of, verifies
from tests.frontends.llvm.turned_loops import behind, calls, fused, nest, swapped

TWO_WAYS = "entry:\n  br i1 true, label %one, label %between"
FUSED = ["a=a b=b", "b=a c=b", "b=a c=b-1", "b=a b=b", "a=a a=a-1", "b=a a=c", "b=a+1 a=c"]
FUSED += ["b=a b=c", "b+32=a c=b", "b=a-3 c=b-5"]
APART = ["b=a c=b+1", "b=a-1 a=c", "a=a a=a+1", "b=a b+1=c", "b=a a+1=b", "a=a d=d", "a=c b=d"]
APART += ["b=a c=b+15", "b=d a=b", "b=a b+15=c"]
JAMMED = [
    "b=a",
    "b=b",
    "b=b+16",
    "b=b-16",
    "b=b-17",
    "b=b+17",
    "b-2=b-2",
    "b=b-32",
    "b=b-31",
    "c=b+1",
]
NOT_JAMMED = [
    "b=b+1",
    "b=b-1",
    "b=b-15",
    "b=b+15",
    "b+1=b",
    "b-1=b",
    "b+16=b+15",
    "a=d",
    "d=a",
    "b=b+3",
]
SWAPPED = [
    "b=a",
    "b=b",
    "b=b+16",
    "b=b-16",
    "b=b-32",
    "b=a+17",
    "b+3=b+3",
    "c=b-1",
    "c+5=a",
    "b=b+64",
]
NOT_SWAPPED = [*NOT_JAMMED[:9], "b=b-31", "b=b-17", "b=b+17", "b=b-33"]  # rows go on in the next


@pytest.mark.parametrize("text", FUSED)
def test_two_loops_as_one(text: str) -> None:
    first, second = text.split()
    before, after = behind(first, second), fused(first, second)
    assert verifies(before, after) and do_the_same(before, after, calls())


@pytest.mark.parametrize("text", APART)
def test_two_loops_that_are_not_one(text: str) -> None:
    first, second = text.split()
    assert not verifies(behind(first, second), fused(first, second))


@pytest.mark.parametrize("text", JAMMED)
def test_rows_at_once(text: str) -> None:
    assert verifies(nest(text), nest(text, 2)) and do_the_same(nest(text), nest(text, 2), calls())


@pytest.mark.parametrize("text", NOT_JAMMED)
def test_rows_that_are_not_done_at_once(text: str) -> None:
    assert not verifies(nest(text), nest(text, 2))


@pytest.mark.parametrize("text", SWAPPED)
def test_columns_around_rows(text: str) -> None:
    assert verifies(nest(text), swapped(text)) and do_the_same(nest(text), swapped(text), calls())


@pytest.mark.parametrize("text", NOT_SWAPPED)
def test_columns_that_are_not_around_rows(text: str) -> None:
    assert not verifies(nest(text), swapped(text))


def _changed(text: str, exchange: Exchange) -> str:
    """Return a module with passes exchanged, empty where they may not be."""
    scope = scope_of(text)
    try:
        return _text(text, permute(Graph(scope.function, scope.said, scope.sizes), exchange))
    except Left:
        return ""


@pytest.mark.parametrize(
    "exchange",
    [
        Exchange("rows", "nowhere", 2),
        Exchange("one", "two"),
        Exchange("rows", "rows", 2),
        Exchange("inner", "rows", 2),
        Exchange("rows", "next", 2),
        Exchange("rows", "inner", 1_000_000),
        Exchange("rows", "inner", 3),
        Exchange("rows", "inner", 1),
        Exchange("rows", "inner", -2),
    ],
)
def test_a_witness_that_lies_is_not_believed(exchange: Exchange) -> None:
    assert _changed(nest("b=a"), Exchange("rows", "inner", 2))
    assert not _changed(nest("b=a"), exchange)


def test_what_seems_to_be_exchanged() -> None:
    one, two, three = (scope_of(x).view for x in (nest("b=a"), nest("b=a", 2), swapped("b=a")))
    assert guess_exchange(one, two) == Exchange("rows", "inner", 2)
    assert guess_exchange(one, three) == Exchange("rows", "inner")
    assert guess_exchange(one, one) is None and guess_exchange(two, one) is None
    pair = (scope_of(x).view for x in (behind("b=a", "c=b"), fused("b=a", "c=b")))
    assert guess_exchange(*pair) == Exchange("one", "two")


LEFT = {
    "a call": ("  %x.tt = ", "  call void @g()\n  %x.tt = "),
    "a volatile store": ("store i8 %z.tt", "store volatile i8 %z.tt"),
    "a division": ("%z.tt = add i8 %y.tt, 2", "%z.tt = udiv i8 7, %y.tt"),
    "another number of passes": ("icmp eq i64 %jn, 16", "icmp eq i64 %jn, 17"),
    "a start that the first one gives": ("%j = phi i64 [ 0,", "%j = phi i64 [ %i,"),
    "another way to the second": ("entry:\n  br label %one", TWO_WAYS),
    "a store between": ("between:\n", "between:\n  store i8 1, ptr %d, align 1\n"),
    "an index that is poison": (
        "getelementptr i8, ptr %b, i64 %i",
        "getelementptr i8, ptr %b, i64 %at",
    ),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_as_it_is(name: str) -> None:
    text = behind("b=a", "c=b").replace(*LEFT[name])
    text += "declare void @g()\n" if "@g" in text else ""
    if "%at" in text:
        text = text.replace("one:\n", "one:\n  %at = phi i64 [ 0, %entry ], [ poison, %one ]\n")
    assert not _changed(text, Exchange("one", "two"))
    assert not verifies(text, fused("b=a", "c=b"))


@pytest.mark.parametrize("kind", ["alias.scope", "noalias"])
def test_scopes_say_nothing_of_two_passes(kind: str) -> None:
    text = behind("b=a", "c=b").replace("%to2.tt, align 1", f"%to2.tt, align 1, !{kind} !0")
    text += "!0 = !{!1}\n!1 = distinct !{!1, !2}\n!2 = distinct !{!2}\n"
    assert not _changed(text, Exchange("one", "two"))


@pytest.mark.parametrize("stop", ["%n", "%m"])
def test_loops_of_as_many_passes_as_nobody_knows(stop: str) -> None:
    head = "ptr noundef %d, i64 noundef %n, i64 noundef %m)"
    before, after = (
        x.replace("ptr noundef %d)", head).replace("icmp eq i64 %in, 16", "icmp eq i64 %in, %n")
        for x in (behind("b=a", "c=b"), fused("b=a", "c=b"))
    )
    before = before.replace("icmp eq i64 %jn, 16", f"icmp eq i64 %jn, {stop}")
    assert verifies(before, after) == (stop == "%n")
    assert not verifies(*(x.replace("i64 noundef %n", "i64 %n") for x in (before, after)))
    assert not verifies(*(x.replace("nsw i64 %i, 1", "nsw i64 %i, 2") for x in (before, after)))


@pytest.mark.parametrize("seed", range(6))
def test_what_comes_out_does_what_the_source_does(seed: int) -> None:
    rng, done = random.Random(seed), 0
    for _ in range(12):
        one, two = (
            f"{rng.choice('abc')}{rng.choice(FAR):+}={rng.choice('abbcd')}{rng.choice(FAR):+}"
            for _ in range(2)
        )
        kind = rng.choice((2, 4, 8, 0, -1))
        text = behind(one, two) if kind < 0 else nest(one)
        exchange = Exchange("one", "two") if kind < 0 else Exchange("rows", "inner", kind)
        after = _changed(text, exchange)
        done += bool(after)
        assert not after or do_the_same(text, after, calls())
    assert done > 2


FAR = (0, 0, 1, -1, 2, 15, 16, -16, -15, 17, -17, 31, 32, 33, 48, 64, -64, 79, 80)
