"""Vector IR of every day through ``isel opt`` and by hand, by the costs of the model:
``python -m bench.everyday.modelled``.

A file of ``bench/everyday/vectors`` has a function ``src`` and the same by hand, ``tgt``, so that
``isel verify`` compares them; its first line names target, CPU and features.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from typing import Final

from bench.everyday.__main__ import HERE, Row
from frontends.llvm.linked.binding import normalise
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.text.parse import parse_module
from isel.api.tools import make_tools
from semantics import target_for

VECTORS: Final = HERE / "vectors"


@dataclass(frozen=True, slots=True)
class Twins:
    """A module with a function and the same by hand, and what it is for."""

    name: str
    text: str
    target: str
    cpu: str
    features: str


def twins() -> list[Twins]:
    """Return all files."""
    return [_read(path) for path in sorted(VECTORS.glob("*.ll"))]


def _read(path: Path) -> Twins:
    text = path.read_text()
    target, cpu, features = text.partition(":")[0].removeprefix(";").split()
    return Twins(path.stem, normalise(text), target, cpu, features)


def measured(t: Twins, effort: int) -> Row | str:
    """Return what isel and the function by hand gain over LLVM's code, by cycles of the model; or
    which of them has no cost.
    """
    options = Options(cpu=t.cpu, features=t.features, jobs=1, only_function="src", effort=effort)
    triple = parse_module(t.text).triple
    with LlvmWorker() as worker, make_tools(worker, options, "off") as tools:
        done = rewrite_module(t.text, options, tools, t.name)
        gate = Gate(worker, target_for(triple), t.cpu, t.features, triple)
        named = {"llvm": (t.text, "src"), "isel": (done.text, "src"), "hand": (t.text, "tgt")}
        costs = {k: _cheapest(gate, text, function) for k, (text, function) in named.items()}
    if None in costs.values():
        return f"{t.name}: no cost of {', '.join(k for k, x in costs.items() if x is None)}"
    llvm, isel, hand = (x for x in costs.values() if x is not None)
    return Row(t.target, t.name, llvm / isel, llvm / hand)


def _cheapest(gate: Gate, text: str, function: str) -> float | None:
    """Return the cycles of a function as it stands or after LLVM's -O3, whichever are fewer."""
    better = gate.worker.optimise(text, triple=gate.triple, cpu=gate.cpu, features=gate.features)
    costs = [gate.cost(x, function) for x in (text, better) if isinstance(x, str)]
    return min((x for x in costs if x is not None), default=None)


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each file, and means."""
    parser = argparse.ArgumentParser(prog="python -m bench.everyday.modelled", description=__doc__)
    parser.add_argument("--only", default="", help="files whose names have this in them")
    parser.add_argument("--effort", type=int, default=1)
    arguments = parser.parse_args(argv)
    rows: list[Row] = []
    failed = False
    print(f"{'target':8} {'function':20} {'isel':>6} {'hand':>6}")
    for found in _found(arguments.only, arguments.effort):
        print(found, flush=True)
        rows += [found] if isinstance(found, Row) else []
        failed |= not isinstance(found, Row)
    if rows:
        own, hand = ([r.own for r in rows], [r.hand for r in rows])
        print(Row("all", "mean", geometric_mean(own), geometric_mean(hand)))
    return int(failed)


def _found(only: str, effort: int) -> Iterator[Row | str]:
    return (measured(t, effort) for t in twins() if only in t.name)


if __name__ == "__main__":
    sys.exit(main())
