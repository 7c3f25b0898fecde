"""Brace patterns of mnemonics: ``v?p{add,sub}{b,w}``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from isel.shipped import rows_of


def mnemonics(module: str) -> dict[str, list[str]]:
    """Return what the table ``mnemonics.tsv`` beside a module has of each kind, expanded."""
    found: dict[str, str] = {}
    for kind, patterns in rows_of(module, "mnemonics.tsv"):
        found[kind] = f"{found.get(kind, '')} {patterns}"
    return {kind: list(expand(patterns)) for kind, patterns in found.items()}


def expand(patterns: str) -> Iterator[str]:
    """Yield the names that the blank-separated patterns stand for, in order, once each; ``x?`` is a
    letter that is left out first.
    """
    seen: dict[str, None] = {}
    for word in patterns.split():
        seen.update(dict.fromkeys(_braces(re.sub(r"(\w)\?", r"{,\1}", word))))
    yield from seen


def _braces(word: str) -> Iterator[str]:
    match = re.search(r"\{([^{}]*)\}", word)
    if match is None:
        yield word
        return
    for choice in match[1].split(","):
        yield from _braces(word[: match.start()] + choice + word[match.end() :])
