"""A source that goes as a witness says: whatever that is, it does what the source does, or there is
no such function.
"""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace

import pytest

from frontends.llvm.cuts.compare import compare_by_cuts
from frontends.llvm.cuts.early import with_early
from frontends.llvm.cuts.follow import Followed, follow
from frontends.llvm.cuts.guards import Guard
from frontends.llvm.cuts.sides import Sides
from frontends.llvm.function.graph import Graph
from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes.guess import guess
from frontends.llvm.passes.left import Left
from frontends.llvm.passes.witness import Leg, Stand, Witness
from frontends.llvm.text.ast import Function
from frontends.llvm.text.identity import Pairing
from frontends.llvm.text.parse import with_lines
from frontends.llvm.transform import (
    checked_blocks,
    fully_unrolled_loops,
    passes_as_lanes,
    unrolled_loops,
)
from frontends.llvm.transform.site import Transform
from isel.model.verdict import Proved
from tests.frontends.llvm import (
    few_passes,
    test_checked_blocks,
    test_doubled_loops,
    test_passes_as_lanes,
    test_unrolled_loops,
    test_whole_loops,
)
from tests.frontends.llvm.transformed import change, do_the_same, scope_of

CASES: dict[str, tuple[Transform, str]] = {
    "doubled": (unrolled_loops, test_doubled_loops.RIGHT["a sum of numbers"]),
    "unrolled": (unrolled_loops, test_unrolled_loops.rows()),
    "whole": (fully_unrolled_loops, test_whole_loops.RIGHT["three passes"]),
    "a flag": (fully_unrolled_loops, test_whole_loops.RIGHT["phis behind"]),
    "lanes": (passes_as_lanes, test_passes_as_lanes.RIGHT["in place"]),
    "checked": (checked_blocks, test_checked_blocks.RIGHT["squares"]),
}
CALLS = {
    "doubled": test_doubled_loops._calls,
    "whole": few_passes.calls,
    "a flag": few_passes.calls,
    "lanes": test_passes_as_lanes._calls,
    "checked": test_checked_blocks._calls,
}


def _graphs(*texts: str) -> list[Graph]:
    scopes = (scope_of(x) for x in texts)
    return [Graph(s.function, s.said, s.sizes) for s in scopes]


def _text(module: str, function: Function) -> str:
    """Return a module with another body of its function."""
    head, _, rest = normalise(module).partition("{\n")
    blocks = (f"{b.label}:\n" + "".join(f"  {i.text}\n" for i in b.instrs) for b in function.blocks)
    return head + "{\n" + "".join(blocks) + "}\n" + rest.partition("\n}\n")[2]


def _lies(witness: Witness, seed: int) -> Witness:
    """Return a witness of which one word, or two, is another one."""
    rng, found = random.Random(seed), dict(witness)
    names = sorted({leg.stand.label for leg in found.values()})
    for _ in range(rng.choice((1, 1, 2))):
        b = rng.choice(sorted(found))
        leg = found[b]
        stand, runs = leg.stand, leg.runs
        found[b] = rng.choice(
            (
                replace(leg, runs=runs[1:]),
                replace(leg, runs=(*runs, *runs[:1])),
                replace(leg, runs=(*runs, rng.choice(names))),
                replace(leg, runs=runs[::-1]),
                replace(leg, early=not leg.early),
                replace(leg, stand=replace(stand, label=rng.choice(names))),
                replace(leg, stand=replace(stand, ended=not stand.ended)),
                replace(leg, stand=replace(stand, last=rng.choice((None, True, False)))),
                found[rng.choice(sorted(found))],
            )
        )
    return found


def _followed(text: str, target: str, witness: Witness) -> str:
    """Return the module of the source as it goes then, empty where it does not go so."""
    source, other = _graphs(text, target)
    try:
        function, guards = with_early(follow(source, other, witness), source)
    except Left:
        return ""
    for label, guard in guards.items():
        lines = [i.text.strip() for i in function.view.block(label).instrs]
        free = next(n for n, x in enumerate(lines) if x.endswith("= freeze i1 poison"))
        lines[free : free + 1] = _asked(guard, lines[free].partition(" = ")[0])
        function = with_lines(function, label, lines)
    return _text(text, function)


def _asked(guard: Guard, name: str) -> list[str]:
    """Return lines that compute whether the extents of a guard lie apart."""
    lines, last = list[str](), "true"
    for n, (one, other) in enumerate(guard.pairs):
        for x, sign in ((one, -1), (other, 1)):
            base = x.address.base.removeprefix("ptr ")
            lines.append(f"%asked.{n}.{sign} = ptrtoint ptr {base} to i64")
        lines.append(f"%asked.{n} = sub i64 %asked.{n}.1, %asked.{n}.-1")
        total = f"%asked.{n}"
        terms = [(k, -f) for k, f in one.address.atoms] + [*other.address.atoms]
        for k, ((value, bits), factor) in enumerate(terms):
            own = f"%asked.{n}.a{k}"
            wide = f"sext i{bits} %{value} to i64" if bits < 64 else f"add i64 %{value}, 0"
            lines += [f"{own} = {wide}", f"{own}m = mul i64 {own}, {factor}"]
            lines.append(f"{own}s = add i64 {total}, {own}m")
            total = f"{own}s"
        sizes = [x.high - x.low for x in (one, other)]
        lines.append(f"%asked.{n}.g = add i64 {total}, {other.low - one.low - sizes[0]}")
        lines.append(f"%asked.{n}.t = icmp ult i64 %asked.{n}.g, {1 - sum(sizes)}")
        lines.append(f"%asked.{n}.all = and i1 {last}, %asked.{n}.t")
        last = f"%asked.{n}.all"
    return [*lines, f"{name} = or i1 {last}, false"]


@pytest.mark.parametrize("name", sorted(CALLS))
def test_what_is_followed_does_what_the_source_does(name: str) -> None:
    """Whatever the witness says: most lies are refused, and no other one is believed."""
    transform, text = CASES[name]
    target = change(transform, text)
    source, other = _graphs(text, target)
    witness = guess(source.function.view, other.function.view)
    assert witness is not None
    mine = _followed(text, target, witness)
    calls = list(CALLS[name]())[::7]
    assert mine and do_the_same(text, mine, calls)
    texts = {_followed(text, target, _lies(witness, seed)) for seed in range(120)} - {"", mine}
    assert all(do_the_same(text, x, calls) for x in sorted(texts)[:8])


def test_a_witness_of_other_functions() -> None:
    texts = [change(t, x) for t, x in (CASES["doubled"], CASES["whole"])]
    source, other = _graphs(*texts)
    for witness in (
        {},
        dict.fromkeys(other.body, Leg(Stand("nowhere"), ("nowhere",))),
        dict.fromkeys(other.body, Leg(Stand("entry"), ("entry",) * 5000)),
        dict.fromkeys(other.body, Leg(Stand("entry"))),
    ):
        with pytest.raises(Left):
            follow(source, other, witness)


HEAD = """define void @f(ptr noundef %a, ptr noundef %b, i64 noundef %n) {
entry:
"""
PASS = """  %at = getelementptr i8, ptr %a, i64 %k
  %x = load i8, ptr %at, align 1
  %y = add i8 %x, %s
  %to = getelementptr i8, ptr %b, i64 %k
  store i8 %y, ptr %to, align 1
  %kn = add i64 %k, 1
  %done = icmp eq i64 %kn, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
"""
PEELED = f"""{HEAD}  %x0 = load i8, ptr %a, align 1
  %y0 = add i8 %x0, 1
  store i8 %y0, ptr %b, align 1
  %none = icmp eq i64 1, %n
  br i1 %none, label %out, label %loop
loop:
  %k = phi i64 [ 1, %entry ], [ %kn, %loop ]
  %s = phi i8 [ %x0, %entry ], [ %x, %loop ]
{PASS}"""
LOOP = f"""{HEAD}  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %kn, %loop ]
  %s = phi i8 [ 1, %entry ], [ %x, %loop ]
{PASS}"""
FIRST = {
    "entry": Leg(Stand("entry"), ("entry", "loop")),
    "loop": Leg(Stand("loop"), ("loop",)),
    "out": Leg(Stand("out"), ("out",)),
}


def _proves(before: str, after: str, witness: Witness) -> bool:
    source, target = _graphs(before, after)
    a, b = (scope_of(x) for x in (before, after))
    try:
        function = follow(source, target, witness).function
    except Left:
        return False
    around = (a.said, b.said), (a.sizes, b.sizes), Pairing(a.said, b.said)
    return isinstance(
        compare_by_cuts(Sides(function, b.function, *around, (None, None), 1, None)), Proved
    )


def test_a_first_pass_that_is_peeled_needs_no_rule() -> None:
    assert _proves(LOOP, PEELED, FIRST)
    for old, new in (
        ("icmp eq i64 1, %n", "icmp eq i64 2, %n"),
        ("[ 1, %entry ], [ %kn", "[ 0, %entry ], [ %kn"),
        ("add i8 %x0, 1", "add i8 %x0, 2"),
        ("[ %x0, %entry ]", "[ %y0, %entry ]"),
        ("label %out, label %loop\nloop", "label %loop, label %out\nloop"),
        ("br i1 %none, label %out, label %loop", "br label %loop"),
    ):
        assert PEELED.count(old) == 1
        assert not _proves(LOOP, PEELED.replace(old, new), FIRST)


SCOPE = """declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
"""


def test_a_scope_that_begins_in_each_pass_is_not_two() -> None:
    begin = "call void @llvm.experimental.noalias.scope.decl(metadata !0)"
    source, target = _graphs(LOOP.replace("  %at =", f"  {begin}\n  %at =") + SCOPE, PEELED)
    with pytest.raises(Left, match="more than load"):
        follow(source, target, FIRST)


ASKED = f"""{HEAD}  br label %ask
ask:
  %none = icmp eq i64 1, %n
  br i1 %none, label %one, label %more
one:
  %x1 = load i8, ptr %a, align 1
  %y1 = add i8 %x1, 1
  store i8 %y1, ptr %b, align 1
  br label %out
more:
  %x0 = load i8, ptr %a, align 1
  %y0 = add i8 %x0, 1
  store i8 %y0, ptr %b, align 1
  br label %loop
loop:
  %k = phi i64 [ 1, %more ], [ %kn, %loop ]
  %s = phi i8 [ %x0, %more ], [ %x, %loop ]
{PASS}"""
BEFORE = {
    "entry": Leg(Stand("entry"), ("entry",)),
    "ask": Leg(Stand("loop")),
    "one": Leg(Stand("loop", last=True), ("loop",)),
    "more": Leg(Stand("loop", last=False), ("loop",)),
    "loop": Leg(Stand("loop"), ("loop",)),
    "out": Leg(Stand("out"), ("out",)),
}


def test_what_is_asked_before_a_pass_has_two_answers() -> None:
    assert _proves(LOOP, ASKED, BEFORE)
    assert not _proves(LOOP, ASKED.replace("%one, label %more", "%more, label %one"), BEFORE)


TWICE = f"""{HEAD}  %x0 = load i8, ptr %a, align 1
  %y0 = add i8 %x0, 1
  store i8 %y0, ptr %b, align 1
  br label %loop
loop:
  %k = phi i64 [ 1, %entry ], [ %kn, %loop ]
  %s = phi i8 [ %x0, %entry ], [ %x, %loop ]
  %at1 = getelementptr i8, ptr %a, i64 %k
  %x1 = load i8, ptr %at1, align 1
  %y1 = add i8 %x1, %s
  %to1 = getelementptr i8, ptr %b, i64 %k
  store i8 %y1, ptr %to1, align 1
  %k1 = add i64 %k, 1
  %at = getelementptr i8, ptr %a, i64 %k1
  %x = load i8, ptr %at, align 1
  %y = add i8 %x, %x1
  %to = getelementptr i8, ptr %b, i64 %k1
  store i8 %y, ptr %to, align 1
  %kn = add i64 %k1, 1
  %done = icmp eq i64 %kn, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}}
"""


def test_two_passes_at_once_behind_a_first_one_do_not_divide_how_many_there_are() -> None:
    """Of four passes one, two and two would be done: the test is never met."""
    source, target = (x.replace("%kn, %n", "%kn, 4") for x in (LOOP, TWICE))
    twice = {**FIRST, "loop": Leg(Stand("loop"), ("loop", "loop"))}
    assert not _proves(source, target, twice)


BYTES = f"""{HEAD}  %x0 = load i8, ptr %a, align 1
  store i8 %x0, ptr %b, align 1
  %x1 = load i8, ptr %a, align 1
  store i8 %x1, ptr %b, align 1
  ret void
}}
"""
GUARD = f"""{HEAD}  %apart = icmp eq i64 %n, 0
  br i1 %apart, label %early, label %late
early:
  ret void
late:
  ret void
}}
"""


def test_what_comes_early_does_so_where_the_guard_holds() -> None:
    legs = {
        "entry": Leg(Stand("entry")),
        "early": Leg(Stand("entry"), ("entry",), early=True),
        "late": Leg(Stand("entry"), ("entry",)),
    }
    assert _followed(BYTES, GUARD, legs)
    assert not _followed(BYTES, GUARD.replace("%early, label %late", "%late, label %early"), legs)


def test_stores_that_share_a_byte_stay_in_order() -> None:
    """Each byte is stored once, by the last that does: that is not so of a part of a store."""
    text = f"""{HEAD}  %b1 = getelementptr i8, ptr %b, i64 1
  store i16 7, ptr %b1, align 1
  store i16 9, ptr %b, align 1
  ret void
}}
"""
    for wide, whole in (("i16", False), ("i8", True)):
        (graph,) = _graphs(text.replace("i16", wide))
        with contextlib.nullcontext() if whole else pytest.raises(Left, match="share some"):
            with_early(Followed(graph.function, {"entry": ""}, frozenset()), graph)
