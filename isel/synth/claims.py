"""What is known of a program beside that it is right: whether it is the smallest of a grammar, and
which facts it needs; and why there is none.

*Optimal* is a program that costs no more than any can; refuted sizes make its operations the
*fewest*, in the grammar that they were refuted for. Every other is the best found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.build import extract
from isel.ir.canon import rename
from isel.ir.expr import Expr, elem, leaves, show
from isel.model.answer import BEST_FOUND
from isel.model.machine import Machine
from isel.model.program import Program
from isel.model.verdict import Proved, Verdict
from isel.model.window import Root, Window
from isel.spec.instruction import Instruction, Instructions, Role
from isel.spec.known import Fixed, Ints, gather
from isel.synth import limits
from isel.synth.cegis.types import Exhausted, Found, Grammar, Outcome
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneGraph
from isel.synth.values.masks import is_number
from isel.synth.values.questions import Question
from isel.synth.values.samples import samples

Moves: TypeAlias = Callable[[Instruction, Fixed], bool]


def optimality(
    count: int | None,
    outcomes: Iterable[tuple[Grammar, Outcome]],
    *,
    computed: bool,
    cheapest: bool = False,
) -> str:
    """Say what is known of a program with ``count`` operations a lane, None where they cannot be
    counted, by what came of grammars for a lane.

    ``computed`` tells that no move of its leaves gives the lane, ``cheapest`` that the program
    costs no more than :func:`least_cost`.
    """
    if cheapest and computed:
        return (
            "optimal: no program of the target's instructions costs less in the model, moves "
            "included"
        )
    if count == 1 and computed:
        return "fewest operations a lane: one, and no move of its leaves gives it"
    for grammar, o in outcomes:
        refuted = o.depth if isinstance(o, Exhausted) else 0
        if isinstance(o, Found) and o.optimal:
            refuted = o.depth - 1
        if count is not None and 0 < count <= refuted + 1:
            return (
                f"fewest operations a lane in grammar {grammar.name} of {len(grammar.components)} "
                f"components: fewer than {count} were refuted"
            )
    return BEST_FOUND


def least_cost(roots: Sequence[Root], computed: int, machine: Machine) -> int:
    """Return a price in hundredths of a cycle that every program has at least for lanes that hold
    ``computed`` bits each which no move gives.

    An instruction computes as many bits as its result has.  0 where lanes share leaves: what is
    computed for one may be moved to another.
    """
    lanes = [e for r in roots for e in r.lanes if e is not None]
    read = [x for e in lanes for x in leaves(e)]
    if len(set(read)) < len(read):
        return 0
    bits = computed * len(lanes)
    return min((bits * price // given for price, given in machine.prices), default=0)


def is_least(
    price: int | None, roots: Sequence[Root], computed: Callable[[], int], library: Library
) -> bool:
    """Tell whether code of some price costs no more than any program for lanes in which
    ``computed`` counts the bits that no move gives: each takes part of an instruction.  For
    integers that are no masks there is none.
    """
    if any(map(is_number, roots)):
        return True
    lanes = [*filter(None, chain(*(r.lanes for r in roots)))]
    read = [*chain(*map(leaves, lanes))]
    most = sum(e.width for e in lanes) * (len(set(read)) == len(read))
    one, full = library.cheapest_instruction, library.cheapest_operation
    size = library.machine.vector_bits
    if price is None or price > max(one, most * full // size):
        return False
    bits = computed() * len(lanes)
    return bits > 0 and price <= max(one, min(bits, most) * full // size)


def is_cheap(price: int, library: Library, roots: Sequence[Root], constant: int) -> bool:
    """Tell whether a price is that of few operations for each register that roots fill."""
    bits = library.machine.vector_bits
    registers = sum(-(-r.width * len(r.lanes) // bits) for r in roots)
    return price // registers <= limits.FEW_OPERATIONS * (library.cheapest_operation + constant)


def computed_bits(lane: Expr, facts: Sequence[Expr]) -> int:
    """Return in how many bits samples show a lane to hold bytes that differ, are no bytes of
    its leaves, and are not always the same.
    """
    env = samples(Question(lane, tuple(facts), (), (), deep=False))
    unit = min([8, lane.width, *(x.width for x in env)])
    pieces = [extract(x, at, unit) for x in env for at in range(0, x.width - unit + 1, unit)]
    wanted = [extract(lane, at, unit) for at in range(0, lane.width - unit + 1, unit)]
    values = evaluate_all([*pieces, *wanted], env, NumpyLanes())
    known = [values[p] for p in pieces]
    for w in wanted:
        if bool((values[w] != values[w][..., :1]).any()) and all(
            bool((values[w] != v).any()) for v in known
        ):
            known.append(values[w])
    return unit * (len(known) - len(pieces))


def operations(program: Program, instructions: Instructions, moves: Moves) -> int | None:
    """Return the most operations that a lane of the roots is made by, moves of data apart.

    None where lanes are of several functions, or go through permutes by an index.
    """
    maps: dict[int, tuple[Ints, Ints]] = {}
    counted: set[int] = set()
    for k, s in enumerate(program.steps):
        if s.kind != "apply":
            continue
        i = instructions[s.name]
        found = None if any(o.role is Role.INDEX for o in i.operands) else gather(i, s.immediates)
        if found is None:
            return None
        maps[k] = found
        if not moves(i, s.immediates):
            counted.add(k)
    lanes = ((root, lane) for root in program.roots for lane in range(program.steps[root].lanes))
    return max(
        (sum(k in counted for k, _ in _cone(program, at, maps)) for at in lanes), default=None
    )


def _cone(
    program: Program, at: tuple[int, int], maps: Mapping[int, tuple[Ints, Ints]]
) -> set[tuple[int, int]]:
    """Return the lanes of steps, as (step, lane), that a lane is made of."""
    seen: set[tuple[int, int]] = set()
    stack = [at]
    while stack:
        here = stack.pop()
        if here in seen:
            continue
        seen.add(here)
        s, i = program.steps[here[0]], here[1]
        match s.kind:
            case "slice":
                stack.append((s.args[0], s.first + i))
            case "join":
                stack.append(_part(program, s.args, i))
            case "view":
                stack.extend(
                    (s.args[0], k) for k in _under(i, s.width, program.steps[s.args[0]].width)
                )
            case "apply":
                operand, index = maps[here[0]]
                stack.extend(
                    (s.args[o], k)
                    for o, k in zip(operand[:, i].tolist(), index[:, i].tolist(), strict=True)
                )
            case _:
                pass
    return seen


def _part(program: Program, parts: tuple[int, ...], lane: int) -> tuple[int, int]:
    for p in parts:
        if lane < program.steps[p].lanes:
            return p, lane
        lane -= program.steps[p].lanes
    raise AssertionError("a lane beyond a join")


def _under(lane: int, width: int, narrow: int) -> range:
    """Return the lanes of ``narrow`` bits that a lane of ``width`` bits lies over."""
    first = lane * width // narrow
    return range(first, max(((lane + 1) * width - 1) // narrow, first) + 1)


def root_instructions(program: Program) -> Iterator[tuple[str, Fixed]]:
    """Yield the instructions that give the roots, with their immediates."""
    stack = list(program.roots)
    while stack:
        s = program.steps[stack.pop()]
        if s.kind in ("join", "slice", "view"):
            stack.extend(s.args)
        elif s.kind == "apply":
            yield s.name, s.immediates


def needed_facts(window: Window, prove: Callable[[Window], Verdict]) -> tuple[str, ...]:
    """Return the facts about leaves without which a program is not proved to be right, each
    kind once, of its first element.
    """
    sources = {f: frozenset(x.source for x in leaves(f)) for f in window.facts if not f.is_const}
    kept = list(window.facts)
    for source in dict.fromkeys(sources.values()):
        fewer = [f for f in kept if sources.get(f) != source]
        if len(fewer) < len(kept) and isinstance(
            prove(replace(window, facts=tuple(fewer))), Proved
        ):
            kept = fewer
    return tuple(dict.fromkeys(show(_first(f)) for f in kept if f in sources))


def _first(fact: Expr) -> Expr:
    """Return a fact as it is of the first elements of its leaves."""
    return rename(fact, {x: elem(x.source, 0, x.width) for x in leaves(fact) if x.op == "elem"})


def why_none(graph: LaneGraph, goals: int, price: int | None) -> str:
    """Say which limit stopped a search: that of ``goals``, if not 0, or the lane graph's; or that
    nothing costs less than a ``price``.
    """
    if goals:
        return f"no program found: the search ended at its limit of {goals} goals"
    if graph.limit and graph.steps >= graph.limit:
        return f"no program found: the lane graph ended at its limit of {graph.limit} steps"
    return "no program found" if price is None else "no program found that costs less"
