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
from frontends.llvm.facts.addresses import Address, Addresses
from frontends.llvm.facts.alias import Writes
from frontends.llvm.facts.graph import Graph, Kind
from frontends.llvm.meaning.limits import TABLES_BYTES
from frontends.llvm.text.ast import Instr, IntType, PtrType
from frontends.llvm.text.layout import NotSized
from frontends.llvm.text.objects import constant_bytes, size_behind, size_of_global
from frontends.llvm.text.parse import parse_instruction, with_ends
from frontends.llvm.text.rewording import spell


def look_up(sides: Sides) -> Sides | None:
    """Return the sides with a source that reads objects where it begins, and what its loads are, by
    name: bytes of what is read, or of what is there for good; None where they are not.
    """
    graph, heads, found = sides.graph(0), dict[str, str](), dict[str, Instr]()
    writes, names = Writes(graph, Addresses(graph)), graph.function.view.free_names("isel.table")
    for i, index, first in _elements(writes):
        count, table = _bytes(graph, first.base)
        if table[:1] == "l" and writes.never(graph.places[i.name].block, first):
            table = heads.get(table) or heads.setdefault(table, f"%{next(names)}")
        if table[:1] in ("<", "%"):
            line = f"%{i.name} = extractelement <{count} x i8> {table}, {index}"
            found[i.name] = parse_instruction(line, i.line)
    if found.keys() == sides.tables.keys():
        return None
    lines = {graph.function.blocks[0].label: [f"{name} = {load}" for load, name in heads.items()]}
    return replace(sides, source=with_ends(graph.function, (), lines, {}, {}), tables=found)


def _elements(writes: Writes) -> Iterator[tuple[Instr, str, Address]]:
    """Yield plain loads of bytes, at which index, and where the first byte is."""
    for p in writes.graph.places.values():
        i, plain = p.instr, p.kind is Kind.LOAD and p.instr.known and not p.instr.flags
        step = writes.graph.place(i.operands[0]) if plain and i.type == IntType(8) else None
        first = _first(writes, step.instr) if step else None
        if step and first:
            index = step.instr.operands[-1]
            yield i, f"{index.type} {spell(index)}", first


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


def _bytes(graph: Graph, base: str) -> tuple[int, str]:
    """Return how many bytes may be read behind a base where the function begins, and what holds
    them: a literal, or a load; nothing where none may be.
    """
    k, name = graph.arguments.get(base[1:]), base.removeprefix("ptr ")
    text = graph.contents.named.get(name, "") if k is None else ""
    given = "" if k is None else " ".join(graph.function.arguments[k].attributes)
    count = min(size_of_global(text) or size_behind(given), TABLES_BYTES)
    if known := constant_bytes(text, count):
        return count, f"<{', '.join(f'i8 {x}' for x in known)}>"
    return count, f"load <{count} x i8>, ptr {name}, align 1" if count else ""
