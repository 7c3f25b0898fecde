"""The meaning of instructions agrees with the reference interpreter, poison and undefined
behaviour included.
"""

from __future__ import annotations

import random

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning.intrinsics import rounds
from frontends.llvm.meaning.lanes import Meaning, Value
from frontends.llvm.meaning.lower import meaning_of
from frontends.llvm.text.ast import Function, Literal
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.syntax import integer_shape
from isel.ir.expr import const
from tests.frontends.llvm.random_instructions import functions, operand
from tests.reference.interpreter import run
from tests.reference.values import POISON, Lane, Memory, UndefinedBehaviour
from tests.reference.values import Value as Concrete

_SEED = 20261120


def _lifted(value: Concrete, width: int) -> Value:
    lanes = tuple(const(x if isinstance(x, int) else 0x5A5A, width) for x in value)
    return Value(width, lanes, tuple(const(int(x is POISON), 1) for x in value))


def _lowered(function: Function, arguments: list[Concrete]) -> tuple[Lane, ...] | None:
    """Return the result of the one instruction of a function by its meaning; None for undefined
    behaviour.
    """
    instr = function.blocks[0].instrs[0]
    given = {a.name: v for a, v in zip(function.arguments, arguments, strict=True)}
    values: list[Value] = []
    for o in instr.operands:
        shape = integer_shape(o.type)
        assert shape is not None
        concrete: Concrete
        if isinstance(o, Literal):
            concrete = tuple(int(x) for x in o.lanes)
        else:
            concrete = given[o.name]  # type: ignore[union-attr]
        values.append(_lifted(concrete, shape[1]))
    found = meaning_of(instr, values, None, "source" if rounds(instr) else "target")
    assert isinstance(found, Meaning), found
    assert found.undefined.is_const
    if found.undefined.value:
        return None
    assert all(p.is_const for p in found.value.poison)
    result: list[Lane] = []
    for e, p in zip(found.value.lanes, found.value.poison, strict=True):
        assert p.value or e.is_const
        result.append(POISON if p.value else e.value)
    return tuple(result)


def _reference(function: Function, arguments: list[Concrete]) -> tuple[Lane, ...] | None:
    try:
        return run(function, arguments, Memory())
    except UndefinedBehaviour:
        return None


def disagreements(seed: int, count: int, inputs: int) -> list[str]:
    module = parse_module(normalise("\n".join(functions(seed, count))))
    rng = random.Random(seed)
    found: list[str] = []
    for function in module.functions:
        instr = function.blocks[0].instrs[0]
        for _ in range(inputs):
            arguments = []
            for a in function.arguments:
                shape = integer_shape(a.type)
                assert shape is not None
                arguments.append(operand(rng, *shape))
            wanted, given = _reference(function, arguments), _lowered(function, arguments)
            if (
                instr.opcode in ("sdiv", "srem")
                and given is None
                and any(POISON in a for a in arguments)
            ):
                # -1 as the divisor of poison: undefined for a target, open for the reference
                continue
            if wanted != given:
                found.append(
                    f"seed {seed}: {instr.text.strip()} of {arguments}: reference {wanted}, meaning {given}"
                )
    return found


def test_agrees_with_the_reference() -> None:
    """Quick: a few hundred instructions."""
    assert not disagreements(_SEED, 250, 12)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_reference_at_length(seed: int) -> None:
    """More seeds, more inputs."""
    assert not disagreements(_SEED + 1 + seed, 1500, 30)
