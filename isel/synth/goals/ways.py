"""Which instructions give the values that a goal asks for: one function for all its classes,
the cheapest first.
"""

from __future__ import annotations

from itertools import islice, product
from typing import Final, TypeAlias

from isel.ir.expr import Expr, leaves
from isel.spec.known import Ints
from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneClass
from isel.synth.layout.bounds import NEVER, Bounds
from isel.synth.layout.elements import Elements
from isel.synth.values.lanefn import LaneFn
from isel.synth.values.questions import Edge

Banned: TypeAlias = tuple[Expr, LaneFn | Edge]
Option: TypeAlias = tuple[int, Form, dict[LaneClass, Edge]]
_MAX_COMBINATIONS: Final = 32


class Ways:
    """The forms for classes of lanes; ``banned`` functions and edges are not used for the terms
    they are banned for.
    """

    def __init__(
        self, library: Library, elements: Elements, bounds: Bounds, banned: frozenset[Banned]
    ) -> None:
        self._library = library
        self._elements = elements
        self._bounds = bounds
        self._banned = banned
        self._sized: dict[tuple[tuple[LaneClass, ...], int, int], bool] = {}
        self._options: dict[tuple[tuple[LaneClass, ...], int], list[Option]] = {}

    def options(self, classes: tuple[LaneClass, ...], bits: int) -> list[Option]:
        """Return (lower bound, form, edge of each class), cheapest first, of equal ones those that
        wrap: one function serves all lanes.
        """
        found = self._options.get((classes, bits))
        if found is None:
            found = self._options[classes, bits] = self._forms_of(classes, bits)
        return found

    def few(self, classes: tuple[LaneClass, ...], bits: int, most: int) -> list[Option]:
        """Return the first of these options, without those that repeat one element of an operand
        where the function has one that does not: a repeated value does for that; and the first
        that finds pairs as they lie in memory.
        """
        found: list[Option] = []
        for option in self.options(classes, bits):
            form = option[1]
            forms = self._library.forms(form.fn, bits)
            if not (form.repeats and any(not f.repeats for f in forms)):
                found.append(option)
            if len(found) == most:
                break
        every = self.options(classes, bits) if self._library.pairwise else ()
        natural = (o for o in every if not self._apart(o[1], o[2]) and o not in found)
        return [*found, *islice(natural, 1)]

    def _forms_of(self, classes: tuple[LaneClass, ...], bits: int) -> list[Option]:
        per_class: list[dict[LaneFn, list[Edge]]] = []
        for c in classes:
            by_fn: dict[LaneFn, list[Edge]] = {}
            for e in self._elements.graph.edges(c):
                if self._banned.isdisjoint(((c.term, e.fn), (c.term, e))):
                    by_fn.setdefault(e.fn, []).append(e)
            per_class.append(by_fn)
        options: list[tuple[int, int, Form, dict[LaneClass, Edge]]] = []
        for first in per_class[0].values():
            fn = first[0].fn
            forms = self._library.forms(fn, bits)
            if not forms or any(fn not in d for d in per_class):
                continue
            for combination in islice(product(*(d[fn] for d in per_class)), _MAX_COMBINATIONS):
                edges = dict(zip(classes, combination, strict=True))
                for form in forms:
                    least = self._form_bound(form, edges)
                    if least < NEVER:
                        options.append((least, len(options), form, edges))
        options.sort(key=lambda o: (o[0], o[2].fn.saturates, self._apart(o[2], o[3]), o[1]))
        return [(least, form, edges) for least, _, form, edges in options]

    def _apart(self, form: Form, edges: dict[LaneClass, Edge]) -> int:
        """Return 0 for a form that finds two operands in one register, where one lies behind the
        other in memory; 2 where it does not, 1 for all other forms.
        """
        pair = self._library.pairwise.get(form.fn)
        if pair is None or len({int(form.operand[k][0]) for k in pair}) > 1:
            return 1
        return 0 if all(_behind(c, *(e.args[k] for k in pair)) for c, e in edges.items()) else 2

    def _form_bound(self, form: Form, edges: dict[LaneClass, Edge]) -> int:
        total = form.cost
        for o, holes in zip(form.instruction.operands, form.holes_of_operand, strict=True):
            args = [(c, e.args[k]) for c, e in edges.items() for k in holes]
            inner = [h for c, a in args if (h := self._bounds.argument(c, a)) is not None]
            literals = any(not a.args and a.is_const for _, a in args)
            least = self._bounds.least_of(inner, o.bits)
            total += max(least, self._bounds.prices.constant if literals else 0)
        return total

    def orders(self, form: Form, edges: dict[LaneClass, Edge]) -> list[Ints]:
        """Return the orders in which a pack reads its operands, see
        :meth:`isel.synth.instructions.form.Form.orders`.
        """
        if not form.packs:
            return []
        inner = (
            h for c, e in edges.items() if (h := self._bounds.argument(c, e.args[0])) is not None
        )
        fns = dict.fromkeys(e.fn for h in inner for e in self._elements.graph.edges(h))
        return form.orders(
            [f for fn in fns for f in self._library.forms(fn, form.instruction.operands[0].bits)]
        )

    def only_at(self, classes: tuple[LaneClass, ...], size: int, bits: int) -> bool:
        """Tell whether some function of these classes has results of ``size`` bits but none of
        ``bits``.
        """
        key = (classes, size, bits)
        found = self._sized.get(key)
        if found is None:
            fns = dict.fromkeys(e.fn for c in classes for e in self._elements.graph.edges(c))
            found = self._sized[key] = any(
                self._library.forms(f, size) and not self._library.forms(f, bits) for f in fns
            )
        return found


def _behind(c: LaneClass, a: Expr, b: Expr) -> bool:
    """Tell whether what ``b`` reads begins where what ``a`` reads ends."""
    if not all(x in c.order for e in (a, b) for x in leaves(e)) or a.is_const or b.is_const:
        return False
    ends: dict[str, int] = {}
    firsts: dict[str, int] = {}
    for x in leaves(a):
        source, at = c.order[x]
        ends[source] = max(at + x.width, ends.get(source, 0))
    for x in leaves(b):
        source, at = c.order[x]
        firsts[source] = min(at, firsts.get(source, at))
    return ends == firsts
