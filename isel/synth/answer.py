"""What a search is asked and what it answers, apart from the search: programs that are kept can
be used without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from isel.synth.program import Program
from isel.synth.screen import GrammarOptions
from isel.synth.window import Window
from isel.verify.verdict import Proved

BEST_FOUND: Final = "best found"


@dataclass(frozen=True, slots=True)
class Options:
    """What the search may do; every switch is part of the cache's key.

    ``effort`` scales all limits; 0 looks for edges of one level only and runs no grammars.
    ``alternatives`` is how many programs are offered beside the best.
    """

    effort: int = 1
    cegis: bool = True
    alternatives: int = 2
    grammars: GrammarOptions = field(default_factory=GrammarOptions)

    def text(self) -> str:
        """Return text that determines the options."""
        return repr(self)


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

    ``complete`` is False where a limit in seconds cut the search short, and where nothing was found
    but a proof stayed open.
    """

    candidates: tuple[Candidate, ...]
    complete: bool
    reason: str
    steps: int


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
