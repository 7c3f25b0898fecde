"""Answers of grammars as text, so that no run asks for them again: programs, and sizes that were
refuted.

A key determines all that an answer depends on; what is read back is replayed over the grammar's own
components, and what does not fit them is none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Final

from isel.errors import IselError
from isel.ir.expr import show
from isel.ir.text import parse
from isel.json_text import to_json
from isel.synth.cegis.types import Component, Exhausted, Found, Outcome, OutOfSteps, Task, replay

PREFIX: Final = "cegis "  # of keys


def key_of(task: Task, salt: str) -> str:
    """Return the key of a task; ``salt`` names target and solvers by version."""
    g = task.grammar
    names = [(c.name, c.cost, [m.name for m in c.members]) for c in g.components]
    literals = [show(e) for e in g.constants]
    asked = (show(task.lane), show(task.premise), names, literals, g.depth)
    limits = (task.effort, task.scaled, task.lanes, task.thorough)
    text = to_json([salt, asked, limits])
    return PREFIX + hashlib.sha256(text.encode()).hexdigest()


def write(outcome: Outcome) -> str:
    """Return the text of an outcome."""
    return to_json(_data(outcome))


def _data(o: Outcome) -> list[object]:
    match o:
        case Found():
            inputs = [show(e) for e in o.inputs]
            others = [_data(x) for x in o.others]
            return ["found", inputs, o.steps, o.cost, o.optimal, o.effort, others]
        case Exhausted():
            return ["exhausted", o.depth, o.effort]
        case OutOfSteps():
            return ["open", o.depth, o.effort, o.reason]


def read(text: str, task: Task) -> Outcome | None:
    """Return the outcome of a text, None if it is none of the task's grammar."""
    try:
        return _outcome(json.loads(text), task.grammar.name, task.grammar.by_name)
    except (ValueError, KeyError, TypeError, IndexError, IselError):
        return None


def _outcome(data: object, grammar: str, parts: Mapping[str, Component]) -> Outcome:
    match data:
        case ["exhausted", int(depth), int(effort)]:
            return Exhausted(grammar, depth, effort)
        case ["open", int(depth), int(effort), str(reason)]:
            return OutOfSteps(grammar, depth, effort, reason)
        case ["found", *rest]:
            return _program(rest, grammar, parts)
    raise ValueError("no outcome")


def _program(data: Sequence[object], grammar: str, parts: Mapping[str, Component]) -> Found:
    match data:
        case [list(inputs), list(steps), int(cost), bool(optimal), int(effort), list(more)]:
            given = tuple(parse(str(x)) for x in inputs)
            lines = tuple((str(name), tuple(map(int, numbers))) for name, numbers in steps)
            values = replay(given, ((parts[name], numbers) for name, numbers in lines))
            others = tuple(_program(x[1:], grammar, parts) for x in more)
            return Found(grammar, given, lines, values, cost, optimal, effort, others)
    raise ValueError("no program")
