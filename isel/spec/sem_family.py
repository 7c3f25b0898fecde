"""Families of instructions: the members of one ``instruction`` block of a ``.sem`` file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from isel.spec.emission import HOLE, mask_text
from isel.spec.instruction import Immediate, Instruction, Operand, Predication, Role
from isel.spec.lanes import Bindings, LaneFunction
from isel.spec.sem_block import Family, Range, Text, mentions
from isel.spec.sem_meaning import integer
from isel.spec.sem_syntax import Mistake, Node, parse_text, show_node

_SLOT: Final = re.compile(r"(?<!\$)\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Entries:
    """What a file says: its instructions, and further intrinsics (by name) that take the same
    operands in the same order.
    """

    instructions: tuple[Instruction, ...]
    also: Mapping[str, Instruction]


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
    if kind == "none":
        return Predication()
    return Predication(kind, p.mask, p.source if kind == "merge" else "")


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
    chosen = f"%r = select <{lanes} x i1> %{p.mask}, {kind} %plain, {kind} {other}"
    return (*before, last.replace("%r =", "%plain =", 1), chosen)


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
        if mentions(node, immediates):
            return f"${{{show_node(node, rename)}}}"
        return str(integer(node, bound))
    count = integer(parse_text(m["count"]), bound)
    body = parse_text(m["body"])
    if mentions(body, immediates):
        shown = show_node(body, lambda n: n if n == m["var"] else rename(n))
        return f"$[{m['var']} < {count}: {shown}]"
    return mask_text(m["var"], count, body, {k: v for k, v in bound.items() if isinstance(v, int)})
