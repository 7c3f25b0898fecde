"""What rules look at, in a line each: the index from which they are looked up.

``python -m isel.egraph.outline`` prints it; it is a function of the books.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

from isel.egraph.graph import SUM, commutes
from isel.egraph.parts import parts_of, root_of
from isel.errors import SyntaxProblem
from isel.ir.ops import OPS
from isel.rules.books import FITS, RULED, book, every_learned, stamp
from isel.rules.syntax import Apply, Fold, Pattern, Rule, children, patterns

_HEAD: Final = """\
# Rules of graphs by what they look at, by 'make prove-rules'; books with a hash of what they say.
# Of each: name, way, whether it says what a term is, the operation of its root and of the first
# operand, how deep it looks, whether only where a register may hold it, the operations it needs.
"""
_SPELLINGS: Final = "spellings"
_ANY_WIDTH: Final = ("umin", "umax", "smin", "smax", "abs", "sat_s", "sat_su", "sat_u")


def text() -> str:
    """Return the index of all books; raises :class:`SyntaxProblem` where two rules have a name."""
    books = (*RULED, *every_learned())
    every = [r for name in books for r in book(name, whole=True).rules]
    count = Counter(r.name for r in every)
    for r in every:
        if count[r.name] > 1:
            raise SyntaxProblem(f"another rule '{r.name}'", r.source, r.at, r.file)
    lines = (x for name in books for x in (f"@ {name} {stamp(name)}", *rows_of(name)))
    return "\n".join([_HEAD.rstrip(), *lines, "@\n"])


def rows_of(name: str) -> list[str]:
    """Return the rows of a book."""
    return [row for rule in book(name, whole=True).rules for row in _rows(rule)]


def row_of_learned(rule: Rule) -> str:
    """Return the row of a learned rule."""
    (one,) = _rows(rule)
    return one


def _rows(rule: Rule) -> Iterator[str]:
    """Yield the directions of a rule.

    Definitions and rules that go both ways say what their right and what their left side is; a
    learned one what its left side is, if its right one is a derived operation of leaves.
    """
    if rule.is_learned:
        yield row(rule, spells=not _is_known(rule.right))
    elif rule.name not in FITS and not any(isinstance(p, Fold) for p in patterns(rule.right)):
        yield from _ways(rule)


def _ways(rule: Rule) -> Iterator[str]:
    sides = ((rule.left, rule.right), (rule.right, rule.left))
    for k, (left, right) in enumerate(sides[: 1 + rule.turns]):
        spells = (_rank(right), k) <= (_rank(left), 0) if rule.turns else _only_spells(rule)
        if isinstance(left, Apply) and not (spells and rule.defines and _extends(right)):
            yield row(rule, turned=k == 1, spells=spells)


def row(rule: Rule, *, turned: bool = False, spells: bool = False) -> str:
    """Return the row of a rule in one direction."""
    left, right = (rule.right, rule.left) if turned else (rule.left, rule.right)
    plain = isinstance(right, Apply) and right.op not in OPS and right.op not in _ANY_WIDTH
    return " ".join(
        (
            rule.name,
            "turned" if turned else "as",
            "spells" if spells else "says",
            root_of(left),
            _below(left) or "-",
            str(_depth(left)),
            "plain" if plain else "any",
            ",".join(sorted({*_needs(left)})),
        )
    )


def _below(p: Pattern) -> str:
    """Return the operation of the first operand of a pattern, where that is looked for there."""
    if not isinstance(p, Apply) or not p.args or root_of(p) == SUM:
        return ""
    inner = p.args[0]
    if not isinstance(inner, Apply) or (len(p.args) == 2 and commutes(p.op)):
        return ""
    return root_of(inner)


def _needs(p: Pattern) -> Iterator[str]:
    """Yield the operations of the nodes without which a pattern is nowhere in a graph."""
    if isinstance(p, Apply):
        yield root_of(p)
        for a in p.args if root_of(p) != SUM else [x.pattern for x in parts_of(p) or ()]:
            yield from _needs(a)


def _depth(p: Pattern) -> int:
    """Return how far below a class what a pattern looks at may be."""
    if not isinstance(p, Apply):
        return 0
    below = p.args if root_of(p) != SUM else [x.pattern for x in parts_of(p) or ()]
    return 1 + max(map(_depth, below))


def _only_spells(rule: Rule) -> bool:
    return rule.file.endswith(f"{_SPELLINGS}.rules")


def _rank(p: Pattern) -> int:
    """Tell how much an operation says of what a term is: derived ones, then casts and slices."""
    op = p.op if isinstance(p, Apply) else ""
    return 1 if op in ("zext", "sext", "extract") else 2 * (op not in OPS)


def _is_known(p: Pattern) -> bool:
    return _rank(p) == 2 and not any(map(children, children(p)))


def _extends(p: Pattern) -> bool:
    return any(isinstance(x, Apply) and x.op in ("zext", "sext") for x in patterns(p))


if __name__ == "__main__":
    sys.stdout.write(text())
