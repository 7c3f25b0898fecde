"""Random C functions of nested loops: reductions with one to four results, stencils, and blocks of
fixed sizes, with the buffers that they may touch and no byte more.

They are compiled with ``-fwrapv``: whatever is added up is defined.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tests.fuzz.c_values import CType
from tests.fuzz.case import LOOP, MISALIGNED, REDUCTION, Call, Case, Pointer, contents

_CALLS: Final = 4
_WIDTHS: Final = (4, 8, 16, 16, 32, 64, 24, 7)
_SIDES: Final = (4, 4, 8, 16)  # of blocks
_ROWS: Final = (0, 1, 2, 3, 5)
_RESULTS: Final = 4
_TERMS: Final = (
    "a[x]",
    "b[x]",
    "a[x] * b[x]",
    "a[x] * b[x]",
    "a[x] * a[x]",
    "(a[x] - b[x]) * (a[x] - b[x])",
    "(a[x] > b[x] ? a[x] - b[x] : b[x] - a[x])",
    "(a[x] + b[x] + 1) / 2",
    "a[x] * {w}",
    "(a[x] > {w})",
)


@dataclass(frozen=True, slots=True)
class _Nest:
    """The body of a function over rows of ``a`` and ``b`` of some types, to be read within
    ``width`` columns and ``rows`` rows, or as many as it is told; ``below`` and ``beside`` are
    rows and columns more that stencils read.
    """

    body: str
    types: tuple[CType, CType, CType]
    width: int
    rows: int = 0
    below: int = 0
    beside: int = 0
    kinds: tuple[str, ...] = ()


def _narrow(rng: random.Random) -> CType:
    return CType(rng.choice((8, 8, 16)), rng.random() < 0.3)


def _term(rng: random.Random) -> str:
    return rng.choice(_TERMS).format(w=rng.choice((2, 3, 5, 19, 100)))


def _joined(rng: random.Random, name: str, term: str) -> str:
    if rng.random() < 0.8:
        return f"{name} += {term};"
    if rng.random() < 0.5:
        return f"{name} {rng.choice('^|&')}= {term};"
    return f"{name} = {name} {rng.choice('<>')} ({term}) ? {name} : ({term});"


def _sums(rng: random.Random) -> _Nest:
    """Sums, greatest and least values of the same rows, beginning with what is stored or a number;
    of all rows, or of each.
    """
    kind, names = _narrow(rng), [f"S{k}" for k in range(rng.choice((1, 2, 2, 3, 4)))]
    other = kind if rng.random() < 0.8 else _narrow(rng)
    result = CType(rng.choice((32, 32, 32, 64, 16)), rng.random() < 0.4)
    width, rows = rng.choice(_WIDTHS), rng.choice((0, 0, *_SIDES))
    starts = [rng.choice((f"q[{k}]", "0", "0", "7")) for k in range(len(names))]
    begin = " ".join(f"{result} {n} = {s};" for n, s in zip(names, starts, strict=True))
    inner = " ".join(_joined(rng, n, _term(rng)) for n in names)
    ends = [*names]
    if len(names) > 1 and rng.random() < 0.3:
        ends[0] = f"{names[0]} {rng.choice('+-^')} {names[1]}"
    end = " ".join(f"q[{k}] = {e};" for k, e in enumerate(ends))
    loop = f"for (int x = 0; x < {width}; x++) {{ {inner} }}"
    each = rng.random() < 0.2
    around = f"{begin} {loop} {end}" if each else loop
    rounds = f"for (long y = 0; y < {rows or 'n'}; y++) {{ {around} a += s; b += s; }}"
    body = rounds if each else f"{begin} {rounds} {end}"
    return _Nest(body, (kind, other, result), width, rows, kinds=(REDUCTION,))


def _clamped(rng: random.Random, text: str, to: CType) -> str:
    if rng.random() < 0.5:
        return text
    return f"clamp({text}, {to.low}, {to.high})"


def _stencil(rng: random.Random) -> _Nest:
    """A weighted sum of neighbours, rounded, shifted, and clamped or cut off."""
    kind = _narrow(rng)
    to = kind if rng.random() < 0.7 else CType(rng.choice((16, 32)), True)
    across, down = rng.choice(((3, 1), (1, 3), (3, 3), (2, 2), (5, 1), (6, 1), (2, 1)))
    taps = []
    for k in range(across * down):
        at = f"a[x + {k % across} + {k // across} * s]"
        weight = rng.choice((1, 1, 2, 3, 4, 6, 20, -1, -5))
        taps.append(at if weight == 1 else f"{weight} * {at}")
    shift = rng.randrange(1, 7)
    total = f"(({' + '.join(taps)} + {rng.choice((0, 1 << (shift - 1)))}) >> {shift})"
    if rng.random() < 0.2:
        total = f"(({total} + b[x] + 1) >> 1)"
    width, rows = rng.choice(_WIDTHS), rng.choice((0, 0, *_SIDES))
    row = f"for (int x = 0; x < {width}; x++) q[x] = {_clamped(rng, total, to)};"
    body = f"for (long y = 0; y < {rows or 'n'}; y++) {{ {row} a += s; b += s; q += s; }}"
    return _Nest(body, (kind, kind, to), width, rows, down - 1, across - 1, (LOOP,))


def _block(rng: random.Random) -> _Nest:
    """Differences of two blocks, transformed along rows and columns, and stored or added up."""
    kind, side = _narrow(rng), rng.choice((4, 4, 8))
    loop = f"for (int y = 0; y < {side}; y++) for (int x = 0; x < {side}; x++)"
    body = f"int d[{side}][{side}]; {loop} d[y][x] = a[x + y * s] {rng.choice('-+')} b[x + y * s];"
    for at in rng.choice((("[y][%]",), ("[y][%]", "[%][y]"), ("[%][y]",), ())):
        v = [f"d{at.replace('%', str(k))}" for k in range(side)]
        half = side // 2
        steps = [f"int u{k} = {v[k]}, w{k} = {v[half + k]};" for k in range(half)]
        steps += [f"{v[k]} = u{k} + w{k}; {v[half + k]} = u{k} - w{k};" for k in range(half)]
        body += f" for (int y = 0; y < {side}; y++) {{ {' '.join(steps)} }}"
    if rng.random() < 0.5:
        norm = rng.choice(("(d[y][x] < 0 ? -d[y][x] : d[y][x])", "d[y][x] * d[y][x]", "d[y][x]"))
        body += f" int S = 0; {loop} S += {norm}; q[0] = S;"
        return _Nest(body, (kind, kind, CType(32, True)), side, side, kinds=(REDUCTION,))
    to = CType(rng.choice((8, 16, 16, 32)), rng.random() < 0.6)
    at = rng.choice(("d[y][x]", "d[x][y]"))
    value = _clamped(rng, rng.choice((at, f"(({at} + 2) >> 2)")), to)
    return _Nest(f"{body} {loop} q[x + y * s] = {value};", (kind, kind, to), side, side)


_SHAPES: Final[Sequence[Callable[[random.Random], _Nest]]] = (_sums, _sums, _stencil, _block)
CLAMP: Final = "#define clamp(x, l, h) ((x) < (l) ? (l) : (x) > (h) ? (h) : (x))\n"


def nest(rng: random.Random, name: str) -> tuple[str, Case]:
    """Return a function and the calls of it: pointers of two inputs and of an output, rows, and the
    distance of rows in elements.
    """
    drawn = rng.choice(_SHAPES)(rng)
    of = drawn.types
    types = [f"const m{of[0]} *", f"const m{of[1]} *", f"m{of[2]} *"]
    marks = [rng.choice(("restrict ", "restrict ", "")) for _ in types]
    given = ", ".join(t + m + p for t, m, p in zip(types, marks, "abq", strict=True))
    text = f"void {name}({given}, long n, long s) {{\n  {drawn.body}\n}}\n"
    calls = []
    for k in range(_CALLS):
        rows = drawn.rows or rng.choice(_ROWS)
        stride = drawn.width + drawn.beside + rng.choice((0, 0, 1, 16))
        seen = (max(rows, 1) + drawn.below - 1) * stride + drawn.width + drawn.beside
        out = max(seen - drawn.below * stride - drawn.beside, _RESULTS)
        sizes = [n * t.bytes for n, t in zip((seen, seen, out), of, strict=True)]
        regions = tuple(contents(rng, size) for size in sizes)
        calls.append(Call(regions, (*map(Pointer, range(3)), rows, stride), k % 2 == 0))
    return text, Case(name, tuple(calls), frozenset({*drawn.kinds, MISALIGNED}))
