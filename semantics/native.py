"""Run instructions on this machine: one module of loops for many, compiled by LLVM's JIT in a
worker that may be aborted.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.errors import BadModule
from semantics.execution import Bytes, NotRun, Run, in_halves
from semantics.harness import element_bytes, loop_text
from semantics.machine import Machine
from semantics.samples import pool_bytes

_SECONDS: Final = 600.0  # a batch of code generation takes seconds; loaded machines take longer


@dataclass(frozen=True, slots=True)
class _Job:
    name: str
    shapes: tuple[tuple[int, int], ...]
    start: int
    count: int
    result_bytes: int


@dataclass(frozen=True, slots=True)
class Native:
    """Implements :class:`semantics.execution.Executor`: this process, for a target's machine."""

    isa: str
    machine: Machine
    ours: bool

    @property
    def name(self) -> str:
        """See :class:`semantics.execution.Executor`."""
        return "this machine's CPU"

    def lacks(self, features: frozenset[str]) -> str:
        """See :class:`semantics.execution.Executor`."""
        if not self.ours:
            return f"is no {self.isa}"
        missing = features - binding.host_features()
        return f"lacks {' '.join(sorted(missing))}" if missing else ""

    def run(self, runs: Sequence[Run], size: int, seed: int) -> list[Bytes | NotRun]:
        """See :class:`semantics.execution.Executor`."""
        with LlvmWorker() as worker:
            return in_halves(runs, lambda some: _together(some, size, seed, worker, self.machine))


def _together(
    runs: Sequence[Run], size: int, seed: int, worker: LlvmWorker, machine: Machine
) -> list[Bytes] | NotRun:
    text = "".join(
        loop_text(r.instruction, r.immediates, f"f{k}", machine) for k, r in enumerate(runs)
    )
    jobs = tuple(
        _Job(
            f"f{k}",
            tuple((o.width, o.lanes) for o in r.instruction.operands),
            r.start,
            r.count,
            element_bytes(r.instruction.lanes, r.instruction.width),
        )
        for k, r in enumerate(runs)
    )
    try:
        done = worker.run(partial(_execute, text, jobs, size, seed, machine.cpu), seconds=_SECONDS)
    except BadModule as problem:
        return NotRun(str(problem))
    return NotRun(done.reason) if isinstance(done, WorkerFailed) else done


def _execute(text: str, jobs: Sequence[_Job], size: int, seed: int, cpu: str) -> list[Bytes]:
    native = binding.NativeModule(text, cpu=cpu)
    results: list[Bytes] = []
    for job in jobs:
        out = np.zeros((job.count, job.result_bytes), dtype=np.uint8)
        given = [
            pool_bytes(width, lanes, k, size, seed)[job.start : job.start + job.count]
            for k, (width, lanes) in enumerate(job.shapes)
        ]
        entry = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(given) + 1), ctypes.c_uint64)(
            native.address(job.name)
        )
        entry(out.ctypes.data, *(a.ctypes.data for a in given), job.count)
        results.append(out)
    return results
