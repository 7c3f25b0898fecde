"""What is written: LLVM IR as text or bitcode, an object or assembly; by flags, else by the
name of the file.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from enum import Enum
from functools import partial
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.cli.files import is_stream
from isel.errors import BadModule, UsageProblem


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


def code_of(
    kind: Kind, text: str, name: str, *, level: int, triple: str, cpu: str, features: str
) -> bytes:
    """Return a module as what a file is to hold; raises :class:`BadModule`."""
    if kind is Kind.TEXT:
        return text.encode(errors="surrogateescape")
    job: partial[bytes] | partial[str] = partial(binding.text_to_bitcode, text, name)
    if kind is not Kind.BITCODE:
        generate = binding.object_code if kind is Kind.OBJECT else binding.assembly
        job = partial(generate, text, level=level, triple=triple, cpu=cpu, features=features)
    with LlvmWorker() as worker:
        found: bytes | str | WorkerFailed = worker.run(job)
    if isinstance(found, WorkerFailed):
        what = kind.value.removeprefix("an ")
        raise BadModule(name, 0, 0, f"LLVM makes no {what} of this module: {found.reason}")
    return found.encode() if isinstance(found, str) else found


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
        what = "bitcode is written (-S for text, --filetype for the rest)"
        said = f"isel: note: '{output}' says nothing of what it holds: {what}\n"
        sys.stderr.write(said)
