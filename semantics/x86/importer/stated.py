"""Formulas stated here because the guide's loops carry a position that depends on the mask;
each is checked by running its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from semantics.x86.importer.spec import Intrinsic


@dataclass(frozen=True, slots=True)
class Formula:
    """A name, a reason, whose it is, and the formula of a lane with its definitions, given
    lanes and width.
    """

    name: str
    reason: str
    names: re.Pattern[str]
    lane: Callable[[int, int], str]
    definitions: Callable[[int], list[tuple[str, str]]]


def _mask(lanes: int) -> list[tuple[str, str]]:
    return [("K", f"fold(concat, q0 < {lanes}, k[q0])")]


def _compressed(lanes: int, width: int) -> str:
    chosen = f"k[q0] & eq(popcount(K << {lanes} - q0), i)"
    return f"fold(|, q0 < {lanes}, mask_of({chosen}, {width}) & a[q0])"


def _expanded(lanes: int, width: int) -> str:
    return f"pick(a, 0, {lanes}, trunc(popcount(K << {lanes} - i), {lanes.bit_length() - 1}))"


FORMULAS: Final = (
    Formula(
        "compress",
        "element q goes to lane i where it is selected and i selected ones are below it; above all "
        "selected ones the source remains",
        re.compile(r"_mm(256|512)?_mask_compress_epi(8|16|32|64)"),
        lambda n, w: f"{_compressed(n, w)} | (ult(i, popcount(K)) ? 0 : src[i])",
        _mask,
    ),
    Formula(
        "compress-zero",
        "element q goes to lane i where it is selected and i selected ones are below it; above all "
        "selected ones there are zeros",
        re.compile(r"_mm(256|512)?_maskz_compress_epi(8|16|32|64)"),
        _compressed,
        _mask,
    ),
    Formula(
        "expand",
        "a selected lane takes the element whose number is that of the selected lanes below it",
        re.compile(r"_mm(256|512)?_mask_expand_epi(8|16|32|64)"),
        lambda n, w: f"k[i] ? {_expanded(n, w)} : src[i]",
        _mask,
    ),
    Formula(
        "expand-zero",
        "a selected lane takes the element whose number is that of the selected lanes below it",
        re.compile(r"_mm(256|512)?_maskz_expand_epi(8|16|32|64)"),
        lambda n, w: f"k[i] ? {_expanded(n, w)} : 0",
        _mask,
    ),
)


def formula_for(entry: Intrinsic) -> Formula | None:
    """Return the formula that is stated for an entry, or None."""
    return next((f for f in FORMULAS if f.names.fullmatch(entry.name)), None)
