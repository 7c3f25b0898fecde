"""Loads of the source at an index, as choices among the bytes of an object.

What is dereferenceable as a whole where the function begins may be read there, looked at or not,
and what nothing has written since is what was read then.  Where an index may lie beyond that, the
load stays what it is (:class:`frontends.llvm.cuts.terms.SourceCone`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from frontends.llvm.cuts.sides import Sides
from frontends.llvm.function.addresses import Address
from frontends.llvm.function.alias import Writes
from frontends.llvm.function.graph import Graph, Kind
from frontends.llvm.meaning.limits import TABLES_BYTES
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType, Literal, Local, Operand, PtrType, Symbol
from frontends.llvm.text.layout import NotSized
from frontends.llvm.text.objects import constant_bytes, size_behind, size_of_global
from frontends.llvm.text.parse import parse_instruction, with_ends


def look_up(sides: Sides) -> Sides | None:
    """Return the sides with a source that reads objects where it begins, and what its loads are, by
    name: bytes of what is read, or of what is there for good; None where they are not.
    """
    graph, heads, found = sides.graph(0), dict[build.Body, Local](), dict[str, Instr]()
    writes, names = Writes(graph), graph.function.view.free_names("isel.table")
    for i, index, first in _elements(writes):
        table: Operand | build.Body | None = _bytes(graph, first.base)
        if isinstance(table, build.Body) and writes.never(graph.places[i.name].block, first):
            table = heads.get(table) or heads.setdefault(table, Local(next(names), table.type))
        if isinstance(table, Literal | Local):
            found[i.name] = parse_instruction(build.extract(table, index).line(i.name), i.line)
    if found.keys() == sides.tables.keys():
        return None
    lines = {graph.function.blocks[0].label: [load.line(o.name) for load, o in heads.items()]}
    return replace(sides, source=with_ends(graph.function, (), lines, {}, {}), tables=found)


def _elements(writes: Writes) -> Iterator[tuple[Instr, Operand, Address]]:
    """Yield plain loads of bytes, at which index, and where the first byte is."""
    for p in writes.graph.places.values():
        i, plain = p.instr, p.kind is Kind.LOAD and p.instr.known and not p.instr.flags
        step = writes.graph.place(i.operands[0]) if plain and i.type == IntType(8) else None
        first = _first(writes, step.instr) if step else None
        if step and first:
            yield i, step.instr.operands[-1], first


def _first(writes: Writes, step: Instr) -> Address | None:
    """Return where the first of the bytes is of which the last index of an address names one."""
    kinds = [o.type for o in step.operands[1:]]
    if step.opcode != "getelementptr" or not step.known or kinds[0] != PtrType():
        return None
    first = writes.addresses.of(step.operands[1])
    with suppress(NotSized):
        *outer, (_, _, size) = writes.graph.sizes.steps(step, 64)
        plain = {0} >= {at for _, at, _ in outer} and isinstance(kinds[-1], IntType)
        return (
            first if first and plain and (first.atoms, first.offset, size) == ((), 0, 1) else None
        )
    return None


def _bytes(graph: Graph, base: str) -> Literal | build.Body | None:
    """Return what holds the bytes that may be read behind a base where the function begins: a
    literal, or a load; None where none may be.
    """
    k, name = graph.arguments.get(base[1:]), base.removeprefix("ptr ")
    text = graph.contents.named.get(name, "") if k is None else ""
    given = "" if k is None else " ".join(graph.function.arguments[k].attributes)
    count = min(size_of_global(text) or size_behind(given), TABLES_BYTES)
    kind = build.wide(IntType(8), count)
    if known := constant_bytes(text, count):
        return Literal(kind, tuple(known))
    return build.load(kind, Symbol(name, PtrType()), 1) if count else None
