"""The flags of clang that a compile may have, and which step of ours takes them.  A flag that has
no row in ``compiler_flags.tsv``, which says what the roles are, is not understood.
"""

from __future__ import annotations

from isel.cli.launcher.light import Record
from isel.shipped import rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final


class Role:
    """Who takes a flag: the words of the table."""

    SOURCE = "source"
    IR = "ir"
    CODE = "code"
    DEPENDS = "depends"
    OUTPUT = "output"
    MODE = "mode"
    LANGUAGE = "language"
    LEVEL = "level"
    SAVED = "saved"
    LTO = "lto"
    CC1 = "cc1"
    RECORD = "record"
    REMARK = "remark"
    OTHER = "other"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class Flag(Record):
    """A flag of a command line: its role, its name in the table, its words, and its value.

    A word that is no flag has no name; it is a source.
    """

    role: str
    name: str
    words: tuple[str, ...]
    value: str


def _rows() -> dict[tuple[str, bool], tuple[str, str]]:
    """Return role and form by flag and whether it is a prefix of its word."""
    found: dict[tuple[str, bool], tuple[str, str]] = {}
    for role, form, flags in rows_of(__file__, "compiler_flags.tsv"):
        names = flags.split()
        if form in ("-f", "-m"):
            names, form = [f"{form}{no}{name}" for name in names for no in ("", "no-")], "alone"
        row = role, form
        if form != "joined":
            for name in names:
                found[name, False] = row
        if form in ("joined", "either"):
            for name in names:
                found[name, True] = row
    return found


ROWS: Final = _rows()
_LONGEST: Final = max([len(name) for name, is_prefix in ROWS if is_prefix])


def flag_at(words: list[str], place: int) -> Flag | None:
    """Return the flag that starts at a place of a command line; None for one that is not in the
    table, or lacks its value.
    """
    word = words[place]
    role, form = ROWS.get((word, False), (None, ""))
    if role is not None and form == "alone":
        return Flag(role, word, (word,), "")
    if role is not None:
        value = words[place + 1 : place + 2]
        return Flag(role, word, (word, *value), value[0]) if value else None
    for size in range(min(len(word) - 1, _LONGEST), 0, -1):
        row = ROWS.get((word[:size], True))
        if row is not None:
            return Flag(row[0], word[:size], (word,), word[size:])
    return None


def flags_in(words: list[str]) -> Iterator[Flag]:
    """Yield the flags and sources of a command line, without its compiler, in order."""
    place = 0
    while place < len(words):
        word = words[place]
        if word.startswith("-"):
            flag = flag_at(words, place) or Flag(Role.UNKNOWN, word, (word,), "")
        else:
            flag = Flag(Role.SOURCE, "", (word,), word)
        yield flag
        place += len(flag.words)
