"""Sums of products by clang (or LLVM, on a pipeline's generic IR) and by isel: ``make matrix``.

Every version is compared with numpy bit for bit, then timed on this machine (``--on native``, 512
bits) or priced: cycles of isel's report, of what runs equal in the emulator, one pass through the
innermost loops and a tenth of what is around them. What isel leaves alone counts as 1.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.emulated import Runner, Way, ways
from bench.executed import make_plugin
from bench.harness import machine
from bench.harness.kernels import Kernel, registered
from bench.harness.records import Record
from bench.harness.run import Settings, run
from bench.harness.summary import geomean
from bench.inputs import VECTOR
from bench.measure.verdict import FLOOR
from frontends.halide import natural_bytes, resolve
from frontends.llvm.report.phrases import why_kept
from frontends.llvm.report.tried import ModuleReport, Outcome
from isel.errors import IselError
from isel.timing import Plan, ratio
from isel.workers import processors
from semantics import isa_named
from semantics.emulated import Emulated

SEED: Final = 2024
NATIVE: Final = "native"
# The features of each CPU of AArch64: without vectors whose length the CPU decides.
CPUS: Final = {"neoverse-v1": "-sve", "neoverse-n2": "-v9a,-sve,-sve2,-sve-bitperm"}
VERSIONS: Final = {"c": ("clang-512", "isel-512"), "halide": ("llvm", "isel")}
SHOWN: Final = 2  # reasons of windows that stay, in a row
_WHY: Final = re.compile(r"^.*(?:was not taken|no program found): ")


@dataclass(frozen=True, slots=True)
class Row:
    """A kernel: why it is not exact (empty if it is), the figures of both versions, None where
    isel leaves it alone, their ratio, and what became of its windows.
    """

    name: str
    wrong: str
    figures: tuple[float, float] | None = None
    gain: float = 1.0
    windows: str = ""
    kept: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.wrong:
            return f"| {self.name} | | | NOT EXACT | | {self.wrong} |"
        figures = ("-", "-") if self.figures is None else tuple(f"{x:,.1f}" for x in self.figures)
        reasons = list(dict.fromkeys(_WHY.sub("", k) for k in self.kept))[:SHOWN]
        cells = (self.name, *figures, f"{self.gain:.2f}", self.windows, "; ".join(reasons))
        return f"| {' | '.join(cells)} |"


def timed(
    registry: str, kernels: Sequence[Kernel], folder: Path, plan: Plan, jobs: int
) -> Iterator[Row]:
    """Yield what each kernel takes on this machine, in nanoseconds."""
    target = resolve("x86", cpu=machine.host_cpu())
    for kernel in kernels:
        base, ours = VERSIONS[kernel.kind]
        settings = Settings(
            registry,
            target,
            SEED,
            plan,
            jobs,
            folder,
            others=(),
            variant=False,
            ours=(ours,),
        )
        done = run([kernel], settings, lambda _: None)
        yield _row(done.records[0], base, ours)


def _row(record: Record, base: str, ours: str) -> Row:
    if record.error:
        return Row(record.name, record.error)
    first = record.compiles[0]
    before, after = record.rounds(base), record.rounds(ours)
    return Row(
        record.name,
        "",
        (min(before), min(after)),
        ratio(before, after) or 1.0,
        f"{first.rewritten}/{first.found}",
        tuple(k.reason for k in record.kept),
    )


def priced(kernels: Sequence[Kernel], runner: Runner) -> Iterator[Row]:
    """Yield what each kernel costs by the target's table, in cycles."""
    for kernel in kernels:
        try:
            found = list(ways(kernel, runner, compare=False))
        except IselError as error:
            yield Row(kernel.name, error.message())
            continue
        yield priced_row(kernel, found)


def priced_row(kernel: Kernel, found: Sequence[Way]) -> Row:
    """Return the row of a kernel whose ways have run, isel's last."""
    wrong = "; ".join(f"{w.name} {w.wrong}" for w in found if w.wrong)
    report = found[-1].report or ModuleReport("")
    cost = next((f.cost for f in report.functions if f.name == kernel.entry), None)
    gain = 1.0 if cost is None else cost[0] / cost[1]
    kept = tuple(why_kept(w) for w in report.windows if w.outcome is Outcome.KEPT)
    return Row(kernel.name, wrong, cost, gain, found[-1].rewritten, kept)


def summary(on: str, rows: Sequence[Row]) -> str:
    """Return the last line: the mean gain, those under the floor, and those that are not exact."""
    exact = [r for r in rows if not r.wrong]
    mean = geomean(r.gain for r in exact) or 1.0
    below = [f"{r.name} {r.gain:.2f}" for r in exact if r.gain < FLOOR]
    wrong = [r.name for r in rows if r.wrong]
    return (
        f"matrix on {on}: geomean {mean:.3f} over {len(exact)} kernels, below {FLOOR}: "
        f"{', '.join(below) or 'none'}, not exact: {', '.join(wrong) or 'none'}"
    )


def _emulated(kernels: Sequence[Kernel], cpu: str, folder: Path) -> Iterator[Row]:
    target = resolve("arm", cpu=cpu, features=CPUS[cpu])
    os.environ[VECTOR] = str(natural_bytes(target.own))
    emulated = isa_named(target.name).executor()
    assert isinstance(emulated, Emulated)
    lacking = emulated.lacks(frozenset())
    if lacking:
        raise SystemExit(f"this machine {lacking}")
    yield from priced(kernels, Runner(emulated, target, make_plugin(folder), SEED))


def main(words: list[str] | None = None) -> int:
    """Print a row a kernel and the summary; 1 if a result is not numpy's."""
    parser = argparse.ArgumentParser(prog="python -m bench.matrix", description=__doc__)
    parser.add_argument("--on", choices=(NATIVE, *CPUS), default=NATIVE)
    parser.add_argument("--registry", default="bench.matrix.kernels", help="whose KERNELS")
    parser.add_argument("--kernels", default=".*", help="a regular expression of whole names")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("-j", "--jobs", type=int, default=0)
    options = parser.parse_args(words)
    chosen = [k for k in registered(options.registry) if re.fullmatch(options.kernels, k.name)]
    unit = "ns" if options.on == NATIVE else "cycles"
    print(f"| kernel | LLVM {unit} | isel {unit} | gain | windows | why others stay |")
    print(f"|{' --- |' * 6}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        plan, jobs = Plan(options.rounds, 20_000_000), options.jobs or processors()
        found = (
            timed(options.registry, chosen, Path(folder), plan, jobs)
            if options.on == NATIVE
            else _emulated(chosen, options.on, Path(folder))
        )
        for row in found:
            print(row, flush=True)
            rows.append(row)
    for what, kind in (("C loops", "c"), ("pipelines", "halide")):
        names = {k.name for k in chosen if k.kind == kind}
        print(summary(f"{options.on}, {what}", [r for r in rows if r.name in names]))
    print(summary(options.on, rows))
    return 1 if any(r.wrong for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
