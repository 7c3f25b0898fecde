"""Hold the gate's model against this machine, ``python -m bench.signs``: of the functions that
isel changes, how many are slower than before.

C functions of this folder and the C kernels of the benchmark are compiled by clang and rewritten.
Before, after, and before once more (the control) are timed in turns, in one process, with nothing
but code generation behind them and innermost loops aligned to 64 bytes; a ratio is of the least
times.  ``--add FILE`` takes rows of a run elsewhere: function, model before, model after, ratio,
control, separated by tabs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from bench.harness.clang import ir_of
from bench.harness.machine import host_cpu
from bench.signs.report import Row, report
from bench.signs.timing import Task, timed
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.opt.module import rewrite_module
from frontends.llvm.opt.options import Options
from isel.cli.tools import make_tools

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class _Source:
    path: Path
    kernel: str = ""


def main(argv: Sequence[str] | None = None) -> int:
    """Write the report; the exit code is 1 where something could not be timed or differs."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.signs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", default="", help="only files whose name holds this")
    parser.add_argument(
        "--add", type=Path, action="append", default=[], help="rows of a run elsewhere"
    )
    parser.add_argument(
        "--out", type=Path, default=None, help="the report (default: standard output)"
    )
    parser.add_argument("--command", default="python -m bench.signs", help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    failed: list[str] = []
    rows = list(_rows(arguments.only, failed))
    for path in arguments.add:
        rows += [Row.read(line) for line in path.read_text().splitlines() if line]
    text = report(rows, host_cpu(), arguments.command, failed)
    if arguments.out is None:
        sys.stdout.write(text)
    else:
        arguments.out.write_text(text, encoding="utf-8")
    return int(bool(failed))


def _sources() -> list[_Source]:
    own = [_Source(path) for path in sorted(HERE.glob("*.c"))]
    return own + [
        _Source(path, f"c_{path.stem}") for path in sorted(HERE.with_name("c").glob("*.c"))
    ]


def _rows(only: str, failed: list[str]) -> Iterator[Row]:
    options = Options(cpu=host_cpu(), jobs=1)
    with LlvmWorker(seconds=300) as worker, make_tools(worker, options, "off") as tools:
        for source in _sources():
            if only not in source.path.name:
                continue
            done = rewrite_module(
                ir_of(source.path, options.cpu, wide=False), options, tools, source.path.name
            )
            for f in done.report.functions:
                if f.cost is None:
                    continue
                task = Task(done.before, done.text, f.name, source.kernel, options.cpu)
                found = worker.run(partial(timed, task))
                if isinstance(found, WorkerFailed):
                    failed.append(f"{f.name}: {found.reason}")
                    continue
                if not found.same:
                    failed.append(f"{f.name}: the results differ")
                print(
                    f"{f.name}: {f.cost[0]:.4g} -> {f.cost[1]:.4g} cycles, {found}", file=sys.stderr
                )
                yield Row(f.name, *f.cost, found.ratio, found.control)


if __name__ == "__main__":
    sys.exit(main())
