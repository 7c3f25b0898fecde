"""References against other definitions: exact fractions, or the real function that fixed point
stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, erf, floor

import numpy as np
import pytest

from bench.inputs import Array
from bench.quantised import (
    ADD_A,
    ADD_B,
    ADD_SHIFT,
    GELU_BITS,
    LEAST,
    MOST,
    MUL_MULTIPLIER,
    MUL_SHIFT,
    ZERO_A,
    ZERO_B,
    ZERO_IN,
    ZERO_OUT,
)
from bench.references import flat, matrices, plain, rows
from bench.references.quantise import (
    divide_by_power,
    gelu,
    high_multiply,
    narrowed,
    power_of_two,
    rounding_shift,
)

HALF = Fraction(1, 2)
EDGES = np.array(
    [
        -(2**31),
        -(2**31) + 1,
        -(2**30),
        -257,
        -256,
        -129,
        -128,
        -127,
        -3,
        -2,
        -1,
        0,
        1,
        2,
        3,
        127,
        128,
        129,
        2**30,
        2**31 - 1,
    ],
    dtype=np.int64,
)


def up(x: Fraction) -> int:
    """Round to nearest, halves up."""
    return floor(x + HALF)


def away(x: Fraction) -> int:
    """Round to nearest, halves away from zero."""
    return floor(x + HALF) if x >= 0 else ceil(x - HALF)


def samples() -> Array:
    return np.concatenate([EDGES, np.random.default_rng(5).integers(-(2**31), 2**31, 2000)])


@pytest.mark.parametrize("shift", [1, 4, 8, 15])
@pytest.mark.parametrize(("function", "rounded"), [(rounding_shift, up), (divide_by_power, away)])
def test_shifts_round_as_they_say(
    shift: int, function: Callable[[Array, int], Array], rounded: Callable[[Fraction], int]
) -> None:
    values = samples()
    assert function(values, shift).tolist() == [
        rounded(Fraction(int(x), 1 << shift)) for x in values
    ]


@pytest.mark.parametrize("multiplier", [1 << 30, (1 << 31) - 1, MUL_MULTIPLIER])
def test_the_high_multiply_rounds_halves_up(multiplier: int) -> None:
    values = samples()
    assert high_multiply(values, multiplier).tolist() == [
        up(Fraction(int(x) * multiplier, 1 << 31)) for x in values
    ]


def test_what_does_not_fit_is_an_error() -> None:
    assert narrowed(np.array([-128, 127], dtype=np.int64), "int8").dtype == np.int8
    with pytest.raises(OverflowError, match="values from -129 to 5 do not fit int8"):
        narrowed(np.array([-129, 5], dtype=np.int64), "int8")


def test_powers_of_two_are_close() -> None:
    steps = np.arange(0, 12 * 256)
    assert np.abs(power_of_two(steps) / 2**15 - 2.0 ** (-steps / 256)).max() < 0.004


def test_gelu_is_close() -> None:
    x = np.arange(-32768, 32768)
    real = np.array([v / 2 * (1 + erf(v / 2**0.5)) for v in (x / 2**GELU_BITS).tolist()])
    assert np.abs(gelu(x) / 2**GELU_BITS - real).max() < 0.02


def test_softmax_is_close_and_sums_to_one() -> None:
    (values,) = rows.rows(np.random.default_rng(2))
    got = rows.softmax([values])
    power = 2.0 ** (values.astype(float) * (9 / 256))
    assert np.abs(got - np.minimum(256 * power / power.sum(axis=1, keepdims=True), 255)).max() < 1.5


def test_l2norm_is_close() -> None:
    (values,) = rows.rows(np.random.default_rng(2))
    centred = values.astype(float) - ZERO_IN
    length = np.maximum(np.sqrt((centred**2).sum(axis=1, keepdims=True)), 1)
    assert np.abs(rows.l2norm([values]) - np.clip(128 * centred / length + 128, 0, 255)).max() < 0.6


def test_quantised_addition_and_multiplication_are_close() -> None:
    a, b = flat.streams("uint8", "uint8")(np.random.default_rng(2))
    x, y = a.astype(float) - ZERO_A, b.astype(float) - ZERO_B
    added = np.clip((x * ADD_A + y * ADD_B) / 2**ADD_SHIFT + ZERO_OUT, LEAST, MOST)
    multiplied = np.clip(x * y * MUL_MULTIPLIER / 2.0 ** (31 + MUL_SHIFT) + ZERO_OUT, LEAST, MOST)
    assert np.abs(flat.add([a, b]) - added).max() <= 0.5
    assert np.abs(flat.mul([a, b]) - multiplied).max() < 0.6


def test_blending_is_the_nearest_byte() -> None:
    front, back, mask = plain.streams(3, "uint8")(np.random.default_rng(2))
    exact = [
        up(Fraction(int(f) * int(m) + int(b) * (255 - int(m)), 255))
        for f, b, m in zip(front, back, mask, strict=True)
    ]
    assert plain.alpha_blend([front, back, mask]).tolist() == exact


def test_a_bias_moves_every_row() -> None:
    a, b, bias = matrices.biased(np.random.default_rng(2))
    assert np.array_equal(
        matrices.bias_add([a, b, bias]) - matrices.matmul([a, b]),
        np.broadcast_to(bias, (a.shape[0], bias.size)),
    )
