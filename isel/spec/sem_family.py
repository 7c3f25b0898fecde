"""Families of instructions: what one ``instruction`` block of a ``.sem`` file says, and its
members.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from isel.ir.expr import Expr
from isel.spec.emission import HOLE, mask_text
from isel.spec.instruction import Immediate, Instruction, Operand, Predication, Role
from isel.spec.lanes import Bindings, LaneFunction
from isel.spec.sem_meaning import Entry, Env, Lazy, Numbers, Value, evaluate, fitted, integer
from isel.spec.sem_syntax import Mistake, Node, parse_text, show_node

_SLOT: Final = re.compile(r"(?<!\$)\{([^{}]*)\}")
_WORD: Final = re.compile(r"[A-Za-z_]\w*$")


@dataclass(frozen=True, slots=True)
class Text:
    """Text with ``{…}`` slots, and where it starts in the file."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Loop:
    """``for a, b in (1, 2) (3, 4)``."""

    names: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """An operand's role, name, and ``count x width``."""

    role: Role
    name: str
    count: Node
    width: Node


@dataclass(frozen=True, slots=True)
class Range:
    """An immediate, its width, and inclusive ranges of legal values."""

    name: str
    width: Node
    ranges: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True)
class Family:
    """One block: loops and constants, then everything an instruction has, over them.

    ``predication.kind`` may be a slot for a word.
    """

    name: Text
    loops: tuple[Loop, ...]
    constants: tuple[tuple[str, Node], ...]
    operands: tuple[Shape, ...]
    immediates: tuple[Range, ...]
    count: Node
    width: Node
    definitions: tuple[tuple[str, Node], ...]
    kinds: tuple[tuple[Node | None, Node], ...]
    features: Text
    mnemonic: Text | None
    emission: tuple[Text, ...]
    call: Text | None
    also: tuple[Text, ...]
    predication: Predication
    patched: Text | None = None
    tables: tuple[tuple[str, Numbers], ...] = ()
    file: str = ""

    @cached_property
    def memo(self) -> dict[tuple[object, ...], Expr]:
        """The lanes of all members that were evaluated, before their predication."""
        return {}

    @cached_property
    def reads(self) -> frozenset[str]:
        """Return the names that the formulas mention."""
        nodes = [node for _, node in self.definitions]
        nodes += [node for kind in self.kinds for node in kind if node is not None]
        return frozenset(name for node in nodes for name in mentioned(node))

    def lane(self, width: int, env: dict[str, Entry]) -> Expr:
        """Return the value of lane ``i``, one of the names in ``env``, before the predication;
        adds the definitions to ``env``.
        """
        for name, node in self.definitions:
            env[name] = _lazy(node, env)
        for condition, formula in self.kinds:
            if condition is None or integer(condition, env):
                return fitted(evaluate(formula, env), width, formula.at)
        raise Mistake(f"no formula for lane {env['i']}", self.name.at)


@dataclass(frozen=True, slots=True)
class Entries:
    """What a file says: its instructions, and further intrinsics (by name) that take the same
    operands in the same order.
    """

    instructions: tuple[Instruction, ...]
    also: Mapping[str, Instruction]


def family_of(lane: LaneFunction) -> Family:
    """Return the block that says these lanes."""
    assert isinstance(lane.family, Family)
    return lane.family


def type_text(lanes: int, width: int) -> str:
    """Return the IR type of an operand or result; one lane is a scalar."""
    return f"i{width}" if lanes == 1 else f"<{lanes} x i{width}>"


def bindings(family: Family) -> Iterator[Bindings]:
    """Yield the values of loop variables and constants of each member, in order."""
    yield from _loops(family, 0, {})


def _loops(family: Family, depth: int, bound: Bindings) -> Iterator[Bindings]:
    if depth == len(family.loops):
        done = dict(bound)
        for name, node in family.constants:
            done[name] = integer(node, done)
        yield done
        return
    loop = family.loops[depth]
    for row in loop.rows:
        here = dict(bound)
        for name, text in zip(loop.names, row, strict=True):
            here[name] = _number(fill(text, here))
        yield from _loops(family, depth + 1, here)


def _number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def fill(template: Text, bound: Bindings) -> str:
    """Replace each ``{…}``: a bound word by itself, else an integer expression."""
    if "{" not in template.text:
        return template.text

    def slot(m: re.Match[str]) -> str:
        inner = m.group(1).strip()
        word = bound.get(inner)
        if word is not None:
            return str(word)
        try:
            return str(integer(parse_text(inner), bound))
        except Mistake as mistake:
            raise Mistake(mistake.what, template.at + m.start(1) + mistake.position) from None

    return _SLOT.sub(slot, template.text)


def _lazy(node: Node, env: Env) -> Lazy:
    """Return a definition that is evaluated when it is first asked for."""
    found: list[Value] = []

    def run() -> Value:
        if not found:
            found.append(evaluate(node, env))
        return found[0]

    return run


def member(family: Family, bound: Bindings) -> Instruction:
    """Return one instruction of a family; raise :class:`Mistake`."""
    shapes = _operands(family, bound)
    lanes, width = _positive(family.count, bound), _positive(family.width, bound)
    p = _stage(family, bound)
    _predicated(shapes, p, lanes, width)
    immediates = tuple(_immediate(m, bound) for m in family.immediates)
    name = fill(family.name, bound)
    call = fill(family.call, bound) if family.call else ""
    emission = tuple(_emission(t, bound, immediates) for t in family.emission)
    if call and not emission:
        emission = calling(call, shapes, immediates, lanes, width)
    return Instruction(
        name=name,
        mnemonic=fill(family.mnemonic, bound) if family.mnemonic else name.partition("_")[0],
        operands=tuple(shapes),
        immediates=immediates,
        width=width,
        lanes=lanes,
        features=frozenset(fill(family.features, bound).split()),
        emission=_masking(emission, p, lanes, width),
        call=call,
        lane=LaneFunction(lambda: family, bound, width, lanes, tuple(shapes), p),
        predication=p,
    )


def _stage(family: Family, bound: Bindings) -> Predication:
    kind = fill(Text(family.predication.kind, family.name.at), bound)
    if kind not in ("none", "merge", "zero"):
        raise Mistake(f"'{kind}', expected none, merge or zero", family.name.at)
    p = family.predication
    return (
        Predication()
        if kind == "none"
        else Predication(kind, p.mask, p.source if kind == "merge" else "")
    )


def _predicated(shapes: list[Operand], p: Predication, lanes: int, width: int) -> None:
    """Add the operands of a stage that are not declared: the source first, the mask after the
    source, or first where there is none.
    """
    names = [o.name for o in shapes]
    if p.kind == "merge" and p.source not in names:
        shapes.insert(0, Operand(p.source, width, lanes, Role.ACCUMULATOR))
        names.insert(0, p.source)
    if p.kind != "none" and p.mask not in names:
        shapes.insert(
            names.index(p.source) + 1 if p.kind == "merge" else 0,
            Operand(p.mask, 1, lanes, Role.MASK),
        )


def _operands(family: Family, bound: Bindings) -> list[Operand]:
    return [
        Operand(s.name, _positive(s.width, bound), _positive(s.count, bound), s.role)
        for s in family.operands
    ]


def _positive(node: Node, bound: Bindings) -> int:
    value = integer(node, bound)
    if value < 1:
        raise Mistake(f"{value}, expected a positive number", node.at)
    return value


def _immediate(m: Range, bound: Bindings) -> Immediate:
    values: dict[int, None] = {}
    for low, high in m.ranges:
        values.update(dict.fromkeys(range(integer(low, bound), integer(high, bound) + 1)))
    if not values:
        raise Mistake(f"no legal value of '{m.name}'", m.width.at)
    return Immediate(m.name, _positive(m.width, bound), tuple(values))


def calling(
    call: str,
    operands: Sequence[Operand],
    immediates: tuple[Immediate, ...],
    lanes: int,
    width: int,
) -> tuple[str, ...]:
    """Return the call of an intrinsic with the operands and then the immediates in order."""
    given = [f"{type_text(o.lanes, o.width)} %{o.name}" for o in operands] + [
        f"i{m.width} ${m.name}" for m in immediates
    ]
    return (f"%r = call {type_text(lanes, width)} @{call}({', '.join(given)})",)


def called(instruction: Instruction, intrinsic: str) -> Instruction:
    """Return the instruction as a further intrinsic says it: a direct call, any immediate of 8
    bits.
    """
    immediates = tuple(
        Immediate(m.name, m.width, tuple(range(256))) for m in instruction.immediates
    )
    emission = calling(
        intrinsic, instruction.operands, immediates, instruction.lanes, instruction.width
    )
    return replace(instruction, immediates=immediates, emission=emission, call=intrinsic)


def _masking(emission: tuple[str, ...], p: Predication, lanes: int, width: int) -> tuple[str, ...]:
    """Return the emission with the stage after it, unless it has that by reading the mask."""
    if (
        p.kind == "none"
        or not emission
        or any(re.search(rf"%{p.mask}\b", line) for line in emission)
    ):
        return emission
    *before, last = emission
    kind = type_text(lanes, width)
    other = "zeroinitializer" if p.kind == "zero" else f"%{p.source}"
    return (
        *before,
        last.replace("%r =", "%plain =", 1),
        f"%r = select <{lanes} x i1> %{p.mask}, {kind} %plain, {kind} {other}",
    )


def _emission(template: Text, bound: Bindings, immediates: tuple[Immediate, ...]) -> str:
    names = frozenset(m.name for m in immediates)

    def hole(m: re.Match[str]) -> str:
        if m["imm"] is not None:
            return m.group()
        try:
            return _early(m, bound, names)
        except Mistake as mistake:
            raise Mistake(mistake.what, template.at + m.start()) from None

    return fill(
        Text(HOLE.sub(hole, template.text) if "$" in template.text else template.text, template.at),
        bound,
    )


def settled(line: str, immediates: tuple[Immediate, ...]) -> str:
    """Return a line of an emission with those holes filled in that no immediate decides."""
    return _emission(Text(line, 0), {}, immediates)


def _early(m: re.Match[str], bound: Bindings, immediates: frozenset[str]) -> str:
    def rename(name: str) -> str:
        return str(bound.get(name, name))

    if m["scalar"] is not None:
        node = parse_text(m["scalar"])
        return (
            "${" + show_node(node, rename) + "}"
            if mentions(node, immediates)
            else str(integer(node, bound))
        )
    count = integer(parse_text(m["count"]), bound)
    body = parse_text(m["body"])
    if mentions(body, immediates):
        shown = show_node(body, lambda n: n if n == m["var"] else rename(n))
        return f"$[{m['var']} < {count}: {shown}]"
    return mask_text(m["var"], count, body, {k: v for k, v in bound.items() if isinstance(v, int)})


def mentions(node: Node, names: frozenset[str]) -> bool:
    """Tell whether one of the names occurs in an expression."""
    return not names.isdisjoint(mentioned(node))


def mentioned(node: Node) -> list[str]:
    """Return the names in an expression, those of operands left out."""
    found: list[str] = []

    def note(name: str) -> str:
        found.append(name)
        return name

    show_node(node, note)
    return found
