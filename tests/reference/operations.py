"""The LangRef's integer operations on unsigned Python integers, one lane at a time.

Each takes the width and the operands and returns the result (reduced by the caller) or ``POISON``.
Written from the LLVM Language Reference, independently of :mod:`isel.ir` and of ``lower.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from tests.reference.values import POISON, Poison, UndefinedBehaviour

Outcome: TypeAlias = int | Poison
Flags: TypeAlias = frozenset[str]


def signed(a: int, w: int) -> int:
    """Read ``w`` bits as two's complement."""
    return a - (1 << w) if a >> (w - 1) & 1 else a


def _fits_signed(a: int, w: int) -> bool:
    return -(1 << (w - 1)) <= a < 1 << (w - 1)


def _fits_unsigned(a: int, w: int) -> bool:
    return 0 <= a < 1 << w


def _clamp_signed(a: int, w: int) -> int:
    return max(-(1 << (w - 1)), min((1 << (w - 1)) - 1, a))


def _clamp_unsigned(a: int, w: int) -> int:
    return max(0, min((1 << w) - 1, a))


def _wrapping(op: Callable[[int, int], int]) -> Callable[[int, int, int, Flags], Outcome]:
    def run(w: int, a: int, b: int, flags: Flags) -> Outcome:
        if "nuw" in flags and not _fits_unsigned(op(a, b), w):
            return POISON
        if "nsw" in flags and not _fits_signed(op(signed(a, w), signed(b, w)), w):
            return POISON
        return op(a, b)

    return run


def _truncated(a: int, b: int) -> tuple[int, int]:
    q = abs(a) // abs(b)
    q = -q if (a < 0) != (b < 0) else q
    return q, a - q * b


def _udiv(w: int, a: int, b: int, flags: Flags) -> Outcome:
    if b == 0:
        raise UndefinedBehaviour("division by zero")
    return POISON if "exact" in flags and a % b else a // b


def _urem(w: int, a: int, b: int, flags: Flags) -> Outcome:
    if b == 0:
        raise UndefinedBehaviour("division by zero")
    return a % b


def _signed_division(w: int, a: int, b: int) -> tuple[int, int]:
    if b == 0:
        raise UndefinedBehaviour("division by zero")
    q, r = _truncated(signed(a, w), signed(b, w))
    if not _fits_signed(q, w):
        raise UndefinedBehaviour("the quotient overflows")
    return q, r


def _sdiv(w: int, a: int, b: int, flags: Flags) -> Outcome:
    q, r = _signed_division(w, a, b)
    return POISON if "exact" in flags and r else q


def _srem(w: int, a: int, b: int, flags: Flags) -> Outcome:
    return _signed_division(w, a, b)[1]


def _shl(w: int, a: int, b: int, flags: Flags) -> Outcome:
    if b >= w:
        return POISON
    if "nuw" in flags and not _fits_unsigned(a << b, w):
        return POISON
    if "nsw" in flags and not _fits_signed(signed(a, w) << b, w):
        return POISON
    return a << b


def _lshr(w: int, a: int, b: int, flags: Flags) -> Outcome:
    if b >= w or ("exact" in flags and a & ((1 << b) - 1)):
        return POISON
    return a >> b


def _ashr(w: int, a: int, b: int, flags: Flags) -> Outcome:
    if b >= w or ("exact" in flags and a & ((1 << b) - 1)):
        return POISON
    return signed(a, w) >> b


def _or(w: int, a: int, b: int, flags: Flags) -> Outcome:
    return POISON if "disjoint" in flags and a & b else a | b


BINARY: Final[Mapping[str, Callable[[int, int, int, Flags], Outcome]]] = {
    "add": _wrapping(lambda a, b: a + b),
    "sub": _wrapping(lambda a, b: a - b),
    "mul": _wrapping(lambda a, b: a * b),
    "udiv": _udiv,
    "urem": _urem,
    "sdiv": _sdiv,
    "srem": _srem,
    "shl": _shl,
    "lshr": _lshr,
    "ashr": _ashr,
    "and": lambda w, a, b, flags: a & b,
    "or": _or,
    "xor": lambda w, a, b, flags: a ^ b,
}

COMPARE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def compare(predicate: str, w: int, a: int, b: int, flags: Flags) -> Outcome:
    """Apply an icmp predicate."""
    if "samesign" in flags and a >> (w - 1) != b >> (w - 1):
        return POISON
    if predicate[0] == "s":
        a, b = signed(a, w), signed(b, w)
    return int(COMPARE[predicate if predicate in ("eq", "ne") else predicate[1:]](a, b))


def cast(opcode: str, a: int, w: int, to: int, flags: Flags) -> Outcome:
    """Apply zext, sext or trunc."""
    if opcode == "zext":
        return POISON if "nneg" in flags and a >> (w - 1) else a
    if opcode == "sext":
        return signed(a, w)
    if "nuw" in flags and not _fits_unsigned(a, to):
        return POISON
    return POISON if "nsw" in flags and not _fits_signed(signed(a, w), to) else a


def _absolute(w: int, a: int, b: int) -> Outcome:
    return POISON if b and a == 1 << (w - 1) else abs(signed(a, w))


def _leading(w: int, a: int, b: int) -> Outcome:
    return POISON if b and not a else w - a.bit_length()


def _trailing(w: int, a: int, b: int) -> Outcome:
    if not a:
        return POISON if b else w
    return (a & -a).bit_length() - 1


def _funnel_left(w: int, a: int, b: int, c: int) -> Outcome:
    return ((a << w | b) << (c % w)) >> w


def _funnel_right(w: int, a: int, b: int, c: int) -> Outcome:
    return (a << w | b) >> (c % w)


def _signed_shift_saturating(w: int, a: int, b: int) -> Outcome:
    return POISON if b >= w else _clamp_signed(signed(a, w) << b, w)


def _unsigned_shift_saturating(w: int, a: int, b: int) -> Outcome:
    return POISON if b >= w else _clamp_unsigned(a << b, w)


def _signed_product(w: int, a: int, b: int, scale: int) -> int:
    return (signed(a, w) * signed(b, w)) >> scale


def _fixed(value: int, fits: bool) -> Outcome:
    if not fits:
        raise UndefinedBehaviour("a fixed-point product that does not fit")
    return value


def _three_way(less: bool, greater: bool) -> int:
    return greater - less


UNARY_CALLS: Final[Mapping[str, Callable[[int, int], Outcome]]] = {
    "ctpop": lambda w, a: a.bit_count(),
    "bswap": lambda w, a: int.from_bytes(a.to_bytes(w // 8, "little"), "big"),
    "bitreverse": lambda w, a: int(f"{a:0{w}b}"[::-1], 2),
}

BINARY_CALLS: Final[Mapping[str, Callable[[int, int, int], Outcome]]] = {
    "umin": lambda w, a, b: min(a, b),
    "umax": lambda w, a, b: max(a, b),
    "smin": lambda w, a, b: min(signed(a, w), signed(b, w)),
    "smax": lambda w, a, b: max(signed(a, w), signed(b, w)),
    "uadd.sat": lambda w, a, b: _clamp_unsigned(a + b, w),
    "usub.sat": lambda w, a, b: _clamp_unsigned(a - b, w),
    "sadd.sat": lambda w, a, b: _clamp_signed(signed(a, w) + signed(b, w), w),
    "ssub.sat": lambda w, a, b: _clamp_signed(signed(a, w) - signed(b, w), w),
    "sshl.sat": _signed_shift_saturating,
    "ushl.sat": _unsigned_shift_saturating,
    "scmp": lambda w, a, b: _three_way(signed(a, w) < signed(b, w), signed(a, w) > signed(b, w)),
    "ucmp": lambda w, a, b: _three_way(a < b, a > b),
}

# The last operand is a scalar constant of the call.
CONSTANT_CALLS: Final[Mapping[str, Callable[[int, int, int], Outcome]]] = {
    "abs": _absolute,
    "ctlz": _leading,
    "cttz": _trailing,
}

TERNARY_CALLS: Final[Mapping[str, Callable[[int, int, int, int], Outcome]]] = {
    "fshl": _funnel_left,
    "fshr": _funnel_right,
}

FIXED_CALLS: Final[Mapping[str, Callable[[int, int, int, int], Outcome]]] = {
    "smul.fix": lambda w, a, b, s: _fixed(
        _signed_product(w, a, b, s), _fits_signed(_signed_product(w, a, b, s), w)
    ),
    "umul.fix": lambda w, a, b, s: _fixed((a * b) >> s, _fits_unsigned((a * b) >> s, w)),
    "smul.fix.sat": lambda w, a, b, s: _clamp_signed(_signed_product(w, a, b, s), w),
    "umul.fix.sat": lambda w, a, b, s: _clamp_unsigned((a * b) >> s, w),
}

REDUCTIONS: Final[Mapping[str, Callable[[int, int, int], Outcome]]] = {
    "add": lambda w, a, b: (a + b) & ((1 << w) - 1),
    "mul": lambda w, a, b: (a * b) & ((1 << w) - 1),
    "and": lambda w, a, b: a & b,
    "or": lambda w, a, b: a | b,
    "xor": lambda w, a, b: a ^ b,
    **{name: BINARY_CALLS[name] for name in ("umin", "umax")},
    "smin": lambda w, a, b: a if signed(a, w) <= signed(b, w) else b,
    "smax": lambda w, a, b: a if signed(a, w) >= signed(b, w) else b,
}
