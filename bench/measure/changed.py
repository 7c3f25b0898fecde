"""Two modules: which functions differ, and what the clock says of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from bench.measure.inputs import NotRun, tries, why_not
from bench.measure.timing import Once, Task, once
from bench.measure.verdict import Verdict, judge
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.pipeline.decided import print_of
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module

SECONDS: Final = 60.0  # for one run of one function
_ARCHES: Final = {"arm64": "aarch64", "amd64": "x86_64"}
_SAID: Final = {
    "SIGSEGV": "the sizes it needs are unknown: it left the memory that it was given",
    "SIGBUS": "the sizes it needs are unknown: it left the memory that it was given",
    "SIGILL": "it needs instructions that this CPU does not have",
    "SIGFPE": "it divides by zero on made inputs",
}


def changed(before: Module, after: Module) -> list[str]:
    """Return the names of the functions that both have and that differ, as LLVM prints them."""
    others = {f.name for f in after.functions}
    return [
        f.name
        for f in before.functions
        if f.name in others and print_of(before, f.name) != print_of(after, f.name)
    ]


def measure_alone(before: str, after: str, function: str) -> Verdict:
    """Measure a function in a process of its own: what is set there, places of loops among it, does
    not reach other code generation.
    """
    with LlvmWorker() as worker:
        return verdict(Task(before, after, function), worker)


def measured(
    before: str, after: str, worker: LlvmWorker, cpu: str = ""
) -> Iterator[tuple[str, Verdict]]:
    """Yield each function that differs with what was measured of it."""
    first, second = (parse_module(binding.normalise(text)) for text in (before, after))
    for name in changed(first, second):
        yield name, verdict(Task(before, after, name, cpu), worker, first)


def verdict(task: Task, worker: LlvmWorker, module: Module | None = None) -> Verdict:
    """Measure a function on made inputs, the smaller ones where others are too large, or on those
    of the task.
    """
    module = module or parse_module(binding.normalise(task.before))
    arch = binding.host_triple().partition("-")[0]
    function = module.function(task.function)
    why = "" if task.data is not None else why_not(module, function, _ARCHES.get(arch, arch))
    if why:
        return NotRun(why)
    found: Verdict = NotRun("")
    for number in tries() if task.data is None else (0,):
        found = judge(partial(_run, task, worker, number))
        if not isinstance(found, NotRun) or _SAID["SIGSEGV"] != found.why:
            break
    return found


def _run(task: Task, worker: LlvmWorker, number: int, rounds: int) -> Once | NotRun:
    found = worker.run(partial(once, task, number, rounds), seconds=SECONDS)
    if not isinstance(found, WorkerFailed):
        return found
    if found.late:
        return NotRun(f"it does not end within {SECONDS:g} s")
    return NotRun(
        next((said for name, said in _SAID.items() if name in found.reason), found.reason)
    )
