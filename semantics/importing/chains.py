"""Chains of formulas: associative operations flattened, runs in arithmetic progression folded,
tables of alternatives found.
"""

from __future__ import annotations

from isel.ir.expr import Expr, elem
from isel.spec.sem_syntax import Binary, Fold, Name, Node, Number
from semantics.importing.shapes import children, filled, numbers, shape


def size(node: Node) -> int:
    """Return the number of nodes of a formula."""
    memo: dict[int, int] = {}

    def count(n: Node) -> int:
        found = memo.get(id(n))
        if found is None:
            found = memo[id(n)] = 1 + sum(count(c) for c in children(n))
        return found

    return count(node)


def flattened(e: Expr) -> list[Expr]:
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


def run(nodes: list[Node], at: int) -> int:
    """Return how many nodes from ``at`` on are one formula with numbers in arithmetic
    progression.
    """
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


def folded(op: str, nodes: list[Node], fixed: list[bool]) -> list[Node]:
    """Return the parts of a commutative chain, runs of three and more replaced by folds."""
    loose = [n for n, f in zip(nodes, fixed, strict=True) if f]
    rest = [n for n, f in zip(nodes, fixed, strict=True) if not f]
    groups: dict[object, list[Node]] = {}
    for n in rest:
        groups.setdefault(shape(n), []).append(n)
    result: list[Node] = []
    for group in groups.values():
        ordered = sorted(group, key=numbers) if len(group) > 2 else group
        whole = len(ordered) > 2 and run(ordered, 0) == len(ordered)
        result.extend([fold_of(op, ordered)] if whole else group)
    return result + loose


def _depth(node: Node) -> int:
    return max((_depth(c) for c in children(node)), default=0) + isinstance(node, Fold)


def fold_of(op: str, nodes: list[Node]) -> Node:
    """Return the fold over formulas whose numbers progress."""
    variable = f"q{_depth(nodes[0])}"
    body = progressing(nodes, Name(variable))
    assert body is not None
    return Fold(op, variable, Number(len(nodes)), body)


def progressing(nodes: list[Node], index: Node) -> Node | None:
    """Return the first node with each number replaced by number + step * index; None unless the
    numbers progress so.
    """
    if run(nodes, 0) != len(nodes):
        return None
    first, second = numbers(nodes[0]), numbers(nodes[1])
    return filled(nodes[0], [linear(x, y - x, index) for x, y in zip(first, second, strict=True)])


def linear(first: int, step: int, index: Node) -> Node:
    """Return ``first + step * index``."""
    if step == 0:
        return Number(first)
    scaled: Node = index if step == 1 else Binary("*", index, Number(step))
    return Binary("+", scaled, Number(first))


def alternatives(e: Expr) -> tuple[Expr, list[Expr]] | None:
    """Return selector and entries of a table of choices: by the bits of the selector, or by
    comparisons with each of its values.
    """
    c = e.args[0]
    if c.op == "eq" and c.args[1].op == "const":
        selector, entries, here = c.args[0], {}, e
        while (
            here.op == "ite"
            and here.args[0].op == "eq"
            and here.args[0].args[0] is selector
            and here.args[0].args[1].op == "const"
        ):
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
    while all(
        x.op == "ite"
        and x.args[0].op == "elem"
        and x.args[0].source == c.source
        and x.args[0].offset == c.offset - count
        for x in level
    ):
        level = [y for x in level for y in (x.args[2], x.args[1])]
        count += 1
    if not count:
        return None
    return elem(c.source, c.offset - count + 1, count), level
