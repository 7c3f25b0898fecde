"""Random C functions: loops over arrays of 8 to 32 bits, with the buffers that they may touch and
no byte more.

In place and overlapping buffers are well-defined: nothing is ``restrict`` there, and the files are
compiled with ``-fno-strict-aliasing``.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final

from tests.fuzz.c_idioms import Body
from tests.fuzz.c_values import CType, Value, add, bitwise, cast, computed, literal, of_type
from tests.fuzz.case import (
    IN_PLACE,
    LOOP,
    MISALIGNED,
    OVERLAP,
    REDUCTION,
    STRIDED,
    Argument,
    Call,
    Case,
    Pointer,
    contents,
)

_LENGTHS: Final = (0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 47, 64, 65, 95, 100, 128, 129, 131)
_TRIPS: Final = (16, 16, 32, 32, 64, 64, 96, 128, 13, 31, 37, 61, 99, 127)
_CALLS: Final = 6


@dataclass(slots=True)
class Array:
    """A parameter: elements, the distance of those that iterations read, and the highest that
    the first one reads.
    """

    name: str
    type: CType
    stride: int = 1
    reach: int = 0
    used: bool = False
    width: int = 1  # of the elements that one iteration may read
    written: bool = False

    def bytes_for(self, rounds: int) -> int:
        """Return the size of what ``rounds`` iterations touch."""
        return ((rounds - 1) * self.stride + self.reach + 1) * self.type.bytes if rounds else 0


@dataclass(slots=True)
class _Function:
    """A function on its way: its arrays, and what is decided about its memory."""

    rng: random.Random
    main: CType
    arrays: list[Array] = field(default_factory=list)
    scalar: CType | None = None
    kinds: set[str] = field(default_factory=set)

    def _invariant(self) -> Value:
        """Return the scalar, some of its bits, or what is left of a weight."""
        kind = CType(self.rng.choice((8, 8, 16)), self.rng.random() < 0.5)
        amount = self.rng.choice((0, 8, 16))
        top = self.rng.choice((15, 127, 255))
        return self.rng.choice(
            (
                of_type("s", CType(32, False)),
                of_type(f"(({kind})(s >> {amount}))", kind),
                of_type(f"(({kind})(s >> {amount}))", kind),
                of_type(f"(s & {top})", CType(32, False)),
                of_type(f"({top} - (s & {top}))", CType(32, False)),
            )
        )

    def leaf(self, body: Body, type_: CType) -> Value:
        """Return an element, converted where no array has the type."""
        if self.scalar is not None and self.rng.random() < 0.3:
            return cast(self._invariant(), type_)
        if self.rng.random() < 0.03:
            return body.constant(type_)
        fitting = [a for a in self.arrays if a.type == type_] or [
            a for a in self.arrays if a.type.bits == type_.bits
        ]
        if not fitting and len(self.arrays) < 4:
            fitting = [Array(f"p{len(self.arrays)}", type_, self.rng.choice((1, 1, 1, 2, 3, 4)))]
            fitting[0].width = (
                fitting[0].stride if fitting[0].stride > 1 else self.rng.choice((1, 1, 2, 3))
            )
            self.arrays += fitting
        a = self.rng.choice(fitting or self.arrays)
        k = self.rng.randrange(a.width)
        a.used, a.reach = True, max(a.reach, k)
        if a.stride > 1:
            self.kinds.add(STRIDED)
        return cast(of_type(f"{a.name}[{_index(a.stride, k)}]", a.type), type_)


def _index(stride: int, offset: int) -> str:
    return f"{'' if stride == 1 else f'{stride} * '}i{f' + {offset}' if offset else ''}"


def _types(rng: random.Random) -> tuple[CType, CType]:
    main = CType(rng.choice((8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 32)), rng.random() < 0.5)
    other = rng.random()
    if other < 0.6:
        return main, main
    return main, CType(
        rng.choice((8, 8, 16, 16, 32)), rng.random() < 0.5
    ) if other < 0.8 else CType(main.bits, not main.signed)


def function(rng: random.Random, name: str) -> tuple[str, Case]:
    """Return a C function and the calls of it."""
    main, second = _types(rng)
    f = _Function(rng, main)
    f.scalar = CType(32, False) if rng.random() < 0.35 else None
    for type_ in (main, second)[: rng.choice((1, 2, 2, 2))]:
        stride = rng.choice((1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4))
        f.arrays.append(
            Array(
                f"p{len(f.arrays)}",
                type_,
                stride,
                width=stride if stride > 1 else rng.choice((1, 1, 1, 2, 3)),
            )
        )
    body = Body(rng, f.leaf)
    value = body.value(main, rng.choice((1, 1, 1, 1, 1, 1, 2, 2, 3)))
    kind = rng.random()
    rounds = rng.choice(_TRIPS) if rng.random() < 0.5 else None
    memory = _Memory(f, rounds)
    if kind < 0.2:
        lines = _reduction(f, body, value)
        text, case = memory.separate(name, lines, 1)
    elif kind < 0.4:
        text, case = memory.in_place(name, body, value)
    else:
        out = rng.choice(
            (main, main, main, CType(main.bits * 2, main.signed) if main.bits < 32 else main)
        )
        f.arrays.append(
            Array(
                "out", out, rng.choice((1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3)), used=True, written=True
            )
        )
        lines = [*body.lines, f"out[{_index(f.arrays[-1].stride, 0)}] = {cast(value, out).text};"]
        text, case = (memory.overlapping if kind < 0.55 else memory.separate)(name, _loop(lines), 0)
    return text, case


def _loop(lines: list[str], before: str = "", after: str = "") -> list[str]:
    return [
        *([before] if before else []),
        "for (long i = 0; i < n; i++) {",
        *(f"  {x}" for x in lines),
        "}",
        *([after] if after else []),
    ]


def _reduction(f: _Function, body: Body, value: Value) -> list[str]:
    f.kinds.add(REDUCTION)
    total = CType(
        f.rng.choice([b for b in (16, 32, 32, 32, 32, 32, 32, 64) if b >= value.type.bits]),
        value.type.signed,
    )
    acc = of_type("acc", total)
    how = f.rng.choice(("+", "+", "+", "min", "max", "^"))
    if how == "+":
        following = cast(add(acc, cast(value, total), computed(total)), total).text
    elif how == "^":
        following = bitwise("^", acc, cast(value, total), total).text
    else:
        following = (
            f"acc {'<' if how == 'min' else '>'} {value.text} ? acc : {cast(value, total).text}"
        )
    start = {"min": total.high, "max": total.low}.get(how, f.rng.randrange(100))
    first = f"{total} acc = {literal(start, total).text};"
    f.arrays.append(Array("out", total, used=True, written=True))
    return _loop([*body.lines, f"acc = {following};"], first, "*out = acc;")


class _Memory:
    """How the arrays of a function lie: the C text, and calls of it."""

    def __init__(self, f: _Function, rounds: int | None) -> None:
        self.f, self.rounds, self.rng = f, rounds, f.rng
        self.misaligned = self.rng.random() < 0.15

    def _text(self, name: str, lines: list[str], restrict: bool) -> str:
        f = self.f
        f.arrays = [a for a in f.arrays if a.used]
        if self.misaligned:
            f.kinds.add(MISALIGNED)
        f.kinds.add(LOOP)
        q = " restrict" if restrict else ""
        kind = "m" if self.misaligned else ""
        parameters = [
            f"{'' if a.written else 'const '}{kind}{a.type} *{q} {a.name}" for a in f.arrays
        ]
        parameters += ["long n"] if self.rounds is None else []
        parameters += ["uint32_t s"] if f.scalar else []
        count = [] if self.rounds is None else [f"const long n = {self.rounds};"]
        rows = "\n".join(f"  {x}" for x in (*count, *lines))
        return f"void {name}({', '.join(parameters)}) {{\n{rows}\n}}\n"

    def _lengths(self) -> list[int]:
        if self.rounds is not None:
            return [self.rounds] * _CALLS
        chosen = self.rng.sample(_LENGTHS, _CALLS - 2)
        return [*chosen, 128 + self.rng.randrange(64), 128]

    def _numbers(self, rounds: int) -> list[Argument]:
        numbers: list[Argument] = [rounds] if self.rounds is None else []
        return [*numbers, self.rng.randrange(1 << 32)] if self.f.scalar else numbers

    def _odd(self, a: Array) -> int:
        return self.rng.randrange(2 * a.type.bytes) if self.misaligned else 0

    def separate(self, name: str, lines: list[str], elements: int) -> tuple[str, Case]:
        """Every array has its own memory; ``out`` has ``elements`` elements if not as many as
        are looped over.
        """
        text = self._text(name, lines, self.rng.random() < 0.7)
        calls: list[Call] = []
        for k, rounds in enumerate(self._lengths()):
            sizes = [
                a.type.bytes * elements if a.name == "out" and elements else a.bytes_for(rounds)
                for a in self.f.arrays
            ]
            odd = [self._odd(a) for a in self.f.arrays]
            regions = tuple(
                contents(self.rng, size + more) for size, more in zip(sizes, odd, strict=True)
            )
            starts = [Pointer(i, self.rng.choice((0, more))) for i, more in enumerate(odd)]
            calls.append(Call(regions, (*starts, *self._numbers(rounds)), k % 2 == 0))
        return text, Case(name, tuple(calls), frozenset(self.f.kinds))

    def in_place(self, name: str, body: Body, value: Value) -> tuple[str, Case]:
        """The first array is written where it is read, or some elements before or after."""
        f = self.f
        f.kinds.add(IN_PLACE)
        target = (
            next(a for a in f.arrays if a.used) if any(a.used for a in f.arrays) else f.arrays[0]
        )
        target.used = True
        distance = f.rng.choice((0, 0, 0, 0, target.width - 1, 16, 32, 40, 64))
        write = (
            f"{target.name}[{_index(target.stride, distance)}] = {cast(value, target.type).text};"
        )
        target.reach, target.written = max(target.reach, distance), True
        return self.separate(name, _loop([*body.lines, write]), 0)

    def overlapping(self, name: str, lines: list[str], elements: int) -> tuple[str, Case]:
        """The output lies in the memory of an input: at the same place, some bytes on, or some
        bytes before.
        """
        f = self.f
        f.kinds.add(OVERLAP)
        text = self._text(name, lines, False)
        first, out = f.arrays[0], f.arrays[-1]
        calls: list[Call] = []
        for k, rounds in enumerate(self._lengths()):
            unit = 1 if self.misaligned else max(first.type.bytes, out.type.bytes)
            shift = self.rng.choice((0, 0, 1, 2, 3, 8, 16, 17, 33)) * unit
            ahead = self.rng.random() < 0.5
            a, b = (0, shift) if ahead else (shift, 0)
            shared = max(a + first.bytes_for(rounds), b + out.bytes_for(rounds))
            shared = -(-shared // unit) * unit
            others = [Pointer(i) for i in range(1, len(f.arrays) - 1)]
            sizes = [x.bytes_for(rounds) for x in f.arrays[1:-1]]
            regions = tuple(contents(self.rng, size) for size in (shared, *sizes))
            arguments = (Pointer(0, a), *others, Pointer(0, b), *self._numbers(rounds))
            if first is out:
                arguments = (Pointer(0, b), *self._numbers(rounds))
            calls.append(Call(regions, arguments, k % 2 == 0))
        return text, Case(name, tuple(calls), frozenset(f.kinds))
