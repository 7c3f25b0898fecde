"""Rounds: swizzles that together hold every element of one register or two once again, where each
bit of a place's number is a bit of the number of the place that it is filled from.

What such forms exchange is read off their gather maps: of two registers, one form gives the places
whose missing bit is 0 and its partner those where it is 1 (both halves of an interleave, lanes of
even and of odd number). Halves of two registers are exchanged by whatever puts halves together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from isel.spec.known import Ints
from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library
from isel.synth.layout.bounds import Prices
from isel.synth.layout.plans import Plans
from isel.synth.limits import WORD

_Placed: TypeAlias = tuple[Form, bool, Ints]


@dataclass(frozen=True, eq=False)
class Round:
    """One form of one register, or two of the same two, which a form may read in the other order;
    without forms the halves of two.

    ``back`` says for each place of what they read which place of what they give holds it.
    """

    forms: tuple[tuple[Form, bool], ...]
    back: Ints
    cost: int

    def apply(self, plans: Plans, width: int, held: tuple[int, ...]) -> list[int]:
        """Return the plans, in elements of ``width`` bits, of what it makes of registers."""
        made = (plans.apply(f, held[::-1] if other else held) for f, other in self.forms)
        found = [plans.view(p, width) for p in made]
        half = len(self.back) // 4
        for first in () if found else (0, half):
            parts = [plans.part(width, p, first, half) for p in held]
            found.append(plans.join(width, parts, self.cost // 2))
        return found


@lru_cache(maxsize=64)
def rounds_of(library: Library, bits: int, width: int, prices: Prices) -> tuple[Round, ...]:
    """Return the rounds of registers of ``bits`` bits in elements of ``width``, one for each
    exchange, the cheapest first.
    """
    lanes, found = bits // width, dict[bytes, Round]()
    if lanes < 2 or lanes & (lanes - 1):
        return ()
    forms = {x[2].tobytes(): x for x in reversed(list(_places(library, bits, width)))}
    for first in reversed(forms.values()):
        every = lanes * len(first[0].instruction.operands)
        if both := _partners(forms, first, every):
            given = np.concatenate([places for _, _, places in both])
            made = tuple((form, other) for form, other, _ in both)
            new = Round(made, np.argsort(given), sum(f.cost for f, _ in made))
            found.setdefault(given.tobytes(), new)
    halves = np.arange(2 * lanes).reshape(2, 2, -1).swapaxes(0, 1).ravel()
    if bits // 2 * (bits >= 2 * WORD) in library.sizes:
        found.setdefault(halves.tobytes(), Round((), np.argsort(halves), 2 * prices.join))
    return tuple(sorted(found.values(), key=lambda r: r.cost))


def _places(library: Library, bits: int, width: int) -> Iterator[_Placed]:
    """Yield the swizzles of one register or two, whether in the other order, and for each lane the
    number of the place that it is filled from.
    """
    for form in library.swizzles(bits, width):
        given = form.instruction.operands
        if len(given) <= 2 and all(o.bits == bits for o in given):
            operand, index = form.table(width)
            yield form, bool(operand[0]), (operand ^ operand[0]) * (bits // width) + index


def _partners(forms: Mapping[bytes, _Placed], first: _Placed, every: int) -> list[_Placed]:
    """Return a form with its partner, alone where it needs none, nothing where it has none."""
    missing = _missing_bit(first[2], every)
    if not missing:
        return [] if missing is None else [first]
    partner = forms.get((first[2] + missing).tobytes())
    return [] if partner is None else [first, partner]


def _missing_bit(places: Ints, every: int) -> int | None:
    """Return the bit of ``every`` place that no bit of a lane's number is, 0 where they have one
    for each; None where bits are not exchanged for bits.
    """
    lanes, left, total = np.arange(len(places)), every - 1, np.zeros_like(places)
    for k in range(len(places).bit_length() - 1):
        bit = int(places[1 << k])
        if bit <= 0 or bit & (bit - 1) or not left & bit:
            return None
        left -= bit
        total += (lanes >> k & 1) * bit
    return left if bool((total == places).all()) else None
