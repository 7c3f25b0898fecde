"""The values: what a lane is, as a function of its inputs in integers wide enough.

A value is written once, for a :class:`Writer` that says how operations are spelled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bench.spellings.writer import Term, Writer

Build = Callable[[Writer, Sequence[Term]], Term]


@dataclass(frozen=True, slots=True)
class Value:
    """A named value: the types of its inputs, that of its result (u8, i16, ...), and how it is
    built.
    """

    name: str
    inputs: tuple[str, ...]
    result: str
    build: Build


def _clip8(w: Writer, x: Term) -> Term:
    return w.clip(x, 0, 255)


def _clip16(w: Writer, x: Term) -> Term:
    return w.clip(x, -32768, 32767)


def _div255(w: Writer, x: Term) -> Term:
    t = x + 128
    return (t + (t >> 8)) >> 8


def _quantised_add(w: Writer, v: Sequence[Term]) -> Term:
    a, b = (v[0] - 12) * 77, (v[1] - 130) * 51
    return _clip8(w, ((a + b + 64) >> 7) + 11)


VALUES: Final = (
    Value("sum_clipped", ("u8", "u8"), "u8", lambda w, v: _clip8(w, v[0] + v[1])),
    Value("difference_clipped", ("u8", "u8"), "u8", lambda w, v: _clip8(w, v[0] - v[1])),
    Value("sum_of_signed", ("u8", "i8"), "u8", lambda w, v: _clip8(w, v[0] + v[1])),
    Value("brightened", ("u8",), "u8", lambda w, v: _clip8(w, v[0] + 40)),
    Value("darkened", ("u8",), "u8", lambda w, v: _clip8(w, v[0] - 40)),
    Value("words_added", ("i16", "i16"), "i16", lambda w, v: _clip16(w, v[0] + v[1])),
    Value("words_subtracted", ("i16", "i16"), "i16", lambda w, v: _clip16(w, v[0] - v[1])),
    Value("words_to_bytes", ("i16",), "u8", lambda w, v: _clip8(w, v[0])),
    Value("words_to_signed", ("i16",), "i8", lambda w, v: w.clip(v[0], -128, 127)),
    Value("mean", ("u8", "u8"), "u8", lambda w, v: (v[0] + v[1] + 1) >> 1),
    Value("mean_down", ("u8", "u8"), "u8", lambda w, v: (v[0] + v[1]) >> 1),
    Value("mean_of_words", ("u16", "u16"), "u16", lambda w, v: (v[0] + v[1] + 1) >> 1),
    Value("one_two_one", ("u8", "u8", "u8"), "u8", lambda w, v: (v[0] + v[1] * 2 + v[2] + 2) >> 2),
    Value(
        "mean_of_four",
        ("u8", "u8", "u8", "u8"),
        "u8",
        lambda w, v: (v[0] + v[1] + v[2] + v[3] + 2) >> 2,
    ),
    Value("distance", ("u8", "u8"), "u8", lambda w, v: w.size(v[0] - v[1])),
    Value(
        "distance_by_order",
        ("u8", "u8"),
        "u8",
        lambda w, v: w.most(v[0], v[1]) - w.least(v[0], v[1]),
    ),
    Value("distance_of_words", ("u16", "u16"), "u16", lambda w, v: w.size(v[0] - v[1])),
    Value("size", ("i8",), "u8", lambda w, v: w.size(v[0])),
    Value("q15", ("i16", "i16"), "i16", lambda w, v: _clip16(w, (v[0] * v[1] + 16384) >> 15)),
    Value("q15_wraps", ("i16", "i16"), "i16", lambda w, v: (v[0] * v[1] + 16384) >> 15),
    Value("high", ("i16", "i16"), "i16", lambda w, v: (v[0] * v[1]) >> 16),
    Value("high_unsigned", ("u16", "u16"), "u16", lambda w, v: (v[0] * v[1]) >> 16),
    Value("scaled", ("i16",), "i16", lambda w, v: (v[0] * 181 + 128) >> 8),
    Value("centred", ("u8",), "i16", lambda w, v: ((v[0] - 128) * 181 + 64) >> 7),
    Value("product_of_bytes", ("u8", "u8"), "u8", lambda w, v: (v[0] * v[1] + 128) >> 8),
    Value("over_255", ("u8", "u8"), "u8", lambda w, v: _div255(w, v[0] * v[1])),
    Value(
        "blend",
        ("u8", "u8", "u8"),
        "u8",
        lambda w, v: _div255(w, v[0] * v[2] + v[1] * (255 - v[2])),
    ),
    Value(
        "over",
        ("u8", "u8", "u8"),
        "u8",
        lambda w, v: _clip8(w, v[0] + _div255(w, v[1] * (255 - v[2]))),
    ),
    Value("weighted", ("u8", "u8"), "u8", lambda w, v: (v[0] * 77 + v[1] * 179 + 128) >> 8),
    Value(
        "grey",
        ("u8", "u8", "u8"),
        "u8",
        lambda w, v: (v[0] * 77 + v[1] * 150 + v[2] * 29 + 128) >> 8,
    ),
    Value("quantised_add", ("u8", "u8"), "u8", _quantised_add),
    Value("requantised", ("i16",), "u8", lambda w, v: _clip8(w, ((v[0] * 77 + 2048) >> 12) + 9)),
    Value("rounded_shift", ("i16",), "u8", lambda w, v: _clip8(w, (v[0] + 32) >> 6)),
    Value("residual", ("u8", "i16"), "u8", lambda w, v: _clip8(w, v[0] + ((v[1] + 32) >> 6))),
    Value(
        "threshold",
        ("u8", "u8"),
        "u8",
        lambda w, v: w.where(v[0] > v[1], w.number(255), w.number(0)),
    ),
    Value(
        "in_range",
        ("u8",),
        "u8",
        lambda w, v: w.where(
            v[0] - 48 < 10, w.where(v[0] > 47, w.number(255), w.number(0)), w.number(0)
        ),
    ),
    Value("relu", ("i16", "i16"), "i16", lambda w, v: w.most(_clip16(w, v[0] + v[1]), w.number(0))),
    Value("halved_difference", ("u8", "u8"), "i8", lambda w, v: (v[0] - v[1]) >> 1),
    Value(
        "six_taps",
        ("u8",) * 6,
        "u8",
        lambda w, v: _clip8(w, (v[0] + v[5] - (v[1] + v[4]) * 5 + (v[2] + v[3]) * 20 + 16) >> 5),
    ),
    Value("contrasted", ("u8",), "u8", lambda w, v: _clip8(w, (((v[0] - 128) * 90) >> 6) + 128)),
)
