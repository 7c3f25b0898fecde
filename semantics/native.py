"""Run instructions on this machine: one module of loops for many, compiled by LLVM's JIT in a
worker that may be aborted.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from frontends.llvm import binding
from frontends.llvm.worker import LlvmWorker, WorkerFailed
from isel.errors import BadModule
from isel.spec.instruction import Instruction
from semantics.harness import element_bytes, loop_text
from semantics.samples import pool_bytes

Bytes = npt.NDArray[np.uint8]
_SECONDS: Final = 600.0  # a batch of code generation takes seconds; loaded machines take longer


@dataclass(frozen=True, slots=True)
class Run:
    """One instruction with fixed immediates, applied to ``count`` rows of the operand pools
    from ``start`` on.
    """

    instruction: Instruction
    immediates: Mapping[str, int]
    start: int
    count: int


@dataclass(frozen=True, slots=True)
class _Job:
    name: str
    shapes: tuple[tuple[int, int], ...]
    start: int
    count: int
    result_bytes: int


def run_all(
    runs: Sequence[Run], size: int, seed: int, worker: LlvmWorker
) -> list[Bytes | WorkerFailed]:
    """Return the result of each run, shape (count, bytes of a result), over pools of ``size`` rows.

    Where a module fails, its halves are tried, so that only the runs at fault fail.
    """
    text = "".join(loop_text(r.instruction, r.immediates, f"f{k}") for k, r in enumerate(runs))
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
        done = worker.run(partial(_execute, text, jobs, size, seed), seconds=_SECONDS)
    except BadModule as problem:
        done = WorkerFailed(str(problem))
    if not isinstance(done, WorkerFailed):
        return list(done)
    if len(runs) == 1:
        return [done]
    half = len(runs) // 2
    return run_all(runs[:half], size, seed, worker) + run_all(runs[half:], size, seed, worker)


def _execute(text: str, jobs: Sequence[_Job], size: int, seed: int) -> list[Bytes]:
    native = binding.NativeModule(text, cpu="x86-64", features="", level=2, pipeline=False)
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
