"""Loads of the source at an index, as choices among the bytes of an object.

What is dereferenceable as a whole where the function begins may be read there, looked at or not,
and what nothing has written since is what was read then.  Where an index may lie beyond that, the
load stays what it is (:class:`frontends.llvm.cuts.terms.SourceCone`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from frontends.llvm.facts.addresses import Address, Addresses
from frontends.llvm.facts.alias import Writes
from frontends.llvm.facts.graph import Graph, Kind
from frontends.llvm.meaning.limits import TABLES_BYTES
from frontends.llvm.text.ast import Function, Instr, IntType, Local, PtrType
from frontends.llvm.text.layout import NotSized
from frontends.llvm.text.parse import parse_instruction, with_ends

# Bytes that no other module's, and nothing outside, take the place of.
_GLOBAL: Final = re.compile(
    r"(?:(?:private|internal|external|linkonce_odr|weak_odr|dso_local|hidden|protected|"
    r"(?:local_)?unnamed_addr) )*(?:constant|global) \[(?P<size>\d+) x i8\]"
)
_WRITTEN: Final = re.compile(r'(?:[a-z_ ]+ )?constant [^]]*\] (?:(zeroinitializer)|c"([^"]*)")')
_ARGUMENT: Final = re.compile(r".*\bdereferenceable\((?P<size>\d+)")
_CHARACTER: Final = re.compile(r"\\([0-9A-Fa-f]{2})|\\?(.)", re.DOTALL)


def look_up(graph: Graph) -> tuple[Function, Mapping[str, Instr]]:
    """Return the function with objects read where it begins, and what loads are, by name: bytes of
    what is read, or of what is there for good.
    """
    heads, found = dict[str, str](), dict[str, Instr]()
    names = graph.function.view.free_names("isel.table")
    writes = Writes(graph, Addresses(graph))
    for i, index, first in _elements(writes):
        count, table = _bytes(graph, first.base)
        if table[:1] == "l" and writes.never(graph.places[i.name].block, first):
            table = heads.get(table) or heads.setdefault(table, f"%{next(names)}")
        if table[:1] in ("<", "%"):
            line = f"%{i.name} = extractelement <{count} x i8> {table}, {index.type} %{index.name}"
            found[i.name] = parse_instruction(line, i.line)
    lines = [f"{name} = {load}" for load, name in heads.items()]
    entry = graph.function.blocks[0].label
    return with_ends(graph.function, (), {entry: lines}, {}, {}), found


def _elements(writes: Writes) -> Iterator[tuple[Instr, Local, Address]]:
    """Yield plain loads of bytes, their indices, and where the first byte is."""
    for p in (p for p in writes.graph.places.values() if p.kind is Kind.LOAD):
        i, place = p.instr, writes.graph.place(p.instr.operands[0])
        step = i if place is None else place.instr
        first = _first(writes, step) if i.known and not i.flags and i.type == IntType(8) else None
        index = step.operands[-1]
        if first is not None and isinstance(index, Local) and isinstance(index.type, IntType):
            yield i, index, first


def _first(writes: Writes, step: Instr) -> Address | None:
    """Return where the first of the bytes is of which the last index of an address names one."""
    if step.opcode != "getelementptr" or not step.known or step.operands[1].type != PtrType():
        return None
    first = writes.addresses.of(step.operands[1])
    with suppress(NotSized):
        *outer, (_, _, size) = writes.graph.sizes.steps(step, 64)
        if size == 1 and all(at == 0 for _, at, _ in outer):
            return first if first and not (first.atoms or first.offset) else None
    return None


def _bytes(graph: Graph, base: str) -> tuple[int, str]:
    """Return how many bytes may be read behind a base where the function begins, and what holds
    them: a literal, or a load; nothing where none may be.
    """
    k, name = graph.arguments.get(base[1:]), base.removeprefix("ptr ")
    text = graph.contents.named.get(name, "") if k is None else ""
    attributes = "" if k is None else " ".join(graph.function.arguments[k].attributes)
    said, written = _GLOBAL.match(text) or _ARGUMENT.match(attributes), _WRITTEN.match(text)
    count = min(int(said["size"]), TABLES_BYTES) if said else 0
    if said and written:
        parts = _CHARACTER.findall(written[2] or "")
        lanes = [int(code, 16) if code else ord(one) for code, one in parts] or [0] * count
        return count, f"<{', '.join(f'i8 {x}' for x in lanes[:count])}>"
    return count, f"load <{count} x i8>, ptr {name}, align 1" if count else ""
