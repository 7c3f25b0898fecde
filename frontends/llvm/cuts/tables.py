"""Loads of the source at an index, as choices among the elements of an object.

An object that is dereferenceable as a whole where the function begins may be read there, used or
not, and an element that nothing has written since is what was read then.  Where the index may lie
beyond what is read, :class:`frontends.llvm.cuts.terms.SourceCone` leaves the load what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from frontends.llvm.facts.addresses import Address, Addresses
from frontends.llvm.facts.alias import Writes
from frontends.llvm.facts.graph import Graph, Kind, Place
from frontends.llvm.meaning.limits import TABLES_BYTES
from frontends.llvm.text.ast import Function, Instr, IntType, Local, Operand, PtrType
from frontends.llvm.text.layout import Array, NotSized
from frontends.llvm.text.operands import read_type, scalar_lane
from frontends.llvm.text.parse import parse_instruction, with_ends
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.tokens import Cursor, NotUnderstood

# What may be said of a global whose first value no other module, and nothing outside, decides.
_OWN: Final = frozenset((
    "private", "internal", "linkonce_odr", "weak_odr", "dso_local", "hidden", "protected",
    "unnamed_addr", "local_unnamed_addr",
))  # fmt: skip
_PART: Final = re.compile(r"\\([0-9A-Fa-f]{2})|\\\\|[^\\]", re.DOTALL)
_SIZE: Final = re.compile(r"dereferenceable\((\d+)\)")


@dataclass(frozen=True, slots=True)
class _Object:
    """Bytes that may be read where the function begins, their alignment, and what they are for
    good where that is written out: elements of so many bits.
    """

    size: int
    align: int
    bits: int = 0
    elements: tuple[int, ...] = ()


def look_up(graph: Graph) -> tuple[Function, Mapping[str, Instr]]:
    """Return the function with objects read where it begins, and what loads are instead, by name:
    elements of what is read.
    """
    heads, found = dict[str, str](), dict[str, Instr]()
    names = graph.function.view.free_names("isel.table")
    for p, index, table, element in _loads(graph):
        text = table if table[0] == "<" else ""
        if not text:
            text = heads.setdefault(table, "") or f"%{next(names)}"
            heads[table] = text
        count, kind = element
        line = f"%{p.instr.name} = extractelement <{count} x {kind}> {text}, {index.type} "
        found[p.instr.name] = parse_instruction(line + spell(index), p.instr.line)
    first = graph.function.blocks[0].label
    lines = [f"{name} = {table}" for table, name in heads.items()]
    return with_ends(graph.function, (), {first: lines}, {}, {}), found


def _loads(graph: Graph) -> Iterator[tuple[Place, Operand, str, tuple[int, IntType]]]:
    """Yield plain loads at an index, with it, what holds all elements (a literal, or the load of
    them), and how many of which type these are.
    """
    addresses = Addresses(graph)
    writes = Writes(graph, addresses)
    for p in graph.places.values():
        i = p.instr
        plain = p.kind is Kind.LOAD and i.known and not i.flags
        if not plain or not isinstance(i.type, IntType) or i.type.bits not in (8, 16):
            continue
        step = graph.place(i.operands[0])
        index = None if step is None else _index(graph, step.instr, i.type.bits // 8)
        at = None if step is None or index is None else addresses.of(step.instr.operands[1])
        if at is None or index is None or at.atoms or at.offset:
            continue
        table = _object(graph, at)
        if table is None:
            continue
        count = min(table.size, TABLES_BYTES) * 8 // i.type.bits
        if table.bits == i.type.bits:
            lanes = ", ".join(f"{i.type} {x}" for x in table.elements[:count])
            yield p, index, f"<{lanes}>", (count, i.type)
        elif not table.bits and count and writes.never(p.block, at):
            pointer = at.base if at.base[0] != "%" else f"ptr {at.base}"
            load = f"load <{count} x {i.type}>, {pointer}, align {table.align}"
            yield p, index, load, (count, i.type)


def _index(graph: Graph, i: Instr, size: int) -> Operand | None:
    """Return the index of a step over so many elements of a size, None where it is another."""
    if i.opcode != "getelementptr" or not i.known or i.operands[1].type != PtrType():
        return None
    try:
        steps = [*graph.sizes.steps(i, 64)]
    except NotSized:
        return None
    free = [(o, by) for o, at, by in steps if at is None]
    fixed = sum(by for _, at, by in steps if at is not None)
    if fixed or len(free) != 1 or free[0][1] != size:
        return None
    index = free[0][0]
    return index if isinstance(index, Local) and isinstance(index.type, IntType) else None


def _object(graph: Graph, at: Address) -> _Object | None:
    """Return what a pointer leads to, None where it is not known to be readable."""
    if at.base[:5] == "ptr @":
        return _global(graph, at.base[4:])
    k = graph.arguments.get(at.base[1:])
    said = " ".join(graph.function.arguments[k].attributes) if k is not None else ""
    size, align = _SIZE.search(said), re.search(r"\balign[ (](\d+)", said)
    return _Object(int(size[1]), int(align[1]) if align else 1) if size else None


def _global(graph: Graph, name: str) -> _Object | None:
    """Return a global: what its type says, and its elements if they never change."""
    c = Cursor(graph.contents.named.get(name, ""))
    words = set[str]()
    while c.token and c.token not in ("constant", "global"):
        words.add(c.next())
    fixed = c.next() == "constant"
    if not words <= _OWN | {"external"}:
        return None
    try:
        kind = read_type(c)
        size, fields = graph.sizes.stride(kind), graph.sizes.fields(kind)  # type: ignore[arg-type]
    except (NotSized, NotUnderstood):
        return None
    said = re.search(r", align (\d+)", c.text[c.position :])
    align = int(said[1]) if said else 1
    if fixed and "external" not in words and isinstance(fields, Array):
        if isinstance(fields.elem, IntType) and (found := _elements(c, fields.count, fields.elem)):
            return _Object(size, align, fields.elem.bits, found)
    return _Object(size, align)


def _elements(c: Cursor, count: int, kind: IntType) -> tuple[int, ...]:
    """Return the integers of an array that is written out, nothing where one is not read."""
    if c.take("zeroinitializer"):
        return (0,) * count
    if c.token[:2] == 'c"' and kind.bits == 8:
        parts = list(_PART.finditer(c.token[2:-1]))
        found = [int(m[1], 16) if m[1] else ord(m[0][-1]) for m in parts]
    else:
        words = c.text[c.position :].partition("]")[0].removeprefix("[").split(",")
        pairs = [w.split() for w in words]
        known = all(len(p) == 2 and p[0] == str(kind) for p in pairs)
        lanes = [scalar_lane(p[1], kind.bits) for p in pairs] if known else []
        found = [x for x in lanes if isinstance(x, int)]
    return tuple(found) if len(found) == count and max(found) < 1 << kind.bits else ()
