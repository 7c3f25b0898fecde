"""Check and time the versions of one kernel in this process; run it in an
:class:`frontends.llvm.linked.worker.LlvmWorker`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from bench.harness.kernels import Kernel, find
from bench.harness.native import CFunction, Guarded, difference
from bench.harness.versions import COMPARED
from bench.inputs import Array
from bench.measure.verdict import FLOOR
from frontends.halide.native import Filter
from frontends.halide.package import Signature
from frontends.halide.targets import HalideTarget
from frontends.llvm.linked.buffer import OutOfBounds
from isel.errors import IselError
from isel.timing import Plan, Times, interleaved, ratio

CHECKS: Final = 4  # inputs on which every version is compared with numpy before anything is timed
Bind: TypeAlias = "Callable[[Sequence[Guarded]], Callable[[int], object]]"


class WrongResult(IselError):
    """A version computes something else than numpy."""


@dataclass(frozen=True, slots=True)
class Code:
    """A version to be run: an object file."""

    version: str
    path: str


@dataclass(frozen=True, slots=True)
class Task:
    """A kernel of a registry (a module's name), its versions, and how they are called:
    ``signature`` is None for C.
    """

    registry: str
    kernel: str
    codes: tuple[Code, ...]
    signature: Signature | None
    target: HalideTarget
    seed: int
    plan: Plan


@dataclass(frozen=True, slots=True)
class Measured:
    """Number of inputs on which each version was compared, times, and those of a second run where
    isel is slower than LLVM on the same IR in the first.
    """

    checks: int
    times: tuple[Times, ...]
    again: tuple[Times, ...] = ()


def measure(task: Task) -> Measured:
    """Compare every version with numpy on :data:`CHECKS` inputs, then time them; raises
    :class:`WrongResult`.
    """
    versions = check(task)
    kernel = find(task.registry, task.kernel)
    arrays = (*_guarded(kernel, task.seed, 0), Guarded(kernel.empty_output()))
    runs = {v: bind(arrays) for v, bind in versions.items()}
    times = interleaved(runs, task.plan)
    return Measured(CHECKS, times, interleaved(runs, task.plan) if slower(times) else ())


def slower(times: Sequence[Times]) -> bool:
    """Tell whether isel is slower than what it is compared with on the same IR."""
    rounds = {t.version: t.rounds for t in times}
    pairs = [(c.base, c.ours) for c in COMPARED if c.same_ir and {c.base, c.ours} <= set(rounds)]
    return any((ratio(rounds[a], rounds[b]) or 1.0) < FLOOR for a, b in pairs)


def check(task: Task) -> Mapping[str, Bind]:
    """Compare every version with numpy on :data:`CHECKS` inputs, and return what binds each to
    arrays; raises :class:`WrongResult`.
    """
    kernel = find(task.registry, task.kernel)
    versions = {c.version: _bind(task, kernel, Path(c.path).read_bytes()) for c in task.codes}
    for number in range(CHECKS):
        _check(kernel, versions, task.seed, number)
    return versions


def inputs_of(kernel: Kernel, seed: int, number: int) -> list[Array]:
    """Return the inputs of that number; they depend on kernel, seed and number alone."""
    return kernel.inputs(np.random.default_rng([seed, number, *kernel.name.encode()]))


def _guarded(kernel: Kernel, seed: int, number: int) -> list[Guarded]:
    return [Guarded(a) for a in inputs_of(kernel, seed, number)]


def _bind(task: Task, kernel: Kernel, code: bytes) -> Bind:
    if task.signature is not None:
        pipeline = Filter(code, task.signature, task.target)
        return lambda arrays: pipeline.bind(*(a.array for a in arrays))
    function = CFunction(code, kernel.entry, len(inputs_of(kernel, task.seed, 0)) + 2)
    return lambda arrays: function.bind(*(a.address for a in arrays), arrays[-1].array.size)


def _check(kernel: Kernel, versions: Mapping[str, Bind], seed: int, number: int) -> None:
    inputs = inputs_of(kernel, seed, number)
    expected = kernel.reference(inputs)
    kept, output = [Guarded(a) for a in inputs], Guarded(kernel.empty_output())
    for version, bind in versions.items():
        output.refill()
        bind((*kept, output))(1)
        try:
            problem = difference(expected, output.copy()) or next(
                (
                    f"input {k} has changed"
                    for k, g in enumerate(kept)
                    if difference(inputs[k], g.copy())
                ),
                "",
            )
        except OutOfBounds:
            problem = "it wrote outside its buffers"
        if problem:
            raise WrongResult(f"{version} differs from numpy on input {number}: {problem}")
