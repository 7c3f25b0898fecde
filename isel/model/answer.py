"""What a search is asked and what it answers, apart from the search: programs that are kept can
be used without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from isel.model.mechanisms import Disabled
from isel.model.program import Program
from isel.model.verdict import Proved
from isel.model.window import Window

BEST_FOUND: Final = "best found"


@dataclass(frozen=True, slots=True)
class GrammarOptions:
    """Which heuristics run, and their sizes.

    ``screening`` leaves out what the lane has no use for, by operators, widths and operands.
    ``scored`` and ``screened`` each add a grammar; with both of them off there is the last, of what
    screening leaves (the best ``most`` of it).  ``per_class`` components of a class,
    ``multipliers`` that multiply (the costliest for the solver) and ``limit`` in all survive
    scoring.  ``scaled`` searches narrower elements first, ``lanes`` is how many lanes an example
    constrains, ``constants`` how many of the lane's own literals there are of each width.
    """

    screening: bool = True
    screened: bool = True
    scored: bool = True
    scaled: bool = True
    lanes: int = 1
    per_class: int = 3
    limit: int = 32
    multipliers: int = 3
    most: int = 96
    constants: int = 4
    depth: int = 3


@dataclass(frozen=True, slots=True)
class Options:
    """What the search may do; every switch is part of the cache's key.

    ``effort`` scales all limits; 0 looks for edges of one level only and runs no grammars.
    ``alternatives`` is how many programs are offered beside the best, ``disabled`` names mechanisms
    that are off (:mod:`isel.model.mechanisms`).
    """

    effort: int = 1
    alternatives: int = 2
    grammars: GrammarOptions = field(default_factory=GrammarOptions)
    disabled: Disabled = field(default=(), kw_only=True, repr=False)

    def text(self) -> str:
        """Return text that determines the options."""
        return repr(self) + (f" without {','.join(self.disabled)}" if self.disabled else "")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program that refines its window; ``claim`` says whether it is optimal and in what,
    ``facts`` which facts about leaves it needs.
    """

    program: Program
    proof: Proved
    claim: str = BEST_FOUND
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """Candidates, best first.

    ``complete`` is False where a limit in seconds cut the search short.  Without candidates
    ``reason`` says what ended the search: nothing is cheaper, a limit in steps, or a proof that
    stayed open within its steps.  ``lifted`` says what the lanes are, whatever their spelling, in
    words over the names of leaves; ``error`` is what a part of the search failed with, where others
    found these.
    """

    candidates: tuple[Candidate, ...]
    complete: bool
    reason: str
    steps: int
    lifted: tuple[str, ...] = ()
    error: Exception | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the search ended as it would again: what it found may be kept."""
        return self.complete and self.error is None


class Synthesizer(Protocol):
    """Anything that answers windows with proved programs."""

    def prepare(self, windows: Sequence[Window]) -> None:
        """Make what the searches of these windows share, before processes are forked to run
        them.
        """
        ...

    def search(self, window: Window) -> Result:
        """Return the programs found for ``window``."""
        ...
