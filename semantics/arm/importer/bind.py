"""The free variables of an operation, bound by decoding: for every immediate its instruction's word
is matched and decoded, and what differs must follow the immediates in steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from isel.ir.expr import const, elem
from semantics.arm.importer.encodings import Encoding, Text
from semantics.arm.importer.execute import Machine, Scope, Undefined
from semantics.arm.importer.parser import parse_block, parse_function
from semantics.arm.importer.patches import patched
from semantics.arm.importer.registers import Registers
from semantics.arm.importer.syntax import Function, Statement
from semantics.arm.importer.values import Asl, Bits, Varies, bits
from semantics.importing.values import Val, Value, infix, low_bits

_LEAF = 8  # bits of an immediate as an operand of formulas


@dataclass(frozen=True)
class Architecture:
    """The encodings, and the functions of both files by name."""

    file: str
    encodings: tuple[Encoding, ...]
    functions: Mapping[str, Text]

    def function(self, name: str) -> Function | None:
        """Return a function, read; raise :class:`TextMistake`."""
        found = self.functions.get(name)
        return None if found is None else _function(found)


@cache
def _function(text: Text) -> Function:
    return parse_function(text.lines, text.first)


@cache
def statements(text: Text, patch: Callable[[str], str] | None = None) -> tuple[Statement, ...]:
    """Return the statements of a text, changed by patches that keep its lines."""
    lines = text.lines if patch is None else tuple(patch("\n".join(text.lines)).split("\n"))
    return parse_block(lines, text.first)


@dataclass(frozen=True, slots=True)
class Bound:
    """An encoding with the variables of its decode, which may hold the immediates."""

    encoding: Encoding
    scope: Scope


def decoded(arch: Architecture, word: int) -> Bound | None:
    """Return the first encoding of a word that decodes it; raise :class:`TextMistake`."""
    for e in arch.encodings:
        if not e.matches(word):
            continue
        scope: Scope = {
            name: bits(const(word >> at, width)) for name, (at, width) in e.fields.items()
        }
        try:
            Machine(Registers({}, {}), arch.function).run(statements(e.decode, patched), scope)
        except Undefined:
            continue
        return Bound(e, scope)
    return None


def bound(
    arch: Architecture, words: Sequence[tuple[Mapping[str, int], int]], legal: Mapping[str, int]
) -> Bound | None:
    """Return the encoding of words by their immediates, its variables over the immediates; None
    where one is no instruction or another.

    ``legal`` is the greatest value of each immediate.
    """
    found = [(immediates, decoded(arch, word)) for immediates, word in words]
    first = found[0][1]
    if first is None:
        return None
    scopes: list[tuple[Mapping[str, int], Scope]] = []
    for immediates, one in found:
        if one is None or one.encoding.execute != first.encoding.execute:
            return None
        scopes.append((immediates, one.scope))
    scope: Scope = {}
    for name in first.scope:
        values = [(m, s.get(name, Varies(name))) for m, s in scopes]
        scope[name] = _over(name, values, legal)
    return Bound(first.encoding, scope)


def _over(
    name: str, values: Sequence[tuple[Mapping[str, int], Asl]], legal: Mapping[str, int]
) -> Asl:
    first = values[0][1]
    if all(v == first or _same(v, first) for _, v in values):
        return first
    numbers = [(m, _number(v)) for m, v in values]
    if any(n is None for _, n in numbers):
        return Varies(name)
    fitted = _fitted([(m, n) for m, n in numbers if n is not None], legal)
    if fitted is None:
        return Varies(name)
    return bits(low_bits(fitted, first.width)) if isinstance(first, Bits) else fitted


def _same(a: Asl, b: Asl) -> bool:
    return isinstance(a, Bits) and isinstance(b, Bits) and a.term is b.term


def _number(v: Asl) -> int | None:
    if isinstance(v, int):
        return v
    return v.term.value if isinstance(v, Bits) and v.term.op == "const" else None


def _fitted(
    values: Sequence[tuple[Mapping[str, int], int]], legal: Mapping[str, int]
) -> Value | None:
    """Return ``base + sum(step * immediate)`` that has these values, or None."""
    low, base = values[0]
    steps: dict[str, int] = {}
    for name in low:
        for m, v in values:
            if all(m[x] == low[x] for x in m if x != name) and m[name] != low[name]:
                steps[name] = (v - base) // (m[name] - low[name])
                break
    start = base - sum(s * low[name] for name, s in steps.items())
    if any(v != start + sum(s * m[n] for n, s in steps.items()) for m, v in values):
        return None
    result: Value = 0
    for name, step in steps.items():
        leaf = Val(elem(name, 0, _LEAF), (min(m[name] for m, _ in values), legal[name]))
        if step:
            result = infix("+", result, infix("*", leaf, step)) if step != 1 else _sum(result, leaf)
    return _sum(result, start)


def _sum(a: Value, b: Value) -> Value:
    if a == 0:
        return b
    return a if b == 0 else infix("+", a, b)
