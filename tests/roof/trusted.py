"""The lines that a proof trusts: those of all modules that it imports, by way of others and within
functions as well, but for how LLVM's text is read, terms, and solvers.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from tests.roof.circles import uses
from tests.roof.sources import length, room_of

PROOF: Final = "frontends.llvm.refine.decide"
_ASIDE: Final = ("frontends.llvm.text.", "isel.ir.", "isel.smt.")


def trusted() -> Counter[str]:
    """Return the lines by room."""
    found: Counter[str] = Counter()
    for name in imports_of(PROOF):
        if not f"{name}.".startswith(_ASIDE):
            found[room_of(name)] += length(name)
    return found


def imports_of(name: str) -> set[str]:
    """Return a module and all that it imports by way of others."""
    seen, waiting = set[str](), [name]
    while waiting:
        if (one := waiting.pop()) not in seen:
            seen.add(one)
            waiting += uses(one)
    return seen
