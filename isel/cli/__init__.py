"""The command line: one file a command, and the edge where errors become one line and an exit code.

This is the only part of :mod:`isel` that may name front ends and instruction sets, because it joins
them.  Commands import what they need when they run, so that ``isel --version`` stays fast.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    from isel.cli.edge import guarded

    return guarded(argv)
