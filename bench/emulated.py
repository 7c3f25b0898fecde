"""Pipelines of the benchmark for AArch64: ``python -m bench.emulated [--kernels REGEX]``.

Every way to a kernel's code runs in the emulator on seeded inputs and is compared with numpy bit
for bit; only what is exact is priced: cycles of one pass through each of its loops, by the table of
its CPU.  Where two ways have other loops, their cycles are not compared.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Final

import numpy as np

from bench.inputs import VECTOR, Array
from bench.kernel import Kernel
from bench.kernels import HALIDE
from frontends.halide import HalideTarget, build, load_pipeline, resolve
from frontends.halide.candidates import Candidate, candidates_of, plain_code
from frontends.llvm.linked.worker import LlvmWorker
from isel.cli.halide import rewriter
from isel.errors import IselError
from semantics import isa_named
from semantics.emulated import MOVES, Emulated
from semantics.execution import NotRun

_CODES: Final = {"i": 0, "u": 1}
_BUFFER: Final = "{ i64, ptr, ptr, i64, i8, i8, i16, i32, ptr, ptr }"
_MEMORY: Final = """
@heap = internal global [4194304 x i8] zeroinitializer, align 128
@used = internal global i64 0
define ptr @halide_malloc(ptr %context, i64 %size) {
  %at = load i64, ptr @used
  %more = add i64 %size, 255
  %whole = and i64 %more, -128
  %next = add i64 %at, %whole
  store i64 %next, ptr @used
  %found = getelementptr i8, ptr @heap, i64 %at
  ret ptr %found
}
define void @halide_free(ptr %context, ptr %memory) {
  ret void
}
define i32 @halide_error_out_of_memory(ptr %context) {
  ret i32 -11
}
"""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to a kernel's code: whether it is exact (or why it does not run), and its cycles by
    function and depth of loop.
    """

    name: str
    wrong: str
    cycles: tuple[tuple[tuple[str, int], float], ...]
    rewritten: str

    @property
    def total(self) -> float:
        """Cycles of one pass through all loops."""
        return sum(c for (_, depth), c in self.cycles if depth) or sum(c for _, c in self.cycles)


def driver(name: str, arrays: Sequence[Array]) -> str:
    """Return a module whose ``main`` reads all arrays but the last, runs a pipeline on them, and
    writes the last.
    """
    lines = [MOVES, _MEMORY, f"declare i32 @{name}_argv(ptr)"]
    for k, a in enumerate(arrays):
        shape, strides = a.shape[::-1], [s // a.itemsize for s in a.strides[::-1]]
        dims = ", ".join(
            f"i32 {x}" for n, s in zip(shape, strides, strict=True) for x in (0, n, s, 0)
        )
        kind = f"i8 {_CODES[a.dtype.kind]}, i8 {8 * a.itemsize}, i16 1, i32 {a.ndim}"
        head = f"i64 0, ptr null, ptr @data{k}, i64 0"
        lines += [
            f"@data{k} = internal global [{a.nbytes} x i8] zeroinitializer, align 128",
            f"@dims{k} = internal global <{{ {', '.join(['i32'] * 4 * a.ndim)} }}> <{{ {dims} }}>",
            f"@buffer{k} = internal global {_BUFFER} {{ {head}, {kind}, ptr @dims{k}, ptr null }}",
        ]
    words = ", ".join(f"ptr @buffer{k}" for k, _ in enumerate(arrays))
    last = len(arrays) - 1
    lines += [
        f"@words = internal global [{len(arrays)} x ptr] [{words}]",
        "define i32 @main() {",
        *(f"  call void @get(ptr @data{k}, i64 {a.nbytes})" for k, a in enumerate(arrays[:-1])),
        f"  %status = call i32 @{name}_argv(ptr @words)",
        f"  call void @put(ptr @data{last}, i64 {arrays[-1].nbytes})",
        "  ret i32 %status",
        "}",
        "",
    ]
    return "\n".join(lines)


def wrong(kernel: Kernel, code: bytes, emulated: Emulated, target: HalideTarget, seed: int) -> str:
    """Return what is wrong with a kernel's code, empty where it computes what numpy does."""
    given = kernel.inputs(np.random.default_rng(seed))
    out = kernel.empty_output()
    text = driver(kernel.entry, [*given, out])
    with LlvmWorker() as worker, tempfile.TemporaryDirectory() as folder:
        found = emulated.output(
            text,
            b"".join(a.tobytes() for a in given),
            out.nbytes,
            worker,
            Path(folder),
            cpu=target.cpu,
            features=target.features,
            beside=code,
        )
    if isinstance(found, NotRun):
        return found.reason
    same = found == np.ascontiguousarray(kernel.reference(given)).tobytes()
    return "" if same else "differs from numpy"


def ways(kernel: Kernel, target: HalideTarget, emulated: Emulated, seed: int) -> Iterator[Way]:
    """Yield every way to a kernel's code, run and priced."""
    _, pipeline = load_pipeline(f"{kernel.source}:{kernel.entry}")
    with rewriter(target, jobs=1) as rewrite:
        built = build(pipeline, target, rewrite, compare=True)
    for c in (plain_code(built, target), *candidates_of(built, target)):
        yield Way(
            c.name,
            wrong(kernel, c.code.object, emulated, target, seed),
            c.code.cycles,
            _rewritten(c),
        )


def _loops(w: Way) -> frozenset[tuple[str, int]]:
    return frozenset(place for place, _ in w.cycles)


def _rewritten(c: Candidate) -> str:
    return "" if c.report is None else f"{len(c.report.rewritten)}/{len(c.report.windows)}"


def row(name: str, found: Sequence[Way]) -> str:
    """Return a line of the table: cycles of each way, with what was rewritten; - is not exact."""
    cells = (
        "-" if w.wrong else f"{w.total:.1f}" + (f" ({w.rewritten})" if w.rewritten else "")
        for w in found
    )
    return "| " + " | ".join([name, *cells]) + " |"


def main() -> int:
    """Obey; return 1 if anything is not exact."""
    parser = argparse.ArgumentParser(prog="python -m bench.emulated", description=__doc__)
    parser.add_argument("--kernels", default="", help="a regular expression for their names")
    parser.add_argument("--seed", type=int, default=1, help="of the inputs")
    parser.add_argument("--mcpu", default="neoverse-v1", help="the CPU")
    parser.add_argument("--mattr", default="+dotprod,+i8mm,-sve,-sve2", help="its features")
    options = parser.parse_args()
    target = resolve("arm", cpu=options.mcpu, features=options.mattr)
    os.environ[VECTOR] = str(target.vector_bits // 8)
    emulated = isa_named("arm").executor()
    assert isinstance(emulated, Emulated)
    lacking = emulated.lacks(frozenset())
    if lacking:
        print(f"this machine {lacking}", file=sys.stderr)
        return 1
    bad, gains = 0, []
    print("| kernel | LLVM | own | own + isel | generic + isel |\n|---|---|---|---|---|")
    for kernel in (k for k in HALIDE if re.search(options.kernels, k.name)):
        try:
            found = list(ways(kernel, target, emulated, options.seed))
        except IselError as problem:
            bad += 1
            print(f"{kernel.name}: {problem.message()}", file=sys.stderr)
            continue
        print(row(kernel.name, found), flush=True)
        for w in found:
            if w.wrong:
                bad += 1
                print(f"{kernel.name}, {w.name}: {w.wrong}", file=sys.stderr)
        plain, last = found[0], found[-1]
        if not plain.wrong and not last.wrong and _loops(plain) == _loops(last):
            gains.append(plain.total / last.total)
    if gains:
        mean = exp(sum(map(log, gains)) / len(gains))
        print(f"generic + isel over LLVM: {mean:.3f}, the mean of {len(gains)} with the same loops")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
