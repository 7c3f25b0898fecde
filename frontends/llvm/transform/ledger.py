"""What is taken back, and stays so for the rest of a run: each entry with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


class Reason(Protocol):
    """Why something is taken back."""

    @property
    def reason(self) -> str:
        """What to say, in one line."""
        ...


class _Tried(NamedTuple):
    """That something is only tried."""

    reason: str = "the function is tried without it"


class Entry(NamedTuple):
    """What a transform did to a function: at one root, or with an empty one at all of them."""

    transform: str
    function: str
    root: str = ""


@dataclass
class Ledger:
    """Entries that were taken back: who decides a function again leaves them out."""

    _taken_back: dict[Entry, Reason] = field(default_factory=dict)

    def take_back(self, lost: Iterable[tuple[Entry, Reason]]) -> bool:
        """Forbid entries, each for a reason, the first of which holds; tell whether one is new."""
        before = len(self._taken_back)
        for entry, why in lost:
            self._taken_back.setdefault(entry, why)
        return len(self._taken_back) > before

    def without(self, entries: Iterable[Entry]) -> Ledger:
        """Return one in which entries are taken back as well, to see what comes of that."""
        return Ledger({**dict.fromkeys(entries, _Tried()), **self._taken_back})

    def why(self, entry: Entry) -> Reason | None:
        """Return why an entry was taken back, None if it was not."""
        return self._taken_back.get(entry)
