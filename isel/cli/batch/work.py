"""One module of a batch from its file to what is written, and what is left of an earlier run
where that still holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TypeAlias

from isel.cli.batch.inputs import Module
from isel.cli.batch.record import record, still_true
from isel.cli.batch.task import Answer, Fate, Task
from isel.errors import FileProblem, IselError, file_problem

Performer: TypeAlias = Callable[[Task], Answer]


@dataclass(frozen=True, slots=True)
class Worked:
    """What became of a module: its record, and its output, None where there is none; not
    ``fresh`` if both are there already.
    """

    record: str
    output: bytes | None
    fresh: bool


@dataclass(frozen=True, slots=True)
class Orders:
    """What holds for all modules: where outputs go, flags, cache, tool, and the processes that
    one module may use.
    """

    out: Path
    flags: tuple[str, ...]
    cache: str | None
    tool: str
    jobs: int = 1

    def task(self, module: Module, data: bytes) -> Task:
        """Return the task of a module's bytes."""
        suffix = PurePath(module.output).suffix
        given = (data, self.cache, self.tool, self.jobs)
        return Task(module.name, suffix, self.flags, *given)


def work(module: Module, orders: Orders, perform: Performer) -> Worked:
    """Read a module, or make it; let ``perform`` rewrite it unless that is done."""
    task = orders.task(module, b"")
    try:
        task = orders.task(module, _read(module))
    except FileProblem as problem:
        return say_failed(task, Answer(Fate.LOST, problem.message()))
    except IselError as problem:
        return say_failed(task, Answer(Fate.REFUSED, problem.message()))
    before = _text(orders.out / module.record)
    if before and still_true(before, task, orders.out / module.output):
        return Worked(before, None, fresh=False)
    answer = perform(task)
    return Worked(
        record(task, answer), answer.output if answer.fate is Fate.DONE else None, fresh=True
    )


def say_failed(task: Task, answer: Answer) -> Worked:
    """Return what is known of a module that came to nothing."""
    return Worked(record(task, answer), None, fresh=True)


def _read(module: Module) -> bytes:
    source = module.source
    if not isinstance(source, Path):
        return source.module()
    if not source.is_file():  # a pipe would be waited for
        raise FileProblem(
            module.name, "not a file" if source.exists() else "no such file or directory"
        )
    try:
        return source.read_bytes()
    except OSError as error:
        raise file_problem(module.name, error) from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
