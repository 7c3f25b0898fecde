"""The table of functions that occur in printed expressions: arity, and the type of the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from frontends.halide.expr.types import BOOL, INT32, Type

Rule: TypeAlias = Callable[[Sequence[Type], Type | None], Type | str]


@dataclass(frozen=True, slots=True)
class Function:
    """How a function is typed: ``rule`` takes the operands' types and the annotation, and says
    what is wrong in words.
    """

    arity: int
    rule: Rule


def _same(types: Sequence[Type]) -> str:
    other = next((t for t in types if t != types[0]), None)
    return "" if other is None else f"operands of one type, found {types[0]} and {other}"


def _integers(types: Sequence[Type]) -> str:
    wrong = next((t for t in types if t.is_float or t.is_bool), None)
    return "" if wrong is None else f"integers, found {wrong}"


def _sized(types: Sequence[Type]) -> str:
    bits, lanes = types[0].bits, types[0].lanes
    other = next((t for t in types if (t.bits, t.lanes) != (bits, lanes)), None)
    return "" if other is None else f"operands of {bits} bits and {lanes} lanes, found {other}"


def _alike(types: Sequence[Type]) -> str:
    return _integers(types) or _sized(types)


def _mixed(a: Type, b: Type) -> Type:
    """Return the type of ``a`` and ``b`` together: signed if one of them is."""
    return a.as_int if a.signed or b.signed else a


def _like(types: Sequence[Type], _: Type | None) -> Type | str:
    return _same(types) or _integers(types) or types[0]


def _bits(types: Sequence[Type], _: Type | None) -> Type | str:
    return _same(types) or (f"integers, found {types[0]}" if types[0].is_float else types[0])


def _unsigned(types: Sequence[Type], annotation: Type | None) -> Type | str:
    a = types[0]
    wrong = "integers, found uint1" if a.is_bool else ""
    return _same(types) or wrong or (a if a.is_float else a.as_uint)


def _widen_right(types: Sequence[Type], annotation: Type | None) -> Type | str:
    a, b = types
    fits = (a.bits, a.lanes) == (2 * b.bits, b.lanes) and (a.signed or not b.signed)
    found = a if fits else f"a second operand of half the bits of {a}, found {b}"
    return _integers(types) or found


def _mul_shift(types: Sequence[Type], annotation: Type | None) -> Type | str:
    a, b, count = types
    wrong = f"an unsigned amount, found {count}" if count.signed else ""
    return _alike(types) or wrong or _mixed(a, b)


def _annotated(types: Sequence[Type], annotation: Type | None) -> Type | str:
    """Return what the annotation says; where there is none it is int32."""
    wanted, lanes = annotation or INT32, types[0].lanes
    fits = wanted.lanes == lanes and not wanted.is_float
    return _integers(types) or (wanted if fits else f"{lanes} lanes, found {wanted}")


def _narrowing(types: Sequence[Type], annotation: Type | None) -> Type | str:
    wrong = _integers(types)
    if wrong or types[0].bits < 16:
        return wrong or f"at least 16 bits, found {types[0]}"
    narrow = types[0].narrow
    return annotation if annotation in (narrow.as_int, narrow.as_uint) else narrow


def _choice(types: Sequence[Type], annotation: Type | None) -> Type | str:
    c, a, b = types
    if not c.is_bool:
        return f"a truth value first, found {c}"
    if c.lanes not in (1, a.lanes):
        return f"1 or {a.lanes} truth values, found {c.lanes}"
    return _same((a, b)) or a


def _logic(types: Sequence[Type], annotation: Type | None) -> Type | str:
    wrong = next((t for t in types if not t.is_bool), None)
    return _same(types) or (types[0] if wrong is None else f"truth values, found {wrong}")


_ALIKE: Final = (
    "saturating_add",
    "saturating_sub",
    "halving_add",
    "halving_sub",
    "rounding_halving_add",
    "div_round_to_zero",
    "mod_round_to_zero",
)

OPERATORS: Final[Mapping[str, Function]] = {
    **dict.fromkeys(
        ("add", "sub", "mul", "div", "mod", "min", "max"),
        Function(2, lambda t, _: _same(t) or t[0]),
    ),
    **dict.fromkeys(
        ("eq", "ne", "lt", "le", "gt", "ge"),
        Function(2, lambda t, _: _same(t) or BOOL.of(t[0].lanes)),
    ),
    **dict.fromkeys(("and", "or"), Function(2, _logic)),
    "not": Function(1, _logic),
}

FUNCTIONS: Final[Mapping[str, Function]] = {
    "min": OPERATORS["min"],
    "max": OPERATORS["max"],
    "select": Function(3, _choice),
    "if_then_else": Function(3, _choice),
    "abs": Function(1, _unsigned),
    "absd": Function(2, _unsigned),
    "saturating_cast": Function(1, _annotated),
    "saturating_narrow": Function(1, _narrowing),
    **dict.fromkeys(_ALIKE, Function(2, _like)),
    **dict.fromkeys(
        (
            "shift_left",
            "shift_right",
            "rounding_shift_left",
            "rounding_shift_right",
            "saturating_shift_left",
        ),
        Function(2, lambda t, _: _alike(t) or t[0]),
    ),
    **dict.fromkeys(
        ("widening_shift_left", "widening_shift_right"),
        Function(2, lambda t, _: _alike(t) or t[0].wide),
    ),
    **dict.fromkeys(
        ("widening_add", "widening_mul"), Function(2, lambda t, _: _alike(t) or _mixed(*t).wide)
    ),
    "widening_sub": Function(2, lambda t, _: _alike(t) or t[0].wide.as_int),
    **dict.fromkeys(
        ("widen_right_add", "widen_right_sub", "widen_right_mul"), Function(2, _widen_right)
    ),
    **dict.fromkeys(("mul_shift_right", "rounding_mul_shift_right"), Function(3, _mul_shift)),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), Function(2, _bits)),
    "bitwise_not": Function(1, _bits),
    **dict.fromkeys(
        ("popcount", "count_leading_zeros", "count_trailing_zeros"), Function(1, _like)
    ),
    **dict.fromkeys(
        ("likely", "likely_if_innermost", "strict_float"), Function(1, lambda t, _: t[0])
    ),
    **dict.fromkeys(
        ("promise_clamped", "unsafe_promise_clamped"), Function(3, lambda t, _: _same(t) or t[0])
    ),
}

SYNONYMS: Final[Mapping[str, str]] = {
    "extending_add": "widen_right_add",
    "extending_sub": "widen_right_sub",
    "extending_mul": "widen_right_mul",
    "widening_shl": "widening_shift_left",
    "widening_shr": "widening_shift_right",
    "rounding_shl": "rounding_shift_left",
    "rounding_shr": "rounding_shift_right",
    "saturating_shl": "saturating_shift_left",
    "mul_shr": "mul_shift_right",
    "rounding_mul_shr": "rounding_mul_shift_right",
}
"""The names of PITCHFORK's Table 1 for functions that Halide calls otherwise."""
