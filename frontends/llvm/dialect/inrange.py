"""The word ``inrange`` as LLVM had it before 19, on an index of an address: newer ones read bounds
only.

Accesses by way of such an address are undefined outside of what the index selects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_WORD: Final = ", inrange i"
_BOUNDS: Final = re.compile(r"\binrange\(")
# Text in quotes, which cannot hold a quote, stays as it is.
_WORDS: Final = re.compile(r'"[^"\n]*"|, inrange (?=i\d+ )')
_PLACES: Final = re.compile(r'"[^"]*"|;.*|[()\[\]{}<>,]')
_INDEX: Final = re.compile(r", inrange (?=i\d+ )")
_BEFORE: Final = re.compile(r"\bgetelementptr (?:inbounds )?$")
# A function as LLVM and clang print it; what is written otherwise is taken for no source.
_SOURCE: Final = re.compile(
    r"^(define\b[^@\n]*@src\d*\([^\n;]*\{[ \t]*(?:;[^\n]*)?\n"
    r"(?:(?!@|[ \t]*\}|[^\n]*\bdefine\b)[^\n]*\n)*\}\n)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class _Address:
    """A constant address in a line: where its parenthesis opens and closes, where the word with
    its comma begins, and the number of the index from 1.
    """

    opening: int
    closing: int
    word: int
    index: int


def without_inrange(text: str) -> str:
    """Return a module's text without these words.

    Addresses out of range are then defined: right for a module that is to be refined, not for one
    that is to refine another.
    """
    if _WORD not in text:
        return text
    return _WORDS.sub(lambda m: m[0] if m[0][0] == '"' else ", ", text)


def comparable(source: str, target: str) -> tuple[str, str]:
    """Return texts of two modules, the second to refine the first, for an LLVM that reads bounds.

    A constant with the word that both hold has bounds instead, by which it equals only itself.
    The source's others lose the word, the target's keep it, which LLVM then refuses.
    """
    # A text of no LLVM with both is left to fail: its bounds might be taken for ours.
    if _WORD not in target or _BOUNDS.search(source) or _BOUNDS.search(target):
        return without_inrange(source), target
    both = _constants(source) & _constants(target)
    return without_inrange(_bound_by(source, both)), _bound_by(target, both)


def comparable_pairs(text: str) -> str:
    """Return what :func:`comparable` does for functions ``@src`` and the rest of one module."""
    if _WORD not in text or "\0" in text:
        return text
    parts = _SOURCE.split(text)
    source, target = comparable("\0".join(parts[1::2]), "\0".join(parts[::2]))
    parts[1::2] = source.split("\0") if parts[1::2] else []
    parts[::2] = target.split("\0")
    return "".join(parts)


def _constants(text: str) -> frozenset[str]:
    return frozenset(
        line[a.opening : a.closing] for line in text.split("\n") for a in _addresses(line)
    )


def _bound_by(text: str, constants: frozenset[str]) -> str:
    """Return a text with bounds instead of the word in some constants."""
    if not constants:
        return text
    lines = text.split("\n")
    for k, line in enumerate(lines):
        edits: list[tuple[int, int, str]] = []
        for a in _addresses(line):
            if line[a.opening : a.closing] in constants:
                edits.append((a.opening, a.opening, f"inrange(0, {a.index}) "))
                edits.append((a.word, a.word + len(", inrange "), ", "))
        for first, last, new in sorted(edits, reverse=True):
            lines[k] = lines[k][:first] + new + lines[k][last:]
    return "\n".join(lines)


def _addresses(line: str) -> Iterator[_Address]:
    if _WORD not in line:
        return
    opened: list[tuple[int, int, int]] = []  # where, commas in it so far, the word
    for place in _PLACES.finditer(line):
        at, what = place.start(), place[0]
        if what in "([{<":
            opened.append((at, 0, -1))
        elif not opened:
            continue
        elif what == ",":
            where, commas, word = opened[-1]
            is_word = _INDEX.match(line, at) and _BEFORE.search(line[:where])
            opened[-1] = (where, commas + (word < 0), at if is_word else word)
        elif what in ")]}>":
            where, commas, word = opened.pop()
            if word >= 0:
                yield _Address(where, at + 1, word, commas)
