"""``make demo``: rewrite the shipped modules, show each rewrite with its proof, and time both
versions here.
"""

from __future__ import annotations

import sys
import textwrap
import time
from functools import partial
from pathlib import Path

from examples.inputs import Measured, measure
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten
from frontends.llvm.report.phrases import became, cycles, plural
from frontends.llvm.report.tried import Outcome, WindowReport
from frontends.llvm.text.given import lines_of
from frontends.llvm.text.masks import readable
from isel.api.tools import make_tools
from isel.cli.files import read_module
from isel.workers import processors

HERE = Path(__file__).parent
TITLES = {
    "q15_multiply": "clang -O3, from a C loop: Q15 product of two arrays, rounded",
    "subtract_clamp": "clang -O3, from a C loop: background subtraction, clamped",
    "average_down": "Halide, from a pipeline: average pairs of rows, darken",
    "multiply_round": "a window by hand: rounded fixed-point product, in 32 bits",
    "dot4": "a window by hand: dot product of unsigned and signed bytes by fours",
}
NEEDED = frozenset({
    "avx512bw", "avx512vl", "avx512dq", "avx512vbmi", "avx512vbmi2", "avx512vnni", "avx512bitalg",
    "avx512vpopcntdq", "gfni",
})  # fmt: skip
WIDTH = 60
ROW = "{:15}{:>3}{:>15}{:>15}{:>6}{:>6}"
SEED = 2024


def main() -> int:
    """Show every module; the exit code is 0 if all were proved and gave the same results."""
    host = binding.host_features()
    folder, cpu = (HERE, "sapphirerapids") if host >= NEEDED else (HERE / "avx2", "haswell")
    lacks = (
        f" (this CPU lacks {' '.join(sorted(NEEDED - host))}, so the AVX2 modules are shown)"
        if NEEDED - host
        else ""
    )
    say(
        f"isel demonstration for {cpu}{lacks}; times are measured on this machine, "
        f"{binding.host_cpu()}"
    )
    if "avx2" not in host:
        say("this CPU has no AVX2: the rewrites are shown, nothing can be timed")
    rows: list[tuple[str, ...]] = []
    good = True
    with LlvmWorker(seconds=60) as worker:
        for name, title in TITLES.items():
            good &= show(worker, rows, name, title, folder / f"{name}.ll", cpu)
    print(f"\n== summary {'=' * (WIDTH - 11)}")
    for row in (("module", "new", "cycles", "ns a call", "ratio", "equal"), *rows):
        print(ROW.format(*row).rstrip())
    say(
        "new: windows rewritten. cycles: one pass through the loops and a tenth of what is around "
        "them, by the block model. ns: the least of interleaved rounds. equal: same results"
    )
    return 0 if good else 1


def say(text: str, first: str = "", rest: str = "") -> None:
    """Print a paragraph in the width of the page; ``first`` and ``rest`` stand before its lines."""
    print(
        textwrap.fill(
            text,
            WIDTH,
            initial_indent=first,
            subsequent_indent=rest or first,
            break_on_hyphens=False,
        )
    )


def show(
    worker: LlvmWorker, rows: list[tuple[str, ...]], name: str, title: str, path: Path, cpu: str
) -> bool:
    """Rewrite one module, print what became of it, add its row to the summary."""
    print(f"\n== {name} {'=' * (WIDTH - 4 - len(name))}")
    say(title)
    start = time.perf_counter()
    options = Options(cpu=cpu, jobs=processors())
    with make_tools(worker, options, None) as tools:
        done = rewrite_module(read_module(str(path)).text, options, tools, path.name)
    seconds = time.perf_counter() - start
    report = done.report.located(lines_of(done.before, path.read_text()))
    for window in report.windows:
        show_window(window)
    measured = (
        worker.run(partial(measure, done.before, done.text, name, SEED))
        if "avx2" in binding.host_features()
        else WorkerFailed("no AVX2 here")
    )
    say(
        f"{len(report.rewritten)} of {plural(len(report.windows), 'window')} rewritten in "
        f"{seconds:.1f} s"
    )
    rows.append((name, str(len(report.rewritten)), costs(done), *times(measured)))
    if isinstance(measured, WorkerFailed):
        say(f"not timed: {measured.reason}")
        return "avx2" not in binding.host_features()
    same = "equal results" if measured.same else "DIFFERENT results"
    say(
        f"measured: {measured.timing.before:.1f} ns before, {measured.timing.after:.1f} ns after, "
        f"{same}"
    )
    return measured.same


def show_window(window: WindowReport) -> None:
    """Print one window: where, what became of it, before, after, proof."""
    say(f"{window.place.where}: {became(window)}", rest="  ")
    if window.outcome is not Outcome.REWRITTEN:
        return
    for heading, lines in (("before", window.before), ("after", window.after)):
        for k, line in enumerate(lines):
            print(shortened(f"  {heading if k == 0 else '':6} {readable(line.strip())}"))
    say(window.proof, "  proof  ", "         ")


def shortened(line: str) -> str:
    """Cut a line in its middle to the width of the page."""
    return line if len(line) <= WIDTH else f"{line[: WIDTH // 2 + 9]}…{line[-WIDTH // 2 + 10 :]}"


def costs(done: Rewritten) -> str:
    """Return the cost of the function that was rewritten, as the gate counted it."""
    found = [f.cost for f in done.report.functions if f.cost is not None]
    return cycles(*found[0]).removesuffix(" cycles") if found else "-"


def times(measured: Measured | WorkerFailed) -> tuple[str, str, str]:
    """Return the last columns of the summary."""
    if isinstance(measured, WorkerFailed):
        return "-", "-", "-"
    t = measured.timing
    digits = 0 if t.after >= 10 else 1
    return (
        f"{t.before:.{digits}f} -> {t.after:.{digits}f}",
        f"{t.before / t.after:.2f}",
        "yes" if measured.same else "NO",
    )


if __name__ == "__main__":
    sys.exit(main())
