"""The table of what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True)
class File:
    """A source, and what was measured of it: CPU seconds (plain, first, warm, after the journal and
    with effort 1) and rewritten windows (first, after the journal and with effort 1)."""

    source: Path
    compiler: str
    flags: list[str]
    plain: float = 0.0
    first: float = 0.0
    warm: float = 0.0
    after: float = 0.0
    thorough: float = 0.0
    found: int = 0
    later: int = 0
    most: int = 0

    def command(self) -> list[str]:
        """Return the words that compile it."""
        is_c = self.source.suffix == ".c"
        name = self.compiler if is_c else self.compiler.replace("clang", "clang++")
        return [name, *self.flags, "-c", str(self.source), "-o", f"{self.source}.o"]


def table(files: Sequence[File], journal: float) -> str:
    """Return rows of seconds and windows, the sum last."""
    names = "".join(f"{name:>7}" for name in ("plain", "first", "warm", "after"))
    head = f"{'':16}{names}{'effort 1':>9}   windows: first, after, effort 1"
    rows = [_row(f.source.name, [f]) for f in files]
    more = (
        f"most above plain: first {max(f.first - f.plain for f in files):.2f}, "
        f"warm {max(f.warm - f.plain for f in files):.2f}"
    )
    return "\n".join([head, *rows, _row("all", files), more, f"journal: {journal:.1f}"]) + "\n"


def _row(name: str, files: Sequence[File]) -> str:
    seconds = [
        sum(x)
        for x in zip(*((f.plain, f.first, f.warm, f.after, f.thorough) for f in files), strict=True)
    ]
    windows = [sum(x) for x in zip(*((f.found, f.later, f.most) for f in files), strict=True)]
    return (
        f"{name:16}"
        + "".join(f"{s:{w}.2f}" for s, w in zip(seconds, (7, 7, 7, 7, 9), strict=True))
        + "   "
        + "".join(f"{n:6}" for n in windows)
    )
