"""What rules make, as functions of Python that call the simplifying constructors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from isel.ir.build import make, sext, zext
from isel.ir.expr import Expr, const
from isel.rules.number import Number, Tree
from isel.rules.syntax import Fold, Leaf, Pattern, Rule, Swappable, Value
from isel.rules.words import NAMES, function, words

Make: TypeAlias = Callable[[tuple[int, ...], tuple[Expr, ...]], Expr]
_NAMES: Final[Mapping[str, object]] = {
    **NAMES,
    "_make": make,
    "_const": const,
    "_zext": zext,
    "_sext": sext,
}


def maker(rule: Rule, p: Pattern, more: tuple[str, ...] = ()) -> Make:
    """Return what makes the term of a pattern from the integers of a rule and its terms.

    Terms come before literals; ``more`` are names of terms that the rule does not bind.
    """
    found = function("made", source(rule, p, more=more), _NAMES)
    assert callable(found)
    return found


def source(
    rule: Rule,
    p: Pattern,
    *,
    more: tuple[str, ...] = (),
    head: str = "def made(sizes, terms):",
    number: Callable[[Tree, Rule], str] = words,
) -> str:
    """Return the text of the function; ``head`` begins it, ``number`` says integers."""
    terms = "".join(f"t_{n}, " for n in (*rule.terms, *rule.literals, *more))
    sizes = "".join(f"n_{n}, " for n in rule.sizes)
    writer = _Writer(rule, number)
    result = writer.term(p)
    lines = [f"{sizes or '_unused'} = sizes", f"{terms or '_unused'} = terms", *writer.lines]
    return "\n ".join([head, *lines, f"return {result}\n"])


class _Writer:
    """Writes a line for each operation; what is shared is made once."""

    def __init__(self, rule: Rule, number: Callable[[Tree, Rule], str]) -> None:
        self.rule = rule
        self.number = number
        self.lines: list[str] = []
        self.done: dict[int, str] = {}
        self.inner: dict[str, str] = {}
        self.depth = ""
        self.count = 0

    def term(self, p: Pattern) -> str:
        """Return the name of a term, whose lines are written."""
        found = self.done.get(id(p))
        if found is None:
            found = self.done[id(p)] = self._term(p)
        return found

    def _named(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"{self.depth}e{self.count} = {text}")
        return f"e{self.count}"

    def _number(self, n: Number) -> str:
        return self.number(n.tree, self.rule)

    def _term(self, p: Pattern) -> str:
        match p:
            case Leaf():
                return self.inner.get(p.name, f"t_{p.name}")
            case Value():
                return self._named(f"_const({self._number(p.number)}, {self._number(p.width)})")
            case Swappable():
                names = [self.term(a) for a in p.args]
                self.inner.update(zip((h.name for h in p.holes), names, strict=True))
                return self.term(p.body)
            case Fold():
                return self._fold(p)
        args = ", ".join(self.term(a) for a in p.args)
        attributes = ", ".join(self._number(n) for n in p.attributes)
        if p.op in ("zext", "sext"):
            return self._named(f"_{p.op}({args}, {attributes})")
        return self._named(f"_make({p.op!r}, ({args},), ({attributes}{',' * bool(attributes)}))")

    def _fold(self, p: Fold) -> str:
        total = self._named(self.term(p.start))
        self.lines.append(f"{self.depth}for n_{p.index} in range({self._number(p.count)}):")
        kept, self.done, self.depth = self.done, {}, f"{self.depth} "
        self.inner[p.total] = total
        made = self.term(p.body)
        self.lines.append(f"{self.depth}{total} = {made}")
        self.done, self.depth = kept, self.depth[1:]
        return total
