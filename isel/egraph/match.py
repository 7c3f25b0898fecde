"""Patterns as functions that look for them among the nodes of a graph, and that make them.

The source is made of the pattern and compiled when it is first of use: ``c1`` and so on are classes
below the root, ``t_x`` the rule's terms as classes, ``n_w`` its integers.  Sums are matched part by
part against one node; the last term of a sum may be several parts and a constant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from isel.egraph.graph import Graph, commutes
from isel.egraph.parts import Part, is_literal, parts_of, root_of
from isel.rules.make import source
from isel.rules.number import SIGNED, Number, Tree, calls
from isel.rules.syntax import Apply, Leaf, Pattern, Rule, Value, leaves, numbers
from isel.rules.words import NAMES, function, words

Found: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
Make: TypeAlias = Callable[[Graph, tuple[int, ...], tuple[int, ...]], int]
Match: TypeAlias = Callable[[Graph, int], Iterator[Found]]
FOUND_NAMES: Final = {**NAMES, "_log": lambda value: value.bit_length() - 1}
_VALUE: Final = re.compile(r"t_(\w+)\.value")


def words_of(e: Tree, rule: Rule) -> str:
    """Return an expression in which literals are classes."""
    return _VALUE.sub(r"_v(t_\1)", words(e, rule))


def terms_of_bounds(rule: Rule) -> tuple[str, ...]:
    """Return the terms whose ranges the conditions of a rule ask about."""
    names = (name for c in rule.conditions for f, name in calls(c.tree) if f != SIGNED)
    return tuple(dict.fromkeys(names))


_NAMED: Final = {
    "_find": "g.find",
    "_value": "g.value",
    "_v": "g.value",
    "_nodes": "g.nodes",
    "_parts": "g.parts",
    "_attr": "g.attr",
    "_kids": "g.kids",
    "_width": "g.width",
    "_const": "g.literal",
    "_signed": "lambda c: g.range(c).signed",
    "_unsigned": "lambda c: g.range(c).unsigned",
    "_s": "lambda c: g.range(c).signed[0]",
    "_make": "lambda op, kids, attr: g.node(op, attr, kids)",
    "_zext": "lambda x, w: g.node('zext', (w,), (x,))",
    "_sext": "lambda x, w: g.node('sext', (w,), (x,))",
}
_NAME: Final = re.compile(r"\b_[a-z]+\b")


def _with_names(text: str) -> str:
    """Return a function that binds the names of a graph that it uses."""
    used = {*_NAME.findall(text)}
    head, body = text.split("\n", 1)
    return "\n".join([head, *(f" {n} = {e}" for n, e in _NAMED.items() if n in used), body])


def maker(rule: Rule, p: Pattern) -> Make:
    """Return what makes a pattern in a graph from a rule's integers, and terms as classes."""
    text = source(rule, p, head="def made(g, sizes, terms):", number=words_of)
    found = function("made", _with_names(text), NAMES)
    assert callable(found)
    return found


def matcher(rule: Rule, left: Pattern) -> Match:
    """Return what yields the ways in which a node is one side of a rule: the values of the rule's
    integers, and the classes that its terms and literals are.
    """
    found = function(
        "match",
        _with_names(Writer(rule).text(left)),
        {**FOUND_NAMES, "len": len, "tuple": tuple},
    )
    assert callable(found)
    return found


class Writer:
    """Writes the function that matches: nodes of a graph, where nobody says otherwise."""

    head = "def match(g, n0):"
    words = staticmethod(words_of)

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.lines: list[str] = []
        self.depth = 0
        self.bound: set[str] = set()
        self.where: dict[int, str] = {}
        self.pending: list[tuple[str, Number, str]] = []
        self.count = 0
        self.queue: list[tuple[Pattern, str]] = []

    def text(self, left: Pattern) -> str:
        """Return the function that matches a side of the rule."""
        self._root(left)
        self._drain()
        assert not self.pending, (self.rule.name, self.pending)
        missing = {f"n_{n}" for n in self.rule.sizes} - self.bound
        assert not missing, f"{self.rule.name}: {missing} not bound by this side"
        for condition in (*self.rule.conditions, *self.rule.limits):
            self._unless(self.words(condition.tree, self.rule))
        sizes = "".join(f"n_{n}, " for n in self.rule.sizes)
        terms = "".join(f"t_{n}, " for n in (*self.rule.terms, *self.rule.literals))
        self._line(f"yield ({sizes}), ({terms})")
        return "\n".join([self.head, *self.lines, ""])

    def _root(self, left: Pattern) -> None:
        assert isinstance(left, Apply)
        self._operation(left, "n0")

    def _drain(self) -> None:
        """Write all that is to be looked for."""
        while self.queue:
            self._pattern(*self.queue.pop(0))
            self._settle()

    # What a class is called, and what it has.
    def _width(self, path: str) -> str:
        return f"_width[{path}]"

    def _value(self, path: str) -> str:
        return f"_value({path})"

    def _node(self, p: Apply, path: str) -> str:
        """Look for an operation in a class; return the name of the node."""
        node = self._fresh("n")
        self._loop(f"for {node} in tuple(_nodes({path}, {root_of(p)!r})):")
        return node

    def _line(self, text: str) -> None:
        self.lines.append(f"{' ' * (self.depth + 1)}{text}")

    def _unless(self, condition: str) -> None:
        self._line(f"if not ({condition}): {'continue' if self.depth else 'return'}")

    def _fresh(self, letter: str = "c") -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def _loop(self, text: str) -> None:
        self._line(text)
        self.depth += 1

    def _pattern(self, p: Pattern, path: str) -> None:
        """Look for a pattern in the class that ``path`` names."""
        if id(p) in self.where:
            self._unless(f"{path} == {self.where[id(p)]}")
            return
        match p:
            case Leaf():
                self._leaf(p, path)
            case Value():
                value = self._fresh("v")
                self._line(f"{value} = {self._value(path)}")
                self._unless(f"{value} is not None")
                self._integer(self._width(path), p.width)
                self._number(value, p.number, self._width(path))
            case Apply() if self._is_bound(p):
                self._unless(f"{self._seek(p)} == {path}")
            case Apply():
                self.where[id(p)] = path
                self._operation(p, self._node(p, path))
            case _:
                raise NotImplementedError(self.rule.name)

    def _is_bound(self, p: Pattern) -> bool:
        """Tell whether all that is in a pattern was found elsewhere."""
        names = {self._name(n) for x in numbers(p) for n in x.uses}
        return names | {f"t_{x.name}" for x in leaves(p)} <= self.bound

    def _seek(self, p: Pattern) -> str:
        """Return the name of the class that a bound pattern is, -1 where it is none."""
        if isinstance(p, Leaf):
            return f"t_{p.name}"
        name = self._fresh("s")
        match p:
            case Apply():
                args = "".join(f"{self._seek(a)}, " for a in p.args)
                given = "".join(f"{words_of(n.tree, self.rule)}, " for n in p.attributes)
                self._line(f"{name} = g.seek({p.op!r}, ({given}), ({args}))")
            case Value():
                value, width = (words_of(n.tree, self.rule) for n in (p.number, p.width))
                self._line(f"{name} = g.seek('const', ({value}, {width}), ())")
        return name

    def _operation(self, p: Apply, node: str) -> None:
        parts = parts_of(p)
        if parts is not None:
            self._sum(parts, node)
            return
        for k, number in enumerate(p.attributes):
            self._integer(f"_attr[{node}][{k}]", number)
        names = [self._fresh() for _ in p.args]
        given = ", ".join(f"_find(_kids[{node}][{k}])" for k in range(len(names)))
        both = not (self.rule.defines and p is self.rule.left)  # it is the same in either order
        if len(names) == 2 and commutes(p.op) and both:
            x, y = self._fresh(), self._fresh()
            self._line(f"{x}, {y} = {given}")
            self._loop(f"for {names[0]}, {names[1]} in (({x}, {y}), ({y}, {x})):")
        elif names:
            self._line(f"{', '.join(names)}, = {given},")
        # What has an operation is looked at first: it binds the most.
        pairs = sorted(zip(p.args, names, strict=True), key=lambda a: not is_literal(a[0]))
        self.queue[:0] = pairs

    def _sum(self, parts: list[Part], node: str) -> None:
        rows = sorted(parts, key=lambda x: (not x.is_constant, isinstance(x.pattern, Leaf)))
        count = sum(x.is_constant for x in parts)
        constants, rest = rows[:count], rows[count:]
        takes = self._takes_rest(rest)
        k, every = self._content(node, constants, rest)
        self._unless(f"len({every}) {'>=' if takes else '=='} {len(rest)}")
        if constants or not takes:
            self._unless(f"{k} {'!=' if constants else '=='} 0")
        taken: list[str] = []
        for part in rest[: len(rest) - takes]:
            taken.append(self._one(part, every, taken))
            self._drain()
        if takes:
            self._rest(rest[-1], (node, k, every), taken, constant=bool(constants))
        for part in constants[:1]:
            self._scaled_literal(part.pattern, f"{k} * {part.sign}", f"_width[{node}]")
        self._settle()

    def _scaled_literal(self, p: Pattern, value: str, width: str, *, shifts: bool = False) -> None:
        """Look for a literal, or for the exponent of what is shifted by one."""
        v = self._fresh("v")
        self._line(f"{v} = {value} & (1 << {width}) - 1")
        if shifts:
            self._unless(f"{v} & ({v} - 1) == 0 and {v} > 0")
            self._line(f"{v} = _log({v})")
        self._literal(p, v, width)

    def _content(self, node: str, constants: list[Part], rest: list[Part]) -> tuple[str, str]:
        """Return names of a sum's constant and parts, one of which may be a literal."""
        k, every = self._fresh("k"), self._fresh("p")
        self._line(f"{k}, {every} = _parts({node})")
        literal = self._least(constants)
        if literal is not None and len(rest) > 1 and not any(x.scale for x in rest):
            self._loop(
                f"for {every}, {k} in g.with_literal({node}, {literal}) "
                f"if len({every}) == {len(rest) - 1} and {k} != {literal} else (({every}, {k}),):"
            )
        return k, every

    def _takes_rest(self, rest: list[Part]) -> bool:
        """Tell whether the last part may be several parts of a node."""
        names = [x.pattern.name for x in rest if isinstance(x.pattern, Leaf)]
        last = rest[-1]
        return isinstance(last.pattern, Leaf) and last.scale is None and names.count(names[-1]) == 1

    def _rest(
        self, last: Part, of: tuple[str, str, str], taken: list[str], *, constant: bool
    ) -> None:
        """Let the last term be what is left of a sum."""
        node, k, every = of
        assert isinstance(last.pattern, Leaf)
        if f"t_{last.pattern.name}" in self.bound:  # by another part
            self._unless(f"len({every}) == {len(taken) + 1}")
            if not constant:
                self._unless(f"{k} == 0")
            self._one(last, every, taken)
            return
        c, others = self._fresh(), self._fresh("p")
        outside = f" if a not in ({', '.join(taken)},)" if taken else ""
        self._line(f"{others} = tuple((a, f * {last.sign}) for a, f in {every}{outside})")
        self._unless(
            f"len({others}) != 1 or {0 if constant else k} != 0 or {others}[0][1] == 1"
            + ("" if taken else f" or {others}[0][1] == -1")
        )
        total = "0" if constant else f"{k} * {last.sign}"
        self._line(f"{c} = _find(g.sum(_width[{node}], {total}, {others}))")
        self._leaf(last.pattern, c)
        self._settle()

    def _least(self, constants: list[Part]) -> int | None:
        """Return the constant of a sum if it is the same for all integers of the rule."""
        if not constants:
            return 0
        p = constants[0].pattern
        if len(constants) == 1 and isinstance(p, Value) and isinstance(p.number.tree, int):
            return p.number.tree * constants[0].sign
        return None

    def _one(self, part: Part, every: str, taken: list[str]) -> str:
        """Look for one part of a sum; return the name of its class."""
        c, f = self._fresh(), self._fresh("f")
        self._loop(f"for {c}, {f} in {every}:")
        for other in taken:
            self._unless(f"{c} != {other}")
        if part.scale is None:
            self._unless(f"{f} == {part.sign}")
        else:
            scale = f"{f} * {part.sign}"
            self._scaled_literal(part.scale, scale, f"_width[{c}]", shifts=part.shifts)
        self._pattern(part.pattern, c)
        self._settle()
        return c

    def _literal(self, p: Pattern, value: str, width: str) -> None:
        """Check or bind a literal by its value."""
        if isinstance(p, Value):
            self._integer(width, p.width)
            self._number(value, p.number, width)
            return
        assert isinstance(p, Leaf)
        c = self._fresh()
        self._line(f"{c} = _find(g.literal({value}, {width}))")
        self._leaf(p, c)

    def _leaf(self, p: Leaf, path: str) -> None:
        if f"t_{p.name}" in self.bound:
            self._unless(f"{path} == t_{p.name}")
            return
        if p.literal:
            self._unless(f"{self._value(path)} is not None")
        self._line(f"t_{p.name} = {path}")
        self.bound.add(f"t_{p.name}")
        self._integer(self._width(path), self.rule.width_of(p.name))

    def _integer(self, path: str, number: Number) -> None:
        """Bind a name, or check what was bound or is computed."""
        if number.name is not None and f"n_{number.name}" not in self.bound:
            if number.name in self.rule.sizes:
                self._line(f"n_{number.name} = {path}")
                self.bound.add(f"n_{number.name}")
                return
        self.pending.append((path, number, ""))

    def _number(self, value: str, number: Number, width: str) -> None:
        """Check a literal's value, or find what it says of an integer that is not known."""
        self.pending.append((value, number, width))

    def _settle(self) -> None:
        """Write the checks all of whose names are bound, and what these say of other integers."""
        count = -1
        while count != len(self.bound):
            count, kept = len(self.bound), []
            for path, number, width in self.pending:
                missing = [n for n in sorted(number.uses) if self._name(n) not in self.bound]
                if missing and not self._finds(missing, number, path, width):
                    kept.append((path, number, width))
                    continue
                wanted = self.words(number.tree, self.rule)
                self._unless(
                    f"{path} == ({wanted}) & (1 << {width}) - 1" if width else f"{path} == {wanted}"
                )
            self.pending = kept

    def _finds(self, missing: list[str], number: Number, path: str, width: str) -> bool:
        """Tell whether a value says what the one integer is that is missing, which is written."""
        if len(missing) > 1 or missing[0] not in self.rule.sizes:
            return False
        found = _solve(number.tree, missing[0], path, f"(1 << {width})" if width else "0")
        if found is None:
            return False
        self._line(f"n_{missing[0]} = {found}")
        self.bound.add(f"n_{missing[0]}")
        return True

    def _name(self, n: str) -> str:
        return f"t_{n}" if n in self.rule.literals else f"n_{n}"


def _solve(e: Tree, name: str, value: str, size: str) -> str | None:
    """Return what an integer must be for an expression to have a value, if it can be at all."""
    match e:
        case str():
            return value if e == name else None
        case ("neg", a):
            return _solve(a, name, f"({size} - {value})", size)
        case ("+" | "-" as op, a, int(b)):
            turned = "-" if op == "+" else "+"
            return _solve(a, name, f"({value} {turned} {b})", size)
        case ("**", 2, a):
            return _solve(a, name, f"_log({value})", size)
    return None
