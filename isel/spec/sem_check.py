"""Checks of a family before it is used: names once, widths and indices for each member."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from isel.spec.instruction import Instruction
from isel.spec.sem_meaning import ARITY, TABLE
from isel.spec.sem_syntax import (
    Binary,
    Call,
    Choice,
    Element,
    Fold,
    Mistake,
    Name,
    Node,
    Number,
    Pick,
    Unary,
)

if TYPE_CHECKING:
    from isel.spec.sem_block import Family


def check_names(family: Family) -> Iterator[Mistake]:
    """Yield a mistake for each name, operand or function that is not known where it stands."""
    known = {n for loop in family.loops for n in loop.names}
    for name, node in family.constants:
        yield from _unknown(node, known, frozenset())
        known.add(name)
    integers = [node for s in family.operands for node in (s.count, s.width)]
    integers += [node for m in family.immediates for r in m.ranges for node in dict.fromkeys(r)]
    for node in (*integers, family.count, family.width):
        yield from _unknown(node, known, frozenset())
    operands = frozenset((*(s.name for s in family.operands), *(name for name, _ in family.tables)))
    known |= {"i", *(m.name for m in family.immediates)}
    for name, node in family.definitions:
        yield from _unknown(node, known, operands)
        known.add(name)
    for condition, formula in family.kinds:
        if condition is not None:
            yield from _unknown(condition, known, operands)
        yield from _unknown(formula, known, operands)


def _unknown(node: Node, known: set[str], operands: frozenset[str]) -> Iterator[Mistake]:
    inner: Sequence[Node] = ()
    match node:
        case Number():
            pass
        case Name(name=n, at=at):
            if n not in known:
                of = "is an operand, expected one of its elements"
                yield Mistake(f"'{n}' {of if n in operands else 'is not known here'}", at)
        case Element(operand=o, index=i, at=at):
            if o not in operands:
                yield Mistake(f"'{o}' is no operand", at)
            inner = (i,)
        case Call(function=f, args=inner, at=at):
            if f == TABLE:
                pass
            elif f not in ARITY:
                yield Mistake(f"unknown function '{f}'", at)
            elif len(inner) != ARITY[f]:
                yield Mistake(f"{len(inner)} arguments of '{f}', expected {ARITY[f]}", at)
        case Fold(variable=k, count=n, body=f):
            yield from _unknown(n, known, operands)
            yield from _unknown(f, known | {k}, operands)
        case Pick(table=t, at=at):
            if t not in operands:
                yield Mistake(f"'{t}' is no operand", at)
            inner = (node.base, node.count, node.index)
        case Unary(arg=a):
            inner = (a,)
        case Binary(left=a, right=b):
            inner = (a, b)
        case Choice(condition=c, yes=a, no=b):
            inner = (c, a, b)
    for x in inner:
        yield from _unknown(x, known, operands)


def check_instruction(instruction: Instruction, family: Family) -> None:
    """Evaluate every lane for the first, middle and last immediates; raise :class:`Mistake`."""
    names = [o.name for o in instruction.operands] + [m.name for m in instruction.immediates]
    if len(set(names)) < len(names):
        raise Mistake(f"'{instruction.name}' has two operands of one name", family.name.at)
    for at in (0, 1, 2):
        chosen = {m.name: m.values[(len(m.values) - 1) * at // 2] for m in instruction.immediates}
        for i in range(instruction.lanes):
            instruction.lane(i, chosen)
