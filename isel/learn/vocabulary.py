"""The operations of lanes that a target has instructions for, and what each costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from isel.egraph.limits import NEVER
from isel.ir.ops import OPS
from isel.learn.limits import MOST_OPERANDS
from isel.learn.samples import WIDTHS
from isel.learn.term import Term, apply, integer, leaf
from isel.rules.books import definitions
from isel.rules.syntax import Apply
from isel.synth.instructions.library import Library
from isel.synth.lift import lifter_of
from isel.synth.limits import BYTE

_PLAIN: Final = ("add", "sub", "and", "or", "xor", "mul")
_SHIFTS: Final = ("shl", "lshr", "ashr")
_AMOUNTS: Final = ("1", "w - 1")
LITERALS: Final = ("0", "1", "-1", "2**(w-1)", "2**(w-1) - 1")
OF_LITERALS: Final = ("{} + 1", "{} - 1", "-{}", "-{} - 1", "2*{}")


@dataclass(frozen=True, slots=True)
class Word:
    """An operation of one or two lanes, by a literal amount where it shifts, the choice of one by
    a ``bit``; ``prices`` by width, in
    hundredths of a cycle a register.
    """

    op: str
    arity: int
    prices: tuple[int, ...]
    commutes: bool = False
    amount: str = ""
    bit: str = ""

    def of(self, *args: Term) -> Term:
        """Return the operation of operands."""
        first = [leaf(self.bit, "1")] if self.bit else []
        return apply(self.op, *first, *args, *([leaf(self.amount)] if self.amount else []))


def vocabulary(library: Library) -> tuple[Word, ...]:
    """Return the operations in which operands and result have one width, and that some instruction
    does at some width.
    """
    found = (
        Word(op, arity, _prices(library, op, arity, amount), commutes, amount)
        for op, arity, commutes, amount in _operations()
    )
    return tuple(w for w in found if any(p < NEVER for p in w.prices))


def available(library: Library) -> frozenset[str]:
    """Return the operations that rules for a target may use beside those of every machine."""
    return frozenset(w.op for w in vocabulary(library))


def choice(library: Library, bit: str) -> Word:
    """Return the choice by a bit."""
    price = lifter_of(library).price
    prices = (price("ite", (), w, (1, w, w), (None,) * 3) for w in WIDTHS)
    return Word("ite", 2, tuple(prices), bit=bit)


def _operations() -> Iterator[tuple[str, int, bool, str]]:
    """Yield operations of one width: name, operands, whether these may swap, amount of a shift."""
    yield from ((op, OPS[op].arity, op != "sub", "") for op in _PLAIN)
    yield from ((op, 1, False, amount) for op, amount in product(_SHIFTS, _AMOUNTS))
    for op, rule in definitions().items():
        left = rule.left
        widths = {rule.width_of(name).name for name in rule.terms}
        if isinstance(left, Apply) and not left.attributes and len(left.args) <= MOST_OPERANDS:
            if len(widths) == 1 and None not in widths:
                yield op, len(left.args), rule.commutes, ""


def _prices(library: Library, op: str, arity: int, amount: str) -> tuple[int, ...]:
    """Return what an operation costs at each width; what is written out, if that is not dear."""
    price, most = lifter_of(library).price, lifter_of(library).dear
    found = []
    for w in WIDTHS:
        values = (None, integer(amount, w)) if amount else (None,) * arity
        cost = price(op, (), w, (w,) * len(values), values)
        found.append(cost if cost <= most * w // BYTE else NEVER)
    return tuple(found)
