"""AutoLLVM as calls: ``@autollvm.CLASS.TYPES(operands…, parameters…, immediates…)``.

``TYPES`` are those of the result and of the operands, as LLVM mangles them (``v16i8``, ``i32``).
The operands come in the order of the class's letters, then its parameters and the immediates that
its formula mentions, each an ``i32``.  What a call computes is the formula of its class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Final

from equiv_classes.dictionary import Dictionary, EquivClass, Formula, Kind, Member, dictionary
from equiv_classes.formula import terms_of
from isel.ir.build import concat, extract
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, elem, leaves
from isel.spec.instruction import Immediate, Instruction, Operand
from isel.spec.sem_family import type_text

PREFIX: Final = "autollvm."
_IMMEDIATE: Final = re.compile(r"\bm(\d)\b")
_TYPE: Final = re.compile(r"(?:v(\d+))?i(\d+)")
_WRITTEN: Final = re.compile(r"\(([a-z ]*?)(?: ?\| ([\w ]+))?\) (\S+) x (\S+): (.+)")
_KIND: Final = re.compile(r"((?:\w+<\S+ )*)r\[([^\]]*)\] = (.+)")
Shape = tuple[int, int]  # lanes, bits of a lane


@dataclass(frozen=True, slots=True)
class Called:
    """What a name of a call says: the class, then lanes and width of the result and operands."""

    of: EquivClass
    result: Shape
    operands: tuple[Shape, ...]


def numbers_of(c: EquivClass) -> tuple[str, ...]:
    """Return the names of the trailing constants of a class's calls."""
    used = sorted({m for k in c.formula.kinds for m in _IMMEDIATE.findall(str(k))})
    return (*c.parameters, *(f"m{m}" for m in used))


def type_name(shape: Shape) -> str:
    """Return a type as it is written in a name."""
    lanes, width = shape
    return f"i{width}" if lanes == 1 else f"v{lanes}i{width}"


def call_name(c: EquivClass, result: Shape, operands: Iterable[Shape]) -> str:
    """Return the name of a call of a class at some types."""
    return ".".join([PREFIX + c.name, type_name(result), *map(type_name, operands)])


def read_name(name: str, among: Dictionary | None = None) -> Called | None:
    """Return what the name of a call says, None where no class is called so with these types."""
    if not name.startswith(PREFIX):
        return None
    word, shapes = shapes_of(name)
    c = (among or dictionary()).named(word)
    if c is None or c.reason or len(shapes) != 1 + len(c.letters):
        return None
    return Called(c, shapes[0], tuple(shapes[1:]))


def shapes_of(name: str) -> tuple[str, Sequence[Shape]]:
    """Return the class in the name of a call, and the types after it: of result and operands."""
    words = name.removeprefix(PREFIX).split(".")
    shapes: list[Shape] = []
    while words and (found := _TYPE.fullmatch(words[-1])):
        shapes.append((int(found[1] or 1), int(found[2])))
        words.pop()
    return ".".join(words), shapes[::-1]


def environment(c: EquivClass, numbers: Sequence[int]) -> dict[str, int]:
    """Return the parameters and immediates of a call by name."""
    return dict(zip(numbers_of(c), numbers, strict=True))


def lanes_of(found: Called, numbers: Sequence[int]) -> tuple[Expr, ...]:
    """Return the lanes of a call over ``elem(letter, …)``; raises ``ValueError`` where the numbers
    do not fit its types.
    """
    c, (count, width) = found.of, found.result
    lanes = terms_of(c.formula, environment(c, numbers), {x: x for x in c.letters}, "none")
    if sum(e.width for e in lanes) != count * width:
        raise ValueError(f"{len(lanes)} lanes of {lanes[0].width} bits")
    sizes = {x: lanes * bits for x, (lanes, bits) in zip(c.letters, found.operands, strict=True)}
    for x in leaves(*lanes):
        if x.source not in sizes or not 0 <= x.offset <= sizes[x.source] - x.width:
            raise ValueError(f"an element outside of operand {x.source}")
    return tuple(lanes)


def over_elements(lanes: Sequence[Expr], widths: Mapping[str, int]) -> tuple[Expr, ...]:
    """Return lanes whose leaves are whole elements of operands of these widths."""
    cut = {x: _slice(x, widths[x.source]) for x in leaves(*lanes)}
    return tuple(instantiate(e, cut) for e in lanes)


def _slice(x: Expr, width: int) -> Expr:
    """Return an element as a part, or the concatenation, of elements of another width."""
    first, last = x.offset // width, (x.offset + x.width - 1) // width
    whole = elem(x.source, first * width, width)
    for k in range(first + 1, last + 1):
        whole = concat(elem(x.source, k * width, width), whole)
    low = x.offset - first * width
    return whole if (low, x.width) == (0, whole.width) else extract(whole, low, x.width)


@lru_cache(maxsize=1024)
def instruction_of(name: str) -> Instruction | None:
    """Return a call of the shipped dictionary as an instruction whose immediates are its trailing
    constants, None where the name is none.
    """
    found = read_name(name)
    if found is None:
        return None
    c = found.of
    operands = tuple(
        Operand(x, bits, lanes) for x, (lanes, bits) in zip(c.letters, found.operands, strict=True)
    )
    names = numbers_of(c)
    immediates = tuple(Immediate(f"n{k}", 32, _values(c, n)) for k, n in enumerate(names))
    widths = {o.name: o.width for o in operands}
    known: dict[tuple[int, ...], tuple[Expr, ...]] = {}

    def lane(i: int, given: Mapping[str, int]) -> Expr:
        numbers = tuple(_as_signed(given[f"n{k}"]) for k in range(len(names)))
        if numbers not in known:
            lanes = in_width(lanes_of(found, numbers), found.result[1])
            known[numbers] = over_elements(lanes, widths)
        return known[numbers][i]

    given = [f"{type_text(o.lanes, o.width)} %{o.name}" for o in operands]
    given += [f"i32 ${m.name}" for m in immediates]
    line = f"%r = call {type_text(*found.result)} @{name}({', '.join(given)})"
    return Instruction(
        name, name, operands, immediates, *found.result[::-1], frozenset(), (line,), name, lane
    )


def in_width(lanes: Sequence[Expr], width: int) -> tuple[Expr, ...]:
    """Return the bits of some lanes as lanes of another width."""
    own = lanes[0].width
    if own >= width:
        return tuple(extract(e, k, width) for e in lanes for k in range(0, own, width))
    per = width // own
    return tuple(
        reduce(lambda low, high: concat(high, low), lanes[k : k + per])
        for k in range(0, len(lanes), per)
    )


def _values(c: EquivClass, name: str) -> tuple[int, ...]:
    """Return the values that a parameter has among the members, any byte for an immediate."""
    if name not in c.parameters:
        return tuple(range(256))
    k = c.parameters.index(name)
    return tuple(sorted({m.values[k] % (1 << 32) for m in c.members}))


def _as_signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


def numbers_for(c: EquivClass, m: Member, immediates: Sequence[int]) -> tuple[int, ...]:
    """Return the trailing constants of a call that is a member at a setting of its immediates."""
    env = {**c.environment(m), **{f"m{k}": v for k, v in enumerate(immediates)}}
    return tuple(env.get(n, 0) for n in numbers_of(c))


def member_of(
    target: str, name: str, immediates: tuple[int, ...], among: Dictionary | None = None
) -> tuple[EquivClass, Member] | None:
    """Return the class of an instruction without predication at a setting of its immediates."""
    for c in (among or dictionary()).of(target, name):
        for m in c.members:
            if (
                (m.target, m.name, m.mode) == (target, name, "none")
                and not c.reason
                and (not m.settings or immediates in m.settings)
            ):
                return c, m
    return None


def formula_class(name: str, text: str) -> EquivClass | None:
    """Return what :func:`formula_text` wrote as a class without members, None for other text."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return None
    letters, numbers, lanes, width, kinds = found.groups()
    read = [k for k in map(_kind_of, kinds.split("; ")) if k is not None]
    if len(read) != 1 + kinds.count("; "):
        return None
    formula = Formula(lanes, width, tuple(read), {"none": ((),) * len(read)})
    parameters = tuple(n for n in (numbers or "").split() if not _IMMEDIATE.fullmatch(n))
    return EquivClass(name, tuple(letters.split()), parameters, {}, formula, ())


def _kind_of(text: str) -> Kind | None:
    found = _KIND.fullmatch(text)
    if found is None:
        return None
    loops = (x.partition("<") for x in found[1].split())
    return Kind(tuple((digit, bound) for digit, _, bound in loops), found[2], found[3])


def formula_text(c: EquivClass) -> str:
    """Return the formula of a class in a line: operands, trailing constants, result, kinds."""
    kinds = "; ".join(
        f"{' '.join(f'{name}<{bound}' for name, bound in k.loops)} r[{k.index}] = {k.term}".strip()
        for k in c.formula.kinds
    )
    head = f"({' '.join(c.letters)} | {' '.join(numbers_of(c))})".replace(" | )", ")")
    return f"{head} {c.formula.lanes} x {c.formula.width}: {kinds}"
