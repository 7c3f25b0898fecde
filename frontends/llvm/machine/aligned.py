"""Which vectors of a function LLVM IR aligns in memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from frontends.llvm.text.isolate import definition_of

_ACCESS: Final = re.compile(
    r"\b(?:load|store)(?: volatile)? <(?P<count>\d+) x (?P<element>\w+)>.*, align (?P<align>\d+)"
)
_MASKED: Final = re.compile(
    r"@llvm\.masked\.(?:load|store)\.v(?P<count>\d+)(?P<element>[a-z]+\d+).*"
    r"\bptr align (?P<align>\d+)"
)
_NAMED: Final = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "ptr": 64}


def unalign(text: str, function: str) -> Callable[[int], float]:
    """Return, of accesses of so many bytes in a function of the module ``text``, the share that
    is not known to be aligned to as many; all where the function has none so wide.

    A wider vector is one that code generation takes apart.
    """
    lines = text.splitlines()
    inside = definition_of(lines, function)
    found = (_ACCESS.search(lines[k]) or _MASKED.search(lines[k]) for k in inside)
    known = [_look_up(m) for m in found if m is not None]

    def share(size: int) -> float:
        alignments = [align for own, align in known if own >= size]
        return sum(a < size for a in alignments) / len(alignments) if alignments else 1.0

    return share


def _look_up(m: re.Match[str]) -> tuple[int, int]:
    element = m["element"]
    digits = re.search(r"\d+$", element)
    bits = _NAMED.get(element) or (int(digits[0]) if digits else 64)
    return int(m["count"]) * bits // 8, int(m["align"])
