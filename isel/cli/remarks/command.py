"""``isel remarks``: what the objects of a build have to say, merged: the hottest first."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from frontends.llvm.report.phrases import plural
from isel.cli.files import Outputs, check_writable
from isel.cli.limits import REMARKS_RESULTS
from isel.cli.remarks.findings import REWRITTEN, Finding
from isel.cli.remarks.sarif import NotSarif, read_sarif, sarif
from isel.errors import FileProblem, UsageProblem, file_problem

_SARIF: Final = (".sarif", ".json")
_PAGES: Final = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class Build:
    """Findings of all objects, the hottest first, one of each that several objects share; how many
    objects there are, and the files that cannot be read, each with a reason.
    """

    findings: tuple[Finding, ...]
    objects: int
    unread: tuple[tuple[str, str], ...] = ()

    @property
    def rewritten(self) -> tuple[Finding, ...]:
        """What was replaced."""
        return tuple(f for f in self.findings if f.rule == REWRITTEN)


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel remarks``."""
    for path in arguments.outputs:
        if not path.endswith((*_SARIF, *_PAGES)):
            raise UsageProblem(f"-o {path}: expected a name that ends in .sarif or .html")
        check_writable(path)
    root = os.path.realpath(arguments.root or ".")
    if not os.path.isdir(root):
        raise FileProblem(arguments.root, "is no folder")
    build = read_build(arguments.folder)
    with Outputs() as outputs:
        for path in arguments.outputs:
            outputs.add(path, _text(path, build, root).encode(errors="replace"))
        outputs.commit()
    for name, why in build.unread:
        sys.stderr.write(f"isel: warning: {name}: left out: {why}\n")
    sys.stdout.write(f"{summary(build)}; {', '.join(arguments.outputs)}\n")
    return 0


def _text(path: str, build: Build, root: str) -> str:
    if path.endswith(_SARIF):
        return sarif(build.findings[:REMARKS_RESULTS], root, named=False)
    from isel.cli.remarks.page import build_page

    return build_page(build, root)


def summary(build: Build) -> str:
    """Say in one line what there is."""
    windows = sum(f.rule.startswith("window-") for f in build.findings)
    over = len(build.findings) - REMARKS_RESULTS
    parts = (plural(build.objects, "object"), plural(windows, "window"))
    said = f"{', '.join(parts)}, {len(build.rewritten)} rewritten"
    return said + (f"; the {over} coolest results are not in SARIF" if over > 0 else "")


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
