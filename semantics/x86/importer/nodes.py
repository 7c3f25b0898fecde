"""From terms to formulas of the ``.sem`` language: immediates become integers, expansions their names, chains folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from isel.ir import derived
from isel.ir.expr import Expr, leaves, postorder
from isel.spec.sem_syntax import Binary, Call, Choice, Element, Fold, Name, Node, Number, Pick, Unary
from semantics.x86.importer.builtin import truth_table
from semantics.x86.importer.shapes import filled, numbers, shape, tidy
from semantics.x86.importer.values import low_bits, unsigned

_INFIX: Final = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<"}
_FOLDS: Final = {"add": "+", "mul": "*", "and": "&", "or": "|", "xor": "^", "concat": "concat"}
_INT_INFIX: Final = {**_INFIX, "lshr": ">>", "eq": "==", "ult": "<", "ule": "<="}
_TREE: Final = 6000  # nodes of a formula that is still written as a tree


class TooLarge(Exception):
    """A formula that is no use as a tree."""


class Writer:
    """Writes terms over the elements of operands (``grid`` gives their widths) and the bits of immediates."""

    def __init__(self, grid: Mapping[str, int], immediates: Mapping[str, int]) -> None:
        self.grid = grid
        self.immediates = immediates  # and the bits that can differ from 0
        self.done: dict[Expr, Node] = {}
        self.constant: dict[Expr, bool] = {}
        self.named: dict[Expr, str] = {}

    def lane(self, e: Expr) -> Node:
        """Return a lane's formula, in which a plain integer may stand for the whole; raise :class:`TooLarge`."""
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
                    self.constant[x] = all(self.constant[a] for a in x.args) if x.args else x.op == "const" or x.source in self.immediates
            found = self.constant[e]
        return found

    def operand(self, e: Expr) -> Node:
        """Return a formula where an integer takes the width of what it meets."""
        if e.op == "const":
            return Number(e.value)
        return self.integer(e)[0] if self.fixed(e) else self.term(e)

    def typed(self, e: Expr) -> Node:
        """Return a formula that must have a width of its own."""
        if self.fixed(e):
            return Call("lit", (self.integer(e)[0] if e.op != "const" else Number(e.value), Number(e.width)))
        return self.term(e)

    def term(self, e: Expr) -> Node:
        """Return the formula of a term that depends on operands."""
        if self.fixed(e):
            return self.typed(e)
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
            return Element(e.source, Number(e.offset // self.grid[e.source]))
        if e.op in _FOLDS:
            return self._chain(e)
        if e.op in _INFIX:
            return Binary(_INFIX[e.op], self.operand(a[0]), self.operand(a[1]))
        if e.op == "not":
            return Call("ne", self._ordered(a[0].args)) if a[0].op == "eq" else Unary("~", self.typed(a[0]))
        if e.op == "neg":
            return Unary("-", self.typed(a[0]))
        if e.op == "extract":
            low, width = Number(e.int_attr(0)), e.width
            return Call("bit", (self.typed(a[0]), low)) if width == 1 else Call("extract", (self.typed(a[0]), low, Number(width)))
        if e.op == "zext" or e.op == "sext":
            name = "mask_of" if e.op == "sext" and a[0].width == 1 else e.op
            return Call(name, (self.typed(a[0]), Number(e.width)))
        if e.op == "ite":
            return self._choice(e)
        return Call(e.op, self._ordered(a) if e.op == "eq" else (self.operand(a[0]), self.operand(a[1])))

    def _ordered(self, terms: Sequence[Expr]) -> tuple[Node, ...]:
        """Return the operands of a commutative operation as the intrinsic has them; literals come last."""
        return tuple(sorted((self.operand(x) for x in terms), key=self._rank))

    def _rank(self, node: Node) -> tuple[int, int, str, list[int]]:
        stack, order = [node], list(self.grid)
        while stack:
            n = stack.pop()
            if isinstance(n, Element):
                return 0, order.index(n.operand), str(shape(node)), numbers(node)
            stack.extend(reversed(children(n)))
        return 1, isinstance(node, Number), "", []

    def _choice(self, e: Expr) -> Node:
        c, a, b = e.args
        if not self.fixed(c):
            return Choice(self.term(c), self.operand(a), self.operand(b)) if not (self.fixed(a) and self.fixed(b)) else Choice(self.term(c), self.typed(a), self.operand(b))
        return self._by_immediate(e) or Choice(self.integer(c)[0], self.typed(a), self.typed(b))

    def _chain(self, e: Expr) -> Node:
        parts = _flattened(e)
        if e.op == "concat":
            return self._concatenation(parts)
        nodes = [self.operand(x) for x in parts]
        nodes = sorted(_folded(_FOLDS[e.op], nodes, [self.fixed(x) for x in parts]), key=self._rank)
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
        nodes = [self.typed(x) for x in parts]
        groups: list[Node] = []
        at = 0
        while at < len(nodes):
            run = _run(nodes, at)
            groups.append(_fold_of("concat", nodes[at : at + run]) if run > 2 else nodes[at])
            at += run if run > 2 else 1
        result = groups[0]
        for node in groups[1:]:
            result = Call("concat", (node, result))
        return result

    def _by_immediate(self, e: Expr) -> Node | None:
        """Return a choice among regular alternatives by an immediate as one of them with a computed number."""
        table = _alternatives(e)
        if table is None or not self.fixed(table[0]):
            return None
        selector, entries = table
        nodes = [self.typed(x) for x in entries]
        if len({shape(n) for n in nodes}) != 1:
            return None
        index = self.integer(selector)[0]
        return _progressing(nodes, index)

    def _recognised(self, e: Expr) -> Node | None:
        for rule in (_saturated, _extreme, _counted, _masked_truth):
            found = rule(self, e)
            if found is not None:
                return found
        return self._picked(e) if e.op == "ite" else None

    def _picked(self, e: Expr) -> Node | None:
        """Recognise :func:`isel.ir.derived.pick` over consecutive elements."""
        c = e.args[0]
        if c.op != "extract" or self.fixed(c):
            return None
        level, bit, word = [e], c.int_attr(0), c.args[0]
        count = 0
        while all(x.op == "ite" and x.args[0].op == "extract" and x.args[0].args[0] is word and x.args[0].int_attr(0) == bit - count for x in level):
            level = [y for x in level for y in (x.args[2], x.args[1])]
            count += 1
        while count:
            first = level[0]
            if all(x.op == "elem" and x.source == first.source and x.offset == first.offset + k * first.width for k, x in enumerate(level)):
                low = bit - count + 1
                index = self.typed(word) if low == 0 and count == word.width else self.term(derived.trunc(word, count)) if low == 0 else None
                if index is None:
                    index = Call("extract", (self.typed(word), Number(low), Number(count)))
                return Pick(first.source, Number(first.offset // self.grid[first.source]), Number(len(level)), index)
            return None
        return None

    def integer(self, e: Expr) -> tuple[Node, int]:
        """Return a term over immediates as an integer expression, and the greatest value it can have."""
        full = (1 << e.width) - 1
        if e.op == "const":
            return Number(e.value), e.value
        if e.op == "elem":
            return self._bits_of(e)
        table = _alternatives(e) if e.op == "ite" else None
        if table is not None and all(x.op == "const" for x in table[1]):
            values = [x.value for x in table[1]]
            step = values[1] - values[0]
            if values == [values[0] + step * k for k in range(len(values))]:
                return tidy(_linear(values[0], step, self.integer(table[0])[0])), max(values)
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
            return (shifted, most[0] >> low) if most[0] >> low <= full else (Binary("&", shifted, Number(full)), full)
        if e.op == "ite":
            return Choice(nodes[0], nodes[1], nodes[2]), max(most[1], most[2])
        if e.op == "not":
            return (Binary("==", nodes[0], Number(0)), 1) if e.width == 1 else (Binary("-", Number(full), nodes[0]), full)
        if e.op == "sext":
            return Binary("*", nodes[0], Number(full)) if e.args[0].width == 1 else Binary("&", Binary("-", Binary("^", nodes[0], Number(1 << (e.args[0].width - 1))), Number(1 << (e.args[0].width - 1))), Number(full)), full
        if e.op == "neg":
            return Binary("&", Unary("-", nodes[0]), Number(full)), full
        if e.op not in _INT_INFIX:
            raise TooLarge
        node = Binary(_INT_INFIX[e.op], nodes[0], nodes[1])
        if e.op in ("eq", "ult", "ule"):
            return node, 1
        if e.op in ("and", "or", "xor", "lshr"):
            return node, min(full, most[0] if e.op == "lshr" else (1 << max(most[0].bit_length(), most[1].bit_length())) - 1)
        bound = {"add": most[0] + most[1], "mul": most[0] * most[1]}.get(e.op, full + 1)
        if e.op == "sub" and e.args[0].op == "const" and most[1] <= most[0]:
            return node, most[0]
        return (node, bound) if bound <= full else (Binary("&", node, Number(full)), full)

    def _bits_of(self, e: Expr) -> tuple[Node, int]:
        used = self.immediates[e.source]
        full = (1 << e.width) - 1
        if e.offset == 0 and used <= full:
            return Name(e.source), used
        return Binary("&", Binary(">>", Name(e.source), Number(e.offset)), Number(full)), min(full, used >> e.offset)


def size(node: Node) -> int:
    """Return the number of nodes of a formula."""
    memo: dict[int, int] = {}

    def count(n: Node) -> int:
        found = memo.get(id(n))
        if found is None:
            found = memo[id(n)] = 1 + sum(count(c) for c in children(n))
        return found

    return count(node)


def children(node: Node) -> tuple[Node, ...]:
    """Return the operands of a node."""
    match node:
        case Number() | Name():
            return ()
        case Unary(arg=a):
            return (a,)
        case Binary(left=a, right=b):
            return a, b
        case Choice(condition=c, yes=a, no=b):
            return c, a, b
        case Element(index=i):
            return (i,)
        case Call(args=args):
            return args
        case Fold(count=n, body=b):
            return n, b
        case Pick(base=b, count=n, index=i):
            return b, n, i


def _flattened(e: Expr) -> list[Expr]:
    """Return the parts of an associative chain: those of a concatenation from the lowest."""
    if e.op == "concat":
        parts: list[Expr] = []
        stack = [e]
        while stack:
            x = stack.pop()
            if x.op == "concat":
                stack.extend(x.args)
            else:
                parts.append(x)
        return parts
    found: list[Expr] = []

    def visit(x: Expr) -> None:
        for a in x.args:
            if a.op == e.op:
                visit(a)
            else:
                found.append(a)

    visit(e)
    return found


def _run(nodes: list[Node], at: int) -> int:
    """Return how many nodes from ``at`` on are one formula with numbers in arithmetic progression."""
    if at + 1 >= len(nodes) or shape(nodes[at]) != shape(nodes[at + 1]):
        return 1
    first, second = numbers(nodes[at]), numbers(nodes[at + 1])
    if first == second:
        return 1
    steps = [y - x for x, y in zip(first, second, strict=True)]
    run = 2
    while at + run < len(nodes) and shape(nodes[at + run]) == shape(nodes[at]):
        if numbers(nodes[at + run]) != [x + run * s for x, s in zip(first, steps, strict=True)]:
            break
        run += 1
    return run


def _folded(op: str, nodes: list[Node], fixed: list[bool]) -> list[Node]:
    """Return the parts of a commutative chain, runs of three and more replaced by folds."""
    loose = [n for n, f in zip(nodes, fixed, strict=True) if f]
    rest = [n for n, f in zip(nodes, fixed, strict=True) if not f]
    groups: dict[object, list[Node]] = {}
    for n in rest:
        groups.setdefault(shape(n), []).append(n)
    result: list[Node] = []
    for group in groups.values():
        ordered = sorted(group, key=numbers) if len(group) > 2 else group
        run = _run(ordered, 0)
        result.extend([_fold_of(op, ordered)] if run == len(ordered) > 2 else group)
    return result + loose


def _depth(node: Node) -> int:
    return max((_depth(c) for c in children(node)), default=0) + isinstance(node, Fold)


def _fold_of(op: str, nodes: list[Node]) -> Node:
    variable = f"q{_depth(nodes[0])}"
    body = _progressing(nodes, Name(variable))
    assert body is not None
    return Fold(op, variable, Number(len(nodes)), body)


def _progressing(nodes: list[Node], index: Node) -> Node | None:
    """Return the first node with each number replaced by number + step * index; None unless the numbers progress so."""
    if _run(nodes, 0) != len(nodes):
        return None
    first, second = numbers(nodes[0]), numbers(nodes[1])
    return filled(nodes[0], [_linear(x, y - x, index) for x, y in zip(first, second, strict=True)])


def _linear(first: int, step: int, index: Node) -> Node:
    if step == 0:
        return Number(first)
    scaled: Node = index if step == 1 else Binary("*", index, Number(step))
    return Binary("+", scaled, Number(first))


def _alternatives(e: Expr) -> tuple[Expr, list[Expr]] | None:
    """Return selector and entries of a table of choices: by the bits of the selector, or by comparisons with each of its values."""
    c = e.args[0]
    if c.op == "eq" and c.args[1].op == "const":
        selector, entries, here = c.args[0], {}, e
        while here.op == "ite" and here.args[0].op == "eq" and here.args[0].args[0] is selector and here.args[0].args[1].op == "const":
            entries[here.args[0].args[1].value] = here.args[1]
            here = here.args[2]
        total = 1 << selector.width
        missing = [k for k in range(total) if k not in entries]
        if selector.width > 8 or len(missing) > 1:
            return None
        entries.update(dict.fromkeys(missing, here))
        return selector, [entries[k] for k in range(total)]
    if c.op != "elem":
        return None
    level, count = [e], 0
    while all(x.op == "ite" and x.args[0].op == "elem" and x.args[0].source == c.source and x.args[0].offset == c.offset - count for x in level):
        level = [y for x in level for y in (x.args[2], x.args[1])]
        count += 1
    if not count:
        return None
    from isel.ir.expr import elem

    return elem(c.source, c.offset - count + 1, count), level


def _saturated(w: Writer, e: Expr) -> Node | None:
    if e.op != "extract" or e.int_attr(0) != 0 or e.args[0].op != "ite":
        return None
    inner = e.args[0]
    for x in (inner.args[1], *(inner.args[2].args[1:2])):
        for name in ("sat_s", "sat_su", "sat_u"):
            if x.width > e.width and derived.NARROWING[name](x, e.width) is e:
                if x.op == "add" and x.width == e.width + 1:
                    a, b = (y.args[0] if y.op in ("sext", "zext") else y for y in x.args)
                    for full in ("sadd_sat", "uadd_sat"):
                        if a.width == b.width == e.width and derived.BINARY[full](a, b) is e:
                            return Call(full, (w.typed(a), w.operand(b)))
                if x.op == "sub" and x.width == e.width + 1:
                    a, b = (y.args[0] if y.op == "sext" else y for y in x.args)
                    if a.width == b.width == e.width and derived.ssub_sat(a, b) is e:
                        return Call("ssub_sat", (w.typed(a), w.operand(b)))
                return Call(name, (w.typed(x), Number(e.width)))
    return None


def _extreme(w: Writer, e: Expr) -> Node | None:
    if e.op != "ite" or e.args[0].op not in ("slt", "ult"):
        return None
    a, b = e.args[0].args
    for name in ("smin", "smax", "umin", "umax", "usub_sat", "uabsdiff"):
        if a.width == e.width and derived.BINARY[name](a, b) is e:
            return Call(name, (w.operand(a), w.operand(b)))
    if a.width == e.width and derived.sabs(a) is e:
        return Call("abs", (w.typed(a),))
    return None


def _counted(w: Writer, e: Expr) -> Node | None:
    if e.op == "add":
        x = e
        while x.args and x.op != "extract":
            x = x.args[-1]
        if x.op == "extract" and x.args[0].width == e.width and derived.popcount(x.args[0]) is e:
            return Call("popcount", (w.typed(x.args[0]),))
    if e.op == "ite" and e.args[0].op == "extract" and e.args[1].op == "const":
        x = e.args[0].args[0]
        if x.width == e.width > 4 and e.args[0].int_attr(0) == e.width - 1 and derived.ctlz(x) is e:
            return Call("ctlz", (w.typed(x),))
    return None


def _masked_truth(w: Writer, e: Expr) -> Node | None:
    """Recognise the function of three operands that an immediate is the truth table of."""
    if e.op != "or" or e.width == 1:
        return None
    tables = {x.source for x in leaves(e) if x.source in w.immediates}
    operands = [x for x in leaves(e) if x.source not in w.immediates]
    if len(tables) != 1 or len(operands) != 3:
        return None
    from itertools import permutations

    from isel.ir.expr import elem

    (name,) = tables
    table = unsigned(elem(name, 0, 8))
    for a, b, c in permutations(operands):
        if low_bits(truth_table(table, unsigned(a), unsigned(b), unsigned(c)), e.width) is e:
            return Call("truth", (Name(name), w.term(a), w.term(b), w.term(c)))
    return None


Rule = Callable[[Writer, Expr], Node | None]
