"""``isel remarks``: what the objects of a build have to say, merged: the hottest first."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final

from frontends.llvm.report.phrases import plural
from isel.cli.files import Outputs, check_writable
from isel.cli.limits import REMARKS_RESULTS
from isel.cli.remarks.build import Build, read_build
from isel.cli.remarks.sarif import sarif
from isel.errors import FileProblem, UsageProblem

_SARIF: Final = (".sarif", ".json")
_PAGES: Final = (".html", ".htm")


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
    over = len(build.findings) - REMARKS_RESULTS
    parts = (plural(build.objects, "object"), plural(build.windows, "window"))
    said = f"{', '.join(parts)}, {len(build.rewritten)} rewritten"
    return said + (f"; the {over} coolest results are not in SARIF" if over > 0 else "")
