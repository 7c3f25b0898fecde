"""Kernels of the benchmark for AArch64: ``python -m bench.emulated [--kernels REGEX]``.

Every way to a kernel's code runs in the emulator on seeded inputs and is compared with numpy bit
for bit; of what is exact the instructions that one call executes are counted.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Final

import numpy as np

from bench.executed import Executed, execute, make_plugin
from bench.harness.clang import cpu_name, ir_with
from bench.inputs import VECTOR, Array
from bench.kernel import Kernel
from bench.kernels import KERNELS
from frontends.halide import HalideTarget, build, load_pipeline, object_of, resolve
from frontends.halide.candidates import candidates_of, plain_code
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.report.tried import ModuleReport
from isel.cli.halide import rewriter
from isel.errors import IselError
from semantics import isa_named
from semantics.emulated import MOVES, Emulated
from semantics.execution import NotRun

HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "halide": ("kernel", "LLVM", "own", "own + isel", "generic + isel"),
    "c": ("kernel", "clang", "clang + isel"),
}
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
    """A way to a kernel's code: whether it is exact (or why it does not run), how many instructions
    one call executes, and which share of its windows was rewritten.
    """

    name: str
    wrong: str
    executed: int
    rewritten: str


def pipeline_driver(name: str, arrays: Sequence[Array], calls: int) -> str:
    """Return a module whose ``main`` reads all arrays but the last, runs a pipeline on them
    ``calls`` times, and writes the last.
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
        *(f"  %status{n} = call i32 @{name}_argv(ptr @words)" for n in range(calls)),
        f"  call void @put(ptr @data{last}, i64 {arrays[-1].nbytes})",
        "  ret i32 %status0",
        "}",
        "",
    ]
    return "\n".join(lines)


def c_driver(name: str, arrays: Sequence[Array], calls: int) -> str:
    """The same of a C function, which takes the number of elements of the output as well."""
    words = ", ".join(f"ptr @data{k}" for k, _ in enumerate(arrays))
    out = arrays[-1]
    lines = [
        MOVES,
        f"declare void @{name}({'ptr, ' * len(arrays)}i32)",
        *(
            f"@data{k} = internal global [{a.nbytes} x i8] zeroinitializer, align 128"
            for k, a in enumerate(arrays)
        ),
        "define i32 @main() {",
        *(f"  call void @get(ptr @data{k}, i64 {a.nbytes})" for k, a in enumerate(arrays[:-1])),
        *[f"  call void @{name}({words}, i32 {out.size})"] * calls,
        f"  call void @put(ptr @data{len(arrays) - 1}, i64 {out.nbytes})",
        "  ret i32 0",
        "}",
        "",
    ]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs code of a target's kernels on seeded inputs; ``plugin`` counts instructions."""

    emulated: Emulated
    target: HalideTarget
    plugin: Path
    seed: int

    def way(self, kernel: Kernel, name: str, code: bytes, rewritten: str) -> Way:
        """Return what comes of a kernel's code: two calls less one are one."""
        given = kernel.inputs(np.random.default_rng(self.seed))
        driver = pipeline_driver if kernel.kind == "halide" else c_driver
        arrays = [*given, kernel.empty_output()]
        found = [self._run(driver(kernel.entry, arrays, n), code, given) for n in (1, 2)]
        one, two = found
        if isinstance(one, NotRun):
            return Way(name, one.reason, 0, rewritten)
        if isinstance(two, NotRun):
            return Way(name, two.reason, 0, rewritten)
        same = one.output == np.ascontiguousarray(kernel.reference(given)).tobytes()
        return Way(name, "" if same else "differs from numpy", two.count - one.count, rewritten)

    def _run(self, text: str, code: bytes, given: Sequence[Array]) -> Executed | NotRun:
        cpu, features = self.target.cpu, self.target.features
        with LlvmWorker() as worker, tempfile.TemporaryDirectory() as folder:
            program = self.emulated.program(
                text, worker, Path(folder), cpu=cpu, features=features, beside=code
            )
            if isinstance(program, NotRun):
                return program
            emulator = (self.emulated.emulator, *self.emulated.options)
            return execute(emulator, self.plugin, program, b"".join(a.tobytes() for a in given))


def ways(kernel: Kernel, runner: Runner) -> Iterator[Way]:
    """Yield every way to a kernel's code, run."""
    target = runner.target
    with rewriter(target, jobs=1) as rewrite:
        if kernel.kind == "halide":
            _, pipeline = load_pipeline(f"{kernel.source}:{kernel.entry}")
            built = build(pipeline, target, rewrite, compare=True)
            for c in (plain_code(built, target), *candidates_of(built, target)):
                yield runner.way(kernel, c.name, c.code.object, _rewritten(c.report))
            return
        zig = f"{cpu_name(target.cpu)}{target.features.replace(',', '')}"
        text = ir_with(kernel.source, ["-target", "aarch64-linux-musl", f"-mcpu={zig}"])
        yield runner.way(kernel, "clang", object_of(text, target, optimise=False), "")
        done = rewrite(text, kernel.source.name)
        yield runner.way(
            kernel, "isel", object_of(done.text, target, optimise=False), _rewritten(done.report)
        )


def _rewritten(report: ModuleReport | None) -> str:
    return "" if report is None else f"{len(report.rewritten)}/{len(report.windows)}"


def row(name: str, found: Sequence[Way]) -> str:
    """Return a line of the table: instructions of each way, with what was rewritten; - is not
    exact.
    """
    cells = (
        "-" if w.wrong else f"{w.executed:,}" + (f" ({w.rewritten})" if w.rewritten else "")
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
    chosen = [k for k in KERNELS if re.search(options.kernels, k.name)]
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(emulated, target, make_plugin(Path(folder)), options.seed)
        return 1 if sum(table(kind, chosen, runner) for kind in HEADS) else 0


def table(kind: str, kernels: Sequence[Kernel], runner: Runner) -> int:
    """Print the kernels of a kind, and the mean gain of the last way over the first; return how
    many ways are not exact.
    """
    bad, gains = 0, []
    print(f"| {' | '.join(HEADS[kind])} |\n|{'---|' * len(HEADS[kind])}")
    for kernel in (k for k in kernels if k.kind == kind):
        try:
            found = list(ways(kernel, runner))
        except IselError as problem:
            bad += 1
            print(f"{kernel.name}: {problem.message()}", file=sys.stderr)
            continue
        print(row(kernel.name, found), flush=True)
        for w in found:
            if w.wrong:
                bad += 1
                print(f"{kernel.name}, {w.name}: {w.wrong}", file=sys.stderr)
        if not found[0].wrong and not found[-1].wrong:
            gains.append(found[0].executed / found[-1].executed)
    if gains:
        mean, least = exp(sum(map(log, gains)) / len(gains)), min(gains)
        first, last = HEADS[kind][1], HEADS[kind][-1]
        print(f"\n{first} / {last}: {mean:.3f} over {len(gains)} kernels, least {least:.3f}\n")
    return bad


if __name__ == "__main__":
    sys.exit(main())
