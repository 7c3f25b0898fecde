"""What is known of a program beside that it is right: whether it is the smallest of a grammar, and which facts it needs.

Only refuted sizes make a program *optimal*, and only in the grammar that they were refuted for; every other is the best found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.build import extract
from isel.ir.canon import rename
from isel.ir.expr import Expr, elem, leaves
from isel.ir.text import show
from isel.spec.instruction import Instruction, Role
from isel.spec.known import Fixed, Ints, gather
from isel.synth.analysis import Question, samples
from isel.synth.answer import BEST_FOUND
from isel.synth.cegis_types import Exhausted, Found, Outcome
from isel.synth.program import Program
from isel.synth.window import Window
from isel.verify.verdict import Proved, Verdict

Instructions: TypeAlias = Mapping[str, Instruction]
Moves: TypeAlias = Callable[[Instruction, Fixed], bool]


def optimality(count: int | None, outcomes: Iterable[Outcome], *, computed: bool) -> str:
    """Say what the outcomes of grammars for a lane say of a program with ``count`` operations a lane, None where they cannot be counted.

    ``computed`` tells that no move of its leaves gives the lane.
    """
    if count == 1 and computed:
        return "optimal: one operation a lane, and no move of its leaves gives it"
    for o in outcomes:
        refuted = o.depth - 1 if isinstance(o, Found) and o.optimal else o.depth if isinstance(o, Exhausted) else 0
        if count is not None and 0 < count <= refuted + 1:
            return f"optimal: every program of fewer than {count} operations a lane was refuted in grammar {o.grammar}"
    return BEST_FOUND


def is_computed(lane: Expr, facts: Sequence[Expr]) -> bool:
    """Tell whether samples show that some byte of a lane is no byte of its leaves, and not always the same."""
    env = samples(Question(lane, tuple(facts), (), (), deep=False))
    unit = min([8, lane.width, *(x.width for x in env)])
    pieces = [extract(x, at, unit) for x in env for at in range(0, x.width - unit + 1, unit)]
    wanted = [extract(lane, at, unit) for at in range(0, lane.width - unit + 1, unit)]
    values = evaluate_all([*pieces, *wanted], env, NumpyLanes())
    return any(bool((values[w] != values[w][..., :1]).any()) and all(bool((values[w] != values[p]).any()) for p in pieces) for w in wanted)


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
    return max((sum(k in counted for k, _ in _cone(program, at, maps)) for at in lanes), default=None)


def _cone(program: Program, at: tuple[int, int], maps: Mapping[int, tuple[Ints, Ints]]) -> set[tuple[int, int]]:
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
                stack.extend((s.args[0], k) for k in _under(i, s.width, program.steps[s.args[0]].width))
            case "apply":
                operand, index = maps[here[0]]
                stack.extend((s.args[o], k) for o, k in zip(operand[:, i].tolist(), index[:, i].tolist(), strict=True))
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
    return range(lane * width // narrow, max(((lane + 1) * width - 1) // narrow, lane * width // narrow) + 1)


def needed_facts(window: Window, prove: Callable[[Window], Verdict]) -> tuple[str, ...]:
    """Return the facts about leaves without which a program is not proved to be right, each kind once, of its first element."""
    sources = {f: frozenset(x.source for x in leaves(f)) for f in window.facts if not f.is_const}
    kept = list(window.facts)
    for source in dict.fromkeys(sources.values()):
        fewer = [f for f in kept if sources.get(f) != source]
        if len(fewer) < len(kept) and isinstance(prove(replace(window, facts=tuple(fewer))), Proved):
            kept = fewer
    return tuple(dict.fromkeys(show(_first(f)) for f in kept if f in sources))


def _first(fact: Expr) -> Expr:
    """Return a fact as it is of the first elements of its leaves."""
    return rename(fact, {x: elem(x.source, 0, x.width) for x in leaves(fact) if x.op == "elem"})
