"""Expansions recognised in terms: what :mod:`isel.rules.derived` would make of the operands that a
term seems to have.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Final, Protocol

from isel.ir.expr import Expr, elem, leaves
from isel.rules.recognise import recognised
from isel.spec.sem_syntax import Call, Name, Node, Number
from semantics.importing.functions import truth_table
from semantics.importing.values import low_bits, unsigned

_PLAIN: Final = ("smin", "smax", "umin", "umax", "usub_sat", "uabsdiff")
_NAMES: Final = (
    *("sadd_sat", "uadd_sat", "ssub_sat", "sat_s", "sat_su", "sat_u"),
    *(*_PLAIN, "abs", "popcount", "ctlz"),
)
_SHORT: Final = 4  # bits of what is written as choices, though it counts leading zeros


class Writer(Protocol):
    """What is asked of the writer of formulas, :class:`semantics.importing.nodes.Writer`."""

    @property
    def immediates(self) -> Mapping[str, int]:
        """The immediates and the bits of each that can differ from 0."""
        ...

    def operand(self, e: Expr) -> Node:
        """Write a term as an operand of an operation."""
        ...

    def with_width(self, e: Expr) -> Node:
        """Write a term with its width."""
        ...

    def term(self, e: Expr) -> Node:
        """Write a term."""
        ...


def derived(w: Writer, e: Expr) -> Node | None:
    """Recognise the operations that have a name of their own."""
    use = next(recognised(e, _NAMES), None)
    if use is None or (use.op == "ctlz" and e.width <= _SHORT):
        return None
    first, *rest = use.args
    node = w.operand(first) if use.op in _PLAIN else w.with_width(first)
    return Call(use.op, (node, *map(w.operand, rest), *map(Number, use.attributes)))


def masked_truth(w: Writer, e: Expr) -> Node | None:
    """Recognise the function of three operands that an immediate is the truth table of."""
    if e.op != "or" or e.width == 1:
        return None
    tables = {x.source for x in leaves(e) if x.source in w.immediates}
    operands = [x for x in leaves(e) if x.source not in w.immediates]
    if len(tables) != 1 or len(operands) != 3:
        return None
    (name,) = tables
    table = unsigned(elem(name, 0, 8))
    for a, b, c in permutations(operands):
        if low_bits(truth_table(table, unsigned(a), unsigned(b), unsigned(c)), e.width) is e:
            return Call("truth", (Name(name), w.term(a), w.term(b), w.term(c)))
    return None


RULES = (derived, masked_truth)
