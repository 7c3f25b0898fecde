"""Text files that commands write whole or not at all, and their folders."""

from __future__ import annotations

from pathlib import Path

from isel.errors import file_problem


def write_whole(path: Path, text: str) -> None:
    """Write a text file under a temporary name and rename it, also after an interrupt."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise file_problem(str(path), error) from None


def folder_for(path: str) -> Path:
    """Return a folder, which is made if it is not there; raises :class:`FileProblem`."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_problem(str(folder), error) from None
    return folder
