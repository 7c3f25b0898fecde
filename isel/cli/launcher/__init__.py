"""``isel-cc``: a compiler launcher.  What it understands is compiled by way of the rewriter,
anything else by the compiler as it stands.

Most runs have nothing to rewrite, so what they import is counted in milliseconds: here are records
(:mod:`isel.cli.launcher.light`) where there are dataclasses elsewhere, ``os.path`` for ``pathlib``,
``os.posix_spawn`` for ``subprocess``, and names of :mod:`typing` for type checkers only.  Only
:mod:`isel.cli.launcher.rewriter`, which runs in a process of its own, imports the rewriter; what
becomes of that process cannot break a build.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def entry() -> NoReturn:
    """Run this process's command line as ``isel-cc`` and end or replace the process."""
    words = sys.argv[1:]
    try:
        from isel.cli.launcher.run import launch

        launch(words)
    except Exception as bug:  # before there was a compiler to fall back to
        sys.stderr.write(f"isel-cc: bug: {type(bug).__name__}: {bug}\n")
    if words:
        os.execvp(words[0], words)
    os._exit(1)
