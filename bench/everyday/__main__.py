"""What is computed every day through ``isel opt`` and by hand, ``python -m bench.everyday``.

A file of plain C has the same functions with intrinsics beside it. Each function is timed against
clang's code of it, as ``isel measure`` does: what isel makes of it, and what was written by hand.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Final

from bench.harness.clang import ir_of
from bench.jit import Value
from bench.measure.changed import verdict
from bench.measure.inputs import NotRun
from bench.measure.timing import SEED, Task
from bench.measure.verdict import Noisy
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.text.ast import Function, PtrType
from frontends.llvm.text.parse import parse_module
from isel.api.tools import make_tools

HERE: Final = Path(__file__).parent
_HAND: Final = "_by_hand"
_LENGTH, _OTHER, _BYTES = 1016, 37, 1 << 15  # the last integer, what is before it, an array
_ELEMENTS: Final = re.compile(r"(\d+) elements")  # in a file's first line: its last integers


@dataclass(frozen=True, slots=True)
class Row:
    """How many times as fast as clang's code a function of isel and one by hand are."""

    file: str
    function: str
    own: float
    hand: float
    noise: str = ""

    def __str__(self) -> str:
        ratios = f"{self.own:6.2f} {self.hand:6.2f} {self.noise}"
        return f"{self.file:8} {self.function:20} {ratios}".rstrip()


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each function, and a mean for each file."""
    parser = argparse.ArgumentParser(prog="python -m bench.everyday", description=__doc__)
    parser.add_argument("--cpu", default="x86-64-v3")
    parser.add_argument("--file", default="*.c", help="a pattern: files of this name")
    parser.add_argument("--only", default=".*", help="a regular expression: functions of this name")
    parser.add_argument("--effort", type=int, default=1)
    arguments = parser.parse_args(argv)
    failed = False
    print(f"{'file':8} {'function':20} {'isel':>6} {'hand':>6}")
    for path in sorted(p for p in HERE.glob(arguments.file) if _HAND not in p.stem):
        start = sum(os.times()[:2])
        rows: list[Row] = []
        for found in measured(path, arguments.cpu, arguments.only, arguments.effort):
            print(found, flush=True)
            rows += [found] if isinstance(found, Row) else []
            failed |= not isinstance(found, Row)
        if rows:
            mean = Row(
                path.stem, "mean", _mean([r.own for r in rows]), _mean([r.hand for r in rows])
            )
            print(mean, f"{sum(os.times()[:2]) - start:.1f} s", flush=True)
    return int(failed)


def measured(path: Path, cpu: str, only: str, effort: int) -> Iterator[Row | str]:
    """Yield what the functions of a file gain, or why that is not known."""
    options = Options(cpu=cpu, jobs=1, only_function=only, effort=effort)
    plain, hand = (
        ir_of(path.with_stem(f"{path.stem}{end}"), cpu, wide=False) for end in ("", _HAND)
    )
    said = _ELEMENTS.search(path.read_text().splitlines()[0])
    length = int(said[1]) if said else _LENGTH
    with (
        LlvmWorker(seconds=300) as worker,
        LlvmWorker() as runner,
        make_tools(worker, options, "off") as tools,
    ):
        done = rewrite_module(plain, options, tools, path.name)
        for f in parse_module(done.before).functions:
            if re.fullmatch(only, f.name):
                texts = (hand, done.text)
                found = [
                    verdict(Task(done.before, text, f.name, cpu, _data(f, length)), runner)
                    for text in texts
                ]
                ratios = [(v.first + v.second) / 2 for v in found if not isinstance(v, NotRun)]
                if len(ratios) == len(texts):
                    noise = "~" * any(isinstance(v, Noisy) for v in found)
                    yield Row(path.stem, f.name, ratios[1], ratios[0], noise)
                else:
                    yield f"{path.stem}: {f.name}: {'; '.join(map(str, found))}"


def _data(f: Function, length: int) -> tuple[Value, ...]:
    """Return arguments: bytes of a seed, a number of elements at the end."""
    rng = random.Random(SEED)
    numbers = [_OTHER] * (len(f.arguments) - 1) + [length]
    pointers = [isinstance(a.type, PtrType) for a in f.arguments]
    return tuple(rng.randbytes(_BYTES) if p else k for p, k in zip(pointers, numbers, strict=True))


def _mean(ratios: Sequence[float]) -> float:
    return exp(sum(map(log, ratios)) / len(ratios))


if __name__ == "__main__":
    sys.exit(main())
