"""Evaluates expressions lane by lane on whole numbers, without anything of how they are lowered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Final, TypeAlias

from frontends.halide.expr.lower import LANE, Lowered, is_vector
from frontends.halide.expr.meaning import apply, clamped
from frontends.halide.expr.places import Input
from frontends.halide.expr.tree import Node
from frontends.halide.expr.types import Type

Memory: TypeAlias = Callable[[str, Type, int], int]  # the element of a buffer at an index
Lanes: TypeAlias = tuple[int, ...]
REDUCTIONS: Final[Mapping[str, Callable[[Type, int, int], int]]] = {
    "sum": lambda t, a, b: t.wrapped(a + b),
    "maximum": lambda t, a, b: max(a, b),
    "minimum": lambda t, a, b: min(a, b),
    "saturating_sum": lambda t, a, b: clamped(a + b, t),
}


def evaluate(node: Node, lanes: int, memory: Memory, variables: Mapping[str, int]) -> Lanes:
    """Return the lanes of an expression; one of single lanes has ``x`` from 0 on."""
    if is_vector(node):
        return _value(node, {k: (v,) for k, v in variables.items()}, memory)
    return tuple(
        _value(node, {**{k: (v,) for k, v in variables.items()}, LANE: (i,)}, memory)[0]
        for i in range(lanes)
    )


def _value(n: Node, names: Mapping[str, Lanes], memory: Memory) -> Lanes:
    match n.op:
        case "const":
            return n.numbers
        case "var":
            return names[n.name]
        case "let":
            return _value(n.args[1], {**names, n.name: _value(n.args[0], names, memory)}, memory)
        case "load":
            return tuple(memory(n.name, n.type.of(1), i) for i in _value(n.args[0], names, memory))
        case "reduce":
            body, variable = n.args
            steps = [
                _value(body, {**names, variable.name: (k,)}, memory)[0]
                for k in range(n.numbers[0], n.numbers[1] + 1)
            ]
            return (reduce(lambda a, b: REDUCTIONS[n.name](n.type, a, b), steps),)
        case "ramp":
            base, stride = (_wide(_value(a, names, memory), a.type.lanes) for a in n.args)
            return tuple(
                n.type.wrapped(b + i * s)
                for i in range(n.numbers[0])
                for b, s in zip(base, stride, strict=True)
            )
        case "broadcast":
            return _wide(_value(n.args[0], names, memory), n.args[0].type.lanes) * n.numbers[0]
        case "shuffle":
            pool = [v for a in n.args for v in _wide(_value(a, names, memory), a.type.lanes)]
            return tuple(pool[k] for k in n.numbers)
        case "vector_reduce":
            values = _value(n.args[0], names, memory)
            step = len(values) // n.type.lanes
            return tuple(
                reduce(lambda a, b: REDUCTIONS[n.name](n.type, a, b), values[k : k + step])
                for k in range(0, len(values), step)
            )
    if n.op == "reinterpret" and n.type.lanes != n.args[0].type.lanes:
        return _recast(
            _wide(_value(n.args[0], names, memory), n.args[0].type.lanes), n.args[0].type, n.type
        )
    args = [_value(a, names, memory) for a in n.args]
    width = max(map(len, args))
    return tuple(
        apply(n.op, n.type.of(1), [a.type.of(1) for a in n.args], row)
        for row in zip(*(_wide(a, width) for a in args), strict=True)
    )


def _recast(lanes: Lanes, old: Type, new: Type) -> Lanes:
    bits = sum((v & ((1 << old.bits) - 1)) << (k * old.bits) for k, v in enumerate(lanes))
    return tuple(new.wrapped(bits >> (k * new.bits)) for k in range(new.lanes))


def _wide(lanes: Lanes, width: int) -> Lanes:
    return lanes * width if len(lanes) == 1 else lanes


def arguments(lowered: Lowered, memory: Memory, variables: Mapping[str, int]) -> list[Lanes]:
    """Return what to call a lowered function with, as bit patterns."""
    return [_argument(i, memory, variables) for i in lowered.inputs]


def _argument(i: Input, memory: Memory, variables: Mapping[str, int]) -> Lanes:
    mask = (1 << i.type.bits) - 1
    if i.buffer in variables:
        return (variables[i.buffer] & mask,)
    first = i.base + sum(c * variables[t] for t, c in i.terms)
    return tuple(memory(i.buffer, i.type, first + k) & mask for k in range(i.size))
