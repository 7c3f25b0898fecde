"""Shell completion: one parser of all commands, given to shtab, which writes the script."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import Final

import shtab

from isel.errors import UnknownName

_FILES: Final = frozenset(
    {"IN", "OUT", "A", "B", "FILE", "EXPR|FILE", "FILE|KEY", "FILE.py:PIPELINE", "PATH"}
)
_FOLDERS: Final = frozenset({"DIR", "FOLDER"})


def script(shell: str, parsers: Mapping[str, argparse.ArgumentParser], extra: Iterable[str]) -> str:
    """Return the script for a shell; ``extra`` are the flags of the program itself.

    Raises :class:`UnknownName`.
    """
    if shell not in shtab.SUPPORTED_SHELLS:
        raise UnknownName("shell", shell, tuple(shtab.SUPPORTED_SHELLS))
    top = argparse.ArgumentParser(
        prog="isel", description="a proving instruction-selection superoptimizer"
    )
    for flag in extra:
        top.add_argument(flag, action="store_true")
    commands = top.add_subparsers(dest="command")
    for name, parser in parsers.items():
        for action in parser._actions:
            if action.metavar in _FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            elif action.metavar in _FOLDERS:
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        what = parser.description
        commands.add_parser(name, parents=[parser], add_help=False, help=what, description=what)
    return shtab.complete(top, shell)
