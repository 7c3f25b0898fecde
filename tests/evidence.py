"""Sections of ``docs/evidence.md`` that commands write: each rewrites its own, between its
markers, and nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

EVIDENCE: Final = Path(__file__).parents[1] / "docs" / "evidence.md"
_HEAD: Final = (
    "# Evidence\n\nWhat long runs showed. Each section is written by the command that it names.\n"
)


def write_section(file: Path, title: str, body: str) -> None:
    """Replace the section ``title`` of a file, or add it at the end; make the file if there is
    none.
    """
    text = file.read_text() if file.exists() else _HEAD
    name = title.lower().replace(" ", "-").replace("'", "")
    first, last = f"<!-- {name}: written by a command -->", f"<!-- {name}: end -->"
    section = f"{first}\n## {title}\n\n{body.strip()}\n{last}"
    before, found, rest = text.partition(first)
    if not found:
        file.write_text(f"{text.rstrip()}\n\n{section}\n")
        return
    _, ended, after = rest.partition(last)
    if not ended:
        raise ValueError(f"{file.name}: the end of the section '{title}' is missing")
    file.write_text(f"{before}{section}{after}")
