"""Rows of the cache as read from a file, and what may be wrong with them or with the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Unusable(Exception):
    """The file cannot serve as a cache; the message says why."""


class OldSchema(Unusable):
    """The file was written by an older version whose rows cannot be read."""


class Unkept(Exception):
    """A row cannot be written as it is; the file is as good as before."""


class Signed(Enum):
    """What a row's code says of it."""

    RIGHT = "right"
    WRONG = "wrong"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A search's answer as text: the window, programs with certificates (JSON), and who found
    them.
    """

    key: str
    target: str
    window: str
    programs: str
    reason: str
    steps: int
    tool: str


def one_line(error: object) -> str:
    """Return an error as one line that any terminal prints: it may quote a file at length."""
    text = " ".join(str(error)[:200].encode("ascii", "backslashreplace").decode().split())
    return "".join(c if c.isprintable() else "?" for c in text)


def read_row(key: str, fields: Sequence[str]) -> ResultRow:
    """Return a row of what is kept under a key; a damaged number of steps is 0."""
    target, window, programs, reason, steps, tool = fields
    count = int(steps) if re.fullmatch(r"\d{1,18}", steps, re.ASCII) else 0
    return ResultRow(key, target, window, programs, reason, count, tool)
