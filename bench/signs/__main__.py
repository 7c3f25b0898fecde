"""Hold the gate's model against this machine, ``python -m bench.signs [FILE...]``: of the functions
that isel changes, how many are slower than before.

C functions of this folder and the C kernels of the benchmark, or C and LLVM IR of the files named,
are rewritten and measured as ``isel measure`` does, kernels on their own inputs.  ``--add FILE``
takes rows of a run elsewhere: function, model before, model after, ratio, control, separated by
tabs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.harness.clang import ir_of
from bench.harness.kernels import find
from bench.harness.machine import host_cpu
from bench.harness.measure import inputs_of
from bench.jit import Value
from bench.measure.changed import verdict
from bench.measure.timing import SEED, Task
from bench.measure.verdict import Timed
from bench.signs.report import Row, report
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from isel.api.tools import make_tools

HERE: Final = Path(__file__).parent
_ANY: Final = "x86-64-v3"  # what most programs are distributed for


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
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="C, or IR as text")
    parser.add_argument(
        "--cpu",
        action="append",
        help=f"what is compiled for; may be repeated (default: this, and {_ANY})",
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
    sources = [_Source(path) for path in arguments.files] or _sources()
    chosen = [s for s in sources if arguments.only in s.path.name]
    cpus = arguments.cpu or [host_cpu(), _ANY]
    rows = [row for cpu in cpus for row in _rows(chosen, cpu, failed)]
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


def _rows(sources: Sequence[_Source], cpu: str, failed: list[str]) -> Iterator[Row]:
    options = Options(cpu=cpu, jobs=1)
    with (
        LlvmWorker(seconds=300) as worker,
        LlvmWorker() as runner,
        make_tools(worker, options, "off") as tools,
    ):
        for source in sources:
            path = source.path
            text = path.read_text() if path.suffix == ".ll" else ir_of(path, cpu, wide=False)
            done = rewrite_module(text, options, tools, path.name)
            for f in done.report.functions:
                if f.cost is None:
                    continue
                task = Task(done.before, done.text, f.name, cpu, _data(source.kernel))
                found = verdict(task, runner)
                name = f.name if cpu == host_cpu() else f"{cpu}: {f.name}"
                told = f"{name}: {f.cost[0]:.4g} -> {f.cost[1]:.4g} cycles, {found}"
                print(told, file=sys.stderr)
                if isinstance(found, Timed):
                    yield Row(name, *f.cost, found.ratio, found.control)
                else:
                    failed.append(f"{name}: {found}")


def _data(name: str) -> tuple[Value, ...] | None:
    """Return the arguments of one of the benchmark's kernels, None without one."""
    if not name:
        return None
    kernel = find("bench.kernels", name)
    arrays = [*inputs_of(kernel, SEED, 0), kernel.empty_output()]
    return *(a.tobytes() for a in arrays), arrays[-1].size


if __name__ == "__main__":
    sys.exit(main())
