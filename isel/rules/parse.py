"""The text of rules.

    # The low part of a sum is the sum of the low parts.
    narrow.add: (extract 0 n (add x:w y:w)) => (add (extract 0 n x) (extract 0 n y))
        let h = 2**(n-1)
        if n < w, hi(x) < h
        when natural(n) == n, narrows x (extract 0 n x)

A rule begins with its name in the first column.  Terms are written as :mod:`isel.ir.text` prints
them; ``x:w`` is any term of ``w`` bits and binds both names, ``C:w`` in capitals a literal,
``{2**w - 1}:w`` the literal of a computed value.  A bare name as a width, an attribute or a value
(``{c}:w``) is bound by the left side, other expressions are checked.  ``for OP in add, sub`` makes
a rule of each operation, whose name it ends in; ``for OP EXT in lshr zext, ashr sext`` one of each
pair.  ``if`` has what the rule is true under, of literals and of what is known of terms; ``when``
has what it is used under beside that: conditions, and questions to whoever applies it.
``NAME: (op …) <=> …`` defines an operation;
``(fold t START i N BODY)`` is ``t`` after ``N`` steps ``t = BODY``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NoReturn

from isel.errors import SyntaxProblem
from isel.ir.ops import OPS
from isel.rules.conditions import polarity
from isel.rules.number import SIGNED, Mistake, Number, Tree, calls, read, replaced
from isel.rules.syntax import Apply, Book, Fold, Guard, Leaf, Pattern, Rule, Value, leaves, numbers
from isel.rules.syntax import patterns as every
from isel.rules.unfold import unfolded

ATTRIBUTES: Final = {"zext": 1, "sext": 1, "extract": 2}
_HEAD: Final = re.compile(r"^([a-z]\w*(?:\.\w+)*):(?=\s)", re.MULTILINE)
_WORD: Final = re.compile(r"-?\w+")
_SPACE: Final = re.compile(r"\s*")
_CLAUSE: Final = re.compile(r"[ \t]+(for|let|if|when)\b")
_EACH: Final = re.compile(r"[ \t]for\s+([A-Z ]+) in ([\w, ]+?)(?=\s+(?:let|if|when)\b|\s*$)")
_LET: Final = re.compile(r"\s*([A-Za-z]\w*)\s*=(?!=)")
_GUARD: Final = re.compile(r"\s*[a-z]\w*\s+[\w(]")
_COMMENT: Final = re.compile(r"#.*")
_DEPTH: Final = {"(": 1, "{": 1, ")": -1, "}": -1}


def parse_rules(
    text: str, file: str, definitions: Mapping[str, Rule] | None = None, *, whole: bool = False
) -> Book:
    """Read a file of rules; ``definitions`` are those it may use beside its own.  Derived
    operations in terms stay what they are where they are left ``whole``.

    Raises :class:`SyntaxProblem`.
    """
    return _File(text, file, dict(definitions or {}), whole=whole).book()


class Reader(dict[str, Rule]):
    """The rules of a text by name, each read when asked for; raises :class:`SyntaxProblem`."""

    def __init__(self, text: str, file: str, known: Mapping[str, Rule], *, whole: bool) -> None:
        super().__init__()
        self._file = _File(text, file, dict(known), whole=whole)
        self._places: dict[str, list[tuple[re.Match[str], int]]] = {}
        for head, after in self._file.heads():
            self._places.setdefault(head[1], []).append((head, after))

    def __missing__(self, name: str) -> Rule:
        words = name.split(".")
        for k in range(len(words), 0, -1):
            for place in self._places.pop(".".join(words[:k]), ()):
                self.update((r.name, r) for r in self._file.each(*place))
        if name in self:
            return self[name]
        raise KeyError(name)


class _File:
    def __init__(
        self, text: str, file: str, definitions: dict[str, Rule], *, whole: bool = False
    ) -> None:
        self.whole = whole
        self.source = text
        self.file = file
        self.text = _COMMENT.sub(lambda m: " " * len(m.group()), text)
        self.definitions = definitions

    def fail(self, what: str, at: int) -> SyntaxProblem:
        return SyntaxProblem(what, self.source, at, self.file)

    def book(self) -> Book:
        rules: dict[str, Rule] = {}
        for head, after in self.heads():
            for rule in self.each(head, after):
                if rule.name in rules:
                    raise self.fail(f"another rule '{rule.name}'", head.start())
                rules[rule.name] = rule
                if rule.defines:
                    assert isinstance(rule.left, Apply)
                    self.definitions[rule.left.op] = rule
        return Book(tuple(rules.values()), self.definitions)

    def heads(self) -> Iterator[tuple[re.Match[str], int]]:
        """Return where rules begin and end."""
        heads = list(_HEAD.finditer(self.text))
        starts = [*(h.start() for h in heads), len(self.text)]
        if self.text[: starts[0]].strip():
            at = len(self.text) - len(self.text.lstrip())
            raise self.fail("expected the name of a rule and ':'", at)
        return zip(heads, starts[1:], strict=True)

    def each(self, head: re.Match[str], end: int) -> Iterator[Rule]:
        """Read a rule, or one for each operation that it is of."""
        given = _EACH.search(self.text, head.end(), end)
        if given is None:
            yield _Item(self, head[1], head.start(), head.end(), end).rule({})
            return
        names = given[1].split()
        for row in given[2].split(", "):
            ops = row.split()
            if len(ops) != len(names):
                raise self.fail(f"expected {len(names)} operations, found '{row}'", given.start(2))
            item = _Item(self, f"{head[1]}.{ops[0]}", head.start(), head.end(), end)
            yield item.rule(dict(zip(names, ops, strict=True)))


class _Item:
    """The text of one rule."""

    def __init__(self, file: _File, name: str, start: int, at: int, end: int) -> None:
        self.file, self.name, self.start, self.at, self.end = file, name, start, at, end
        self.text = file.text
        self.lets: dict[str, Tree] = {}
        self.used: dict[str, str] = {}
        self.leaves: dict[str, Leaf] = {}

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        last = len(self.text[: self.end].rstrip())
        raise self.file.fail(what, min(self.at if at is None else at, last))

    def rule(self, given: Mapping[str, str]) -> Rule:
        """Read it; ``given`` are operations that stand for others."""
        self.given = given
        clauses = list(_CLAUSE.finditer(self.text, self.at, self.end))
        starts = [*(m.start() for m in clauses), self.end]
        found: dict[str, list[tuple[int, int]]] = {"for": [], "let": [], "if": [], "when": []}
        for m, end in zip(clauses, starts[1:], strict=True):
            found[m[1]].append((m.end(), end))
        arrow = self._arrow(starts[0])
        for a, b in found["let"]:
            self._let(a, b)
        left = self._term(defines=arrow == "<=>")
        self._expect(arrow)
        right = self._term()
        commutes = self._skips("commutes")
        self._ended(starts[0])
        wishes = [x for a, b in found["when"] for x in self._wishes(a, b)]
        words = " ".join(self.text[self.start : self.end].split())
        rule = Rule(
            name=self.name,
            left=left,
            right=right,
            conditions=tuple(n for a, b in found["if"] for n in self._numbers(a, b)),
            limits=tuple(x for x in wishes if isinstance(x, Number)),
            guards=tuple(x for x in wishes if isinstance(x, Guard)),
            defines=arrow == "<=>" and isinstance(left, Apply) and left.op not in OPS,
            turns=arrow == "<=>",
            commutes=commutes,
            file=self.file.file,
            source=self.file.source,
            at=self.start,
            text="\n".join([words, *self.used.values()]),
        )
        self._check(rule)
        return rule

    def _arrow(self, end: int) -> str:
        for arrow in ("<=>", "=>"):
            if arrow in self.text[self.at : end]:
                return arrow
        self.fail("expected '=>'", len(self.text[:end].rstrip()))

    # Clauses.
    def _let(self, at: int, end: int) -> None:
        for a, b in self._parts(at, end):
            m = _LET.match(self.text, a, b)
            if m is None:
                self.fail("expected 'name = number'", a)
            self.lets[m[1]] = self._expression(m.end(), b).tree

    def _parts(self, at: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield where the parts between commas lie."""
        depth, start = 0, at
        for k in range(at, end):
            depth += _DEPTH.get(self.text[k], 0)
            if self.text[k] == "," and depth == 0:
                yield start, k
                start = k + 1
        yield start, end

    def _numbers(self, at: int, end: int) -> list[Number]:
        return [self._expression(a, b) for a, b in self._parts(at, end)]

    def _expression(self, at: int, end: int) -> Number:
        text = self.text[at:end]
        try:
            found = read(text)
        except Mistake as mistake:
            self.fail(mistake.what, at + mistake.at)
        return Number(replaced(found, self.lets), at + len(text) - len(text.lstrip()))

    def _wishes(self, at: int, end: int) -> Iterator[Number | Guard]:
        for a, b in self._parts(at, end):
            if not _GUARD.match(self.text, a, b):
                yield self._expression(a, b)
                continue
            self.at = a
            name = self._word("a question")
            found: list[Pattern] = []
            while self.text[self.at : b].strip():
                found.append(self._term())
            yield Guard(name, tuple(found))

    # Terms.
    def _space(self) -> None:
        m = _SPACE.match(self.text, self.at, self.end)
        self.at = m.end() if m else self.at

    def _skips(self, token: str) -> bool:
        self._space()
        if not self.text.startswith(token, self.at, self.end):
            return False
        self.at += len(token)
        return True

    def _expect(self, token: str) -> None:
        if not self._skips(token):
            self.fail(f"expected '{token}'")

    def _ended(self, end: int) -> None:
        self._space()
        if self.at < end:
            self.fail("text after the term")

    def _word(self, what: str) -> str:
        self._space()
        m = _WORD.match(self.text, self.at, self.end)
        if m is None:
            self.fail(f"expected {what}")
        self.at = m.end()
        return m.group()

    def _number(self) -> Number:
        """Read a name, an integer or an expression in braces."""
        self._space()
        start = self.at
        if not self._skips("{"):
            self._word("a name, an integer or '{'")
            return self._expression(start, self.at)
        end = self.text.find("}", self.at, self.end)
        if end < 0:
            self.fail("'{' without '}'", start)
        found = self._expression(self.at, end)
        self.at = end + 1
        return found

    def _term(self, *, defines: bool = False) -> Pattern:
        self._space()
        start = self.at
        if self._skips("("):
            return self._apply(start, defines=defines)
        first = self.text[self.at : self.at + 2]
        if first[:1] == "{" or first.lstrip("-")[:1].isdigit():
            number = self._number()
            self._expect(":")
            return Value(number, self._number(), start)
        name = self._word("a term")
        if not self.text.startswith(":", self.at):
            return self.leaves.get(name) or Leaf(name, None, name[0].isupper(), start)
        self.at += 1
        if name in self.leaves:
            self.fail(f"'{name}' has a width already", start)
        leaf = self.leaves[name] = Leaf(name, self._number(), name[0].isupper(), start)
        return leaf

    def _apply(self, start: int, *, defines: bool) -> Pattern:
        at = self.at
        word = self._word("an operation")
        op = self.given.get(word, word)
        if op == "fold":
            return self._fold(start)
        if defines and op not in OPS:
            return self._defined(op, start)
        count, arity = self._shape(op, at)
        attributes = tuple(self._number() for _ in range(count))
        args = tuple(self._term() for _ in range(arity))
        self._expect(")")
        if op in OPS or self.file.whole:
            return Apply(op, attributes, args, start)
        try:
            return unfolded(self.file.definitions[op], attributes, args, start)
        except KeyError as leaf:
            self.fail(f"'{leaf.args[0]}' has no width", start)

    def _fold(self, start: int) -> Fold:
        total, first = self._word("a name"), self._term()
        index, count = self._word("a name"), self._number()
        found = Fold(total, first, index, count, self._term(), start)
        self._expect(")")
        return found

    def _defined(self, op: str, start: int) -> Apply:
        if op in OPS or op in self.file.definitions:
            self.fail(f"'{op}' is defined already", start)
        attributes: list[Number] = []
        args: list[Pattern] = []
        while not self._skips(")"):
            at = self.at
            self._word("a parameter")
            if self.text.startswith(":", self.at):
                self.at = at
                args.append(self._term())
            else:
                attributes.append(self._expression(at, self.at))
        return Apply(op, tuple(attributes), tuple(args), start)

    def _shape(self, op: str, at: int) -> tuple[int, int]:
        if op in OPS:
            return ATTRIBUTES.get(op, 0), OPS[op].arity
        known = self.file.definitions.get(op)
        if known is None or not isinstance(known.left, Apply):
            self.fail(f"unknown operation '{op}'", at)
        self.used[op] = known.text
        return len(known.left.attributes), len(known.left.args)

    # What must be so of names.
    def _check(self, rule: Rule) -> None:
        asked = (x for g in rule.guards for p in g.patterns for x in leaves(p))
        self._given(rule, leaves(rule.left), "'{}' has no width")
        unbound = (x for x in asked if x.width is None)
        self._given(rule, (*leaves(rule.right), *unbound), "unbound variable '{}'")
        if not rule.defines and (fold := _fold_in(rule.left)):
            self.fail("a fold on the left", fold.at)
        self._check_numbers(rule)

    def _check_numbers(self, rule: Rule) -> None:
        bound = {*rule.sizes, *rule.literals}
        indices = {p.index for p in every(rule.right) if isinstance(p, Fold)}
        self._bound(rule, (*numbers(rule.left), *rule.conditions, *rule.limits), bound)
        self._bound(rule, tuple(numbers(rule.right)), bound | indices)
        for n in rule.conditions:
            if polarity(n.tree) not in (0, 1):
                self.fail("a condition that may hold for a range and not for what is in it", n.at)

    def _given(self, rule: Rule, found: Iterable[Leaf], what: str) -> None:
        """Fail for the first leaf that the left side gives no width."""
        given = {x.name for x in leaves(rule.left) if x.width is not None}
        for leaf in found:
            if leaf.name not in given:
                self.fail(what.format(leaf.name), leaf.at)

    def _bound(self, rule: Rule, found: tuple[Number, ...], bound: set[str]) -> None:
        for n in found:
            inside = {x for f, x in calls(n.tree) if f != SIGNED}
            signed = {x for f, x in calls(n.tree) if f == SIGNED}
            for what, names in (
                ("no term", inside - {*rule.terms}),
                ("no literal", signed - {*rule.literals}),
                ("unbound variable", n.uses - bound - inside),
            ):
                if names:
                    self.fail(f"{what} '{min(names)}'", n.at)


def _fold_in(p: Pattern) -> Fold | None:
    return next((x for x in every(p) if isinstance(x, Fold)), None)
