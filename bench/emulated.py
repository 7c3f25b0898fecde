"""Kernels of the benchmark in an emulator: ``python -m bench.emulated [--target hvx]``.

Every way to a kernel's code runs in the emulator on seeded inputs and is compared with numpy bit
for bit; of what is exact the instructions (packets on Hexagon) that one call executes are counted.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log
from pathlib import Path
from typing import Final

import numpy as np

from bench.executed import Executed, execute, make_plugin
from bench.harness.clang import cpu_name, ir_with
from bench.inputs import VECTOR, Array
from bench.kernel import Kernel
from bench.kernels import KERNELS
from frontends.halide import (
    Built,
    HalideProblem,
    HalideTarget,
    build,
    load_pipeline,
    natural_bytes,
    object_of,
    resolve,
)
from frontends.halide.candidates import (
    GENERIC_ISEL,
    OWN,
    OWN_ISEL,
    PLAIN,
    Candidate,
    by_model,
    candidates_of,
    plain_code,
)
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.text.layout import read_layout
from isel.cli.halide import rewriter
from isel.errors import IselError
from semantics import isa_named
from semantics.emulated import MOVES, Emulated
from semantics.execution import NotRun

BASE: Final = "generic -O3"
CHOSEN: Final = "chosen"
FAR: Final = 8.0  # times Halide's own, beyond which a kernel of LLVM's is no baseline for a mean
HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "halide": (PLAIN, BASE, OWN, OWN_ISEL, GENERIC_ISEL, CHOSEN),
    "c": ("clang", "isel"),
}
SECONDS: Final = 60  # of processor time, which Halide may take for a pipeline
_CODES: Final = {"i": 0, "u": 1}
# halide_buffer_t; its 64-bit fields come first, so that LLVM lays it out as C does on any machine
BUFFER: Final = "{ i64, ptr, ptr, i64, i8, i8, i16, i32, ptr, ptr }"
# What pipelines call; Hexagon's own code takes its vector unit from the system, and prints errors.
_RUN_TIME: Final = """
@heap = internal global [4194304 x i8] zeroinitializer, align 128
@used = internal global iSIZE 0
define ptr @halide_malloc(ptr %context, iSIZE %size) {
  %at = load iSIZE, ptr @used
  %more = add iSIZE %size, 255
  %whole = and iSIZE %more, -128
  %next = add iSIZE %at, %whole
  store iSIZE %next, ptr @used
  %found = getelementptr i8, ptr @heap, iSIZE %at
  ret ptr %found
}
define void @halide_free(ptr %context, ptr %memory) {
  ret void
}
define i32 @halide_error_out_of_memory(ptr %context) {
  ret i32 -11
}
define void @halide_error(ptr %context, ptr %message) {
  call void @_exit(i32 5)
  unreachable
}
define ptr @malloc(iSIZE %size) {
  %found = call ptr @halide_malloc(ptr null, iSIZE %size)
  ret ptr %found
}
define void @free(ptr %memory) {
  ret void
}
define ptr @halide_string_to_string(ptr %to, ptr %end, ptr %text) {
  ret ptr %to
}
define i32 @halide_msan_annotate_memory_is_initialized(ptr %context, ptr %memory, i64 %size) {
  ret i32 0
}
define i32 @qurt_hvx_lock(i32 %mode) {
  ret i32 0
}
define i32 @qurt_hvx_unlock() {
  ret i32 0
}
define ptr @HAP_request_VTCM(i32 %size, i32 %single) {
  ret ptr null
}
define i32 @HAP_release_VTCM(ptr %memory) {
  ret i32 0
}
"""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to a kernel's code: whether it is exact (or why it does not run), how many instructions
    one call executes, which share of its windows was rewritten, and what isel reports of it.
    """

    name: str
    wrong: str
    executed: int
    rewritten: str
    report: ModuleReport | None = field(default=None, compare=False)


def pipeline_driver(name: str, arrays: Sequence[Array], calls: int, pointer: int = 64) -> str:
    """Return a module whose ``main`` reads all arrays but the last, runs a pipeline on them
    ``calls`` times, and writes the last; ``pointer`` are the bits of a size.
    """
    lines = [MOVES, _RUN_TIME.replace("SIZE", str(pointer)), f"declare i32 @{name}_argv(ptr)"]
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
            f"@buffer{k} = internal global {BUFFER} {{ {head}, {kind}, ptr @dims{k}, ptr null }}",
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


def c_driver(name: str, arrays: Sequence[Array], calls: int, pointer: int = 64) -> str:
    """The same of a C function, which takes the number of elements of the output as well, and
    calls nothing that depends on a size's bits.
    """
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
    """Runs code of a target's kernels on seeded inputs; ``plugin`` counts instructions,
    ``flags`` are further ones of the compiler of C."""

    emulated: Emulated
    target: HalideTarget
    plugin: Path
    seed: int
    flags: tuple[str, ...] = ()

    def way(self, kernel: Kernel, name: str, code: bytes, rewritten: str) -> Way:
        """Return what comes of a kernel's code: two calls less one are one."""
        given = kernel.inputs(np.random.default_rng(self.seed))
        driver = pipeline_driver if kernel.kind == "halide" else c_driver
        arrays = [*given, kernel.empty_output()]
        bits = read_layout(binding.data_layout(self.target.triple)).space(0).index_bits
        found = [self._run(driver(kernel.entry, arrays, n, bits), code, given) for n in (1, 2)]
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


def ways(kernel: Kernel, runner: Runner, *, compare: bool = True) -> Iterator[Way]:
    """Yield every way to a kernel's code, run; what cannot be made says why.

    Without ``compare`` a pipeline has one: generic IR through isel.
    """
    target = runner.target
    with rewriter(target, jobs=1) as rewrite:
        if kernel.kind == "halide":
            _, pipeline = load_pipeline(f"{kernel.source}:{kernel.entry}")
            built = build(pipeline, target, rewrite, compare=compare, limit=SECONDS)
            if compare:
                yield from _of_pipeline(kernel, built, runner)
            else:
                yield from _run(kernel, runner, candidates_of(built, target))
            return
        features = (f for f in target.features.split(",") if f)
        zig = cpu_name(target.cpu) + "".join(f[0] + cpu_name(f[1:]) for f in features)
        linked = runner.emulated.linked
        text = ir_with(kernel.source, ["-target", linked, f"-mcpu={zig}", *runner.flags])
        yield runner.way(kernel, "clang", object_of(text, target, optimise=False), "")
        done = rewrite(text, kernel.source.name)
        code = object_of(done.text, target, optimise=False)
        way = runner.way(kernel, "isel", code, _rewritten(done.report))
        yield replace(way, report=done.report)


def _of_pipeline(kernel: Kernel, built: Built, runner: Runner) -> Iterator[Way]:
    target = runner.target
    yield _tried(kernel, runner, PLAIN, lambda: plain_code(built, target).code.object)
    yield _tried(kernel, runner, BASE, lambda: object_of(built.plain_ll, target))
    if built.lacks:
        yield Way(OWN, built.lacks, 0, "")
    candidates = candidates_of(built, target)
    yield from _run(kernel, runner, candidates)
    c = by_model(candidates)
    yield runner.way(kernel, CHOSEN, c.code.object, c.name)


def _run(kernel: Kernel, runner: Runner, candidates: Sequence[Candidate]) -> Iterator[Way]:
    for c in candidates:
        way = runner.way(kernel, c.name, c.code.object, _rewritten(c.report))
        yield replace(way, report=c.report)


def _tried(kernel: Kernel, runner: Runner, name: str, make: Callable[[], bytes]) -> Way:
    try:
        return runner.way(kernel, name, make(), "")
    except HalideProblem as problem:
        return Way(name, problem.message(), 0, "")


def _rewritten(report: ModuleReport | None) -> str:
    return "" if report is None else f"{len(report.rewritten)}/{len(report.windows)}"


def row(name: str, heads: Sequence[str], found: Mapping[str, Way]) -> str:
    """Return a line of the table: instructions of each way, with what was rewritten; - is not
    exact.
    """
    cells = (_cell(found[h]) if h in found else "-" for h in heads)
    return "| " + " | ".join([name, *cells]) + " |"


def _cell(way: Way) -> str:
    return "-" if way.wrong else f"{way.executed:,}" + f" ({way.rewritten})" * bool(way.rewritten)


def main() -> int:
    """Obey; return 1 if anything is not exact."""
    parser = argparse.ArgumentParser(prog="python -m bench.emulated", description=__doc__)
    parser.add_argument("--kernels", default="", help="a regular expression for their names")
    parser.add_argument("--seed", type=int, default=1, help="of the inputs")
    parser.add_argument("--target", default="arm", help="a target with an emulator")
    parser.add_argument("--mcpu", default="", help="the CPU (default: the target's usual one)")
    parser.add_argument("--mattr", default="", help="its features")
    parser.add_argument("--cflags", default="", help="more flags of the compiler of C")
    options = parser.parse_args()
    target = resolve(options.target, cpu=options.mcpu, features=options.mattr)
    os.environ.setdefault(VECTOR, str(natural_bytes(target.own)))
    emulated = isa_named(target.name).executor()
    assert isinstance(emulated, Emulated)
    lacking = emulated.lacks(frozenset())
    if lacking:
        print(f"this machine {lacking}", file=sys.stderr)
        return 1
    chosen = [k for k in KERNELS if re.search(options.kernels, k.name)]
    flags = tuple(shlex.split(options.cflags))
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(emulated, target, make_plugin(Path(folder)), options.seed, flags)
        return 1 if sum(table(kind, chosen, runner) for kind in HEADS) else 0


def table(kind: str, kernels: Sequence[Kernel], runner: Runner) -> int:
    """Print the kernels of a kind and mean gains; return how many ways are not exact, Halide's own
    code aside.
    """
    bad, rows, heads = 0, [], HEADS[kind]
    print(f"| kernel | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}")
    for kernel in (k for k in kernels if k.kind == kind):
        try:
            found = {w.name: w for w in ways(kernel, runner)}
        except IselError as problem:
            bad += 1
            print(f"{kernel.name}: {problem.message()}", file=sys.stderr)
            continue
        print(row(kernel.name, heads, found), flush=True)
        for w in found.values():
            if w.wrong:
                bad += w.name not in (OWN, OWN_ISEL, BASE)
                print(f"{kernel.name}, {w.name}: {w.wrong}", file=sys.stderr)
        rows.append({w.name: w.executed for w in found.values() if not w.wrong})
    print()
    for line in means(heads, rows):
        print(line)
    return bad


def means(heads: Sequence[str], rows: Sequence[Mapping[str, int]]) -> Iterator[str]:
    """Yield lines with the mean gains of ``isel`` over each other way, given the instructions of
    each exact way to each kernel: of all kernels that have both, and of those where LLVM's are at
    most :data:`FAR` times Halide's own.
    """
    near = [r for r in rows if OWN not in r or r.get(PLAIN, 0) <= FAR * r[OWN]]
    for ours in heads:
        for base in heads[: heads.index(ours)]:
            if "isel" in ours or ours == CHOSEN:
                for some in (rows, near) if len(near) < len(rows) else (rows,):
                    gains = [r[base] / r[ours] for r in some if base in r and ours in r]
                    if gains:
                        mean = exp(sum(map(log, gains)) / len(gains))
                        yield (
                            f"{base} / {ours}: {mean:.3f} over {len(gains)} kernels, "
                            f"least {min(gains):.3f}"
                        )


if __name__ == "__main__":
    sys.exit(main())
