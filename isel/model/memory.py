"""What keeps text by key: answers that are the same whenever they are asked for."""

from __future__ import annotations

from typing import Protocol


class Memory(Protocol):
    """Keeps text by key."""

    def recall(self, key: str) -> str | None:
        """Return what was kept, None where nothing was."""
        ...

    def keep(self, key: str, value: str) -> None:
        """Keep a text."""
        ...
