"""Proofs by steps, replayed: equalities and ranges in their order, each from those before it.

Nothing here is of the graph that found them: terms, congruence and sums are done again, and a rule
is made again of its text at widths where it was proved.  A range of an operation is what its
operands were said to be so far; nothing later counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from isel.ir.domain import Range, both, full, literal
from isel.ir.expr import Expr
from isel.ir.ops import OPS, Attr, WidthError, signed
from isel.ir.spans import TWO, Span, whole, within
from isel.model.steps import Bounded, Equal, Node, Steps
from isel.rules.books import definitions, holds, rule_named
from isel.rules.number import BOUNDS, Tree, evaluate
from isel.rules.spans import operation, range_of_operation, range_of_sum
from isel.rules.syntax import Apply, Leaf, Pattern, Value

_NAMES = {"+": "add", "-": "sub", "*": "mul"}


class Refused(Exception):
    """A step that does not follow."""


def replay(steps: Steps, left: Expr, right: Expr, facts: Mapping[Expr, Range]) -> str:
    """Return what is wrong with a proof that two terms are equal where leaves are in ranges;
    nothing where it is one.
    """
    closure = _Closure()
    try:
        numbers = [closure.copy(n) for n in steps.nodes]
        for s in steps.steps:
            if isinstance(s, Bounded):
                closure.bound(numbers[s.node], s, facts)
            else:
                closure.equal(
                    numbers[s.left], numbers[s.right], s, tuple(numbers[t] for t in s.terms)
                )
        done: dict[Expr, int] = {}
        a, b = closure.of(left, done), closure.of(right, done)
        if closure.find(a) != closure.find(b):
            return "the terms are not shown equal"
    except Refused as error:
        return str(error)
    except (IndexError, KeyError, ValueError, WidthError, AssertionError, TypeError) as error:
        return f"no proof: {type(error).__name__} {error}"
    return ""


class _Closure:
    """Terms, which of them are equal, and what they can be."""

    def __init__(self) -> None:
        self.op: list[str] = []
        self.attr: list[Attr] = []
        self.kids: list[tuple[int, ...]] = []
        self.width: list[int] = []
        self.up: list[int] = []
        self.uses: list[list[int]] = []
        self.range: list[Range] = []
        self.known: dict[tuple[object, ...], int] = {}

    def find(self, a: int) -> int:
        while self.up[a] != a:
            a = self.up[a]
        return a

    def value(self, a: int) -> int | None:
        """Return the literal that a term is."""
        low, high = self.range[self.find(a)].unsigned
        return low if low == high else None

    # Terms.
    def copy(self, n: Node) -> int:
        """Take over a node; its width is computed again."""
        if any(k >= len(self.op) for k in n.kids):
            raise Refused("a node before its operands")
        if n.op == "const" and not 0 <= int(n.attr[0]) < 1 << n.width:
            raise Refused("a literal that does not fit")
        if n.op == "sum":
            right = len(n.attr) == len(n.kids) + 1
            right = right and all(self.width[k] == n.width for k in n.kids)
        else:
            right = n.op in ("leaf", "const") or self._width(n.op, n.attr, n.kids) == n.width
        if not right:
            raise Refused("a width that is not the operation's")
        return self._add(n.op, n.attr, n.kids, n.width)

    def of(self, root: Expr, done: dict[Expr, int]) -> int:
        """Return a term of the window."""
        stack = [root]
        while stack:
            e = stack[-1]
            todo = [a for a in e.args if a not in done]
            if todo:
                stack += todo
                continue
            stack.pop()
            if e not in done:
                args = tuple(done[a] for a in e.args)
                done[e] = (
                    self.literal(e.value, e.width)
                    if e.is_const
                    else self.term(e.op, e.attr, args)
                    if args
                    else self._add("leaf", (repr(e),), (), e.width)
                )
        return done[root]

    def literal(self, value: int, width: int) -> int:
        return self._add("const", (value & ((1 << width) - 1),), (), width)

    def _width(self, op: str, attr: Attr, kids: tuple[int, ...]) -> int:
        widths = tuple(self.width[k] for k in kids)
        if op in OPS:
            return OPS[op].rule(widths, attr)
        if any(w != widths[0] for w in widths):
            raise Refused("operands of different widths")
        return operation(op, attr, widths).width

    def term(self, op: str, attr: Attr, kids: tuple[int, ...]) -> int:
        """Return an operation of terms; sums, and products by literals, are sums."""
        width = self.width[kids[0]]
        signs = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}.get(op)
        if signs is not None:
            return self.sum(width, 0, tuple(zip(kids, signs, strict=True)))
        if op in ("zext", "sext", "extract") and attr in ((width,), (0, width)):
            return kids[0]
        for x, y in {"mul": (kids, kids[::-1]), "shl": (kids,)}.get(op, ()):
            v = self.value(y)
            if v is not None and (op == "mul" or v < width):
                return self.sum(width, 0, ((x, v if op == "mul" else 1 << v),))
        return self._add(op, attr, kids, self._width(op, attr, kids))

    def sum(self, width: int, constant: int, parts: tuple[tuple[int, int], ...]) -> int:
        if any(self.width[k] != width for k, _ in parts):
            raise Refused("a sum of other widths")
        constant, rest = self._content(width, constant, parts)
        if not rest:
            return self.literal(constant, width)
        if len(rest) == 1 and constant == 0 and rest[0][1] == 1:
            return rest[0][0]
        attr = (constant, *(f for _, f in rest))
        return self._add("sum", attr, tuple(k for k, _ in rest), width)

    def _content(
        self, width: int, constant: int, parts: tuple[tuple[int, int], ...]
    ) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return a sum by classes, modulo its width."""
        total: dict[int, int] = {}
        for k, f in parts:
            v = self.value(k)
            if v is None:
                total[self.find(k)] = total.get(self.find(k), 0) + f
            else:
                constant += f * v
        mask = (1 << width) - 1
        return constant & mask, tuple(sorted((k, f & mask) for k, f in total.items() if f & mask))

    def _parts(self, n: int) -> tuple[tuple[int, int], ...]:
        return tuple(zip(self.kids[n], map(int, self.attr[n][1:]), strict=True))

    def _key(self, op: str, attr: Attr, kids: tuple[int, ...], width: int) -> tuple[object, ...]:
        if op == "sum":
            parts = tuple(zip(kids, map(int, attr[1:]), strict=True))
            return op, width, self._content(width, int(attr[0]), parts)
        roots = tuple(map(self.find, kids))
        rule = definitions().get(op)
        if len(roots) == 2 and (OPS[op].commutes if op in OPS else rule and rule.commutes):
            roots = tuple(sorted(roots))
        return op, width, attr, roots

    def _add(self, op: str, attr: Attr, kids: tuple[int, ...], width: int) -> int:
        if op == "leaf" or op == "const":
            kids = ()
        key = self._key(op, attr, kids, width)
        n = len(self.op)
        self.op.append(op)
        self.attr.append(attr)
        self.kids.append(kids)
        self.width.append(width)
        self.up.append(n)
        self.uses.append([])
        self.range.append(literal(int(attr[0]), width) if op == "const" else full(width))
        for k in kids:
            self.uses[self.find(k)].append(n)
        other = self.known.setdefault(key, n)
        if other != n:
            self.merge(n, other)
        elif op == "sum":
            self._single(n)
        return n

    # What is said.
    def merge(self, a: int, b: int) -> None:
        """Let two terms be one, and what follows of that."""
        todo = [(a, b)]
        while todo:
            x, y = map(self.find, todo.pop())
            if x == y:
                continue
            if self.width[x] != self.width[y]:
                raise Refused("terms of different widths")
            met = both(self.range[x], self.range[y])
            if met is None:
                raise Refused("terms that have no value in common")
            if len(self.uses[x]) < len(self.uses[y]):
                x, y = y, x
            self.up[y] = x
            self.range[x] = met
            moved, self.uses[y] = self.uses[y], []
            self.uses[x] += moved
            for n in self.uses[x] if met.is_const else moved:
                key = self._key(self.op[n], self.attr[n], self.kids[n], self.width[n])
                other = self.known.setdefault(key, n)
                if other != n:
                    todo.append((n, other))
                if self.op[n] == "sum":
                    self._single(n)

    def _single(self, n: int) -> None:
        constant, parts = self._content(self.width[n], int(self.attr[n][0]), self._parts(n))
        if len(parts) == 1 and parts[0][1] == 1 and constant == 0:
            self.merge(n, parts[0][0])
        elif not parts:
            self.merge(n, self.literal(constant, self.width[n]))

    def bound(self, n: int, s: Bounded, facts: Mapping[Expr, Range]) -> None:
        """Accept a range that follows of the operands' or of a fact."""
        if s.fact:
            names = {repr(x): r for x, r in facts.items()}
            found = names[str(self.attr[n][0])] if self.op[n] == "leaf" else full(self.width[n])
        else:
            found = self._range_of(n)
        if s.range.width != self.width[n] or not _inside(found, s.range):
            raise Refused("a range that does not follow")
        self._narrow(n, s.range)

    def _narrow(self, n: int, r: Range) -> None:
        c = self.find(n)
        met = both(self.range[c], r)
        if met is None:
            raise Refused("a term without a value")
        self.range[c] = met

    def _range_of(self, n: int) -> Range:
        op, width = self.op[n], self.width[n]
        given = tuple(self.range[self.find(k)] for k in self.kids[n])
        if op == "const":
            return literal(int(self.attr[n][0]), width)
        if op == "leaf":
            return full(width)
        if op == "sum":
            factors = map(int, self.attr[n][1:])
            parts = list(zip(given, factors, strict=True))
            return range_of_sum(width, int(self.attr[n][0]), parts)
        return range_of_operation(op, self.attr[n], given)

    def equal(self, left: int, right: int, s: Equal, terms: tuple[int, ...]) -> None:
        """Accept an equality that follows."""
        if s.rule == "value":
            value = self.value(left)
            if value is None:
                raise Refused("a range of more than one value")
            self.merge(left, self.literal(value, self.width[left]))
        elif s.rule == "sum":
            self._sum_of_sums(left, right, terms)
        elif s.rule == "low":
            self._low_part(left, right, terms[0])
        else:
            self._instance(s, terms)

    def _sum_of_sums(self, left: int, right: int, terms: tuple[int, ...]) -> None:
        inner = {self.find(c): n for c, n in zip(terms[::2], terms[1::2], strict=True)}
        if any(self.find(c) != self.find(n) for c, n in inner.items()):
            raise Refused("a part that is not the sum it is said to be")
        constant, parts = int(self.attr[left][0]), []
        if self.op[left] != "sum":
            raise Refused("no sum")
        for k, f in self._parts(left):
            n = inner.get(self.find(k))
            if n is None:
                parts.append((k, f))
            else:
                constant += f * int(self.attr[n][0])
                parts += [(x, f * y) for x, y in self._parts(n)]
        self._same_sum(left, self.width[left], constant, tuple(parts), right)

    def _low_part(self, left: int, right: int, s: int) -> None:
        if self.op[left] != "extract" or self.attr[left][0] != 0 or self.op[s] != "sum":
            raise Refused("no low part of a sum")
        if self.find(self.kids[left][0]) != self.find(s):
            raise Refused("the low part of something else")
        width = self.width[left]
        parts = tuple((self.term("extract", (0, width), (k,)), f) for k, f in self._parts(s))
        self._same_sum(left, width, int(self.attr[s][0]), parts, right)

    def _same_sum(
        self, left: int, width: int, constant: int, parts: tuple[tuple[int, int], ...], right: int
    ) -> None:
        content = self._content(width, constant, parts)
        mine = (
            self._content(width, int(self.attr[right][0]), self._parts(right))
            if self.op[right] == "sum"
            else self._content(width, 0, ((right, 1),))
        )
        if self.width[right] != width or content != mine:
            raise Refused("a sum that is another")
        self.merge(left, right)

    def _instance(self, s: Equal, terms: tuple[int, ...]) -> None:
        """Make the sides of a rule again, where its conditions hold."""
        rule = rule_named(s.rule)
        if not holds(rule, s.sizes):
            raise Refused(f"'{s.rule}' is not proved at these widths")
        names = (*rule.terms, *rule.literals)
        given = dict(zip(names, terms, strict=True))
        numbers: dict[str, int] = dict(zip(rule.sizes, s.sizes, strict=True))
        for name in rule.literals:
            value = self.value(given[name])
            if value is None:
                raise Refused("a literal that is none")
            numbers |= {name: value, f"s({name})": signed(value, self.width[given[name]])}
        for name, t in given.items():
            if rule.width_of(name).value(numbers) != self.width[t]:
                raise Refused("a term of another width")
        for condition in rule.conditions:
            if not evaluate(self._with_bounds(condition.tree, given), numbers):
                raise Refused(f"a condition of '{s.rule}' does not hold")
        made: dict[int, int] = {}
        left, right = (self._make(p, numbers, given, made) for p in (rule.left, rule.right))
        self.merge(left, right)

    def _make(
        self, p: Pattern, numbers: Mapping[str, int], given: Mapping[str, int], made: dict[int, int]
    ) -> int:
        if id(p) not in made:
            match p:
                case Leaf():
                    made[id(p)] = given[p.name]
                case Value():
                    value, width = p.number.value(numbers), p.width.value(numbers)
                    made[id(p)] = self.literal(value, width)
                case Apply():
                    args = tuple(self._make(a, numbers, given, made) for a in p.args)
                    attr = tuple(n.value(numbers) for n in p.attributes)
                    made[id(p)] = self.term(p.op, attr, args)
                case _:
                    raise Refused("a rule that cannot be made again")
        return made[id(p)]

    def _with_bounds(self, e: Tree, given: Mapping[str, int]) -> Tree:
        """Return an expression with the bounds of terms as integers."""
        if not isinstance(e, tuple):
            return e
        if e[0] in BOUNDS:
            sign = e[0] in ("lo", "hi")
            return self._span(e[1], given, sign=sign)[e[0] in ("hi", "uhi")]
        if len(e) == 2:
            return e[0], e[1] if e[0] == "s" else self._with_bounds(e[1], given)
        return e[0], self._with_bounds(e[1], given), self._with_bounds(e[2], given)

    def _span(self, e: Tree, given: Mapping[str, int], *, sign: bool) -> Span:
        if isinstance(e, tuple) and len(e) == 3:
            a, b = (self._span(x, given, sign=sign) for x in e[1:])
            return TWO[_NAMES[e[0]]](a, b)
        return self.range[self.find(given[str(e)])].read(signed=sign)


def _inside(found: Range, said: Range) -> bool:
    """Tell whether every value of one range is in another."""
    unsigned = within(found.unsigned, said.unsigned)
    if said.zeros | said.ones:
        unsigned &= not (said.zeros & ~found.zeros or said.ones & ~found.ones)
    return unsigned and (
        within(found.signed, said.signed) or said.signed == whole(said.width, signed=True)
    )
