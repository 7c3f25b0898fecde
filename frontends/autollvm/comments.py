"""Comments of a module with AutoLLVM: the dictionary that it was made with, and at each declaration
the formula of its class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from equiv_classes.calls import formula_text, read_name
from equiv_classes.dictionary import Dictionary

_HEAD: Final = "; AutoLLVM, dictionary "
_FORMULA: Final = re.compile(r"^; @(autollvm\.\S+) (\(.*)$")


def head(dictionary: Dictionary) -> str:
    """Return the line that names a dictionary."""
    return f"{_HEAD}{dictionary.source}"


def formulas_of(text: str) -> dict[str, tuple[int, str]]:
    """Return the formulas that comments give, by the name of the call, each with its line."""
    found: dict[str, tuple[int, str]] = {}
    for n, line in enumerate(text.splitlines(), 1):
        m = _FORMULA.match(line)
        if m is not None:
            found[m[1]] = (n, m[2])
    return found


def with_comments(lines: Iterable[str], dictionary: Dictionary) -> Iterator[str]:
    """Yield the lines of a module, with the formula in front of each declaration of a call."""
    for line in lines:
        name = declared_name(line)
        found = read_name(name, dictionary) if name else None
        if found is not None:
            yield f"; @{name} {formula_text(found.of)}"
        yield line


def without_comments(text: str) -> str:
    """Return a text without what :func:`head` and :func:`with_comments` add."""
    kept = (x for x in text.splitlines() if not (x.startswith(_HEAD) or _FORMULA.match(x)))
    return "\n".join(kept) + "\n"


def declared_name(line: str) -> str:
    """Return the call that a line declares, empty where it declares none."""
    found = re.match(r"declare .*@(autollvm\.[\w.]+)\(", line)
    return found[1] if found is not None else ""


def disagreements(text: str, dictionary: Dictionary) -> Mapping[str, tuple[int, str, str]]:
    """Return the calls whose comment says something else than the dictionary: the line, what it
    says and what the class is.
    """
    found: dict[str, tuple[int, str, str]] = {}
    for name, (line, said) in formulas_of(text).items():
        known = read_name(name, dictionary)
        ours = formula_text(known.of) if known is not None else ""
        if said != ours:
            found[name] = (line, said, ours)
    return found
