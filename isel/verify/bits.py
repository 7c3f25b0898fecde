"""Upper bounds of the bits that a term needs, read off its shape: they show that most
arithmetic cannot overflow.
"""

from __future__ import annotations

from functools import lru_cache

from isel.ir.expr import Expr

_DEPTH = 12


@lru_cache(maxsize=1 << 16)
def unsigned_bits(e: Expr, depth: int = _DEPTH) -> int:
    """Return k such that the unsigned value of ``e`` is below ``2**k``."""
    if e.is_const:
        return e.value.bit_length()
    if depth == 0:
        return e.width
    below = depth - 1
    match e.op:
        case "zext":
            found = unsigned_bits(e.args[0], below)
        case "ite":
            found = max(unsigned_bits(a, below) for a in e.args[1:])
        case "and":
            found = min(unsigned_bits(a, below) for a in e.args)
        case "or" | "xor":
            found = max(unsigned_bits(a, below) for a in e.args)
        case "add":
            found = max(unsigned_bits(a, below) for a in e.args) + 1
        case "mul":
            found = sum(unsigned_bits(a, below) for a in e.args)
        case "lshr" if e.args[1].is_const:
            found = max(unsigned_bits(e.args[0], below) - e.args[1].value, 0)
        case "concat":
            high = unsigned_bits(e.args[0], below)
            found = high + e.args[1].width if high else unsigned_bits(e.args[1], below)
        case _:
            found = e.width
    return min(found, e.width)


@lru_cache(maxsize=1 << 16)
def signed_bits(e: Expr, depth: int = _DEPTH) -> int:
    """Return k such that the signed value of ``e`` is at least ``-2**(k-1)`` and below
    ``2**(k-1)``.
    """
    w = e.width
    if e.is_const:
        value = e.value - (1 << w) if e.value >> (w - 1) else e.value
        return (value if value >= 0 else ~value).bit_length() + 1
    if depth == 0:
        return w
    below = depth - 1
    match e.op:
        case "sext":
            found = signed_bits(e.args[0], below)
        case "ite":
            found = max(signed_bits(a, below) for a in e.args[1:])
        case "add" | "sub":
            found = max(signed_bits(a, below) for a in e.args) + 1
        case "neg":
            found = signed_bits(e.args[0], below) + 1
        case "mul":
            found = sum(signed_bits(a, below) for a in e.args)
        case "ashr" if e.args[1].is_const:
            found = max(signed_bits(e.args[0], below) - e.args[1].value, 1)
        case "and" | "or" | "xor":
            found = max(signed_bits(a, below) for a in e.args)
        case _:
            found = w
    return min(found, w, unsigned_bits(e, below) + 1)


@lru_cache(maxsize=1 << 16)
def low_zeros(e: Expr, depth: int = _DEPTH) -> int:
    """Return k such that the lowest ``k`` bits of ``e`` are 0."""
    if e.is_const:
        return e.width if e.value == 0 else (e.value & -e.value).bit_length() - 1
    if depth == 0:
        return 0
    below = depth - 1
    match e.op:
        case "shl" if e.args[1].is_const:
            found = low_zeros(e.args[0], below) + e.args[1].value
        case "mul":
            found = sum(low_zeros(a, below) for a in e.args)
        case "and":
            found = max(low_zeros(a, below) for a in e.args)
        case "add" | "sub" | "or" | "xor":
            found = min(low_zeros(a, below) for a in e.args)
        case "concat":
            low = low_zeros(e.args[1], below)
            found = low if low < e.args[1].width else low + low_zeros(e.args[0], below)
        case _:
            found = 0
    return min(found, e.width)
