"""Names of x86-64 registers: their kind and the full register that a part belongs to."""

from __future__ import annotations

import re
from functools import cache

_LEGACY = {"a": "rax", "b": "rbx", "c": "rcx", "d": "rdx"}
_POINTERS = {"si": "rsi", "di": "rdi", "bp": "rbp", "sp": "rsp"}
_VECTOR = re.compile(r"^([xyz])mm(\d+)$")
_NUMBERED = re.compile(r"^r(\d+)([dwb]?)$")
_WIDTHS = {"": "r64", "d": "r32", "w": "r16", "b": "r8"}


@cache
def register_kind(name: str) -> str:
    """Return the operand kind of a register (``zmm``, ``k``, ``r64`` …); its own name where it
    is none of these.
    """
    if _VECTOR.match(name):
        return name[:3]
    if re.match(r"^k[0-7]$", name):
        return "k"
    if numbered := _NUMBERED.match(name):
        return _WIDTHS[numbered[2]]
    if name in _names():
        return _names()[name][1]
    return name.rstrip("0123456789")


@cache
def canonical(name: str) -> str:
    """Return the full register of which ``name`` is a part: ``eax`` is ``rax``, ``ymm3`` is
    ``v3``.
    """
    if vector := _VECTOR.match(name):
        return f"v{vector[2]}"
    if numbered := _NUMBERED.match(name):
        return f"r{numbered[1]}"
    return _names()[name][0] if name in _names() else name


@cache
def _names() -> dict[str, tuple[str, str]]:
    table: dict[str, tuple[str, str]] = {}
    for letter, full in _LEGACY.items():
        table |= {
            full: (full, "r64"),
            f"e{letter}x": (full, "r32"),
            f"{letter}x": (full, "r16"),
            f"{letter}l": (full, "r8"),
            f"{letter}h": (full, "r8"),
        }
    for short, full in _POINTERS.items():
        table |= {
            full: (full, "r64"),
            f"e{short}": (full, "r32"),
            short: (full, "r16"),
            f"{short}l": (full, "r8"),
        }
    return table
