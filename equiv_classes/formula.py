"""Formulas: the text of a class read back, and its lanes at given parameters.

A formula has integer expressions where a term has numbers: ``(add a[w*i0]:w b[w*i0]:w)``.  Their
names are the parameters, the digits ``i0, i1, …`` of the loop nest and the immediates
``m0, m1, …``; no operator depends on them. ``bits(m0,low,n)`` is a field of an immediate.
``(fold add n t)`` joins the terms ``t`` of ``j < n``.
``a|b[at@size]:w`` reads the operands a and b as rows of ``size`` bits, one after the other.
``smax``, ``smin`` and ``umax`` are those of the result's width.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import product
from typing import Final, TypeAlias

from equiv_classes.dictionary import Formula
from isel.errors import SyntaxProblem
from isel.ir.build import extract, ite, make, sext, trunc, zext
from isel.ir.expr import Expr, const, elem
from isel.ir.ops import OPS
from isel.rules import derived

Env: TypeAlias = Mapping[str, int]
Number: TypeAlias = Callable[[Env], int]
_NODES: Final = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Name, ast.Constant, ast.Load, ast.Call)
_OPERATORS: Final = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.USub)
_COUNTS: Final[Mapping[str, Callable[[Expr], Expr]]] = {
    "popcount": derived.popcount,
    "ctlz": derived.ctlz,
    "cttz": derived.cttz,
}
_NO_IMMEDIATES: Final = {f"m{k}": 0 for k in range(4)}  # of members that have none
_JOINS: Final[Mapping[str, Callable[[Expr, Expr], Expr]]] = {
    "smin": derived.smin,
    "smax": derived.smax,
    "umin": derived.umin,
    "umax": derived.umax,
}
_ATTRIBUTES: Final = {
    "zext": 1,
    "sext": 1,
    "extract": 2,
    "popcount": 1,
    "ctlz": 1,
    "cttz": 1,
    "truth": 1,
}
_FIXED: Final[Mapping[str, Callable[[int], int]]] = {
    "smax": lambda r: (1 << (r - 1)) - 1,
    "smin": lambda r: -(1 << (r - 1)),
    "umax": lambda r: (1 << r) - 1,
}
_POWERS: Final[Mapping[str, Callable[[int], int]]] = {
    "bit": lambda k: 1 << k,
    "ones": lambda k: (1 << k) - 1,
    "min": lambda k: -(1 << k),
}


def _bits(value: int, low: int, count: int) -> int:
    return (value >> low) & ((1 << count) - 1)


@cache
def number(text: str) -> Number:
    """Read an integer expression over names; raises :class:`SyntaxProblem` for anything else."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise SyntaxProblem("no integer expression", text, 0) from error
    for node in ast.walk(tree):
        if not isinstance(node, _NODES + _OPERATORS) or (
            isinstance(node, ast.Call)
            and not (isinstance(node.func, ast.Name) and node.func.id == "bits")
        ):
            raise SyntaxProblem(f"{type(node).__name__} in an integer expression", text, 0)
    code = compile(tree, "<formula>", "eval")

    def value(env: Env) -> int:
        found: int = eval(code, {"__builtins__": {}, "bits": _bits}, dict(env))
        return found

    return value


Tree: TypeAlias = "str | tuple[Tree, ...]"


@cache
def tree_of(text: str) -> Tree:
    """Read the text of a term: words and lists of words in parentheses; a word may hold
    balanced parentheses.
    """
    stack: list[list[Tree]] = [[]]
    at = 0
    while at < len(text):
        c = text[at]
        if c == " ":
            at += 1
        elif c == "(":
            stack.append([])
            at += 1
        elif c == ")":
            if len(stack) < 2:
                raise SyntaxProblem("')' without '('", text, at)
            done = tuple(stack.pop())
            stack[-1].append(done)
            at += 1
        else:
            end = _word_end(text, at)
            stack[-1].append(text[at:end])
            at = end
    if len(stack) != 1 or len(stack[0]) != 1:
        raise SyntaxProblem("expected one term", text, len(text))
    return stack[0][0]


def _word_end(text: str, at: int) -> int:
    depth = 0
    while at < len(text):
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            if depth == 0:
                break
            depth -= 1
        elif text[at] == " " and depth == 0:
            break
        at += 1
    return at


def terms_of(formula: Formula, env: Env, operands: Mapping[str, str], mode: str) -> list[Expr]:
    """Return the lanes of a class for parameters and immediates ``env`` and operands by letter."""
    env = {**_NO_IMMEDIATES, **env}
    width = number(formula.width)(env)
    result = [const(0, width)] * number(formula.lanes)(env)
    for kind, stage in zip(formula.kinds, formula.modes[mode], strict=True):
        tree, stages = tree_of(kind.term), [tree_of(s) for s in stage]
        for digits in _digits(kind.loops, env):
            scope = {**env, **digits}
            read = _Reader(scope, operands, width)
            lane = read.term(tree)
            if stages:
                kept = read.term(stages[1]) if len(stages) > 1 else const(0, lane.width)
                lane = ite(read.term(stages[0]), lane, kept)
            result[number(kind.index)(scope)] = lane
    return result


def lane_term(text: str, width: int) -> Expr:
    """Return the term of a lane of ``width`` bits from text without names; operands keep their
    letters.
    """
    return _Reader({}, {x: x for x in "abcdefghijklmnopqrstuvwxyz"}, width).term(tree_of(text))


def _digits(loops: Sequence[tuple[str, str]], env: Env) -> Iterator[dict[str, int]]:
    bounds = [range(number(bound)(env)) for _, bound in loops]
    for values in product(*bounds):
        yield dict(zip((name for name, _ in loops), values, strict=True))


class _Reader:
    """Evaluates the term of one lane."""

    def __init__(self, env: Env, operands: Mapping[str, str], width: int) -> None:
        self.env = env
        self.operands = operands
        self.width = width
        self.names: dict[str, Expr] = {}

    def term(self, tree: Tree) -> Expr:
        if isinstance(tree, str):
            return self.names[tree] if tree in self.names else self.leaf(tree)
        head, rest = str(tree[0]), tree[1:]
        if head == "let":
            for binding in rest[0]:
                assert isinstance(binding, tuple)
                self.names[str(binding[0])] = self.term(binding[1])
            return self.term(rest[1])
        if head == "fold":
            return self.fold(str(rest[0]), self.value(str(rest[1])), rest[2])
        if head == "pick":
            return self.pick(str(rest[0]), str(rest[1]), self.value(str(rest[2])))
        count = _ATTRIBUTES.get(head, 0)
        attr = [self.value(str(x)) for x in rest[:count]]
        args = [self.term(x) for x in rest[count:]]
        if head == "truth":
            return derived.truth(args[0], args[1], args[2], attr[0])
        if head in _COUNTS:
            wide = zext(args[0], max(attr[0], args[0].width)) if head == "popcount" else args[0]
            found = _COUNTS[head](wide)
            return trunc(found, attr[0]) if attr[0] <= found.width else zext(found, attr[0])
        if head in ("zext", "sext"):
            return (zext if head == "zext" else sext)(args[0], attr[0])
        if head not in OPS:
            raise SyntaxProblem(f"unknown operation '{head}'", head, 0)
        return make(head, tuple(args), tuple(attr))

    def fold(self, op: str, count: int, tree: Tree) -> Expr:
        """Join the terms of ``j`` up to ``count``."""
        terms = (
            _Reader({**self.env, "j": j}, self.operands, self.width).term(tree)
            for j in range(count)
        )
        join = _JOINS.get(op) or (lambda a, b: make(op, (a, b)))
        return reduce(join, terms)

    def value(self, text: str) -> int:
        return number(text)(self.env)

    def leaf(self, text: str) -> Expr:
        head, _, width = text.rpartition(":")
        w = self.value(width)
        if "[" in head:
            letters, _, at = head.rstrip("]").partition("[")
            return self.element(letters, at, 0, w)
        return const(self.literal(head), w)

    def element(self, letters: str, at: str, plus: int, width: int) -> Expr:
        place, _, block = at.partition("@")
        sources = [self.operands[x] for x in letters.split("|")]
        address = self.value(place) + plus
        if len(sources) == 1:
            return elem(sources[0], address, width)
        size = self.value(block)
        row, offset = divmod(address, size)
        return elem(sources[row % len(sources)], row // len(sources) * size + offset, width)

    def literal(self, text: str) -> int:
        if text in _FIXED:
            return _FIXED[text](self.width)
        name, _, inner = text.partition("(")
        return _POWERS[name](self.value(inner[:-1])) if name in _POWERS else self.value(text)

    def pick(self, index: str, table: str, stride: int) -> Expr:
        chosen = self.leaf(index)
        head, _, width = table.rpartition(":")
        letters, _, at = head.rstrip("]").partition("[")
        w = self.value(width)
        entries = [self.element(letters, at, k * stride, w) for k in range(1 << chosen.width)]
        for bit in range(chosen.width):
            entries = [
                ite(extract(chosen, bit, 1), high, low)
                for low, high in zip(entries[::2], entries[1::2], strict=True)
            ]
        return entries[0]
