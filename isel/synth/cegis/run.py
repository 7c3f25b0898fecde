"""Several grammars at once: CEGIS in worker processes, the same results in the same order for
any number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from isel.synth.cegis.types import Exhausted, Found, Outcome, OutOfSteps, Task

A = TypeVar("A")
B = TypeVar("B")
_BROKEN = "worker failed"


class Mapper(Protocol):
    """What is needed of a process pool: map a picklable function over items, results in order."""

    def map(self, fn: Callable[[A], B], items: Sequence[A], /) -> Sequence[object]:
        """Return one result an item; anything but a ``B`` stands for a worker that failed."""
        ...


def run_task(task: Task) -> Outcome:
    """Search one grammar."""
    from isel.synth.cegis.scaled import cegis_scaled  # most windows are found without
    from isel.synth.cegis.search import cegis

    given = (task.lane, task.grammar, task.effort, task.premise)
    if task.scaled:
        return cegis_scaled(*given, lanes=task.lanes, thorough=task.thorough)
    return cegis(*given, lanes=task.lanes)


def run_tasks(tasks: Sequence[Task], pool: Mapper | None = None) -> list[Outcome]:
    """Search every task, of any lanes, in one round of the pool (in this process without one);
    outcomes in order.
    """
    if pool is None:
        return [run_task(t) for t in tasks]
    return [_outcome(t, r) for t, r in zip(tasks, pool.map(run_task, tasks), strict=True)]


def _outcome(task: Task, result: object) -> Outcome:
    if isinstance(result, (Found, Exhausted, OutOfSteps)):
        return result
    return OutOfSteps(task.grammar.name, 0, 0, f"{_BROKEN}: {result}")


def is_broken(outcome: Outcome) -> bool:
    """Tell whether an outcome says nothing but that a worker died."""
    return isinstance(outcome, OutOfSteps) and outcome.reason.startswith(_BROKEN)
