"""Names of operations and classes, each made of its own formula and of nothing else, so that they
stay when instructions are added.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from equiv_classes.limits import NAME_LONGEST, NAME_WORDS
from equiv_classes.normal import Normalizer
from equiv_classes.skeleton import Skeletons
from isel.ir.expr import Expr, elem
from isel.rules import derived

_PLACE: Final = re.compile(r"\[[^\]]*\]")
_NUMBERS: Final = re.compile(r"\{\d+\}")
_TOKEN: Final = re.compile(r"<\d+>|%\d+|(?<= )#(?=:)|[a-z]+|-?[01](?=:)")
_MOVE: Final = "move"
_WIDTH: Final = 16
LETTERS: Final = "abcdefghjlmnopqrtuvwxyz"  # k is a predicate, s a kept value, i a digit


def _known() -> Iterator[tuple[str, Expr]]:
    a, b, c = elem("a", 0, _WIDTH), elem("b", 0, _WIDTH), elem("c", 0, _WIDTH)
    yield "move", a
    for name, one in derived.UNARY.items():
        yield name, one(a)
    for name, two in derived.BINARY.items():
        yield name, two(a, b)
    for name, narrow in derived.NARROWING.items():
        if name != "trunc":
            yield name, narrow(a, _WIDTH // 2)
    for name, compare in derived.COMPARES.items():
        yield f"cmp_{name}", compare(a, b)
    shifts: Mapping[str, Callable[[Expr, Expr, Expr], Expr]] = {
        "fshl": derived.fshl,
        "fshr": derived.fshr,
    }
    for name, shift in shifts.items():
        yield name, shift(a, b, c)
        yield name.replace("fsh", "rot"), shift(a, a, c)


@cache
def _by_pattern() -> Mapping[str, str]:
    normal, skeleton = Normalizer({"a": 0, "b": 1, "c": 2}), Skeletons()
    found: dict[str, str] = {}
    for name, e in _known():
        found.setdefault(pattern(skeleton(normal(e)).key), name)
    return found


def operation_of(skeletons: Sequence[str]) -> str:
    """Return the name of the operation of a class with these skeletons: made of the lane functions
    themselves, moves left out where anything is computed, so that it never depends on what else
    there is.

    A lane function that is an operation of :mod:`isel.rules.derived` is called like it; any other
    by its operators and operands in prefix notation, long ones by their operators and a hash.
    """
    words = list(dict.fromkeys(_word(pattern(s)) for s in skeletons))
    text = "_".join([w for w in words if w != _MOVE] or words)
    return text if len(text) <= NAME_LONGEST else _shorten(text, text)


def class_name(operation: str, gathers: object) -> str:
    """Return the name of a class: its operation, and a hash of how its operands are gathered, which
    is None where each hole reads an operand of its own.
    """
    return operation if gathers is None else f"{operation}.{short_hash(repr(gathers))}"


def pattern(skeleton: str) -> str:
    """Return a skeleton with neither numbers nor places."""
    text = _PLACE.sub("", skeleton).replace("j*", "")
    return _NUMBERS.sub("#", text)


def short_hash(text: str) -> str:
    """Return four hexadecimal digits that depend on a text."""
    return hashlib.blake2b(text.encode(), digest_size=2).hexdigest()


def _shorten(words: str, whole: str) -> str:
    """Return the first operators among some words, and a hash of the whole."""
    found = [w for w in dict.fromkeys(words.split("_")) if len(w) > 1 and w.isalpha()]
    return "_".join([*found[:NAME_WORDS], short_hash(whole)])


@lru_cache(maxsize=4096)
def _word(text: str) -> str:
    known = _by_pattern().get(text)
    if known is not None:
        return known
    tokens = list(_spell(text))
    words = "_".join(tokens)
    if "%" in text or len(words) > NAME_LONGEST:
        return _shorten(words, text)
    flat = tokens[1:] == [*LETTERS[: len(tokens) - 1]]
    return tokens[0] if flat else words


def _spell(text: str) -> Iterator[str]:
    """Yield operators and operands in prefix notation: holes as letters, numbers as ``n``,
    literals by their names.
    """
    for token in _TOKEN.findall(text):
        if token[0] == "<":
            yield LETTERS[int(token[1:-1]) % len(LETTERS)]
        elif token[0] == "#":
            yield "n"
        elif token[0] != "%" and token != "let":
            yield token


class Namer:
    """Sees to it that names are distinct."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def unique(self, wanted: str) -> str:
        """Return ``wanted``, with a number where it is taken."""
        k, text = 2, wanted
        while text in self._taken:
            text = f"{wanted}_{k}"
            k += 1
        self._taken.add(text)
        return text
