"""What the objects of a build left, read and merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from isel.cli.remarks.findings import REWRITTEN, Finding
from isel.cli.remarks.sarif import NotSarif, read_sarif
from isel.errors import FileProblem, file_problem


@dataclass(frozen=True, slots=True)
class Build:
    """Findings of all objects, the hottest first, one of each that several objects share; how many
    objects there are, and the files that cannot be read, each with a reason.
    """

    findings: tuple[Finding, ...]
    objects: int
    unread: tuple[tuple[str, str], ...] = ()

    @property
    def windows(self) -> int:
        """How many windows there are."""
        return sum(f.rule.startswith("window-") for f in self.findings)

    @property
    def rewritten(self) -> tuple[Finding, ...]:
        """What was replaced."""
        return tuple(f for f in self.findings if f.rule == REWRITTEN)


def read_build(folder: str) -> Build:
    """Read what a build left in a folder; raises :class:`FileProblem` where there is nothing."""
    try:
        paths = sorted(p for p in Path(folder).iterdir() if p.suffix == ".sarif")
    except OSError as error:
        raise file_problem(folder, error) from None
    if not paths:
        raise FileProblem(folder, "no remarks here: build with ISEL_REMARKS set to this folder")
    found: list[Finding] = []
    unread: list[tuple[str, str]] = []
    for path in paths:
        try:
            found += read_sarif(path.read_text(encoding="utf-8", errors="surrogateescape"))
        except OSError as error:
            unread.append((str(path), (error.strerror or str(error)).lower()))
        except NotSarif as problem:
            unread.append((str(path), f"not as isel-cc writes it ({problem})"))
    if len(unread) == len(paths):
        raise FileProblem(*unread[0])
    return Build(_merge(found), len(paths) - len(unread), tuple(unread))


def _merge(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings with the hottest first, equal ones of several objects (an inline function
    of a header) once.
    """
    once = {replace(f, root=""): f for f in reversed(findings)}
    return tuple(sorted(once.values(), key=lambda f: f.order))
