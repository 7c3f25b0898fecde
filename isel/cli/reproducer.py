"""The folder that a bug leaves: input, command, trace, versions, and the queries that solvers
were at.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from isel.cli.given import recall


def reproducer(words: Sequence[str], trace: str, notes: Sequence[str] = ()) -> str:
    """Write the folder of the command ``words``, with the files that these name and what else it
    was given; say where it is, or why it could not be written.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="isel-bug-"))
        _write(folder, words, trace, notes)
    except OSError as problem:
        return f"no reproducer could be written: {(problem.strerror or str(problem)).lower()}"
    return f"the reproducer is in {folder}, please report it"


def _write(folder: Path, words: Sequence[str], trace: str, notes: Sequence[str]) -> None:
    texts = {
        "command.txt": shlex.join(["isel", *words]) + "\n",
        "trace.txt": trace,
        "versions.txt": _versions(),
    }
    if notes:
        texts["query.smt2"] = "".join(f"{note}\n" for note in notes)
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode(errors="surrogateescape"))
    for name, data in recall().items():
        (folder / name).write_bytes(data)
    for path in dict.fromkeys(p for word in words for p in _files(word)):
        place, count = folder / path.name, 1
        while place.exists():  # files of the same name in two folders, or of ours
            count += 1
            place = folder / f"{count}-{path.name}"
        shutil.copyfile(path, place)


def _files(word: str) -> Iterator[Path]:
    """Yield the files that a word of a command names: ``FILE``, ``--flag=FILE``,
    ``FILE:PIPELINE``.
    """
    for name in (word, word.partition("=")[2], word.rpartition(":")[0]):
        if name and Path(name).is_file():
            yield Path(name)


def _versions() -> str:
    from isel.cli.versions import version_text

    try:
        return version_text()
    except Exception as problem:
        return f"not known: {problem}\n"
