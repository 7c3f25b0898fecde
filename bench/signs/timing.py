"""Timing a function before and after, with a copy of before as control; for a worker process."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import llvmlite.binding as llvm

from bench.harness.kernels import find
from bench.harness.measure import inputs_of
from bench.jit import Jit
from frontends.llvm.linked.buffer import Buffer
from frontends.llvm.text.ast import PtrType
from frontends.llvm.text.parse import parse_module
from isel.timing import Plan, interleaved

_ELEMENTS: Final = 1003  # so that loops have a rest
_BYTES: Final = 8 * _ELEMENTS
_PLAN: Final = Plan(rounds=61, round_ns=4_000_000)
_ALIGNED: Final = "-x86-experimental-pref-innermost-loop-alignment=6"  # 64 bytes, where LLVM has it
_SEED: Final = 2024


@dataclass(frozen=True, slots=True)
class Task:
    """Two modules and a function in both, which takes pointers and how many elements there are;
    ``kernel`` names the benchmark's kernel whose inputs it gets, or is empty.
    """

    before: str
    after: str
    function: str
    kernel: str
    cpu: str


@dataclass(frozen=True, slots=True)
class Timed:
    """How many times faster the second version is, and a copy of the first, and whether all left
    the same bytes behind.
    """

    ratio: float
    control: float
    same: bool


def timed(task: Task) -> Timed:
    """Run the three versions on the same bytes and time them in turns."""
    llvm.set_option("isel", _ALIGNED)
    runs: dict[str, Callable[[int], object]] = {}
    left: list[tuple[bytes, ...]] = []
    held: list[object] = []  # what is run must not be freed
    for name, text in (("before", task.before), ("after", task.after), ("control", task.before)):
        jit = Jit(text, [task.function], cpu=task.cpu, pipeline=False)
        arguments = _arguments(task)
        run, buffers, _ = jit.prepared(task.function, arguments)
        run(1)
        left.append(tuple(b.read() for b in buffers))
        runs[name] = run
        held += [jit, buffers]
    least = {t.version: min(t.rounds) for t in interleaved(runs, _PLAN)}
    return Timed(
        least["before"] / least["after"],
        least["before"] / least["control"],
        all(x == left[0] for x in left),
    )


def _arguments(task: Task) -> list[Buffer | int]:
    """Return buffers for pointers; the length comes last."""
    if task.kernel:
        kernel = find("bench.kernels", task.kernel)
        arrays = [*inputs_of(kernel, _SEED, 0), kernel.empty_output()]
        return [*(Buffer(a.tobytes()) for a in arrays), arrays[-1].size]
    rng = random.Random(_SEED)
    function = next(f for f in parse_module(task.before).functions if f.name == task.function)
    return [
        Buffer(rng.randbytes(_BYTES)) if isinstance(a.type, PtrType) else _ELEMENTS
        for a in function.arguments
    ]
