"""Normal forms of lane terms, for comparing instructions: slices of elements are elements, sums are
sorted.

Every step is an equality of bit-vectors (``tests/equiv_classes/test_normal.py`` evaluates both
sides), so two lanes with one normal form are equal.  Unlike :mod:`isel.ir.build` it forgets how
wide an access was, and orders operands by structure alone: widths, literals and offsets, which
become parameters, have no say before a tie.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache

from isel.ir.build import make
from isel.ir.expr import Expr, const, elem, leaves, term, unseen
from isel.ir.ops import OPS

_BITWISE = ("and", "or", "xor", "not")
_MODULAR = ("add", "sub", "mul", "neg")
_NEGATED = {"slt": "sle", "sle": "slt", "ult": "ule", "ule": "ult"}
_STRICT = {"sle": "slt", "ule": "ult"}


@cache
def shape(e: Expr) -> bytes:
    """Return a hash of the operators of a term: leaves, literals, widths and attributes do not
    count.
    """
    if not e.args:
        return b"c" if e.is_const else b"e"
    return hashlib.blake2b(
        b"(".join([e.op.encode(), *(shape(a) for a in e.args)]), digest_size=8
    ).digest()


class Normalizer:
    """Normal forms for terms over the operands of one instruction; ``rank`` orders the operands
    by declaration.
    """

    def __init__(self, rank: Mapping[str, int]) -> None:
        self._rank = rank
        self._done: dict[Expr, Expr] = {}
        self._keys: dict[Expr, tuple[int, bytes, tuple[tuple[int, int], ...], str]] = {}

    def __call__(self, root: Expr) -> Expr:
        """Return an equal term in normal form."""
        done = self._done
        for e in unseen(root, done):
            done[e] = self._rule(e.op, tuple(done[a] for a in e.args), e.attr) if e.args else e
        return done[root]

    def key(self, e: Expr) -> tuple[int, bytes, tuple[tuple[int, int], ...], str]:
        """Return what orders the operands of a commutative primitive: structure, then operands
        and offsets, then text; literals last.
        """
        found = self._keys.get(e)
        if found is None:
            places = tuple(
                (self._rank.get(x.source, len(self._rank)), x.offset if x.op == "elem" else 0)
                for x in leaves(e)
            )
            text = repr(e) if e.is_const else ""
            found = self._keys[e] = (int(e.is_const), shape(e), places, text)
        return found

    def _rule(self, op: str, args: tuple[Expr, ...], attr: tuple[int | str, ...]) -> Expr:
        plain = make(op, args, attr)
        if not plain.args:
            return plain
        if plain.op != op or (plain.args != args and not OPS[op].commutes):
            return self(plain)
        if op == "extract":
            return self._extract(plain.args[0], plain.int_attr(0), plain.width)
        if op == "concat":
            return _joined(*plain.args)
        if op == "not" and plain.args[0].op in _NEGATED:
            a, b = plain.args[0].args
            return term(_NEGATED[plain.args[0].op], b, a)
        if op == "ite":
            return self._ite(*plain.args)
        if OPS[op].associates:
            return self._sum(op, self._terms(op, plain.args))
        if OPS[op].commutes:
            return term(op, *sorted(plain.args, key=self.key))
        return plain

    def _terms(self, op: str, args: tuple[Expr, ...]) -> list[Expr]:
        """Return the operands of a nest of one associative primitive."""
        found: list[Expr] = []
        stack = list(args)[::-1]
        while stack:
            e = stack.pop()
            if e.op == op:
                stack.extend(reversed(e.args))
            else:
                found.append(e)
        return found

    def _sum(self, op: str, terms: list[Expr]) -> Expr:
        terms.sort(key=self.key)
        while len(terms) > 1 and terms[-1].is_const and terms[-2].is_const:
            terms[-2:] = [make(op, (terms[-2], terms[-1]))]
        result = terms[0]
        for e in terms[1:]:
            result = term(op, result, e)
        return result

    def _extract(self, a: Expr, low: int, width: int) -> Expr:
        if a.op == "elem":
            return elem(a.source, a.offset + low, width)
        if a.op in _BITWISE or (a.op in _MODULAR and low == 0):
            return self._rule(
                a.op, tuple(self(make("extract", (x,), (low, width))) for x in a.args), ()
            )
        if a.op == "ite" and width == 1 and all(x.is_const for x in a.args[1:]):
            return self._rule(
                "ite", (a.args[0], *(make("extract", (x,), (low, width)) for x in a.args[1:])), ()
            )
        if a.op in ("lshr", "shl") and a.args[1].is_const:
            at = low + a.args[1].value if a.op == "lshr" else low - a.args[1].value
            if at >= a.width and a.op == "lshr":
                return const(0, width)
            if at >= 0 and at + width <= a.width:
                return self(make("extract", (a.args[0],), (at, width)))
        if a.op == "concat" and low < a.args[1].width < low + width:
            k = a.args[1].width
            whole = _joined(
                self(make("extract", (a.args[0],), (0, low + width - k))),
                self(make("extract", (a.args[1],), (low, k - low))),
            )
            if whole.op == "elem":
                return whole
        return term("extract", a, attr=(low, width))

    def _ite(self, c: Expr, a: Expr, b: Expr) -> Expr:
        if c.op in _STRICT:
            c, a, b = term(_STRICT[c.op], c.args[1], c.args[0]), b, a
        if a.width == 1 and b.is_const and b.value == 0:
            return self._sum("and", self._terms("and", (c, a)))
        if c.op in ("slt", "ult"):
            p, q = c.args
            if {p, q} == {a, b} and self.key(q) < self.key(p):  # minima and maxima are symmetric
                c, a, b = term(c.op, q, p), b, a
                return term("ite", c, a, b)
        return term("ite", c, a, b)


def _joined(hi: Expr, lo: Expr) -> Expr:
    """Concatenate; neighbours in one operand become one element, and a nest leans to the right."""
    if hi.op == "concat":
        return _joined(hi.args[0], _joined(hi.args[1], lo))
    if (
        hi.op == "elem"
        and lo.op == "elem"
        and hi.source == lo.source
        and hi.offset == lo.offset + lo.width
    ):
        return elem(lo.source, lo.offset, lo.width + hi.width)
    if hi.op == "elem" and lo.op == "concat":
        mid = lo.args[0]
        if mid.op == "elem" and hi.source == mid.source and hi.offset == mid.offset + mid.width:
            return _joined(elem(mid.source, mid.offset, mid.width + hi.width), lo.args[1])
    return term("concat", hi, lo)
