"""Scalars loaded from a small table at indices that are computed alike, and put together: lanes of
the table, which is in registers, at the lanes of one vector of indices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.limits import TABLE_LOADS_MOST
from frontends.llvm.linked.worker import WorkerFailed
from frontends.llvm.meaning.bounds import bound_of, bounds_of
from frontends.llvm.splicing.loads import may_write
from frontends.llvm.text.ast import Instr, IntType, Literal, Local, Operand
from frontends.llvm.text.layout import NotSized
from frontends.llvm.text.rewording import literal_text, spell
from frontends.llvm.text.syntax import number, shape_of
from frontends.llvm.transform.neighbouring_loads import insertions
from frontends.llvm.transform.site import Change, Scope
from frontends.llvm.transform.transpose import Lines

_JOINED: Final = frozenset((
    "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "zext", "sext", "trunc",
))  # fmt: skip
_LANE: Final = "extractelement"
_KIND: Final = re.compile(r"(?:[^ ]+ )*?(constant|global) \[(\d+) x i(\d+)\]")
_READABLE: Final = re.compile(r"dereferenceable\((\d+)\)")


@dataclass(frozen=True, slots=True)
class Table:
    """What is read of a table: where it is, how many entries of which type, and these if they are
    known for good.
    """

    pointer: str
    count: int
    entry: IntType
    literal: str = ""

    @property
    def type(self) -> str:
        """The type of a register of all of it."""
        return f"<{self.count} x {self.entry}>"


@dataclass(frozen=True, slots=True)
class Looked:
    """Insertions, the last one first, loads by lane and their indices, of one table."""

    chain: tuple[Instr, ...]
    loads: tuple[Instr, ...]
    indices: tuple[Operand, ...]
    table: Table


@dataclass(frozen=True, slots=True)
class Row:
    """The vectors of a block that are put together so."""

    root: Instr
    vectors: tuple[Looked, ...] = ()
    why_not: str = ""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return the tables loaded before the loop, and their lanes where the vectors were."""
        return _Draft(scope, names).change(self.vectors)


def sites(scope: Scope) -> Iterator[Row]:
    """Yield blocks with such vectors, in program order."""
    bounds = dict[str, int]()
    for block in scope.view.blocks:
        found = list[Looked]()
        for i in block.instrs:
            chain = insertions(scope, i) if i.opcode == "insertelement" and i.known else []
            loads = [x for _, x, _ in sorted(chain, key=lambda row: row[0])]
            if len(loads) > 3 and all(x.opcode == "load" and x.known for x in loads):
                indices = [_index(scope, x) for x in loads]
                table = {t for t, _ in indices}
                if len(table) == 1 and "" not in table:
                    bounds = bounds or dict(bounds_of(scope.view))
                    own = tuple(o for _, o in indices)
                    most = max(bound_of(o, bounds) for o in own)
                    read = _table(scope, loads[0], table.pop(), most)
                    if isinstance(read, str):
                        yield Row(i, (), read)
                    else:
                        parts = tuple(x for _, _, x in chain)
                        found.append(Looked(parts, tuple(loads), own, read))
        if found:
            roots = [v.chain[0] for v in found]
            closed = all(scope.is_closed((*v.loads, *v.chain[1:]), v.chain) for v in found)
            yield Row(roots[0], tuple(found), "" if closed else "its scalars are used by others")


def _index(scope: Scope, load: Instr) -> tuple[str, Operand]:
    """Return the pointer and the index of a load of an element, empty where it is none."""
    step, nothing = scope.definition(load.operands[0]), ("", load.operands[0])
    if step is None or step.opcode != "getelementptr" or load.flags:
        return nothing
    try:
        steps = [*scope.sizes.steps(step, 64)]
    except NotSized:
        return nothing
    *outer, (index, at, size) = steps
    zeros = all(known == 0 for _, known, _ in outer)
    if not zeros or at is not None or 8 * size != scope.bits_of(load.type):
        return nothing
    pointer = step.operands[1]
    given = isinstance(pointer, Local) and scope.definition(pointer) is None
    named = given or spell(pointer)[:1] == "@"
    return (spell(pointer), index) if named and isinstance(index, Local) else nothing


def _table(scope: Scope, load: Instr, pointer: str, most: int) -> Table | str:
    """Return what is read of a table at indices up to the greatest, or why it is not."""
    entry, count = load.type, 1 << most.bit_length()
    assert isinstance(entry, IntType)
    if most == 0 or count * entry.bits > 8 * TABLE_LOADS_MOST:
        return f"an index may be up to {most}"
    said = _KIND.match(scope.said.named.get(pointer, ""))
    if said is not None:
        size = int(said[2]) * int(said[3])
    else:
        argument = next((a for a in scope.function.arguments if f"%{a.name}" == pointer), None)
        found = _READABLE.search(" ".join(argument.attributes)) if argument else None
        size = 8 * int(found[1]) if found else 0
    if size < (most + 1) * entry.bits:
        return "it may end before the greatest index"
    fixed = said is not None and said[1] == "constant"
    if fixed and (literal := _literal(scope, pointer, Table(pointer, count, entry))):
        return Table(pointer, count, entry, literal)
    if size < count * entry.bits:
        return "it ends before what would be read"
    if not fixed and any(_may_change(scope, i, pointer) for i in scope.view):
        return "it may be written"
    return Table(pointer, count, entry)


def _literal(scope: Scope, pointer: str, table: Table) -> str:
    """Return what LLVM knows that a constant holds, empty where it does not."""
    line = f"{pointer} = {scope.said.named[pointer]}"
    if " external " in line.partition("[")[0]:
        return ""
    head = [x for x in scope.module.lines if x.startswith("target ")]
    body = f"  %x = load {table.type}, ptr {pointer}, align 1\n  ret {table.type} %x"
    text = "\n".join((*head, line.partition(", comdat")[0].partition(", !")[0]))
    text += f"\ndefine {table.type} @isel.table() {{\n{body}\n}}\n"
    done = scope.optimise(text)
    found = None
    if not isinstance(done, WorkerFailed):
        found = re.search(
            rf"ret {re.escape(table.type)} (<.*>|splat .*|zeroinitializer)$", done, re.MULTILINE
        )
    return found[1] if found else ""


def _may_change(scope: Scope, i: Instr, pointer: str) -> bool:
    """Tell whether an instruction may write what a pointer leads to."""
    if not may_write(i, scope.said):
        return False
    root = scope.root(i.operands[1]) if i.opcode == "store" and i.known else ""
    return not root or root == pointer or not {root[1:], pointer[1:]} & scope.noalias


@dataclass(slots=True)
class _Draft:
    """The lines of one block."""

    scope: Scope
    names: Iterator[str]
    joined: dict[tuple[Operand, ...], str] = field(default_factory=dict)
    heads: dict[Table, str] = field(default_factory=dict)
    unused: dict[str, Instr] = field(default_factory=dict)

    def change(self, vectors: tuple[Looked, ...]) -> Change:
        """Return what the lines become."""
        lines = dict[int, tuple[str, ...]]()
        before = list[str]()
        for v in vectors:
            root = v.chain[0]
            lines.update(dict.fromkeys([i.line for i in (*v.chain, *v.loads)], ()))
            w = Lines(self.names)
            table = self._read(v.table, before)
            index = self._indices(w, v.indices)
            last, kind = "poison", root.type
            for k, i in enumerate(v.loads):
                at = w.write(f"extractelement <{len(v.loads)} x i8> {index}, i64 {k}")
                one = w.write(f"extractelement {v.table.type} {table}, i8 {at}")
                called = root.name if i is v.loads[-1] else ""
                text = f"insertelement {kind} {last}, {v.table.entry} {one}, i64 {k}"
                last = w.write(text, called=called)
                self._leave(i.operands[0])
            lines[root.line] = self.scope.indent(root, *w.lines)
        if before:
            at = self._home(vectors[0].chain[0])
            lines[at.line] = (
                *self.scope.indent(at, *before),
                *lines.get(at.line, (self.scope.module.lines[at.line],)),
            )
        return Change(lines, "lanes of a table", (*self.unused.values(),))

    def _home(self, root: Instr) -> Instr:
        """Return the instruction before which tables are loaded: out of all loops."""
        view = self.scope.view
        at = view.places[root.line]
        block = at
        while (outer := view.homes[at]) is not None:
            at = outer
        return root if at == block else view.end(at)

    def _read(self, table: Table, before: list[str]) -> str:
        """Return a table as a value: what it is for good, or loaded, and frozen for all looks."""
        if table.literal:
            return table.literal
        if table not in self.heads:
            w = Lines(self.names)
            loaded = w.write(f"load {table.type}, ptr {table.pointer}, align 1")
            self.heads[table] = w.write(f"freeze {table.type} {loaded}")
            before += w.lines
        return self.heads[table]

    def _leave(self, o: Operand) -> Instr | None:
        """Note that what gives an operand may be unused."""
        i = self.scope.definition(o)
        if i is not None:
            self.unused[i.name] = i
        return i

    def _indices(self, w: Lines, lanes: tuple[Operand, ...]) -> str:
        """Return indices as a vector of bytes."""
        while all(i is not None and i.opcode == "zext" for i in map(self._leave, lanes)):
            lanes = tuple(i.operands[0] for o in lanes if (i := self._leave(o)) is not None)
        kind = lanes[0].type
        assert isinstance(kind, IntType)
        found, count = self._join(w, lanes), len(lanes)
        if kind.bits == 8:
            return found
        cast = "trunc" if kind.bits > 8 else "zext"
        return w.write(f"{cast} <{count} x {kind}> {found} to <{count} x i8>")

    def _join(self, w: Lines, lanes: tuple[Operand, ...]) -> str:
        """Return scalars as a vector: what is computed alike, of vectors of its operands."""
        if all(isinstance(o, Literal) for o in lanes):
            texts = (f"{o.type} {literal_text(o)}" for o in lanes if isinstance(o, Literal))
            return f"<{', '.join(texts)}>"
        if lanes not in self.joined:
            kind, instrs = lanes[0].type, [*map(self._leave, lanes)]
            own = [i for i in instrs if i is not None]
            kinds = {(i.opcode, i.type, i.operands[0].type) for i in own if i.known}
            places = [(i.operands[0], number(i.operands[1])) for i in own if i.opcode == _LANE]
            whole = own[0].operands[0] if places else lanes[0]
            if places == [(whole, k) for k in range(shape_of(whole.type)[0])]:
                self.joined[lanes] = spell(whole)
            elif len(own) < len(lanes) or len(kinds) > 1 or own[0].opcode not in _JOINED:
                self.joined[lanes] = w.gather([*map(spell, lanes)], kind)
            else:
                rows = zip(*(i.operands for i in own), strict=True)
                parts = [self._join(w, row) for row in rows]
                wide, old = (f"<{len(lanes)} x {x}>" for x in (kind, own[0].operands[0].type))
                text = (
                    f"{old} {parts[0]} to {wide}"
                    if len(parts) == 1
                    else f"{wide} {', '.join(parts)}"
                )
                self.joined[lanes] = w.write(f"{own[0].opcode} {text}")
        return self.joined[lanes]
