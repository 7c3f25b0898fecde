"""One place of a function on its way through the rounds, and a window of it that is searched."""

from __future__ import annotations

from dataclasses import dataclass, field

from frontends.llvm.pipeline.judge import Choice, Refusal
from frontends.llvm.windows.places import Place
from frontends.llvm.windows.scene import Site
from isel.failures import Failure
from isel.model.verdict import Proved
from isel.model.window import Window


@dataclass(slots=True)
class Track:
    """A place, what it has cost so far, and its answer; one that failed, or that is ``barred``, is
    left alone.
    """

    place: Place
    inner: bool
    answer: Choice | Refusal | Failure | None = None
    empty: bool = False
    proof: str = ""
    attempts: int = 0
    steps: int = 0
    price: int = 0  # of its present code, in hundredths of a cycle
    seconds: float = 0.0
    barred: bool = False
    lifted: tuple[str, ...] = ()
    selected: dict[int, str] = field(default_factory=dict)  # LLVM's code, by instructions' number

    @property
    def open(self) -> bool:
        """Whether a window of it may still be rewritten."""
        return not self.barred and not isinstance(self.answer, Choice | Failure)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One window of one place; ``window`` has the price of its present code."""

    root: str
    site: Site
    window: Window


def summary(verdict: Proved) -> str:
    """Say in a few words how something was proved."""
    c = verdict.certificate
    asked = [q for q in c.queries if q != "identity"]
    if not asked:
        return "identical terms"
    queries = f"{len(asked)} {'query' if len(asked) == 1 else 'queries'}"
    return f"{queries}, no counterexample ({', '.join(dict.fromkeys(c.solvers))})"
