"""The constants that machine code loads, by label, in words: ``i8 1 x15, 255``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

_LABEL: Final = re.compile(r"^(\.?L?CPI\d+_\d+):")
_DATA: Final = re.compile(
    r"^\s+\.(?P<kind>\w+)\s+(?P<value>-?\w+)(?:,\s*(?P<fill>-?\w+))?\s*(?:[#@/].*)?$"
)
_BYTES: Final = {
    "byte": 1,
    "short": 2,
    "hword": 2,
    "2byte": 2,
    "long": 4,
    "word": 4,
    "4byte": 4,
    "quad": 8,
    "xword": 8,
    "8byte": 8,
}


def constants(assembly: str) -> Mapping[str, str]:
    """Return the text of each constant of the assembly; those with data that are not understood
    are left out.
    """
    found: dict[str, list[tuple[int, int, int]]] = {}
    name = ""
    for line in assembly.splitlines():
        label = _LABEL.match(line)
        if label is not None:
            name = label[1]
            found[name] = []
        elif name and (read := _read(line)) is not None:
            found[name].append(read)
        else:
            name = ""
    return {label: text for label, parts in found.items() if parts and (text := _text(parts))}


def _read(line: str) -> tuple[int, int, int] | None:
    """Return bytes of an element, its value and how many there are."""
    m = _DATA.match(line)
    if m is None:
        return None
    try:
        if m["kind"] == "zero":
            return 1, int(m["fill"] or "0", 0), int(m["value"], 0)
        return (_BYTES[m["kind"]], int(m["value"], 0), 1) if m["fill"] is None else None
    except (KeyError, ValueError):
        return None


def _text(parts: Sequence[tuple[int, int, int]]) -> str:
    """Return the elements in words, what is left out by ``.zero`` as elements of the size of
    the others.
    """
    sizes = {size for size, value, n in parts if not (size == 1 and value == 0 and n > 1)} or {1}
    if len(sizes) != 1:
        return ""
    (size,) = sizes
    values: list[int] = []
    for own, value, n in parts:
        if n * own % size:
            return ""
        values.extend([value] * (n * own // size))
    runs = ((value, len(list(same))) for value, same in groupby(values))
    return f"i{8 * size} " + ", ".join(
        f"{value} x{n}" if n > 1 else f"{value}" for value, n in runs
    )


def note(lines: Sequence[str], known: Mapping[str, str]) -> Iterator[str]:
    """Yield lines of code, each with the constants that it reads behind it."""
    for line in lines:
        read = [
            text
            for label, text in known.items()
            if re.search(rf"(?<![\w.]){re.escape(label)}(?!\w)", line)
        ]
        yield f"{line}  # {'; '.join(read)}" if read else line
