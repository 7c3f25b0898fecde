"""From terms to formulas of the ``.sem`` language: immediates become integers, expansions their
names, chains folds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from isel.ir.build import trunc
from isel.ir.expr import Expr, postorder
from isel.spec.sem_syntax import Binary, Call, Choice, Element, Name, Node, Number, Pick, Unary
from semantics.importing.chains import (
    alternatives,
    flattened,
    fold_of,
    folded,
    linear,
    progressing,
    run,
    size,
)
from semantics.importing.lookups import lookup
from semantics.importing.recognise import RULES
from semantics.importing.shapes import children, numbers, shape, tidy

_INFIX: Final = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<"}
_FOLDS: Final = {"add": "+", "mul": "*", "and": "&", "or": "|", "xor": "^", "concat": "concat"}
_INT_INFIX: Final = {**_INFIX, "lshr": ">>", "eq": "==", "ult": "<", "ule": "<="}
_TREE: Final = 6000  # nodes of a formula that is still written as a tree


class TooLarge(Exception):
    """A formula that is no use as a tree."""


class Writer:
    """Writes terms over the elements of operands (``grid`` gives their widths) and the bits of
    immediates.
    """

    def __init__(self, grid: Mapping[str, int], immediates: Mapping[str, int]) -> None:
        self.grid = grid
        self.immediates = immediates  # and the bits that can differ from 0
        self.done: dict[Expr, Node] = {}
        self.constant: dict[Expr, bool] = {}
        self.named: dict[Expr, str] = {}

    def lane(self, e: Expr) -> Node:
        """Return a lane's formula, in which a plain integer may stand for the whole; raise
        :class:`TooLarge`.
        """
        node = Number(e.value) if e.op == "const" else self.term(e)
        if size(node) > _TREE:
            raise TooLarge
        return node

    def fixed(self, e: Expr) -> bool:
        """Tell whether a term depends on immediates only."""
        found = self.constant.get(e)
        if found is None:
            for x in postorder([e]):
                if x not in self.constant:
                    known = x.args or x.op == "const" or x.source in self.immediates
                    self.constant[x] = bool(known) and all(self.constant[a] for a in x.args)
            found = self.constant[e]
        return found

    def operand(self, e: Expr) -> Node:
        """Return a formula where an integer takes the width of what it meets."""
        if e.op == "const":
            return Number(e.value)
        return self.integer(e)[0] if self.fixed(e) else self.term(e)

    def with_width(self, e: Expr) -> Node:
        """Return a formula that must have a width of its own."""
        if self.fixed(e):
            return Call(
                "lit", (self.integer(e)[0] if e.op != "const" else Number(e.value), Number(e.width))
            )
        return self.term(e)

    def term(self, e: Expr) -> Node:
        """Return the formula of a term that depends on operands."""
        if self.fixed(e):
            return self.with_width(e)
        name = self.named.get(e)
        if name is not None:
            return Name(name)
        found = self.done.get(e)
        if found is None:
            found = self.done[e] = self._recognised(e) or self._plain(e)
        return found

    def _plain(self, e: Expr) -> Node:
        a = e.args
        if e.op == "elem":
            entry = lookup(e.source)
            if entry is not None:
                return Element(entry.table, self.term(entry.index))
            return Element(e.source, Number(e.offset // self.grid[e.source]))
        if e.op in _FOLDS:
            return self._chain(e)
        if e.op in _INFIX:
            return Binary(_INFIX[e.op], self.operand(a[0]), self.operand(a[1]))
        if e.op == "not" and a[0].op == "eq":
            return Call("ne", self._ordered(a[0].args))
        if e.op == "not":
            return Unary("~", self.with_width(a[0]))
        if e.op == "neg":
            return Unary("-", self.with_width(a[0]))
        if e.op == "extract":
            given, width = (self.with_width(a[0]), Number(e.int_attr(0))), Number(e.width)
            return Call("bit", given) if e.width == 1 else Call("extract", (*given, width))
        if e.op == "zext" or e.op == "sext":
            name = "mask_of" if e.op == "sext" and a[0].width == 1 else e.op
            return Call(name, (self.with_width(a[0]), Number(e.width)))
        if e.op == "ite":
            return self._choice(e)
        return Call(
            e.op, self._ordered(a) if e.op == "eq" else (self.operand(a[0]), self.operand(a[1]))
        )

    def _ordered(self, terms: Sequence[Expr]) -> tuple[Node, ...]:
        """Return the operands of a commutative operation as the intrinsic has them; literals
        come last.
        """
        return tuple(sorted((self.operand(x) for x in terms), key=self._rank))

    def _rank(self, node: Node) -> tuple[int, int, str, list[int]]:
        stack, order = [node], list(self.grid)
        while stack:
            n = stack.pop()
            if isinstance(n, Element) and n.operand in self.grid:
                return 0, order.index(n.operand), str(shape(node)), numbers(node)
            stack.extend(reversed(children(n)))
        return 1, isinstance(node, Number), "", []

    def _choice(self, e: Expr) -> Node:
        c, a, b = e.args
        if not self.fixed(c):
            return (
                Choice(self.term(c), self.operand(a), self.operand(b))
                if not (self.fixed(a) and self.fixed(b))
                else Choice(self.term(c), self.with_width(a), self.operand(b))
            )
        return self._by_immediate(e) or Choice(
            self.integer(c)[0], self.with_width(a), self.with_width(b)
        )

    def _chain(self, e: Expr) -> Node:
        parts = flattened(e)
        if e.op == "concat":
            return self._concatenation(parts)
        nodes = [self.operand(x) for x in parts]
        nodes = sorted(folded(_FOLDS[e.op], nodes, [self.fixed(x) for x in parts]), key=self._rank)
        result = nodes[0]
        for node in nodes[1:]:
            if e.op == "add" and isinstance(node, Number) and node.value >> (e.width - 1):
                result = Binary("-", result, Number((1 << e.width) - node.value))
            else:
                result = Binary(_FOLDS[e.op], result, node)
        return result

    def _concatenation(self, parts: list[Expr]) -> Node:
        lowest, *rest = parts
        if self.fixed(lowest) and lowest.op == "const" and lowest.value == 0 and rest:
            inner = self._concatenation(rest)
            width = sum(x.width for x in parts)
            return Binary("<<", Call("zext", (inner, Number(width))), Number(lowest.width))
        nodes = [self.with_width(x) for x in parts]
        groups: list[Node] = []
        at = 0
        while at < len(nodes):
            length = run(nodes, at)
            groups.append(fold_of("concat", nodes[at : at + length]) if length > 2 else nodes[at])
            at += length if length > 2 else 1
        result = groups[0]
        for node in groups[1:]:
            result = Call("concat", (node, result))
        return result

    def _by_immediate(self, e: Expr) -> Node | None:
        """Return a choice among regular alternatives by an immediate as one of them with a
        computed number.
        """
        table = alternatives(e)
        if table is None or not self.fixed(table[0]):
            return None
        selector, entries = table
        nodes = [self.with_width(x) for x in entries]
        if len({shape(n) for n in nodes}) != 1:
            return None
        index = self.integer(selector)[0]
        return progressing(nodes, index)

    def _recognised(self, e: Expr) -> Node | None:
        for rule in RULES:
            found = rule(self, e)
            if found is not None:
                return found
        return self._picked(e) if e.op == "ite" else None

    def _picked(self, e: Expr) -> Node | None:
        """Recognise :func:`isel.rules.derived.pick` over consecutive elements."""
        c = e.args[0]
        if c.op != "extract" or self.fixed(c):
            return None
        level, bit, word = [e], c.int_attr(0), c.args[0]
        count = 0
        while all(
            x.op == "ite"
            and x.args[0].op == "extract"
            and x.args[0].args[0] is word
            and x.args[0].int_attr(0) == bit - count
            for x in level
        ):
            level = [y for x in level for y in (x.args[2], x.args[1])]
            count += 1
        first, low = level[0], bit - count + 1
        if not count or not all(
            x.op == "elem"
            and x.source == first.source
            and x.offset == first.offset + k * first.width
            for k, x in enumerate(level)
        ):
            return None
        if low:
            index: Node = Call("extract", (self.with_width(word), Number(low), Number(count)))
        else:
            is_whole = count == word.width
            index = self.with_width(word) if is_whole else self.term(trunc(word, count))
        start = Number(first.offset // self.grid[first.source])
        return Pick(first.source, start, Number(len(level)), index)

    def integer(self, e: Expr) -> tuple[Node, int]:
        """Return a term over immediates as an integer expression, and the greatest value it can
        have.
        """
        full = (1 << e.width) - 1
        if e.op == "const":
            return Number(e.value), e.value
        if e.op == "elem":
            return self._bits_of(e)
        table = alternatives(e) if e.op == "ite" else None
        if table is not None and all(x.op == "const" for x in table[1]):
            values = [x.value for x in table[1]]
            step = values[1] - values[0]
            if values == [values[0] + step * k for k in range(len(values))]:
                return tidy(linear(values[0], step, self.integer(table[0])[0])), max(values)
        parts = [self.integer(a) for a in e.args]
        nodes, most = [n for n, _ in parts], [m for _, m in parts]
        if e.op == "zext":
            return nodes[0], most[0]
        if e.op == "concat":
            n = e.args[1].width
            node: Node = Binary("*", nodes[0], Number(1 << n))
            return (node if most[1] == 0 else Binary("+", node, nodes[1])), (most[0] << n) + most[1]
        if e.op == "extract":
            low = e.int_attr(0)
            shifted = nodes[0] if low == 0 else Binary(">>", nodes[0], Number(low))
            if most[0] >> low <= full:
                return shifted, most[0] >> low
            return Binary("&", shifted, Number(full)), full
        if e.op == "ite":
            return Choice(nodes[0], nodes[1], nodes[2]), max(most[1], most[2])
        if e.op == "not" and e.width == 1:
            return Binary("==", nodes[0], Number(0)), 1
        if e.op == "not":
            return Binary("-", Number(full), nodes[0]), full
        if e.op == "sext" and e.args[0].width == 1:
            return Binary("*", nodes[0], Number(full)), full
        if e.op == "sext":
            sign = Number(1 << (e.args[0].width - 1))
            moved = Binary("-", Binary("^", nodes[0], sign), sign)
            return Binary("&", moved, Number(full)), full
        if e.op == "neg":
            return Binary("&", Unary("-", nodes[0]), Number(full)), full
        if e.op not in _INT_INFIX:
            raise TooLarge
        node = Binary(_INT_INFIX[e.op], nodes[0], nodes[1])
        if e.op in ("eq", "ult", "ule"):
            return node, 1
        if e.op == "lshr":
            return node, min(full, most[0])
        if e.op in ("and", "or", "xor"):
            return node, min(full, (1 << max(m.bit_length() for m in most)) - 1)
        bound = {"add": most[0] + most[1], "mul": most[0] * most[1]}.get(e.op, full + 1)
        if e.op == "sub" and e.args[0].op == "const" and most[1] <= most[0]:
            return node, most[0]
        return (node, bound) if bound <= full else (Binary("&", node, Number(full)), full)

    def _bits_of(self, e: Expr) -> tuple[Node, int]:
        used = self.immediates[e.source]
        full = (1 << e.width) - 1
        if e.offset == 0 and used <= full:
            return Name(e.source), used
        return Binary("&", Binary(">>", Name(e.source), Number(e.offset)), Number(full)), min(
            full, used >> e.offset
        )
