"""What a campaign has done: JSON lines in a folder, a line a batch, so that a run that was
killed goes on where it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

STATE: Final = "state.jsonl"
FOUND: Final = "found"
LATE: Final = "late"


@dataclass(frozen=True, slots=True)
class Row:
    """A batch that is done.

    ``rewritten`` counts functions that were rewritten and of which both versions were run;
    ``loops`` those of them with a loop, ``kinds`` those whose memory is special.  ``exits`` has the
    number of runs of ``isel opt`` by exit status, ``late`` for runs that a clock ended.
    ``seconds`` is processor time.
    """

    generator: str
    seed: int
    commit: str
    flags: str
    host: str
    functions: int
    rewritten: int = 0
    loops: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    unrunnable: int = 0
    differences: int = 0
    faults: int = 0
    reports: int = 0
    exits: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def key(self) -> tuple[str, int]:
        """What is not done twice."""
        return self.generator, self.seed

    @property
    def wrong_exits(self) -> int:
        """How many runs ended by themselves, otherwise than with 0 or 1."""
        return sum(n for status, n in self.exits.items() if status not in ("0", "1", LATE))

    @property
    def late(self) -> int:
        """How many runs a clock ended."""
        return self.exits.get(LATE, 0)


def read(folder: Path) -> list[Row]:
    """Return the rows of a folder, each batch once; a last line that was cut off counts for
    nothing.
    """
    path = folder / STATE
    rows: dict[tuple[str, int], Row] = {}
    for line in path.read_text(errors="replace").splitlines() if path.exists() else ():
        try:
            row = Row(**json.loads(line))
        except (ValueError, TypeError):
            continue
        rows.setdefault(row.key, row)
    return list(rows.values())


def append(folder: Path, row: Row) -> None:
    """Add a row; one that a killed process has left unfinished ends before it."""
    line = json.dumps(asdict(row), sort_keys=True).encode() + b"\n"
    descriptor = os.open(folder / STATE, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        size = os.fstat(descriptor).st_size
        torn = size and os.pread(descriptor, 1, size - 1) != b"\n"
        os.write(descriptor, b"\n" + line if torn else line)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def total(rows: Iterable[Row]) -> dict[str, int]:
    """Return the sums that do not depend on clocks or machines."""
    every = list(rows)
    names = (
        "functions",
        "rewritten",
        "loops",
        "unrunnable",
        "differences",
        "faults",
        "reports",
        "wrong_exits",
        "late",
    )
    return {name: sum(getattr(r, name) for r in every) for name in names}
