"""Several grammars at once: CEGIS in worker processes, the same results in the same order for
any number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from isel.synth.cegis.types import Exhausted, Found, Outcome, OutOfSteps, Task

A = TypeVar("A")
B = TypeVar("B")


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
    outcomes in order.  Raises ``RuntimeError`` where a worker failed: what the others found is not
    what would be found another time.
    """
    if pool is None:
        return [run_task(t) for t in tasks]
    return [_outcome(r) for r in pool.map(run_task, tasks)]


def _outcome(result: object) -> Outcome:
    if isinstance(result, (Found, Exhausted, OutOfSteps)):
        return result
    raise RuntimeError(f"a worker of the search failed: {result}")
