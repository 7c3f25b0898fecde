"""Guards of the proof block by block that matter: without one a wrong pair is proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from frontends.llvm.cuts import follow, relation, stores
from frontends.llvm.cuts.block_memory import Read, Region
from frontends.llvm.cuts.joins import Set, together
from frontends.llvm.cuts.relation import Relation
from frontends.llvm.cuts.terms import TargetCone, expandable
from frontends.llvm.function.addresses import Address
from frontends.llvm.function.alias import Writes
from frontends.llvm.function.graph import Graph
from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning.bounds import bounds_of
from frontends.llvm.meaning.lanes import NO, Value
from frontends.llvm.passes import guess
from frontends.llvm.text.parse import parse_instruction, parse_module
from isel.ir.expr import elem
from isel.model.verdict import Proved, Verdict
from semantics import target_named
from tests.frontends.llvm.transformed import scope_of
from tests.verdicts import verify_modules

_PAIRS = Path(__file__).parent / "pairs"


def _verdict(name: str) -> Verdict:
    module = parse_module(normalise((_PAIRS / f"{name}.ll").read_text()))
    ((_, verdict),) = verify_modules(module, None, target_named("x86"))
    return verdict


@pytest.mark.parametrize(
    "name",
    ["loop_freeze_sunk_into_the_loop", "loop_nest_freeze_sunk", "loop_freeze_sunk_beside_the_last"],
)
def test_what_the_source_chose_before(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice of the source may not follow ones that the target makes later, and more often."""
    assert not isinstance(_verdict(name), Proved)
    monkeypatch.setattr(Graph, "chosen_in_time", lambda self, s, t, block: True)
    assert isinstance(_verdict(name), Proved)


@pytest.mark.parametrize(
    "name",
    ["pointer_of_a_collector", "pointer_that_is_unstable", "pointers_of_a_collector_compared"],
)
def test_what_a_collector_moves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a pointer points may not be asked behind a call that the source asks before."""
    assert not isinstance(_verdict(name), Proved)
    monkeypatch.setattr(Graph, "_unstable", lambda self, i: False)
    assert isinstance(_verdict(name), Proved)


@pytest.mark.parametrize(
    "name",
    [
        "around_and_one_twice",
        "around_from_a_start_in_an_open_lane",
        "into_open_lanes_an_open_one_carried",
        "into_open_lanes_one_dropped",
        "into_open_lanes_one_twice",
    ],
)
def test_what_comes_to_accumulators(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lanes that are moved on their way have to be together what they were on every edge."""
    assert not isinstance(_verdict(f"reduce_moved_{name}"), Proved)
    monkeypatch.setattr(Relation, "meets", lambda self, found, t, s: True)
    assert isinstance(_verdict(f"reduce_moved_{name}"), Proved)


@pytest.mark.parametrize("name", ["folded_above_poison", "folded_above_poison_lanes"])
def test_poison_that_comes_to_accumulators(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No lane of accumulators is poison, also one that holds nothing else."""
    assert not isinstance(_verdict(f"reduce_moved_{name}"), Proved)

    def defined(found: Set, values: Sequence[Value], *, target: bool) -> Value:
        one = together(found, values, target=target)
        return Value(one.width, one.lanes, (NO,)) if target else one

    monkeypatch.setattr(relation, "together", defined)
    assert isinstance(_verdict(f"reduce_moved_{name}"), Proved)


def test_lanes_of_accumulators_that_hang_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two looks at accumulators are none at what they are together."""
    name = "reduce_moved_apart_and_may_hang_together"
    assert not isinstance(_verdict(name), Proved)
    monkeypatch.setattr(TargetCone, "looks_again", lambda *_: False)
    assert isinstance(_verdict(name), Proved)


@pytest.mark.parametrize(
    ("name", "guard"),
    [
        ("a_byte_further", "moved"),
        ("a_byte_less", "moved"),
        ("one_volatile", "_bits"),
        ("what_is_read_between", "may_join"),
    ],
)
def test_stores_that_are_joined(name: str, guard: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two stores are one where they lie side by side and nothing looks in between."""
    pair = f"stores_joined_{name}"
    assert not isinstance(_verdict(pair), Proved)
    if guard == "moved":
        monkeypatch.setattr(
            stores, "_follow", lambda found, at, step: [p for x, p in found.items() if x != at]
        )
    elif guard == "may_join":
        monkeypatch.setattr(Writes, guard, lambda writes, row: True)
    else:
        plain = stores._bits
        monkeypatch.setattr(
            stores, "_bits", lambda i: plain(replace(i, flags=frozenset(), known=True))
        )
    assert isinstance(_verdict(pair), Proved)


@pytest.mark.parametrize(
    "name",
    [
        "difference",
        "shifted_out",
        "signed_bytes",
        "starts_beyond",
        "sum_that_grows",
    ],
)
def test_bits_that_a_phi_has(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phi loses the bits that are zero in every run, and no others."""
    assert not isinstance(_verdict(f"narrow_{name}"), Proved)
    for module in (follow, guess):
        monkeypatch.setattr(
            module, "bounds_of", lambda view: dict.fromkeys(bounds_of(view), (1 << 15) - 1)
        )
    assert isinstance(_verdict(f"narrow_{name}"), Proved)


def test_an_undef_start_has_no_bound() -> None:
    assert not isinstance(_verdict("narrow_starts_as_undef"), Proved)


def _graph(text: str) -> Graph:
    scope = scope_of(text)
    return Graph(scope.function, scope.said, scope.sizes)


def test_an_alignment_that_is_not_named_is_none_that_the_source_has() -> None:
    load = parse_instruction("%x = load i64, ptr %p, align 8", 0)
    region = Region("m0", "b", Address("%p", (), 0), lambda *_: True, 1, [Read(0, 8, 0, load)])
    assert region.aligned(0, 1, 0) and region.aligned(0, 8, 0)
    assert not region.aligned(0, 0, 0) and not region.aligned(0, 16, 0)


def test_a_call_that_others_see_is_no_term() -> None:
    graph = _graph(
        "declare i8 @g(i8)\ndefine i8 @f(i8 %x) {\n  %y = call i8 @g(i8 %x)\n"
        "  %z = add i8 %y, 1\n  ret i8 %z\n}"
    )
    assert not expandable(graph.places["y"], graph) and expandable(graph.places["z"], graph)


def test_what_a_call_promises_is_to_be_shown() -> None:
    """A call of the target is undefined behaviour where its result is poison that it says is not;
    a division is looked at elsewhere.
    """
    graph = _graph(
        "declare i8 @llvm.abs.i8(i8, i1)\ndefine i8 @f(i8 noundef %x) {\n"
        "  %y = call noundef i8 @llvm.abs.i8(i8 %x, i1 true)\n  %z = udiv i8 3, %x\n  ret i8 %y\n}"
    )
    x = Value.of(8, [(elem("x", 0, 8), NO)])
    for name, said in (("y", True), ("z", False)):
        cone = TargetCone(None, graph=graph, leaf={"x": x}.get)
        cone.compute(name)
        assert (cone.undefined is not NO) is said
