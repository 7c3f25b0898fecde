"""Time single functions natively: what LLVM -O3 makes of each against what isel does,
``python -m bench.windows FILE.ll...``.

Every function of the files whose arguments are pointers is put into a loop of its own and called on
seeded bytes, both versions in turns in one process; their results are compared.  A ratio is of the
least times of the rounds.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path
from typing import Final

from bench.harness.machine import host_cpu
from bench.jit import Jit, Timing, time_pair
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.opt.module import rewrite_module
from frontends.llvm.opt.options import Options
from frontends.llvm.text.ast import PtrType
from frontends.llvm.text.parse import parse_module
from isel.cli.files import read_module
from isel.cli.tools import make_tools
from isel.workers import processors

_BYTES: Final = 4096  # of a buffer
_ROUNDS: Final = 401  # of a millisecond: the least time wants some in which nothing else ran


@dataclass(frozen=True, slots=True)
class Timed:
    """Both versions of a function: nanoseconds a call, and whether they left the same bytes
    behind.
    """

    timing: Timing
    same: bool

    @property
    def ratio(self) -> float:
        """How many times faster the second version is."""
        return self.timing.before / self.timing.after


def timed(before: str, after: str, function: str, buffers: int, seed: int, cpu: str = "") -> Timed:
    """Run both versions on the same bytes and time them in turns; for a worker process."""
    rng = random.Random(seed)
    arguments = [rng.randbytes(_BYTES) for _ in range(buffers)]
    outcomes = [Jit(text, [function]).call(function, arguments) for text in (before, after)]
    return Timed(
        time_pair(before, after, function, arguments, cpu=cpu, inline=True, rounds=_ROUNDS),
        outcomes[0] == outcomes[1],
    )


def functions(text: str) -> dict[str, int]:
    """Return the functions that can be called on buffers alone, and how many each takes."""
    return {
        f.name: len(f.arguments)
        for f in parse_module(text).functions
        if f.arguments and all(isinstance(a.type, PtrType) for a in f.arguments)
    }


def geomean(ratios: Sequence[float]) -> float:
    """Return the geometric mean; 1 of nothing."""
    return exp(sum(log(r) for r in ratios) / len(ratios)) if ratios else 1.0


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line a function and the geometric mean; the exit code is 0 if all ran and agree."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.windows",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="modules as text or bitcode"
    )
    parser.add_argument(
        "-mcpu",
        default="native",
        dest="cpu",
        help="CPU whose instructions and prices are used (default: this machine's)",
    )
    parser.add_argument("--seed", type=int, default=2024, help="seed of the bytes (default 2024)")
    args = parser.parse_args(argv)
    cpu = host_cpu() if args.cpu == "native" else args.cpu
    options = Options(cpu=cpu, jobs=processors())
    ratios: list[float] = []
    failed = False
    with LlvmWorker(seconds=120) as worker, make_tools(worker, options, None) as tools:
        for path in args.files:
            done = rewrite_module(read_module(str(path)).text, options, tools, path.name)
            for name, buffers in functions(done.before).items():
                found = worker.run(
                    partial(timed, done.before, done.text, name, buffers, args.seed, cpu)
                )
                if isinstance(found, WorkerFailed):
                    print(f"{path.name} {name}: not timed, {found.reason}")
                    failed = True
                    continue
                failed |= not found.same
                ratios.append(found.ratio)
                nanoseconds = f"{found.timing.before:.2f} ns, {found.timing.after:.2f} ns"
                verdict = "" if found.same else ", DIFFERENT"
                print(f"{path.name} {name}: {nanoseconds}, {found.ratio:.2f} times{verdict}")
    print(f"geomean {geomean(ratios):.2f} over {len(ratios)} functions")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
