"""Run instructions on this machine: a module of loops, compiled by LLVM's JIT in a worker that may be aborted."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from frontends.llvm import binding
from frontends.llvm.worker import LlvmWorker, WorkerFailed
from isel.errors import BadModule
from isel.spec.instruction import Instruction
from semantics.harness import element_bytes, loop_text


@dataclass(frozen=True, slots=True)
class Run:
    """One instruction with fixed immediates, and its operands as bytes, one array an operand."""

    instruction: Instruction
    immediates: Mapping[str, int]
    inputs: tuple[bytes, ...]
    count: int


@dataclass(frozen=True, slots=True)
class _Job:
    name: str
    inputs: tuple[bytes, ...]
    count: int
    result_bytes: int


def run_all(runs: Sequence[Run], worker: LlvmWorker) -> list[bytes | WorkerFailed]:
    """Return the result array of each run; where a module fails its runs are tried one by one."""
    text = "".join(loop_text(r.instruction, r.immediates, f"f{k}") for k, r in enumerate(runs))
    jobs = [_Job(f"f{k}", r.inputs, r.count, element_bytes(r.instruction.lanes, r.instruction.width) * r.count) for k, r in enumerate(runs)]
    done = _attempt(partial(_execute, text, tuple(jobs)), worker)
    if not isinstance(done, WorkerFailed):
        return list(done)
    if len(runs) == 1:
        return [done]
    return [result for r in runs for result in run_all([r], worker)]


def _attempt(job: Callable[[], list[bytes]], worker: LlvmWorker) -> list[bytes] | WorkerFailed:
    try:
        return worker.run(job)
    except BadModule as problem:
        return WorkerFailed(str(problem))


def _execute(text: str, jobs: Sequence[_Job]) -> list[bytes]:
    native = binding.NativeModule(text, cpu="x86-64", features="", level=2, pipeline=False)
    results: list[bytes] = []
    for job in jobs:
        out = ctypes.create_string_buffer(job.result_bytes + 64)
        buffers = [ctypes.create_string_buffer(b + bytes(64)) for b in job.inputs]
        entry = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(buffers) + 1), ctypes.c_uint64)(native.address(job.name))
        entry(ctypes.addressof(out), *(ctypes.addressof(b) for b in buffers), job.count)
        results.append(out.raw[: job.result_bytes])
    return results
