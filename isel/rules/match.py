"""Patterns as functions of Python: a list of checks, and a loop where operands may be swapped.

The source is made of the pattern and compiled when it is first of use: ``e1`` and so on are terms
below the root, ``t_x`` the rule's terms, ``n_w`` its integers.  What leaves no choice is checked
first, conditions last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from isel.ir.expr import Expr
from isel.ir.ops import OPS
from isel.rules.number import Number
from isel.rules.syntax import Apply, Fold, Leaf, Pattern, Rule, Swappable, Value
from isel.rules.words import NAMES, function, words

Found: TypeAlias = tuple[tuple[int, ...], tuple[Expr, ...]]
Match: TypeAlias = Callable[[Expr], Iterator[Found]]


def matcher(rule: Rule) -> Match:
    """Return what yields the ways in which a term is the left side of a rule.

    Of each the values of the rule's integers, and the terms that its terms and its literals are.
    """
    found = function("match", source(rule), NAMES)
    assert callable(found)
    return found


def outline(p: Pattern) -> tuple[str | None, tuple[str | None, ...]]:
    """Return the operator at the root of a pattern and those below, None where it may be any."""
    while isinstance(p, Swappable):
        p = p.body
    if not isinstance(p, Apply):
        return ("const" if _literal(p) else None), ()
    below = tuple(None if OPS[p.op].commutes else outline(a)[0] for a in p.args)
    return p.op, below


def _literal(p: Pattern) -> bool:
    return isinstance(p, Value) or (isinstance(p, Leaf) and p.literal)


def source(rule: Rule) -> str:
    """Return the text of the function that matches a rule's left side."""
    return _Writer(rule).text()


class _Writer:
    """Writes the function."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.lines: list[str] = []
        self.depth = 0
        self.bound: set[str] = set()
        self.where: dict[int, str] = {}
        self.holes: dict[str, str] = {}
        self.swapped: dict[str, Swappable] = {}
        self.pending: list[tuple[str, Number, Value | None]] = []
        self.later: list[tuple[tuple[Pattern, Pattern], str, str]] = []
        self.count = 0

    def text(self) -> str:
        queue: list[tuple[Pattern, str]] = [(self.rule.left, "e0")]
        while queue or self.later:
            if queue:
                p, path = queue.pop(0)
                queue.extend(self._checks(p, path))
                self._settle()
                continue
            args, first, second = self.later.pop(0)
            inner = self._fresh(2)
            self._line(f"for {inner} in (({first}, {second}), ({second}, {first})):")
            self.depth += 1
            queue.extend(zip(args, inner.split(", "), strict=True))
        assert not self.pending, self.rule.name
        for condition in (*self.rule.conditions, *self.rule.limits):
            self._unless(words(condition.tree, self.rule))
        sizes = "".join(f"n_{n}, " for n in self.rule.sizes)
        terms = "".join(f"t_{n}, " for n in (*self.rule.terms, *self.rule.literals))
        self._line(f"yield ({sizes}), ({terms})")
        return "\n".join(["def match(e0):", *self.lines, ""])

    def _line(self, text: str) -> None:
        self.lines.append(f"{' ' * (self.depth + 1)}{text}")

    def _unless(self, condition: str) -> None:
        self._line(f"if not ({condition}): {'continue' if self.depth else 'return'}")

    def _fresh(self, count: int) -> str:
        self.count += count
        return ", ".join(f"e{self.count - count + 1 + k}" for k in range(count))

    def _checks(self, p: Pattern, path: str) -> list[tuple[Pattern, str]]:
        """Write the checks of one pattern; return those inside of it."""
        if id(p) in self.where:
            self._unless(f"{path} is {self.where[id(p)]}")
            return []
        self.where[id(p)] = path
        match p:
            case Leaf():
                self._leaf(p, path)
            case Value():
                self._unless(f"{path}.op == 'const'")
                self._integer(f"{path}.width", p.width)
                self._value(p, path)
            case Apply():
                return self._apply(p, path)
            case Swappable():
                self.swapped |= {h.name: p for h in p.holes}
                return [(p.body, path)]
            case Fold():
                raise NotImplementedError(f"'{self.rule.name}' has a fold on its left")
        return []

    def _value(self, p: Value, path: str) -> None:
        """Bind the name of a literal's value, or check the value."""
        name = p.number.name
        if name is None or name in self.rule.literals or f"n_{name}" in self.bound:
            self.pending.append((path, p.number, p))
            return
        self._line(f"n_{name} = {path}.value")
        self.bound.add(f"n_{name}")

    def _apply(self, p: Apply, path: str) -> list[tuple[Pattern, str]]:
        if path != "e0":
            self._unless(f"{path}.op == {p.op!r}")
        for k, number in enumerate(p.attributes):
            self._integer(f"{path}.attr[{k}]", number)
        inner = self._fresh(len(p.args))
        self._line(f"{inner}, = {path}.args")
        names = inner.split(", ")
        if OPS[p.op].commutes:
            first, second = p.args
            if not (_literal(first) or _literal(second)):
                self.later.append(((first, second), names[0], names[1]))
                return []
            if _literal(first):  # terms have literals on the right
                return [(second, names[0]), (first, names[1])]
        return list(zip(p.args, names, strict=True))

    def _leaf(self, p: Leaf, path: str) -> None:
        if p.name in self.swapped:
            self._hole(p, path)
            return
        if f"t_{p.name}" in self.bound:
            self._unless(f"{path} is t_{p.name}")
            return
        if p.literal:
            self._unless(f"{path}.op == 'const'")
        self._line(f"t_{p.name} = {path}")
        self.bound.add(f"t_{p.name}")
        self._integer(f"{path}.width", self.rule.width_of(p.name))

    def _hole(self, p: Leaf, path: str) -> None:
        """Note what an operand is; once both are known they are looked at, either way round."""
        if p.name in self.holes:
            self._unless(f"{path} is {self.holes[p.name]}")
            return
        self.holes[p.name] = path
        whole = self.swapped[p.name]
        first, second = (self.holes.get(h.name) for h in whole.holes)
        if first is not None and second is not None:
            self.later.append((whole.args, first, second))

    def _integer(self, path: str, number: Number) -> None:
        """Bind a name, or check what was bound or is computed."""
        if number.name is not None and f"n_{number.name}" not in self.bound:
            self._line(f"n_{number.name} = {path}")
            self.bound.add(f"n_{number.name}")
            return
        self.pending.append((path, number, None))

    def _settle(self) -> None:
        """Write the checks all of whose names are bound."""
        left = []
        for path, number, value in self.pending:
            every = number.uses | (value.width.uses if value else frozenset())
            names = {f"t_{n}" if n in self.rule.literals else f"n_{n}" for n in every}
            if not names <= self.bound:
                left.append((path, number, value))
                continue
            wanted = words(number.tree, self.rule)
            if value is not None:  # a literal's value is never negative
                wanted = f"({wanted}) & (1 << {path}.width) - 1"
                path = f"{path}.value"
            self._unless(f"{path} == {wanted}")
        self.pending = left
