"""What is written: LLVM IR as text or bitcode, an object or assembly; by flags, else by the
name of the file.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from enum import Enum
from typing import Final

from isel.cli.files import is_stream
from isel.errors import UsageProblem


class Kind(Enum):
    """What a file holds."""

    TEXT = "text"
    BITCODE = "bitcode"
    OBJECT = "an object"
    ASSEMBLY = "assembly"


_SUFFIXES: Final[Mapping[str, Kind]] = {
    ".ll": Kind.TEXT,
    ".bc": Kind.BITCODE,
    ".o": Kind.OBJECT,
    ".obj": Kind.OBJECT,
    ".s": Kind.ASSEMBLY,
    ".asm": Kind.ASSEMBLY,
}
_BINARY: Final = (Kind.BITCODE, Kind.OBJECT)


def kind_of(arguments: argparse.Namespace) -> Kind:
    """Return what to write; raises :class:`UsageProblem` for flags that contradict each other."""
    kind = _name(arguments)
    if arguments.text and kind is not Kind.TEXT:
        raise UsageProblem(f"-S writes LLVM IR as text, --filetype={arguments.filetype} does not")
    if arguments.llvm_version is not None and kind is not Kind.TEXT:
        raise UsageProblem(
            f"--llvm-version writes text (-S, or a name that ends in .ll), not {kind.value}"
        )
    emit = getattr(arguments, "emit", "llvm")
    if emit != "llvm" and kind is not Kind.TEXT:
        raise UsageProblem(f"--emit={emit} writes text, expected -S or a name that ends in .ll")
    if kind is Kind.OBJECT and arguments.output == "-" and sys.stdout.isatty():
        raise UsageProblem("an object is not written to a terminal, expected -o")
    return kind


_TYPES: Final = {"obj": Kind.OBJECT, "asm": Kind.ASSEMBLY}


def _name(arguments: argparse.Namespace) -> Kind:
    if arguments.filetype in _TYPES:
        return _TYPES[arguments.filetype]
    if arguments.text or (arguments.output == "-" and sys.stdout.isatty()):
        return Kind.TEXT
    suffix = os.path.splitext(arguments.output)[1].lower()
    kind = _SUFFIXES.get(suffix)
    if arguments.filetype == "llvm":
        return Kind.TEXT if kind is Kind.TEXT else Kind.BITCODE
    if kind is None:
        _note_bitcode(arguments.output)
    return kind or Kind.BITCODE


def _note_bitcode(output: str) -> None:
    if output != "-" and not is_stream(output):
        print(
            f"isel: note: '{output}' says nothing of what it holds: bitcode is written "
            "(-S for text, --filetype for the rest)",
            file=sys.stderr,
        )
