"""The command line: one file a command, and the edge where errors become one line and an exit code.

This is the only part of :mod:`isel` that may name front ends and instruction sets, because it joins
them.  Commands import what they need when they run, so that ``isel --version`` stays fast.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # the launcher, a module below, is counted in milliseconds
    from collections.abc import Sequence
    from typing import Final, NoReturn

# between collections: terms and modules hold few cycles, and a run is short
_ALLOCATIONS: Final = 500_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    from isel.cli.edge import guard

    return guard(argv)


def entry() -> NoReturn:
    """Run this process's command line and end the process."""
    import gc
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _early)
    _open_streams()
    gc.set_threshold(_ALLOCATIONS)
    from isel.cli.edge import leave

    leave(main())


def _early(number: int, frame: object) -> None:
    """End the process quietly where an interrupt comes before there is anything to clean up."""
    try:  # noqa: SIM105 — contextlib is imported later, if at all
        os.write(2, b"isel: interrupted\n")
    except OSError:
        pass
    os._exit(130)


def _open_streams() -> None:
    """Stand in for standard streams that are closed: using one is an error then, and no file
    that is opened takes its place.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if number else os.O_WRONLY)  # the wrong way round
            mode = "w" if number else "r"
            stream = open(number, mode, buffering=1, errors="backslashreplace")  # noqa: SIM115
            setattr(sys, name, stream)
