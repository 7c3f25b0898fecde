"""Ten kernels as vector IR with their natural loads and stores: whole expressions, as a front end
that knows no target writes them.

Images are bytes with rows of ``PITCH``; a function computes one register of results, or one tile of
a product of matrices. ``python -m bench.listed FOLDER`` writes a file a kernel, which
``isel measure`` runs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

PITCH: Final = 128
_BYTES: Final = 64
_DEPTH: Final = 64  # of a product of matrices
_COLUMNS: Final = 32
_TILE: Final = 4


class Body:
    """The instructions of a function, in order; every method returns the name of its value."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def add(self, text: str, name: str = "") -> str:
        """Append an instruction."""
        name = name or f"%v{self._count}"
        self._count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def load(self, kind: str, base: str, offset: str | int = 0) -> str:
        """Load from ``base`` plus an offset in bytes."""
        address = base if offset == 0 else self.add(f"getelementptr i8, ptr {base}, i64 {offset}")
        return self.add(f"load {kind}, ptr {address}, align 1")

    def store(self, kind: str, value: str, base: str, offset: int = 0) -> None:
        """Store to ``base`` plus an offset in bytes."""
        address = base if offset == 0 else self.add(f"getelementptr i8, ptr {base}, i64 {offset}")
        self.lines.append(f"  store {kind} {value}, ptr {address}, align 1")

    def cast(self, op: str, value: str, old: str, new: str) -> str:
        """Extend or truncate."""
        return self.add(f"{op} {old} {value} to {new}")

    def two(self, op: str, kind: str, a: str, b: str) -> str:
        """Apply an operator of two operands."""
        return self.add(f"{op} {kind} {a}, {b}")

    def total(self, kind: str, terms: Sequence[str]) -> str:
        """Add terms up."""
        result = terms[0]
        for t in terms[1:]:
            result = self.two("add", kind, result, t)
        return result

    def call(self, name: str, kind: str, *args: str, flag: str = "") -> str:
        """Call a generic vector intrinsic whose operands have the type of its result, and
        perhaps a flag.
        """
        words = ", ".join([*(f"{kind} {a}" for a in args), *([f"i1 {flag}"] if flag else [])])
        suffix = kind.strip("<>").replace(" x ", "")
        return self.add(f"call {kind} @llvm.{name}.v{suffix}({words})")

    def splat(self, scalar: str, element: str, lanes: int) -> str:
        """Return a vector of one scalar."""
        kind = f"<{lanes} x {element}>"
        first = self.add(f"insertelement {kind} poison, {element} {scalar}, i64 0")
        return self.add(
            f"shufflevector {kind} {first}, {kind} poison, <{lanes} x i32> zeroinitializer"
        )


def _c(kind: str, value: int) -> str:
    return f"splat ({kind.strip('<>').split(' x ')[1]} {value})"


B8: Final = f"<{_BYTES} x i8>"
B16: Final = f"<{_BYTES} x i16>"
B32: Final = f"<{_BYTES} x i32>"


def _pixels(f: Body, size: int, kind: str = B16) -> list[list[str]]:
    """Load a window of an image and extend it."""
    return [
        [f.cast("zext", f.load(B8, "%a", PITCH * y + x), B8, kind) for x in range(size)]
        for y in range(size)
    ]


def _weighted(f: Body, pixels: Sequence[str], weights: Sequence[int]) -> str:
    return f.total(
        B16,
        [
            p if w == 1 else f.two("mul", B16, p, _c(B16, w))
            for p, w in zip(pixels, weights, strict=True)
        ],
    )


def _finish(f: Body, value: str, kind: str = B16) -> None:
    f.store(B8, f.cast("trunc", value, kind, B8), "%o")


def sobel(f: Body) -> None:
    """The sum of both gradients' magnitudes, at most 255."""
    p = _pixels(f, 3)
    sums = [
        _weighted(f, line, (1, 2, 1)) for line in (p[0], p[2], [r[0] for r in p], [r[2] for r in p])
    ]
    parts = [
        f.call("abs", B16, f.two("sub", B16, a, b), flag="false") for a, b in (sums[:2], sums[2:])
    ]
    _finish(f, f.call("umin", B16, f.two("add", B16, *parts), _c(B16, 255)))


def box_blur(f: Body) -> None:
    """The mean of nine bytes, rounded down."""
    total = f.total(B16, [p for row in _pixels(f, 3) for p in row])
    _finish(f, f.two("udiv", B16, total, _c(B16, 9)))


def _gaussian(f: Body, weights: Sequence[int]) -> None:
    rows = [_weighted(f, row, weights) for row in _pixels(f, len(weights))]
    bits = 2 * (sum(weights).bit_length() - 1)
    total = f.two("add", B16, _weighted(f, rows, weights), _c(B16, 1 << (bits - 1)))
    _finish(f, f.two("lshr", B16, total, _c(B16, bits)))


def gaussian3x3(f: Body) -> None:
    """Binomial weights 1 2 1, rounded to nearest."""
    _gaussian(f, (1, 2, 1))


def gaussian5x5(f: Body) -> None:
    """Binomial weights 1 4 6 4 1, rounded to nearest."""
    _gaussian(f, (1, 4, 6, 4, 1))


def conv3x3(f: Body) -> None:
    """Nine signed weights of an input, sums of 32 bits, divided by 64 rounding to nearest,
    clamped to a byte.
    """
    terms = []
    for k, pixel in enumerate(p for row in _pixels(f, 3, B32) for p in row):
        weight = f.cast("sext", f.splat(f.load("i8", "%b", k), "i8", _BYTES), B8, B32)
        terms.append(f.two("mul", B32, pixel, weight))
    total = f.two("ashr", B32, f.two("add", B32, f.total(B32, terms), _c(B32, 32)), _c(B32, 6))
    _finish(f, f.call("smin", B32, f.call("smax", B32, total, _c(B32, 0)), _c(B32, 255)), B32)


def alpha_blend(f: Body) -> None:
    """Two images under a mask of 255ths, rounded to nearest."""
    front, back, mask = (f.cast("zext", f.load(B8, n), B8, B16) for n in ("%a", "%b", "%c"))
    rest = f.two("sub", B16, _c(B16, 255), mask)
    total = f.two("add", B16, f.two("mul", B16, front, mask), f.two("mul", B16, back, rest))
    _finish(f, f.two("udiv", B16, f.two("add", B16, total, _c(B16, 127)), _c(B16, 255)))


def quantised_add(f: Body) -> None:
    """Two tensors less their zero points times 16-bit multipliers, added, shifted with
    rounding, clamped around a zero point.
    """
    terms = []
    for name, zero, factor in (("%a", 13, 12345), ("%b", 200, 9876)):
        wide = f.cast("zext", f.load(B8, name), B8, B32)
        terms.append(f.two("mul", B32, f.two("sub", B32, wide, _c(B32, zero)), _c(B32, factor)))
    total = f.two("add", B32, f.two("add", B32, *terms), _c(B32, 1 << 13))
    moved = f.two("add", B32, f.two("ashr", B32, total, _c(B32, 14)), _c(B32, 7))
    _finish(f, f.call("smin", B32, f.call("smax", B32, moved, _c(B32, 0)), _c(B32, 255)), B32)


def audio_mix(f: Body) -> None:
    """Two tracks under gains with 15 fractional bits: each product is rounded, the sum
    saturates.
    """
    narrow, wide = "<32 x i16>", "<32 x i32>"
    terms = []
    for name, gain in (("%a", 26214), ("%b", 19661)):
        product = f.two(
            "mul", wide, f.cast("sext", f.load(narrow, name), narrow, wide), _c(wide, gain)
        )
        terms.append(
            f.two("ashr", wide, f.two("add", wide, product, _c(wide, 1 << 14)), _c(wide, 15))
        )
    total = f.call(
        "smin",
        wide,
        f.call("smax", wide, f.two("add", wide, *terms), _c(wide, -(1 << 15))),
        _c(wide, (1 << 15) - 1),
    )
    f.store(narrow, f.cast("trunc", total, wide, narrow), "%o")


def _matmul(f: Body, extension: str, bits: int, steps: int) -> None:
    """A tile of four rows and 32 columns; an iteration adds ``steps`` products to every sum."""
    size, sums = bits // 8, f"<{_COLUMNS} x i32>"
    row = f"<{_COLUMNS} x i{bits}>"
    f.lines += ["  br label %loop", "loop:", "  %k = phi i64 [ 0, %entry ], [ %next, %loop ]"]
    f.lines += [
        f"  %s{y} = phi {sums} [ zeroinitializer, %entry ], [ %t{y}, %loop ]" for y in range(_TILE)
    ]
    down = f.add(f"mul i64 %k, {size * _COLUMNS}")
    along = f.add(f"mul i64 %k, {size}")
    b, a = (
        f.add(f"getelementptr i8, ptr {p}, i64 {at}") for p, at in (("%b", down), ("%a", along))
    )
    rows = [f.cast("sext", f.load(row, b, size * _COLUMNS * k), row, sums) for k in range(steps)]
    for y in range(_TILE):
        value = f"%s{y}"
        for k in range(steps):
            scalar = f.splat(f.load(f"i{bits}", a, size * (_DEPTH * y + k)), f"i{bits}", _COLUMNS)
            product = f.two("mul", sums, f.cast(extension, scalar, row, sums), rows[k])
            value = f.add(f"add {sums} {value}, {product}", f"%t{y}" if k == steps - 1 else "")
    f.lines += [
        f"  %next = add i64 %k, {steps}",
        f"  %more = icmp ult i64 %next, {_DEPTH}",
        "  br i1 %more, label %loop, label %exit",
        "exit:",
    ]
    for y in range(_TILE):
        f.store(sums, f"%t{y}", "%o", 4 * _COLUMNS * y)


def matmul_i16(f: Body) -> None:
    """Products of signed 16-bit elements, two an iteration."""
    _matmul(f, "sext", 16, 2)


def matmul_u8i8(f: Body) -> None:
    """Products of bytes and signed bytes, four an iteration."""
    _matmul(f, "zext", 8, 4)


KERNELS: Final[tuple[Callable[[Body], None], ...]] = (
    sobel,
    box_blur,
    gaussian3x3,
    gaussian5x5,
    conv3x3,
    alpha_blend,
    quantised_add,
    matmul_i16,
    matmul_u8i8,
    audio_mix,
)


def module(kernel: Callable[[Body], None]) -> str:
    """Return the module of one kernel."""
    f = Body()
    kernel(f)
    arguments = ", ".join(f"ptr noalias %{n}" for n in "abco")
    lines = [
        f"define void @{kernel.__name__}({arguments}) {{",
        "entry:",
        *f.lines,
        "  ret void",
        "}",
        "",
    ]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the modules to a folder."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.listed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the modules are written")
    folder: Path = parser.parse_args(argv).folder
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in KERNELS:
        (folder / f"{kernel.__name__}.ll").write_text(module(kernel), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
