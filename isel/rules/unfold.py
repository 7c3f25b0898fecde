"""Derived operations in patterns replaced by what they are defined as."""

from __future__ import annotations

from collections.abc import Mapping

from isel.ir.ops import OPS, choice, joined
from isel.rules.number import Number, Tree, replaced
from isel.rules.syntax import Apply, Fold, Leaf, Pattern, Rule, Swappable, Value


def unfolded(
    definition: Rule, attributes: tuple[Number, ...], args: tuple[Pattern, ...], at: int
) -> Pattern:
    """Return the expansion of a derived operation."""
    if not definition.commutes:
        return _expansion(definition, attributes, args, at)
    first, second = args
    holes = tuple(Leaf(f"%{k}.{at}", width_of(a), False, at) for k, a in enumerate(args))
    body = _expansion(definition, attributes, holes, at)
    return Swappable(body, (holes[0], holes[1]), (first, second), at)


def _expansion(
    definition: Rule, attributes: tuple[Number, ...], args: tuple[Pattern, ...], at: int
) -> Pattern:
    assert isinstance(definition.left, Apply)
    sizes = {
        str(n.name): x.tree for n, x in zip(definition.left.attributes, attributes, strict=True)
    }
    given: dict[str, Pattern] = {}
    for p, arg in zip(definition.left.args, args, strict=True):
        assert isinstance(p, Leaf) and p.width is not None
        given[p.name] = arg
        if p.width.name is not None and p.width.name not in sizes:
            sizes[p.width.name] = width_of(arg).tree
    return _Unfolding(sizes, given, at).pattern(definition.right)


class _Unfolding:
    """One copy of an expansion; what is shared in it stays shared."""

    def __init__(self, sizes: Mapping[str, Tree], given: Mapping[str, Pattern], at: int) -> None:
        self.sizes = sizes
        self.given = given
        self.at = at
        self.done: dict[int, Pattern] = {}
        self.count = 0

    def pattern(self, p: Pattern) -> Pattern:
        found = self.done.get(id(p))
        if found is None:
            found = self.done[id(p)] = self._copy(p)
        return found

    def _copy(self, p: Pattern) -> Pattern:
        match p:
            case Leaf():
                return self.given.get(p.name, p)
            case Value():
                return Value(self._number(p.number), self._number(p.width), self.at)
            case Apply():
                numbers = tuple(self._number(n) for n in p.attributes)
                return Apply(p.op, numbers, tuple(self.pattern(a) for a in p.args), self.at)
            case Fold():
                start, body = self.pattern(p.start), self.pattern(p.body)
                return Fold(p.total, start, p.index, self._number(p.count), body, self.at)
            case Swappable():
                first, second = (self.pattern(a) for a in p.args)
                self.count += 1
                holes = [
                    Leaf(f"%{k}.{self.at}.{self.count}", width_of(a), False, self.at)
                    for k, a in enumerate((first, second))
                ]
                inner = dict(zip((h.name for h in p.holes), holes, strict=True))
                body = _Unfolding(self.sizes, {**self.given, **inner}, self.at).pattern(p.body)
                return Swappable(body, (holes[0], holes[1]), (first, second), self.at)

    def _number(self, n: Number) -> Number:
        return Number(replaced(n.tree, self.sizes), self.at)


def width_of(p: Pattern) -> Number:
    """Return the width of a pattern; raises ``KeyError`` for a leaf that has none here."""
    match p:
        case Leaf():
            if p.width is None:
                raise KeyError(p.name)
            return p.width
        case Value():
            return p.width
        case Fold():
            return width_of(p.start)
        case Swappable():
            return width_of(p.body)
    if p.op in ("zext", "sext", "extract"):
        return p.attributes[-1]
    rule = OPS[p.op].rule
    if OPS[p.op].boolean:
        return Number(1, p.at)
    if rule is joined:
        high, low = (width_of(a).tree for a in p.args)
        return Number(("+", high, low), p.at)
    return width_of(p.args[1 if rule is choice else 0])
