"""From the lanes of a result to the formulas of its kinds: what differs from lane to lane
becomes an expression in ``i``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from isel.ir.expr import Expr, elem, leaves
from isel.spec.instruction import Role
from isel.spec.sem_syntax import Element, Node, Number, Pick, parse_text, show_node
from semantics.importing.chains import size
from semantics.importing.fit import condition, fitted
from semantics.importing.immediate import gathered
from semantics.importing.lanes import LaneForm
from semantics.importing.lookups import lookups, parts
from semantics.importing.nodes import TooLarge, Writer
from semantics.importing.shapes import Shape, children, filled, numbers, shape

_KINDS = 16
_LONG = 8000  # characters of formulas that are still written without definitions
_SMALL = 3  # nodes that are not worth a name
_DEFINITIONS = 120


@dataclass(frozen=True, slots=True)
class Stage:
    """Predication: ``none``, ``merge`` into ``source`` where ``mask`` is 0, or ``zero``."""

    kind: str
    mask: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """The formulas of a result without its predication: ``kinds`` are conditions (None for the
    rest) with formulas, as text.
    """

    stage: Stage
    kinds: tuple[tuple[str, str], ...]
    definitions: tuple[tuple[str, str], ...] = ()
    tables: tuple[tuple[str, int, tuple[int, ...]], ...] = ()

    def lines(self) -> list[str]:
        """Return the statements of the ``.sem`` language."""
        found = [
            f"table {name}: {width} = {' '.join(map(str, values))}"
            for name, width, values in self.tables
        ]
        found += [f"where {name} = {text}" for name, text in self.definitions]
        return found + [
            f"lane when {test}: {text}" if test else f"lane {text}" for test, text in self.kinds
        ]


def staged(form: LaneForm) -> tuple[Stage, tuple[Expr, ...]]:
    """Return the predication of lanes that are all a choice by their own bit of one mask, and
    what is chosen.
    """
    names = [o.name for o in form.operands]
    for o in form.operands:
        if o.role is not Role.MASK or o.lanes != len(form.lanes):
            continue
        if not all(
            e.op == "ite" and e.args[0] is elem(o.name, i, 1) for i, e in enumerate(form.lanes)
        ):
            continue
        yes, no = tuple(e.args[1] for e in form.lanes), tuple(e.args[2] for e in form.lanes)
        if any(x.source == o.name for x in leaves(*yes, *no)):
            continue
        if all(e.op == "const" and e.value == 0 for e in no) and names[0] == o.name:
            return Stage("zero", o.name), yes
        source = no[0].source if no[0].op == "elem" else ""
        if (
            source
            and all(e is elem(source, i * form.width, form.width) for i, e in enumerate(no))
            and names.index(o.name) == names.index(source) + 1
        ):
            if names.index(source) == 0 or source in {x.source for x in leaves(*yes)}:
                return Stage("merge", o.name, source), yes
    return Stage("none"), form.lanes


def used_bits(form: LaneForm) -> dict[str, int]:
    """Return the bits of each immediate that its legal values set."""
    found: dict[str, int] = {}
    for m in form.immediates:
        found[m.name] = 0
        for v in m.values:
            found[m.name] |= v
    return found


def body_of(form: LaneForm) -> Body:
    """Return the formulas of a form; raise :class:`TooLarge`."""
    stage, lanes = staged(form)
    grid = {o.name: o.width for o in form.operands}
    tables = tuple(dict.fromkeys((x.table, x.width, x.values) for x in lookups(lanes)))
    try:
        kinds = kinds_of([Writer(grid, used_bits(form)).lane(e) for e in lanes])
        if sum(len(text) for _, text in kinds) > _LONG:
            raise TooLarge
    except TooLarge:
        moved = gathered(form, lanes)
        if moved is not None:
            return Body(stage, moved, (), tables)
        definitions, kinds = alike([Writer(grid, used_bits(form)) for _ in lanes], lanes) or shared(
            Writer(grid, used_bits(form)), lanes
        )
        return Body(stage, kinds, definitions, tables)
    if form.immediates and any(
        "shr(" in text or "<<" in text or ("?" in text and len(kinds) > 1) for _, text in kinds
    ):
        kinds = min(
            (kinds, gathered(form, lanes) or kinds), key=lambda k: sum(map(len, sum(k, ())))
        )
    return Body(stage, kinds, (), tables)


def alike(
    writers: Sequence[Writer], lanes: Sequence[Expr]
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] | None:
    """Return definitions in ``i`` and one formula for lanes that are one graph up to their
    elements; None where they are not.
    """
    orders: list[list[Expr]] = []
    uses: Counter[Expr] = Counter()
    for root in lanes:
        order: dict[Expr, None] = {}
        _visit(root, uses if not orders else Counter(), order)
        orders.append(list(order))
    if len({tuple((e.op, e.width) for e in order) for order in orders}) != 1:
        return None
    definitions: list[tuple[str, str]] = []
    for at, e in enumerate(orders[0]):
        if uses[e] < 2 or e.op in ("elem", "const") or writers[0].fixed(e):
            continue
        text = _in_all([w.lane(terms[at]) for w, terms in zip(writers, orders, strict=True)])
        if text is None or len(definitions) == _DEFINITIONS:
            return None
        definitions.append((f"t{len(definitions)}", text))
        for w, terms in zip(writers, orders, strict=True):
            w.named[terms[at]] = definitions[-1][0]
    whole = _in_all([w.lane(root) for w, root in zip(writers, lanes, strict=True)])
    return None if whole is None else (tuple(definitions), (("", whole),))


def _in_all(nodes: Sequence[Node]) -> str | None:
    if len({shape(n) for n in nodes}) != 1:
        return None
    return show_node(unified(range(len(nodes)), nodes, len(nodes)))


def shared(
    writer: Writer, lanes: Sequence[Expr]
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """Return definitions for terms that are used twice, and the kinds that use them; raise
    :class:`TooLarge`.
    """
    uses: Counter[Expr] = Counter()
    order: dict[Expr, None] = {}
    for root in lanes:
        _visit(root, uses, order)
    definitions: list[tuple[str, str]] = []
    for e in order:
        if uses[e] > 1 and e.op not in ("elem", "const") and not writer.fixed(e):
            node = writer.lane(e)
            if size(node) > _SMALL:
                definitions.append((f"t{len(definitions)}", show_node(node)))
                writer.named[e] = definitions[-1][0]
    if len(definitions) > _DEFINITIONS:
        raise TooLarge
    return tuple(definitions), kinds_of([writer.lane(e) for e in lanes])


def _visit(root: Expr, uses: Counter[Expr], order: dict[Expr, None]) -> None:
    """Count how often each term is used, and note them with operands before their users."""
    stack = [(root, False)]
    while stack:
        e, done = stack.pop()
        if done:
            order[e] = None
            continue
        uses[e] += 1
        if uses[e] == 1:
            stack.append((e, True))
            stack.extend((x, False) for x in reversed(parts(e)))


def index_operands(kinds: Sequence[tuple[str, str]]) -> frozenset[str]:
    """Return the operands whose elements choose among those of another, in formulas with their
    conditions.
    """
    found: set[str] = set()
    todo = [(parse_text(text), False) for _, text in kinds]
    while todo:
        node, inside = todo.pop()
        if isinstance(node, Element) and inside:
            found.add(node.operand)
        if isinstance(node, Pick):
            todo += [(node.base, inside), (node.count, inside), (node.index, True)]
        else:
            todo += [(child, inside) for child in children(node)]
    return frozenset(found)


def kinds_of(nodes: Sequence[Node]) -> tuple[tuple[str, str], ...]:
    """Return conditions and formulas that give each lane its formula; raise :class:`TooLarge`
    for too many kinds.
    """
    groups: dict[Shape, list[int]] = {}
    for i, node in enumerate(nodes):
        groups.setdefault(shape(node), []).append(i)
    if len(groups) > _KINDS:
        raise TooLarge
    return written(list(groups.values()), nodes)


def written(groups: Sequence[Sequence[int]], nodes: Sequence[Node]) -> tuple[tuple[str, str], ...]:
    """Return conditions and formulas of groups of lanes whose formulas differ in numbers only."""
    left = sorted(groups, key=lambda g: (-len(g), g[0]))
    left = [*sorted(left[1:], key=lambda g: g[0]), left[0]]  # the largest is the rest
    found: list[tuple[str, str]] = []
    for k, group in enumerate(left):
        others = [i for g in left[k + 1 :] for i in g]
        test = show_node(condition(group, others, len(nodes))) if others else ""
        found.append((test, show_node(unified(group, [nodes[i] for i in group], len(nodes)))))
    return tuple(found)


def unified(lanes: Sequence[int], nodes: Sequence[Node], total: int) -> Node:
    """Return one formula in ``i`` for formulas that differ in numbers only."""
    rows = [numbers(n) for n in nodes]
    columns: list[Node] = [
        fitted(lanes, values, total) if len(lanes) > 1 else Number(values[0])
        for values in zip(*rows, strict=True)
    ]
    return filled(nodes[0], columns)
