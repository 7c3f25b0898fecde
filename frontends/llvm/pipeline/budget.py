"""What the rewriting of a function may cost, in steps that are counted and never timed: so many as
its own text says, whatever else is in the file, so a file costs in proportion to its vector code.

A step is about a thousandth of a second: a search takes as many as its own steps say, a judgement
as many as the lines that are compiled for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm import limits
from frontends.llvm.text.ast import Function, VectorType

SPENT: Final = "the function's budget of steps was spent on hotter code"
SHARE: Final = (2, 3)  # of what a function may spend, for searches


@dataclass(slots=True)
class Budget:
    """What one function may spend, in all of its forms and on all rungs of effort; where it is
    known what the search of a window is ``likely`` to take, none is begun unless all can end.
    """

    given: int
    spent: int = 0
    likely: Callable[[str], int] | None = None
    closed: bool = False
    windows: set[str] = field(default_factory=set)  # hashes of those that were searched

    def renew(self) -> None:
        """Let everything be spent anew."""
        self.spent = 0
        self.closed = False
        self.windows.clear()

    def may_search(self) -> bool:
        """Tell whether another window may be searched."""
        over, of = SHARE
        return not self.closed and self.spent * of < self.given * over

    def expect(self, windows: Iterable[str]) -> None:
        """Let nothing more be searched where the windows of a round would take too much."""
        if self.likely is not None:
            over, of = SHARE
            new = (w for w in set(windows) if _hash(w) not in self.windows)
            more = sum(map(self.likely, new))
            self.closed |= (self.spent + more) * of > self.given * over

    def may_judge(self) -> bool:
        """Tell whether other code may be judged."""
        return self.spent < self.given

    def searched(self, window: str, steps: int) -> None:
        """Count the search of a window, equal ones once."""
        if (code := _hash(window)) not in self.windows:
            self.windows.add(code)
            self.spent += limits.BUDGET_SEARCH + min(steps // limits.BUDGET_OWN, limits.BUDGET_OWN)

    def judged(self, lines: int) -> None:
        """Count a judgement of a function of so many lines."""
        self.spent += 1 + lines // limits.BUDGET_LINES


def _hash(window: str) -> str:
    return hashlib.sha256(window.encode()).hexdigest()[:16]


def budget_of(function: Function, effort: int) -> Budget:
    """Return what a function may spend: more where it has more vector code."""
    steps = limits.BUDGET_LEAST + limits.BUDGET_VECTOR * sum(_vectors(function))
    return Budget(min(steps, limits.BUDGET_MOST) * max(effort, 1))


def by_heat(functions: Sequence[Function]) -> Iterator[list[Function]]:
    """Yield functions in groups that are searched in one go, the hottest first."""
    group: list[Function] = []
    count = 0
    for function in sorted(functions, key=heat, reverse=True):
        group.append(function)
        count += sum(1 for _ in function.view)
        if count >= limits.BUDGET_TOGETHER:
            yield group
            group, count = [], 0
    if group:
        yield group


def heat(function: Function) -> tuple[int, int]:
    """Return the most loops around vector code, and how much of it is there, tenfold a loop."""
    found = [(d, v) for d, v in zip(function.view.depths, _vectors(function), strict=True) if v]
    return max((d for d, _ in found), default=-1), sum(10**d * v for d, v in found)


def _vectors(function: Function) -> list[int]:
    """Return the number of instructions of each block that give vectors."""
    return [sum(isinstance(i.type, VectorType) for i in b.instrs) for b in function.view.blocks]
