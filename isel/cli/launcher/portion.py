"""What the launcher does by default: functions with vectors in loops are decided, the hottest
first, as far as the portion of their file goes; what is left is named.

Each is decided as ``isel opt`` would, but by itself: the others are only declared, and it may spend
what the portion has left.  That is counted, whether answers are kept or not, so an object is a
function of the source, the options, the list of what is hot and what a batch has finished.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from frontends.llvm.text.isolate import declare, definition_of
from isel.cli.launcher import limits
from isel.cli.launcher.hot import Found, names_in
from isel.trust import UNREADABLE

if TYPE_CHECKING:
    from frontends.llvm.pipeline.budget import Budget
    from frontends.llvm.text.ast import Function

LEFT: Final = "left to 'isel batch --journal'"
_DECLARE: Final = "declare "


class Piece(NamedTuple):
    """What became of a function: its windows and how many of them are rewritten; its lines, none
    where it is as it was, the declarations that they need, and a hash of what LLVM printed of it;
    why it is as it was; remarks; what was spent of what was given, whether that was too little,
    and hashes of the windows that were searched.
    """

    windows: int = 0
    rewritten: int = 0
    lines: tuple[str, ...] = ()
    declarations: tuple[str, ...] = ()
    printed: str = ""
    reason: str = ""
    remarks: str = ""
    spent: int = 0
    given: int = 0
    cut: bool = False
    searched: tuple[str, ...] = ()

    def is_same(self, given: int) -> bool:
        """Tell whether a function that may spend so much becomes this."""
        return self.given == given if self.cut else self.spent <= given


class Rows(Protocol):
    """What is kept of functions, each by the text of a module of its own, and what decides them."""

    def whole(self, alone: str, name: str) -> Piece | None:
        """Return what a whole search has finished."""

    def part(self, alone: str, name: str, given: int, seen: frozenset[str]) -> Piece:
        """Return what becomes of a function that may spend so much, where windows were seen."""


@dataclass(slots=True)
class Share:
    """What may be spent on a function in all of its forms, and hashes of windows that were searched
    for others of its file: their answers are at hand.
    """

    given: int
    seen: frozenset[str] = frozenset()
    budgets: list[Budget] = field(default_factory=list)

    @property
    def total(self) -> int:
        """What was spent."""
        return sum(b.spent for b in self.budgets)

    @property
    def is_cut(self) -> bool:
        """Tell whether more might have been searched."""
        return any(not b.may_search() for b in self.budgets)

    def budget(self, function: Function, effort: int) -> Budget:
        """Return a function's usual budget, or what is left where that is less."""
        from frontends.llvm.pipeline.budget import budget_of

        budget = budget_of(function, effort)
        budget.given = min(budget.given, max(self.given - self.total, 0))
        budget.likely = _likely
        budget.windows |= self.seen
        self.budgets.append(budget)
        return budget

    @property
    def windows(self) -> tuple[str, ...]:
        """Hashes of the windows that were searched, for this function or others before it."""
        return tuple(sorted(self.seen.union(*(b.windows for b in self.budgets))))


def _likely(window: str) -> int:
    """Return the steps that the search of a window is likely to take."""
    return limits.PORTION_SEARCH + len(window) // limits.PORTION_WINDOW


class Portioned(NamedTuple):
    """What was decided of a module, by function, and which functions are left."""

    pieces: dict[str, Piece]
    left: list[str]

    @property
    def hashes(self) -> dict[str, str]:
        """Hashes of the functions that changed, as LLVM printed them."""
        return {name: p.printed for name, p in self.pieces.items() if p.lines}

    @property
    def reasons(self) -> dict[str, str]:
        """Why each function that is as it was is so."""
        why = {name: p.reason for name, p in self.pieces.items() if not p.lines}
        unchanged = (n for n in self.left if n in why or n not in self.pieces)
        return why | dict.fromkeys(unchanged, LEFT)

    def only(self, names: set[str]) -> Portioned:
        """Return what was decided of some functions."""
        pieces = {n: p for n, p in self.pieces.items() if n in names}
        return Portioned(pieces, [n for n in self.left if n in names])

    def without_lines(self, reason: str) -> Portioned:
        """Return all functions as they were."""
        pieces = {
            n: p._replace(rewritten=0, lines=(), reason=reason) if p.lines else p
            for n, p in self.pieces.items()
        }
        return Portioned(pieces, self.left)

    def text(self, text: str) -> str:
        """Return a module with the pieces put into it, nothing where all is as it was."""
        changed = {name: p for name, p in self.pieces.items() if p.lines}
        if not changed:
            return ""
        lines = text.splitlines()
        for name, piece in changed.items():
            span = definition_of(lines, name)
            lines[span.start : span.stop] = piece.lines
        had = set(lines)
        wanted = dict.fromkeys(d for p in changed.values() for d in p.declarations)
        return "\n".join([*lines, *(d for d in wanted if d not in had)]) + "\n"


def spend(text: str, found: Sequence[Found], portion: int, rows: Rows) -> Portioned:
    """Decide the hottest functions of a module, and those that a whole search has finished."""
    whole = portion
    names, done, seen = set(names_in(text)), Portioned({}, []), frozenset[str]()
    for function in found:
        alone = declare(text, names - {function.name})
        piece = rows.whole(alone, function.name)
        price = limits.PORTION_LOOK + function.lines // limits.PORTION_READ
        if piece is None and price < portion and is_worth(function, whole):
            piece = rows.part(alone, function.name, portion - price, seen)
            portion -= price + piece.spent
            seen |= set(piece.searched)
        if piece is not None:
            done.pieces[function.name] = piece
        if piece is None or piece.cut:
            done.left.append(function.name)
    return done


def is_worth(function: Found, portion: int) -> bool:
    """Tell whether something may come of a function for a portion, or it is known to be hot."""
    likely = function.vectors * limits.PORTION_LIKELY
    dense = function.depth and function.lines <= function.vectors * limits.PORTION_DENSE
    return (dense and likely < portion) or function.weight >= limits.PORTION_WEIGHT


def portion_of(text: str, found: Iterable[Found]) -> int:
    """Return what may be spent on a module: more where there is more to compile, and for what a
    run has shown to be hot.
    """
    lines = text.count("\n  ") // limits.PORTION_LINES
    hot = sum(limits.PORTION_HOT for f in found if f.weight >= limits.PORTION_WEIGHT)
    return min(limits.PORTION_LEAST + lines, limits.PORTION_MOST) + hot


def piece_of(alone: str, new: str, name: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return what a function became in a module, and which declarations came to that; None where
    anything else changed.
    """
    if not new:
        return (), ()
    _, before = _split(alone, name)
    lines, after = _split(new, name)
    had = set(before)
    more = tuple(x for x in after if x.startswith(_DECLARE) and x not in had)
    same = [x for x in after if x not in more] == before
    return (lines, more) if lines and same else None


def _split(text: str, name: str) -> tuple[tuple[str, ...], list[str]]:
    """Return the lines of a function, and the others of its module that are not empty."""
    lines = text.splitlines()
    own = definition_of(lines, name)
    rest = [*lines[: own.start], *lines[own.stop :]]
    return tuple(lines[own.start : own.stop]), [x for x in rest if x]


def read(kept: str | None) -> Piece | None:
    """Return the piece of a row, None where there is none."""
    if kept is None:
        return None
    try:
        row = (tuple(x) if isinstance(x, list) else x for x in json.loads(kept))
        return Piece(*row)  # type: ignore[arg-type]  # it is signed, so it is as it was written
    except UNREADABLE:
        return None
