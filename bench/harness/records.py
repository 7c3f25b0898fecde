"""What is measured of a kernel, as data: records that are written and read as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from isel.json_text import to_json
from isel.timing import Times


class When(StrEnum):
    """The state of the cache when a kernel is compiled."""

    COLD = "cold"  # empty
    WARM = "warm"  # filled by the same compile
    VARIANT = "variant"  # the kernel under another schedule, the cache filled by the first
    OTHERS = "others"  # filled by every other kernel: leave one out


@dataclass(frozen=True, slots=True)
class Window:
    """A window that was rewritten: IR before and after, the gate's cycles of the function, and the
    proof.

    ``operations`` are its instructions that do more than move, ``chosen`` names those that replace
    them.
    """

    place: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    cost_before: float | None
    cost_after: float | None
    proof: str
    operations: int = 0
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A window that stayed as it was, and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Compile:
    """One run of the rewriter in a process of its own.

    ``seconds`` is wall-clock time without the start of the process, ``cpu_seconds`` the time of all
    its processes on processors, ``llvm_seconds`` the wall-clock time of LLVM's -O3 and code
    generation on the same module, ``peak_mib`` the largest resident set of any process of the run.
    ``searches`` and ``judgements`` count questions put to the cache, the hits those that it
    answered.  ``rolled_back`` windows had a program that was judged and not kept.
    """

    version: str
    when: When
    seconds: float
    cpu_seconds: float
    llvm_seconds: float
    peak_mib: float
    found: int
    rewritten: int
    rolled_back: int
    searches: int
    search_hits: int
    judgements: int
    judgement_hits: int


@dataclass(frozen=True, slots=True)
class Record:
    """Everything about one kernel.  ``error`` is empty, or one line that says what failed.

    ``same_code`` names the versions whose machine code equals that of the version they are compared
    with; ``stamp`` is a hash of the kernel's modules and of the tool, so that a later run can tell
    whether the compiles still hold.  ``again`` are times of a second run, where the first has isel
    slower than LLVM.
    """

    name: str
    group: str
    kind: str
    error: str = ""
    stamp: str = ""
    checks: int = 0
    compiles: tuple[Compile, ...] = ()
    times: tuple[Times, ...] = ()
    windows: tuple[Window, ...] = ()
    kept: tuple[Kept, ...] = ()
    same_code: tuple[str, ...] = ()
    again: tuple[Times, ...] = ()

    def rounds(self, version: str, *, again: bool = False) -> tuple[float, ...]:
        """Return the times of a version, empty where it was not timed."""
        times = self.again if again else self.times
        return next((t.rounds for t in times if t.version == version), ())

    def compiled(self, when: When) -> tuple[Compile, ...]:
        """Return the compiles of every version under one state of the cache."""
        return tuple(c for c in self.compiles if c.when is when)


@dataclass(frozen=True, slots=True)
class Run:
    """A whole run: facts about machine and tools by name, and a record a kernel."""

    facts: tuple[tuple[str, str], ...]
    records: tuple[Record, ...]

    @property
    def failed(self) -> tuple[Record, ...]:
        """The kernels that failed."""
        return tuple(r for r in self.records if r.error)


def save(record: Record, path: Path) -> None:
    """Write a record as JSON."""
    path.write_text(to_json(asdict(record), indent=1) + "\n")


def load(path: Path) -> Record:
    """Read what :func:`save` wrote."""
    data = json.loads(path.read_text())
    data["compiles"] = tuple(Compile(**{**c, "when": When(c["when"])}) for c in data["compiles"])
    for name in ("times", "again"):
        data[name] = tuple(
            Times(t["version"], t["repetitions"], tuple(t["rounds"])) for t in data.get(name, ())
        )
    data["windows"] = tuple(
        Window(**{**w, "before": tuple(w["before"]), "after": tuple(w["after"])})
        for w in data["windows"]
    )
    data["kept"] = tuple(Kept(**k) for k in data["kept"])
    data["same_code"] = tuple(data["same_code"])
    return Record(**data)
