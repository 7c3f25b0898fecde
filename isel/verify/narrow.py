"""Terms at the least width that their bits allow, with sums in one order: what is equal is then
often identical.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from isel.ir.build import extract, make, sext, trunc, zext
from isel.ir.expr import Expr, const, unseen
from isel.ir.linear import linear
from isel.ir.ranges import range_of

_MODULAR = frozenset({"add", "sub", "mul", "and", "or", "xor", "neg", "not"})
_DEEPEST = 100  # operations within each other that a truncation is moved through
_UNSIGNED = {"ult": "ult", "ule": "ule", "slt": "ult", "sle": "ule", "eq": "eq"}


@dataclass
class Narrower:
    """Rewrites terms; one object must serve all terms that are to be compared."""

    done: dict[Expr, Expr] = field(default_factory=dict)
    order: dict[Expr, int] = field(default_factory=dict)
    depth: int = 0

    def narrow(self, root: Expr) -> Expr:
        """Return an equal term."""
        for e in unseen(root, self.done):
            self.done[e] = self._step(e, [self.done[a] for a in e.args]) if e.args else e
        return self.done[root]

    def _step(self, e: Expr, args: Sequence[Expr]) -> Expr:
        made = make(e.op, tuple(args), e.attr)
        if not made.args:
            return made
        match made.op:
            case "add" | "sub" | "mul" | "neg" | "and" | "or" | "xor" | "ite":
                return self._arithmetic(made)
            case "lshr" if made.args[1].is_const and made.args[1].value:
                n = made.args[1].value
                return self.narrow_again(zext(extract(made.args[0], n, made.width - n), made.width))
            case "ashr" if made.args[1].is_const and 0 < made.args[1].value < made.width:
                n = made.args[1].value
                return self.narrow_again(sext(extract(made.args[0], n, made.width - n), made.width))
            case "extract" if made.int_attr(0) == 0 and made.args[0].op in (*_MODULAR, "ite"):
                return self._inside(made.args[0], made.width)
            case "eq" | "ult" | "ule" | "slt" | "sle":
                return self._compare(made)
        return made

    def narrow_again(self, e: Expr) -> Expr:
        """Return a term made of narrowed parts, narrowed."""
        found = self.done.get(e)
        if found is None:
            found = self.done[e] = e if not e.args else self._shallow(e)
        return found

    def _shallow(self, e: Expr) -> Expr:
        if e.op == "extract" and e.int_attr(0) == 0 and e.args[0].op in (*_MODULAR, "ite"):
            return self._inside(e.args[0], e.width)
        if e.op in ("zext", "sext") and e.args[0].op == "extract":
            inner = self._shallow(e.args[0])
            return make(e.op, (inner,), e.attr)
        return e

    def _inside(self, e: Expr, width: int) -> Expr:
        """Truncate the operands of a modular operation instead of its result, unless it is too
        far down.
        """
        if self.depth >= _DEEPEST:
            return trunc(e, width)
        self.depth += 1
        parts = tuple(
            a if e.op == "ite" and k == 0 else self.narrow_again(trunc(a, width))
            for k, a in enumerate(e.args)
        )
        self.depth -= 1
        return self._arithmetic(make(e.op, parts))

    def _arithmetic(self, e: Expr) -> Expr:
        if e.op not in ("add", "sub", "mul", "neg", "and", "or", "xor", "ite"):
            return e
        r = range_of(e)
        k, s = r.unsigned_bits, r.signed_bits
        if k < e.width and e.op not in ("sub", "neg"):
            return zext(self._inside(e, k), e.width)
        if s < e.width:
            return sext(self._inside(e, s), e.width)
        return self._sum(e) if e.op in ("add", "sub", "neg") else e

    def _sum(self, e: Expr) -> Expr:
        form, mask = linear(e), (1 << e.width) - 1
        constant = form.constant
        terms = {p[0].at(e.width): c for p, c in form.parts.items() if p}
        ordered = sorted((x for x in terms if terms[x] & mask), key=self._number)
        plus = [
            _scaled(x, terms[x] & mask) for x in ordered if not _negative(terms[x] & mask, e.width)
        ]
        minus = [
            _scaled(x, -terms[x] & mask) for x in ordered if _negative(terms[x] & mask, e.width)
        ]
        plus += [const(constant, e.width)] if constant & mask or not plus else []
        total = _fold(lambda a, c: make("add", (a, c)), plus)
        return _fold(lambda a, c: make("sub", (a, c)), [total, *minus])

    def _number(self, e: Expr) -> int:
        return self.order.setdefault(e, len(self.order))

    def _compare(self, e: Expr) -> Expr:
        a, b = e.args
        p, q = range_of(a), range_of(b)
        k = max(p.unsigned_bits, q.unsigned_bits)
        if k < e.args[0].width:
            return make(
                _UNSIGNED[e.op], (self.narrow_again(trunc(a, k)), self.narrow_again(trunc(b, k)))
            )
        s = max(p.signed_bits, q.signed_bits)
        if s < a.width and e.op in ("slt", "sle", "eq"):
            return make(e.op, (self.narrow_again(trunc(a, s)), self.narrow_again(trunc(b, s))))
        return e


def _fold(op: Callable[[Expr, Expr], Expr], parts: Sequence[Expr]) -> Expr:
    result = parts[0]
    for p in parts[1:]:
        result = op(result, p)
    return result


def _negative(factor: int, width: int) -> bool:
    return width > 1 and factor >> (width - 1) == 1


def _scaled(e: Expr, factor: int) -> Expr:
    return e if factor == 1 else make("mul", (e, const(factor, e.width)))
