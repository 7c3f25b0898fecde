"""Floating-point types that only carry bits as integers.

Libraries of intrinsics move halves of registers as doubles.  Where a function does nothing with
such values but move them, integers of their width say the same.  This is a proposal: what is made
of it is proved against the source.
"""

from __future__ import annotations

import re
import struct
from typing import Final

_WIDTHS: Final = {"half": "i16", "float": "i32", "double": "i64"}
_WORD: Final = re.compile(r"\b(half|float|double)\b")
_ZERO: Final = re.compile(r"\b(half|float|double) 0\.000000e\+00")
_COMPUTED: Final = re.compile(  # literals, and flags of arithmetic
    r"\b(?:(?:half|float|double) (?:-?\d|0x)|(?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast)\b)"
)
_PHI: Final = re.compile(r"\s+%\S+ = phi (half|float|double) \[")
_LITERAL: Final = re.compile(r"(?<=\[ )(?:0xH?[\dA-F]+|-?\d+\.\d+e[+-]\d+)(?=,)")
_FUNCTION: Final = re.compile(r"^define .*?^}\n", re.MULTILINE | re.DOTALL)
_MOVE: Final = re.compile(
    r"\s+(?:%\S+ = )?(?:load|store|extractelement|insertelement|shufflevector|bitcast|phi|select"
    r"|freeze) "
)


def without_floats(text: str) -> str:
    """Return a printed module, in functions that move values of floating point and compute nothing
    with them, with integers in their place.
    """
    return _FUNCTION.sub(lambda m: _rewrite(m[0]), text)


def _rewrite(function: str) -> str:
    lines = function.splitlines(keepends=True)
    if not all(map(_moves, lines)):
        return function
    whole = "".join(map(_literals, lines))
    whole = _ZERO.sub(lambda m: f"{_WIDTHS[m[1]]} 0", whole)
    return _WORD.sub(lambda m: _WIDTHS[m[1]], whole)


def _literals(line: str) -> str:
    """Return the line of a phi, which names its type once, with literals as their bits."""
    phi = _PHI.match(line)
    return line if phi is None else _LITERAL.sub(lambda m: str(_bits(phi[1], m[0])), line)


def _bits(kind: str, literal: str) -> int:
    """Return the bits of a literal as LLVM prints it: a half as its own, others as doubles."""
    if literal.startswith("0xH"):
        return int(literal[3:], 16)
    decimal = not literal.startswith("0x")
    wide = int.from_bytes(struct.pack(">d", float(literal))) if decimal else int(literal, 16)
    if kind == "double":
        return wide
    (value,) = struct.unpack(">d", wide.to_bytes(8))
    if value != value:  # the bits of no number are only moved
        return wide >> 32 & 1 << 31 | 0xFF << 23 | wide >> 29 & (1 << 23) - 1
    return int.from_bytes(struct.pack(">f", value))


def _moves(line: str) -> bool:
    """Tell whether a line has no floating point, or only moves it."""
    moved = _MOVE.match(line) is not None and not _COMPUTED.search(_ZERO.sub(r"\1", line))
    return moved or not _WORD.search(line)
