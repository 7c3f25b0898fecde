"""Compilation databases (clang.llvm.org/docs/JSONCompilationDatabase.html): each entry's own
compiler makes LLVM IR with its own flags.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isel.cli.launcher.compiler_flags import Role, flags_in
from isel.errors import FileProblem, SyntaxProblem, UsageProblem
from isel.trust import UNREADABLE

# What says what a compile writes, and where; IR for a link-time optimiser is not yet what code is
# made of.
_DROPPED: Final = (Role.MODE, Role.OUTPUT, Role.DEPENDS, Role.SAVED, Role.LTO, Role.OTHER)


@dataclass(frozen=True, slots=True)
class Compile:
    """What makes a module: the compiler with its words but where it writes, its folder, and the
    file that names the result: the object if there is one.
    """

    words: tuple[str, ...]
    folder: Path
    source: Path
    named: Path

    @property
    def size(self) -> int:
        """The bytes of the source, 0 where it is not there."""
        try:
            return self.source.stat().st_size
        except OSError:
            return 0

    def module(self) -> bytes:
        """Return the module as text; raises :class:`isel.errors.UsageProblem` with what the
        compiler says.
        """
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "module.ll"  # not every driver writes IR to standard output
            try:
                done = subprocess.run(
                    (*self.words, "-o", str(made)),
                    cwd=self.folder,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    check=False,
                )
            except (OSError, ValueError) as error:
                raise UsageProblem(
                    f"{self.words[0]} cannot be run in {self.folder}: "
                    f"{str(getattr(error, 'strerror', None) or error).lower()}"
                ) from None
            if not done.returncode and made.exists():
                return made.read_bytes()
        said = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        what = next(
            (line for line in said if "error" in line), (said or ["nothing on standard error"])[0]
        )
        raise UsageProblem(
            f"{Path(self.words[0]).name} made no LLVM IR (status {done.returncode}): {what.strip()}"
        )


def read_commands(path: Path) -> list[Compile]:
    """Return the entries of a database; raises :class:`isel.errors.IselError` for a file that
    is none.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise FileProblem(str(path), (error.strerror or str(error)).lower()) from None
    try:
        entries = json.loads(text)
        found = [_entry(entry, path.absolute().parent) for entry in entries]
    except json.JSONDecodeError as error:
        raise SyntaxProblem(
            f"{error.msg}, expected a compilation database", text, error.pos, str(path)
        ) from None
    except UNREADABLE:
        what = "expected entries with directory, file, and arguments or command"
        raise FileProblem(str(path), f"not a compilation database: {what}") from None
    if not found:
        raise FileProblem(str(path), "no entry in this compilation database")
    return found


def _entry(entry: Mapping[str, object], beside: Path) -> Compile:
    arguments = entry.get("arguments")
    words = (
        [str(w) for w in arguments]
        if isinstance(arguments, list)
        else shlex.split(str(entry["command"]))
    )
    folder = beside / str(entry["directory"])
    source = folder / str(entry["file"])
    flags = list(flags_in(words))
    outputs = [flag.value for flag in flags if flag.role == Role.OUTPUT]
    output = entry.get("output") or next(iter(outputs), None)
    kept = (word for flag in flags if flag.role not in _DROPPED for word in flag.words)
    to = source if output is None else folder / str(output)
    return Compile((*kept, "-S", "-emit-llvm"), folder, source, to)
