"""Rules applied to terms: each is matched as a graph would be of which a class is one node.

The first that fits, all that fit, and until none fits any more.  Derived operations in patterns are
what they are defined as; where their operands may be swapped, these are looked at last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TypeAlias

from isel.egraph.match import FOUND_NAMES, Writer
from isel.egraph.parts import is_literal
from isel.ir.build import make
from isel.ir.canon import formal
from isel.ir.expr import Expr, unseen
from isel.ir.ops import OPS
from isel.rules.books import book, rule_of
from isel.rules.make import Make, maker
from isel.rules.proofs import Proofs, proofs
from isel.rules.syntax import Apply, Guard, Leaf, Pattern, Rule, Sizes, Swappable, leaves
from isel.rules.words import function, words

Ask: TypeAlias = Callable[..., bool]
Match: TypeAlias = Callable[[Expr], Iterator[tuple[Sizes, tuple[Expr, ...]]]]


def matcher(rule: Rule) -> Match:
    """Return what yields the ways in which a term is the left side of a rule: the values of the
    rule's integers, and the terms that its terms and its literals are.
    """
    found = function("match", _Writer(rule).text(rule.left), FOUND_NAMES)
    assert callable(found)
    return found


class _Writer(Writer):
    """Writes the function for terms; what leaves no choice is checked first."""

    head = "def match(n0):"
    words = staticmethod(words)

    def __init__(self, rule: Rule) -> None:
        super().__init__(rule)
        self.holes: dict[str, Swappable] = {}
        self.filled: dict[str, str] = {}
        self.later: list[tuple[tuple[Pattern, Pattern], str]] = []

    def _root(self, left: Pattern) -> None:
        self._pattern(left, "n0")

    def _drain(self) -> None:
        super()._drain()
        while self.later:
            args, given = self.later.pop(0)
            first, second = given.split(", ")
            inner = self._fresh(), self._fresh()
            self._loop(f"for {', '.join(inner)} in (({given}), ({second}, {first})):")
            self.queue += zip(args, inner, strict=True)
            super()._drain()

    def _width(self, path: str) -> str:
        return f"{path}.width"

    def _value(self, path: str) -> str:
        return f"({path}.value if {path}.op == 'const' else None)"

    def _node(self, p: Apply, path: str) -> str:
        self._unless(f"{path}.op == {p.op!r}")
        return path

    def _is_bound(self, p: Pattern) -> bool:
        return False

    def _pattern(self, p: Pattern, path: str) -> None:
        if isinstance(p, Swappable):
            self.holes |= dict.fromkeys((h.name for h in p.holes), p)
            p = p.body
        super()._pattern(p, path)

    def _operation(self, p: Apply, node: str) -> None:
        for k, number in enumerate(p.attributes):
            self._integer(f"{node}.attr[{k}]", number)
        names, args = [self._fresh() for _ in p.args], p.args
        self._line(f"{', '.join(names)}, = {node}.args")
        if OPS[p.op].commutes:
            first, second = args
            if not (is_literal(first) or is_literal(second)):
                self.later.append(((first, second), ", ".join(names)))
                return
            args = tuple(sorted(args, key=is_literal))  # terms have literals on the right
        self.queue += zip(args, names, strict=True)

    def _leaf(self, p: Leaf, path: str) -> None:
        """Look at both operands, either way round, once it is known what is in their places."""
        if p.name not in self.holes:
            super()._leaf(p, path)
        elif p.name in self.filled:
            self._unless(f"{path} is {self.filled[p.name]}")
        else:
            self.filled[p.name] = path
            whole = self.holes[p.name]
            if all(h.name in self.filled for h in whole.holes):
                given = ", ".join(self.filled[h.name] for h in whole.holes)
                self.later.append((whole.args, given))


def outline(p: Pattern) -> tuple[str, str]:
    """Return the operation at the root of a pattern, and that of its first operand, empty where it
    may be any.
    """
    while isinstance(p, Swappable):
        p = p.body
    if not isinstance(p, Apply):
        return "const" if is_literal(p) else "", ""
    return p.op, "" if OPS[p.op].commutes else outline(p.args[0])[0]


def _asker(rule: Rule, g: Guard, ask: Ask) -> Callable[[Sizes, tuple[Expr, ...]], bool]:
    """Return what answers a guard; formals stand for the terms in it that a rule does not bind."""
    bound = {*rule.terms, *rule.literals}
    some = (x for p in g.patterns for x in leaves(p) if x.name not in bound)
    free = {x.name: x.width.value for x in some if x.width is not None}
    makers = [maker(rule, p, tuple(free)) for p in g.patterns]

    def answer(sizes: Sizes, terms: tuple[Expr, ...]) -> bool:
        named = dict(zip(rule.sizes, sizes, strict=True))
        more = [formal(k, width(named)) for k, width in enumerate(free.values())]
        return ask(*(m(sizes, (*terms, *more)) for m in makers))

    return answer


class _Ready:
    """A rule whose parts are compiled when they are first of use."""

    def __init__(self, rule: Rule, guards: Mapping[str, Ask]) -> None:
        self.rule = rule
        self._guards = guards

    @cached_property
    def match(self) -> Match:
        return matcher(self.rule)

    @cached_property
    def make(self) -> Make:
        return maker(self.rule, self.rule.right)

    @cached_property
    def questions(self) -> list[Callable[[Sizes, tuple[Expr, ...]], bool]]:
        return [_asker(self.rule, g, self._guards[g.name]) for g in self.rule.guards]


class RuleSet:
    """Rules in the order in which they are tried; ``guards`` answer their questions."""

    def __init__(
        self,
        rules: Sequence[Rule],
        guards: Mapping[str, Ask] | None = None,
        known: Proofs | None = None,
    ) -> None:
        self._proofs = known or proofs()
        self._rules: dict[str, list[tuple[str, _Ready]]] = {}
        for rule in rules:
            op, below = outline(rule.left)
            self._rules.setdefault(op, []).append((below, _Ready(rule, guards or {})))

    def first(self, e: Expr) -> Expr | None:
        """Return what the first rule that applies at the root makes of a term."""
        return next((made for _, made in self.every(e)), None)

    def every(self, e: Expr) -> Iterator[tuple[Rule, Expr]]:
        """Yield what rules make of a term at its root, once for each way in which one matches."""
        for below, ready in self._rules.get(e.op, ()):
            if below in ("", e.args[0].op):
                for made in self._made(ready, e):
                    self._proofs.used[ready.rule.name] += 1
                    yield ready.rule, made

    def _made(self, r: _Ready, e: Expr) -> Iterator[Expr]:
        for sizes, terms in r.match(e):
            if all(ask(sizes, terms) for ask in r.questions) and self._proofs.holds(r.rule, sizes):
                made = r.make(sizes, terms)
                if made is not e:
                    yield made


@cache
def ruled(subject: str, *names: str) -> RuleSet:
    """Return the rules of a book in its order, or those of some names in theirs."""
    return RuleSet([rule_of(subject, n, whole=False) for n in names] or book(subject).rules)


class Fixpoint:
    """Rewrites terms from the leaves up until ``step`` changes nothing any more."""

    def __init__(self, step: Callable[[Expr], Expr | None]) -> None:
        self._step = step
        self._done: dict[Expr, Expr] = {}

    def __call__(self, root: Expr) -> Expr:
        """Return an equal term."""
        done = self._done
        for e in unseen(root, done):
            args = tuple([done[a] for a in e.args])
            done[e] = self._settled(make(e.op, args, e.attr)) if args else e
        return done[root]

    def _settled(self, e: Expr) -> Expr:
        """Return a term over settled operands in its final form."""
        made = self._step(e)
        if made is None or made is e:
            return e
        self._done[e] = e  # what leads back to it ends there
        return self(made)
