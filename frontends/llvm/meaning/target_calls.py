"""Calls of target intrinsics, whose meaning is the target's own description of its instructions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from frontends.llvm.meaning.lanes import NO, Cannot, Side, Value, recast
from frontends.llvm.text.ast import Instr, IntType, VectorType
from frontends.llvm.text.syntax import element
from isel.ir.build import any_of
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, elem, leaves
from isel.spec.instruction import Instruction

Terms: TypeAlias = dict[Expr, Expr]
_ARGUMENT: Final = re.compile(r"[%$][\w.]+")


@dataclass(frozen=True, slots=True)
class Application:
    """An instruction applied to operands: the lane terms over ``elem(operand, …)`` and what
    fills those.
    """

    width: int
    lanes: tuple[Expr, ...]
    values: dict[Expr, Expr]
    poison: dict[Expr, Expr]


def target_call(
    instruction: Instruction, instr: Instr, operands: Sequence[Value], role: Side
) -> Value:
    """Return the result of a call; in the source it is never poison (R4), in the target where
    an input that it reads is (R3).
    """
    found = apply(instruction, instr, operands)
    poison = tuple(
        NO if role == "source" else any_of(*(found.poison[x] for x in leaves(f)))
        for f in found.lanes
    )
    return result(
        Value(found.width, tuple(instantiate(f, found.values) for f in found.lanes), poison), instr
    )


def result(value: Value, instr: Instr) -> Value:
    """View the lanes of an instruction's result as the call's type."""
    kind = element(instr.type)
    count = instr.type.count if isinstance(instr.type, VectorType) else 1
    if not isinstance(kind, IntType) or kind.bits * count != value.width * len(value.lanes):
        raise Cannot(f"a call of '{instr.callee}' with the result {instr.type}")
    return recast(value, kind.bits)


def apply(instruction: Instruction, instr: Instr, operands: Sequence[Value]) -> Application:
    """Bind the operands of a call to those of the instruction, in the order of its emission."""
    names = argument_names(instruction)
    if names is None or len(names) != len(operands):
        raise Cannot(f"the operands of '{instr.callee}'")
    immediates: dict[str, int] = {}
    values: dict[Expr, Expr] = {}
    poison: dict[Expr, Expr] = {}
    for name, value in zip(names, operands, strict=True):
        if name[0] == "$":
            immediates[name[1:]] = _immediate(instruction, instr, name[1:], value)
        else:
            _bind(instruction, instr, name[1:], value, values, poison)
    if set(immediates) != {i.name for i in instruction.immediates}:
        raise Cannot(f"the immediates of '{instr.callee}'")
    lanes = tuple(instruction.lane(i, immediates) for i in range(instruction.lanes))
    if not values.keys() >= set(leaves(*lanes)):
        raise Cannot(f"'{instr.callee}' reads what the call does not give")
    return Application(instruction.width, lanes, values, poison)


def _immediate(instruction: Instruction, instr: Instr, name: str, value: Value) -> int:
    own = next((i for i in instruction.immediates if i.name == name), None)
    if (
        own is None
        or len(set(value.lanes)) != 1  # some take it in each element of a vector
        or not value.lanes[0].is_const
        or any(p is not NO for p in value.poison)
    ):
        raise Cannot(f"an immediate of '{instr.callee}' that is no constant")
    given = value.lanes[0].value
    given = given % own.modulo if own.modulo else given
    if given not in own.values:
        raise Cannot(f"an immediate of '{instr.callee}' out of its range")
    return given


def _bind(
    instruction: Instruction, instr: Instr, name: str, value: Value, values: Terms, poison: Terms
) -> None:
    wanted = next((o for o in instruction.operands if o.name == name), None)
    given = value.width * len(value.lanes)
    if wanted is None or (
        wanted.bits != given and (wanted.width > 1 or wanted.bits > given)
    ):  # of a mask only the low bits are read
        raise Cannot(f"an operand of '{instr.callee}'")
    view = recast(value, wanted.width)
    for i, (e, p) in enumerate(view.rows[: wanted.lanes]):
        leaf = elem(name, i * wanted.width, wanted.width)
        values[leaf], poison[leaf] = e, p


def argument_names(instruction: Instruction) -> list[str] | None:
    """Return the names of the call's arguments (``%operand`` or ``$immediate``) as the emission
    has them.
    """
    mark = f"@{instruction.call}("
    line = next((row for row in instruction.emission if mark in row), None)
    if not instruction.call or line is None:
        return None
    return _ARGUMENT.findall(line.partition(mark)[2])
