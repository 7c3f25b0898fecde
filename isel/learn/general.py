"""Rules of two terms: at which widths they hold, shown for all values of small widths and by
solvers at those of elements; what fails at some is said as a condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from isel.errors import SyntaxProblem
from isel.learn.samples import Given
from isel.learn.term import Term, leaf
from isel.rules.books import DERIVED, book
from isel.rules.number import calls, read
from isel.rules.parse import parse_rules
from isel.rules.proofs import LEARNED
from isel.rules.prove import Checker, prove
from isel.rules.small import check_small
from isel.rules.syntax import Rule, Sizes
from isel.smt.query import Sat, Unsat

FILE: Final = f"isel/rules/{LEARNED}/new.rules"
_WIDE: Final = "2*w"
_ELEMENTS: Final = (8, 16, 32, 64)
_FLOORS: Final = ("", "1 < w", "2 < w", "3 < w")  # below which literals do not fit


@dataclass(frozen=True, slots=True)
class Learned:
    """A rule as text without its name, and the widths at which it was proved."""

    text: str
    left: Term
    right: Term
    sizes: tuple[Sizes, ...]

    def as_rule(self, name: str) -> Rule:
        """Return it as a rule of a learned book, whose derived operations stay what they are."""
        return _parse(f"{name}: {self.text}", whole=True)


def prove_at_widths(left: Term, right: Term, given: Given, checker: Checker) -> Learned | None:
    """Return a rule with the fewest conditions under which it is true, None where solvers do not
    show it at any width.
    """
    if not left.leaves | right.leaves <= left.binds:
        return None
    about: Sequence[str] = [c for c in given.conditions if _names(c) <= left.leaves]
    for name in sorted(n for n in left.leaves if n.isupper()):
        left, right, about = _fold_literal(name, left, right, about)
    for conditions, small in _premises(about):
        premise = f"\n    if {', '.join(conditions)}" if conditions else ""
        text = f"{left.left_text(set(), given.bit)}\n    => {right.text}{premise}"
        sizes = _sizes(_parse(f"rule: {text}"), checker, small=small)
        if sizes:
            return Learned(text, left, right, sizes)
    return None


def _fold_literal(
    name: str, left: Term, right: Term, about: Sequence[str]
) -> tuple[Term, Term, Sequence[str]]:
    """Return a rule in which a literal that is extended is a wide one, as graphs have it."""
    wide = leaf(name, _WIDE)
    for op in ("zext", "sext"):
        short = Term(op, (_WIDE,), (leaf(name),), _WIDE)
        found = left.replace(short, wide)
        if found is left or found.replace(leaf(name), wide) is not found:
            continue
        right = right.replace(leaf(name), leaf(f"({name})"))
        if op == "sext":
            limits = [f"-2**(w-1) <= s({name})", f"s({name}) < 2**(w-1)"]
            return found, right, [*about, *limits]
        signs = {f"0 <= s({name})": f"{name} < 2**(w-1)", f"s({name}) < 0": f"2**(w-1) <= {name}"}
        return found, right, [f"{name} < 2**w", *(signs.get(c, c) for c in about)]
    return left, right, about


def _names(condition: str) -> frozenset[str]:
    return frozenset(name for _, name in calls(read(condition)))


def _premises(about: Sequence[str]) -> Iterator[tuple[Sequence[str], bool]]:
    """Yield conditions, each with whether they hold at small widths."""
    for floor in _FLOORS:
        yield [*filter(None, [floor]), *about], True
    for w in _ELEMENTS[:3]:
        yield [f"w == {w}", *about], False


def _sizes(rule: Rule, checker: Checker, *, small: bool) -> tuple[Sizes, ...]:
    """Return the widths at which a rule was proved; none where it is false at one."""
    found: list[Sizes] = []
    if small:
        try:
            found += check_small(rule)
        except SyntaxProblem:
            return ()
    for w in _ELEMENTS:
        answer = prove(rule, (w,), checker)
        if isinstance(answer, Sat):
            return ()
        if isinstance(answer, Unsat):
            found.append((w,))
    return tuple(dict.fromkeys(found)) if any(w >= _ELEMENTS[0] for (w,) in found) else ()


def _parse(text: str, *, whole: bool = False) -> Rule:
    known = book(DERIVED, whole=whole).definitions
    (rule,) = parse_rules(text, FILE, known, whole=whole).rules
    return rule
