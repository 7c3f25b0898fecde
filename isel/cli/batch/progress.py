"""One line on a terminal that says how far a batch is; nothing anywhere else."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from typing import Final

_EVERY: Final = 0.1  # seconds between two lines


class Progress:
    """Counts modules by what became of them."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._counts: dict[str, int] = {}
        self._shown = 0.0
        self._live = sys.stderr.isatty()

    def add(self, status: str, name: str) -> None:
        """Count a module."""
        self._counts[status] = self._counts.get(status, 0) + 1
        done = sum(self._counts.values())
        if self._live and (time.monotonic() - self._shown > _EVERY or done == self.total):
            counts = ", ".join(f"{n} {what}" for what, n in sorted(self._counts.items()))
            self._write(f"{done} of {self.total}: {counts}; {name}")
            self._shown = time.monotonic()

    def end(self) -> None:
        """Clear the line."""
        if self._live:
            self._write("")

    def _write(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        shown = "".join(c if c.isprintable() else "?" for c in text)[:width]
        with contextlib.suppress(OSError):
            sys.stderr.write(f"\r\x1b[K{shown}")
            sys.stderr.flush()
