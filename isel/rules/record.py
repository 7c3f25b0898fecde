"""The widths at which rules are proved for the shipped list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from isel.rules.books import RULED, book, every_learned
from isel.rules.proofs import Proofs, key
from isel.rules.prove import Checker, claim, prove
from isel.rules.small import check_small, false
from isel.rules.syntax import Rule, Sizes, Value, patterns
from isel.smt.query import Sat, Unsat

WORD: Final = 32
_NATURAL: Final = (1, 8, 16, 32, 64)
_WIDTHS: Final = (
    *(1, 2, 3, 4, 8, 9, 10, 12, 16, 17, 18, 20, 24, 32, 33, 34, 35, 36, 40, 48, 64, 65, 66, 128),
)
_AMOUNTS: Final = (2, 3, 4, 5, 6, 7, 8, 14, 15, 16)
_HEAD: Final = (
    "# Widths at which each rule was proved, by 'make prove-rules': the rule, a hash of its text"
)
SUBJECTS: Final = (*RULED, "clamp", "narrow", "round", "products", "invariants")
_FEW: Final = 2  # integers of a rule for which all pairs of widths are tried


@dataclass(frozen=True, slots=True)
class Record:
    """A rule, the widths at which it was proved, and those at which no solver had an answer."""

    rule: Rule
    proved: tuple[Sizes, ...]
    unknown: tuple[Sizes, ...]

    @property
    def has_word(self) -> bool:
        """Tell whether the rule was proved at 32 bits and more."""
        return any(max(s, default=WORD) >= WORD for s in self.proved)


def candidates(rule: Rule, known: Iterable[Sizes]) -> Iterator[Sizes]:
    """Yield widths that a rule is used at: usual ones, and those that are known already."""
    for sizes in dict.fromkeys([*product(*_ranges(rule)), *sorted(known)]):
        named = dict(zip(rule.sizes, sizes, strict=True))
        if all(n.value(named) for n in rule.limits if rule.is_static(n)):
            yield sizes


def _ranges(rule: Rule) -> list[tuple[int, ...]]:
    """Return the usual values of each integer of a rule."""
    usual = _WIDTHS if len(rule.sizes) <= _FEW and not rule.is_learned else _NATURAL
    values = {p.number.name for p in patterns(rule.left) if isinstance(p, Value)}
    return [_AMOUNTS if name in values else usual for name in rule.sizes]


def record(rule: Rule, known: Proofs, checker: Checker) -> Record:
    """Prove a rule at all small widths for all values, then at its usual ones.

    Raises :class:`isel.errors.SyntaxProblem` where it is false.
    """
    check_small(rule)
    proved: list[Sizes] = []
    unknown: list[Sizes] = []
    for sizes in candidates(rule, known.known(rule)):
        if claim(rule, sizes) is None:
            continue
        answer = prove(rule, sizes, checker)
        if isinstance(answer, Sat):
            raise false(rule, sizes, answer)
        (proved if isinstance(answer, Unsat) else unknown).append(sizes)
    return Record(rule, tuple(proved), tuple(unknown))


def write_proofs(proved: Iterable[tuple[Rule, Iterable[Sizes]]]) -> str:
    """Return the text of a list: a line a rule, in order of names, widths in order."""
    lines = [
        f"{key(rule)}: {' '.join(','.join(map(str, s)) or '-' for s in sorted(sizes))}"
        for rule, sizes in sorted(proved, key=lambda p: p[0].name)
    ]
    return "\n".join([_HEAD, *lines]) + "\n"


def line_of(rule: Rule) -> int:
    """Return the line of its file on which a rule begins."""
    return rule.source.count("\n", 0, rule.at) + 1


def every_rule() -> tuple[Rule, ...]:
    """Return all rules, subject by subject, the learned ones last."""
    return tuple(rule for name in (*SUBJECTS, *every_learned()) for rule in book(name).rules)
