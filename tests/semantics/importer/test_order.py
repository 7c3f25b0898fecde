"""Operations in which the order of the operands matters: lanes against Python's integers, on
corners and random values.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.expr import elem, leaves
from isel.spec.instruction import Instruction
from tests.semantics.importer.guide import Parameter, one

_MASK: Final = 0xFFFF
_CORNERS: Final = (0, 1, 2, 5, 7, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFB, 0xFFFF)
_RANDOM: Final = random.Random("order")
_PAIRS: Final = [(a, b) for a in _CORNERS for b in _CORNERS] + [
    (_RANDOM.getrandbits(16), _RANDOM.getrandbits(16)) for _ in range(40)
]
_LOOP: Final = "FOR j := 0 to 7\n\ti := j*16\n\t{}\nENDFOR"


def _clamp(least: int, x: int, most: int) -> int:
    return max(least, min(x, most))


def lanes(operation: str, sign: str) -> Instruction:
    a, b = (("__m128i", name, f"{sign}I16") for name in ("a", "b"))
    return one(operation, a, b)


def value(
    found: Instruction, lane: int, a: int, b: int, immediates: dict[str, int] | None = None
) -> int:
    """Return a lane where all lanes of ``a`` are one value, and all of ``b``."""
    term = found.lane(lane, immediates or {})
    given = {
        "a": a * 0x0001_0001_0001_0001_0001_0001_0001_0001,
        "b": b * 0x0001_0001_0001_0001_0001_0001_0001_0001,
    }
    env = {x: given[x.source] >> x.offset & (1 << x.width) - 1 for x in leaves(term)}
    return evaluate(term, env, Integer())


@pytest.mark.parametrize(
    ("body", "sign", "expected"),
    [
        ("dst[i+15:i] := a[i+15:i] - b[i+15:i]", "U", lambda a, b: a - b),
        ("dst[i+15:i] := b[i+15:i] - a[i+15:i]", "S", lambda a, b: b - a),
        ("dst[i+15:i] := 5 - a[i+15:i]", "U", lambda a, b: 5 - a),
        ("dst[i+15:i] := a[i+15:i] - 5", "S", lambda a, b: a - 5),
        ("dst[i+15:i] := a[i+15:i] - (b[i+15:i] - 3)", "U", lambda a, b: a - (b - 3)),
        ("dst[i+15:i] := a[i+15:i] - b[i+15:i] - 3", "U", lambda a, b: a - b - 3),
        ("dst[i+15:i] := a[i+15:i] * 3 - b[i+15:i]", "S", lambda a, b: a * 3 - b),
        ("dst[i+15:i] := (a[i+15:i] - b[i+15:i]) >> 1", "S", lambda a, b: (a - b) >> 1),
        ("dst[i+15:i] := (a[i+15:i] - b[i+15:i]) >> 1", "U", lambda a, b: (a - b) >> 1),
        ("dst[i+15:i] := SaturateU16(a[i+15:i] - b[i+15:i])", "U", lambda a, b: max(a - b, 0)),
        (
            "dst[i+15:i] := Saturate16(b[i+15:i] - a[i+15:i])",
            "S",
            lambda a, b: _clamp(-0x8000, b - a, 0x7FFF),
        ),
        (
            "tmp[31:0] := a[i+15:i] - b[i+15:i]\n\tdst[i+15:i] := tmp[31:16]",
            "U",
            lambda a, b: (a - b) >> 16,
        ),
        (
            "dst[i+15:i] := (a[i+15:i] << b[i+3:i]) - b[i+15:i]",
            "U",
            lambda a, b: (a << (b & 15)) - b,
        ),
        ("dst[i+15:i] := a[i+15:i] >> b[i+3:i]", "U", lambda a, b: a >> (b & 15)),
        (
            "dst[i+15:i] := (a[i+15:i] < b[i+15:i] ? b[i+15:i] - a[i+15:i] : 9)",
            "S",
            lambda a, b: b - a if a < b else 9,
        ),
        ("dst[i+15:i] := ABS(a[i+15:i] - b[i+15:i] - 2)", "S", lambda a, b: abs(a - b - 2)),
        ("dst[i+15:i] := NOT a[i+15:i] AND b[i+15:i]", "U", lambda a, b: ~a & b),
    ],
)
def test_lanes(body: str, sign: str, expected: Callable[[int, int], int]) -> None:
    found = lanes(_LOOP.format(body), sign)
    for a, b in _PAIRS:
        x, y = (v - 0x10000 if sign == "S" and v > 0x7FFF else v for v in (a, b))
        assert value(found, 3, a, b) == expected(x, y) & _MASK, (x, y)


def test_a_difference_of_numbers() -> None:
    """In an index, in the bounds of a loop and in a number that is assigned."""
    words = "FOR j := 0 to 9 - 2\n\tdst.word[j] := a.word[7-j] + (10 - j)\nENDFOR"
    found = lanes(words, "U")
    for j in range(8):
        assert [x.offset for x in leaves(found.lane(j, {}))] == [16 * (7 - j)]
        assert value(found, j, 100, 0) == 100 + 10 - j


def test_a_difference_of_an_immediate() -> None:
    parameters: tuple[Parameter, ...] = (("__m128i", "a", "UI16"), ("int", "imm8", "IMM"))
    found = one(_LOOP.format("dst[i+15:i] := a[i+15:i] >> (9 - imm8[2:0])"), *parameters)
    assert [value(found, 2, 0xF00F, 0, {"imm8": k}) for k in range(8)] == [
        0xF00F >> (9 - k) for k in range(8)
    ]
    moved = one(
        "FOR j := 0 to 7\n\tdst.word[j] := (a >> ((7 - imm8[2:0]) * 16))[15:0]\nENDFOR", *parameters
    )
    assert [moved.lane(0, {"imm8": k}) for k in range(8)] == [
        elem("a", 16 * (7 - k), 16) for k in range(8)
    ]
