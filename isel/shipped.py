"""Text and tables that ship as files beside the code that reads them, without what takes long to
import: the launcher reads its table of flags.

A row of a table is a line, with its cells between tabs; ``#`` begins a line that is a comment.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def text_of(module: str, *path: str) -> str:
    """Return the text of a file by its path from the folder of a module, whose ``__file__`` is
    given; raises :class:`OSError`.
    """
    with open(os.path.join(os.path.dirname(module), *path), encoding="utf-8") as file:
        return file.read()


def rows_in(text: str) -> Iterator[list[str]]:
    """Yield the cells of each row of a table."""
    for line in text.splitlines():
        if line and line[0] != "#":
            yield line.split("\t")


def rows_of(module: str, *path: str) -> Iterator[list[str]]:
    """Yield the cells of each row of the table in a file (see :func:`text_of`)."""
    return rows_in(text_of(module, *path))


def groups_of(module: str, *path: str) -> list[tuple[list[str], list[list[str]]]]:
    """Return the cells of each row of the table in a file, with those of the rows below it that
    begin with a tab.
    """
    found: list[tuple[list[str], list[list[str]]]] = []
    for row in rows_of(module, *path):
        if row[0]:
            found.append((row, []))
        else:
            found[-1][1].append(row[1:])
    return found
