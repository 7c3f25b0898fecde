"""``make demo``: rewrite the shipped modules, show each rewrite with its proof, and time both versions here."""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from examples.inputs import Measured, measure
from frontends.llvm import binding
from frontends.llvm.opt import Options, Rewritten, rewrite_module
from frontends.llvm.report import Outcome, WindowReport
from frontends.llvm.worker import LlvmWorker, WorkerFailed
from isel.cli.files import read_module
from isel.cli.tools import make_tools
from isel.workers import processors

HERE = Path(__file__).parent
TITLES = {
    "q15_multiply": "clang -O3, from a C loop: Q15 product of two arrays, rounded",
    "subtract_clamp": "clang -O3, from a C loop: background subtraction that stops at black",
    "average_down": "Halide, from a pipeline: average pairs of rows, darken",
    "multiply_round": "a window by hand: rounded fixed-point product, in 32 bits",
    "dot4": "a window by hand: dot product of unsigned and signed bytes by fours",
}
NEEDED = frozenset({"avx512bw", "avx512vl", "avx512dq", "avx512vbmi", "avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "gfni"})
WIDTH = 110
SEED = 2024


def main() -> int:
    """Show every module; the exit code is 0 if all were proved and gave the same results."""
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    host = binding.host_features()
    folder, cpu = (HERE, "sapphirerapids") if host >= NEEDED else (HERE / "avx2", "haswell")
    lacks = f" (this CPU lacks {' '.join(sorted(NEEDED - host))}, so the AVX2 modules are shown)" if NEEDED - host else ""
    console.print(f"isel demonstration for {cpu}{lacks}; times are measured on this machine, {binding.host_cpu()}")
    if "avx2" not in host:
        console.print("this CPU has no AVX2: the rewrites are shown, nothing can be timed")
    summary = Table("module", "windows", "rewritten", "cost before", "after", "measured before", "after", "speed-up", "results", title="summary")
    good = True
    with LlvmWorker(seconds=60) as worker:
        for name, title in TITLES.items():
            good &= show(console, worker, summary, name, title, folder / f"{name}.ll", cpu)
    console.print(summary)
    console.print("costs: cycles a pass through the innermost loops by the block model; measured: nanoseconds a call, the least of interleaved rounds")
    return 0 if good else 1


def show(console: Console, worker: LlvmWorker, summary: Table, name: str, title: str, path: Path, cpu: str) -> bool:
    """Rewrite one module, print what became of it, add its row to the summary."""
    console.rule(f"{name}: {title}")
    start = time.perf_counter()
    options = Options(cpu=cpu, jobs=processors())
    with make_tools(worker, options, None) as tools:
        done = rewrite_module(read_module(str(path)).text, options, tools, path.name)
    seconds = time.perf_counter() - start
    for window in done.report.windows:
        show_window(console, window)
    measured = worker.run(partial(measure, done.before, done.text, name, SEED)) if "avx2" in binding.host_features() else WorkerFailed("no AVX2 here")
    kept = len(done.report.windows) - len(done.report.rewritten)
    console.print(f"{len(done.report.rewritten)} windows rewritten, {kept} left as they were, in {seconds:.1f} s")
    summary.add_row(name, str(len(done.report.windows)), str(len(done.report.rewritten)), *costs(done), *times(measured))
    if isinstance(measured, WorkerFailed):
        console.print(f"not timed: {measured.reason}")
        return "avx2" not in binding.host_features()
    console.print(
        f"measured: {measured.timing.before:.1f} ns before, {measured.timing.after:.1f} ns after, results {'equal' if measured.same else 'DIFFERENT'}"
    )
    return measured.same


def show_window(console: Console, window: WindowReport) -> None:
    """Print one window: where, before, after, cost, proof."""
    if window.outcome is not Outcome.REWRITTEN:
        console.print(f"[bold]{escape(str(window.place))}[/] left as it was: {escape(window.reason)}")
        return
    console.print(f"[bold]{escape(str(window.place))}[/]")
    for heading, lines in (("before", window.before), ("after", window.after)):
        for k, line in enumerate(lines):
            console.print(f"  {heading if k == 0 else '':7} {escape(shortened(line.strip()))}", overflow="ellipsis", no_wrap=True)
    console.print(f"  cost    {number(window.cost_before)} -> {number(window.cost_after)} cycles")
    console.print(f"  proof   {escape(window.proof)}")


def shortened(line: str) -> str:
    """Cut a line in its middle to the width of the page."""
    return line if len(line) <= WIDTH else f"{line[: WIDTH // 2]} … {line[-WIDTH // 2 + 3 :]}"


def number(value: float | None) -> str:
    """Return a cost, or a dash where there is none."""
    return "-" if value is None else f"{value:.2f}"


def costs(done: Rewritten) -> tuple[str, str]:
    """Return the function's cost before the first rewrite and after the last, as the gate counted them."""
    rows = [w for w in done.report.rewritten if w.cost_before is not None and w.cost_after is not None]
    if not rows:
        return "-", "-"
    return number(max(w.cost_before or 0.0 for w in rows)), number(min(w.cost_after or 0.0 for w in rows))


def times(measured: Measured | WorkerFailed) -> tuple[str, str, str, str]:
    """Return the last columns of the summary."""
    if isinstance(measured, WorkerFailed):
        return "-", "-", "-", "not run"
    t = measured.timing
    return f"{t.before:.1f} ns", f"{t.after:.1f} ns", f"{t.before / t.after:.2f}x", "equal" if measured.same else "DIFFERENT"


if __name__ == "__main__":
    sys.exit(main())
