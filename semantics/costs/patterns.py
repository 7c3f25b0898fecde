"""Brace patterns of mnemonics: ``v?p{add,sub}{b,w}``."""

from __future__ import annotations

import re
from collections.abc import Iterator


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
