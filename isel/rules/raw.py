"""Terms of patterns as proofs see them: typed and interned, and nothing else.

A rule must not be proved by terms that rules made: :func:`instance` uses only
:func:`isel.ir.expr.term`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Final

from isel.ir.expr import Expr, const, term, var
from isel.ir.ops import WidthError
from isel.rules.conditions import Assumptions
from isel.rules.syntax import Fold, Leaf, Pattern, Rule, Swappable, Value, patterns
from isel.rules.syntax import leaves as leaves_of

_EXTENSIONS: Final = ("zext", "sext")


@dataclass(frozen=True, slots=True)
class Instance:
    """A rule at given widths: where bit ``premise`` is 1, each of ``lefts`` must be ``right``."""

    premise: Expr
    lefts: tuple[Expr, ...]
    right: Expr

    @property
    def wrong(self) -> Expr:
        """The one-bit term that is 1 exactly where the rule is false."""
        equal = [term("eq", left, self.right) for left in self.lefts]
        return term("and", self.premise, term("not", reduce(lambda a, b: term("and", a, b), equal)))


def instance(rule: Rule, sizes: Mapping[str, int]) -> Instance | None:
    """Return a rule at given widths and attributes; None where these cannot be.

    Raises :class:`WidthError` where the sides have different widths.
    """
    if not all(c.value(sizes) for c in rule.conditions if rule.is_static(c)):
        return None
    try:
        found = _instance(rule, sizes)
    except WidthError:
        return None
    for x in found.lefts:
        if x.width != found.right.width:
            raise WidthError(f"{x.width} bits are not {found.right.width} bits")
    return found


def _instance(rule: Rule, sizes: Mapping[str, int]) -> Instance:
    widths = ((x.name, x.width) for x in leaves_of(rule.left))
    leaves = {name: var(name, w.value(sizes)) for name, w in widths if w is not None}
    assumptions = Assumptions(sizes, leaves)
    said = [assumptions.condition(c.tree) for c in rule.conditions if not rule.is_static(c)]
    premise = reduce(lambda a, b: term("and", a, b), said, const(1, 1))
    build = _Raw(sizes, leaves, assumptions)
    # what defines is its expansion: only that its operands may be swapped is to be shown
    left = rule.right if rule.defines else rule.left
    lefts = tuple(dict.fromkeys(build.chosen(left, ways) for ways in choices(left)))
    if rule.defines and rule.commutes:
        lefts = (build.swapped(left, rule.terms), *lefts)
    return Instance(premise, lefts, build.chosen(rule.right, {}))


def choices(root: Pattern) -> Iterator[Mapping[int, int]]:
    """Yield every way to have the operands of operations in a pattern in either order."""
    either = [id(p) for p in patterns(root) if isinstance(p, Swappable)]
    for ways in product((0, 1), repeat=len(either)):
        yield dict(zip(either, ways, strict=True))


class _Raw:
    """Builds raw terms, in which literals of rules are unknowns; shared patterns are built once."""

    def __init__(
        self, sizes: Mapping[str, int], leaves: Mapping[str, Expr], assumptions: Assumptions
    ) -> None:
        self.sizes = dict(sizes)
        self.leaves = dict(leaves)
        self.assumptions = assumptions
        self.ways: Mapping[int, int] = {}
        self.done: dict[int, Expr] = {}

    def chosen(self, p: Pattern, ways: Mapping[int, int]) -> Expr:
        """Return a term, each derived operation in it as ``ways`` says, or as it is written."""
        self.ways, self.done = ways, {}
        return self.term(p)

    def term(self, p: Pattern) -> Expr:
        found = self.done.get(id(p))
        if found is None:
            found = self.done[id(p)] = self._term(p)
        return found

    def _term(self, p: Pattern) -> Expr:
        match p:
            case Leaf():
                return self.leaves[p.name]
            case Value():
                return self._literal(p)
            case Swappable():
                given = [self.term(a) for a in p.args]
                names = (h.name for h in p.holes)
                self.leaves.update(
                    zip(names, given[:: -1 if self.ways.get(id(p)) else 1], strict=True)
                )
                return self.term(p.body)
            case Fold():
                return self._fold(p)
        args = tuple([self.term(a) for a in p.args])
        attributes = tuple([n.value(self.sizes) for n in p.attributes])
        if p.op in _EXTENSIONS and attributes[0] == args[0].width:
            return args[0]  # in the words of rules as wide as before is no change
        return term(p.op, *args, attr=attributes)

    def _literal(self, p: Value) -> Expr:
        self.assumptions.sizes = self.sizes
        return self.assumptions.value(p.number.tree, p.width.value(self.sizes))

    def _fold(self, p: Fold) -> Expr:
        total = self.term(p.start)
        for index in range(p.count.value(self.sizes)):
            self.sizes[p.index], self.leaves[p.total] = index, total
            kept, self.done = self.done, {}
            total = self.term(p.body)
            self.done = kept
        return total

    def swapped(self, p: Pattern, names: tuple[str, ...]) -> Expr:
        """Return a term of two leaves with each in the place of the other."""
        first, second = names
        kept = dict(self.leaves)
        self.leaves |= {first: kept[second], second: kept[first]}
        found = self.chosen(p, {})
        self.leaves = kept
        return found
