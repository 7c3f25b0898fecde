"""Boolean and choice circuits over handles of a solver session."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from isel.ir.build import band, bnot, bor, eq, extract, ite, ule, zext
from isel.ir.expr import Expr, const, var
from isel.smt.bitwuzla_solver import Session

Handle = int


@cache
def _a(width: int) -> Expr:
    return var("a", width)


@cache
def _b(width: int) -> Expr:
    return var("b", width)


@cache
def _ite(width: int) -> Expr:
    return ite(var("c", 1), _a(width), _b(width))


def bits_for(count: int) -> int:
    """Return the bits of an index below ``count`` (at least one)."""
    return max(1, (count - 1).bit_length())


class Index:
    """An unknown number below ``count``, with its single bits and its tests built once."""

    def __init__(self, session: Session, count: int) -> None:
        self.session = session
        self.count = count
        self.width = bits_for(count)
        self.handle = session.fresh(self.width)
        self._bits: list[Handle] = []
        self._is: dict[int, Handle] = {}

    def constraint(self) -> Handle:
        """Return the bit that says the number is below ``count``."""
        return self.session.inline(
            ule(_a(self.width), const(self.count - 1, self.width)), {_a(self.width): self.handle}
        )

    def bit(self, k: int) -> Handle:
        """Return bit ``k``."""
        if not self._bits:
            a = _a(self.width)
            self._bits = [
                self.session.inline(extract(a, i, 1), {a: self.handle}) for i in range(self.width)
            ]
        return self._bits[k]

    def equals(self, value: int) -> Handle:
        """Return the bit that says the number is ``value``."""
        found = self._is.get(value)
        if found is None:
            a = _a(self.width)
            found = self._is[value] = self.session.inline(
                eq(a, const(value, self.width)), {a: self.handle}
            )
        return found

    def choose(self, options: Sequence[Handle | None], width: int) -> Handle | None:
        """Return the option with this number as a tree of choices; ``None`` options stand for
        any value.
        """
        return self._tree(options, 0, self.width - 1, width)

    def _tree(
        self, options: Sequence[Handle | None], low: int, level: int, width: int
    ) -> Handle | None:
        if low >= len(options):
            return None
        if level < 0:
            return options[low]
        no = self._tree(options, low, level - 1, width)
        yes = self._tree(options, low + (1 << level), level - 1, width)
        if yes is None or no is None or yes == no:
            return no if yes is None else yes
        return self.session.inline(
            _ite(width), {var("c", 1): self.bit(level), _a(width): yes, _b(width): no}
        )


class Gates:
    """Connectives on one-bit handles."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.true = session.inline(const(1, 1), {})

    def both(self, x: Handle, y: Handle) -> Handle:
        """Return the conjunction."""
        return self.session.inline(band(_a(1), _b(1)), {_a(1): x, _b(1): y})

    def all(self, xs: Sequence[Handle]) -> Handle:
        """Return the conjunction of any number of bits."""
        result = self.true
        for i, x in enumerate(xs):
            result = self.both(result, x) if i else x
        return result

    def any(self, xs: Sequence[Handle]) -> Handle:
        """Return the disjunction of any number of bits."""
        if not xs:
            return self.inverse(self.true)
        result = xs[0]
        for x in xs[1:]:
            result = self.session.inline(bor(_a(1), _b(1)), {_a(1): result, _b(1): x})
        return result

    def inverse(self, x: Handle) -> Handle:
        """Return the negation."""
        return self.session.inline(bnot(_a(1)), {_a(1): x})

    def at_most(self, x: Handle, xw: int, y: Handle, yw: int) -> Handle:
        """Return the bit that says x <= y, unsigned, of any widths."""
        w = max(xw, yw)
        return self.session.inline(ule(zext(_a(xw), w), zext(_b(yw), w)), {_a(xw): x, _b(yw): y})

    def same(self, x: Handle, xw: int, y: Handle, yw: int) -> Handle:
        """Return the bit that says x == y, of any widths."""
        w = max(xw, yw)
        return self.session.inline(eq(zext(_a(xw), w), zext(_b(yw), w)), {_a(xw): x, _b(yw): y})

    def require(self, x: Handle) -> None:
        """Assert a bit."""
        self.session.require_handle(x)

    def forbid(self, xs: Sequence[Handle]) -> None:
        """Assert that not all of the bits hold."""
        self.session.require_handle(self.inverse(self.all(xs)))

    def implies(self, x: Handle, y: Handle) -> None:
        """Assert that y holds where x does."""
        self.session.require_handle(self.any([self.inverse(x), y]))
