"""The folder that a bug leaves: input, command, trace, versions, and the queries that solvers
were at.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path


def reproducer(
    words: Sequence[str],
    trace: str,
    notes: Sequence[str] = (),
    inputs: Mapping[str, bytes] | None = None,
) -> str:
    """Write the folder of the command ``words``, with further ``inputs`` by name; say where it
    is, or why it could not be written.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="isel-bug-"))
        _write(folder, words, trace, notes, inputs or {})
    except OSError as problem:
        return f"no reproducer could be written: {(problem.strerror or str(problem)).lower()}"
    return f"the reproducer is in {folder}, please report it"


def _write(
    folder: Path,
    words: Sequence[str],
    trace: str,
    notes: Sequence[str],
    inputs: Mapping[str, bytes],
) -> None:
    texts = {
        "command.txt": shlex.join(["isel", *words]) + "\n",
        "trace.txt": trace,
        "versions.txt": _versions(),
    }
    if notes:
        texts["query.smt2"] = "".join(f"{note}\n" for note in notes)
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode(errors="surrogateescape"))
    for name, data in inputs.items():
        (folder / name).write_bytes(data)
    for word in words:
        if Path(word).is_file():
            shutil.copyfile(word, folder / Path(word).name)


def _versions() -> str:
    from isel.cli.versions import version_text

    try:
        return version_text()
    except Exception as problem:
        return f"not known: {problem}\n"
