"""Bytes loaded from a small table at indices that are computed alike, and put together: lanes of
the table, which is in a register, at the lanes of one vector of indices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.limits import TABLE_LOADS_MOST
from frontends.llvm.linked.worker import WorkerFailed
from frontends.llvm.meaning.bounds import bound_of, bounds_of
from frontends.llvm.splicing.loads import may_write
from frontends.llvm.text.ast import Instr, IntType, Literal, Operand
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.syntax import number, shape_of
from frontends.llvm.transform.neighbouring_loads import insertions
from frontends.llvm.transform.site import Change, Scope
from frontends.llvm.transform.transpose import Lines

_JOINED: Final = frozenset((
    "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "zext", "sext", "trunc",
))  # fmt: skip
_SAID: Final = re.compile(r"\bdereferenceable\((\d+)|(?:constant|global) \[(\d+) x i8\]")


@dataclass(frozen=True, slots=True)
class Vector:
    """Insertions, the last one first, the loads that they insert by lane, and what holds the table
    of so many bytes: a literal, or a load.
    """

    chain: Sequence[Instr]
    loads: Sequence[Instr]
    count: int
    table: str


@dataclass(frozen=True, slots=True)
class Row:
    """The vectors of a block that are put together so."""

    root: Instr
    why_not: str = ""
    vectors: Sequence[Vector] = ()

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return what loads tables before all loops, and their lanes where the vectors were."""
        draft, at = _Draft(scope, Lines(names)), self.root
        lines = {i.line: () for v in self.vectors for i in (*v.chain, *v.loads)}
        lines |= {v.chain[0].line: draft.vector(v, Lines(names)) for v in self.vectors}
        while (home := scope.view.homes[scope.view.places[at.line]]) is not None:
            at = scope.view.end(home)
        own = lines.get(at.line, (scope.module.lines[at.line],))
        lines[at.line] = (*scope.indent(at, *draft.head.lines), *own)
        return Change(lines, "lanes of a table", (*draft.unused.values(),))


def sites(scope: Scope) -> Iterator[Row]:
    """Yield blocks with such vectors, in program order."""
    bounds = dict[str, int]()
    for block in scope.view.blocks:
        found = list[Vector]()
        for i in block.instrs:
            chain = insertions(scope, i) if i.opcode == "insertelement" and i.known else []
            loads = [x for _, x, _ in sorted(chain, key=lambda row: row[0])]
            steps = [s for x in loads if _is_byte(x) and (s := scope.definition(x.operands[0]))]
            given = {s.operands[1:-1] if s.opcode == "getelementptr" else () for s in steps}
            at = given.pop() if 3 < len(steps) == len(loads) and len(given) == 1 else ()
            plain = at and all(number(o) == 0 for o in at[1:])
            size = _size(scope, spell(at[0])) if plain else 0
            parts = [x for _, _, x in chain]
            if size and scope.is_closed((*loads, *parts[1:]), parts):
                bounds = bounds or dict(bounds_of(scope.view))
                most = max(bound_of(s.operands[-1], bounds) for s in steps)
                read = _table(scope, loads[0], spell(at[0]), most) if most < size else (0, "")
                if read[0]:
                    found.append(Vector(parts, loads, *read))
                else:
                    yield Row(i, f"no table of {most + 1} bytes may be read")
        if found:
            yield Row(found[0].chain[0], scope.why_small, found)


def _is_byte(i: Instr) -> bool:
    return i.opcode == "load" and i.known and i.type == IntType(8)


def _size(scope: Scope, pointer: str) -> int:
    """Return how many bytes may be read behind a pointer, 0 where that is not said."""
    arguments = {f"%{a.name}": " ".join(a.attributes) for a in scope.function.arguments}
    said = _SAID.search(arguments.get(pointer) or scope.said.named.get(pointer, ""))
    return int(said[1] or said[2]) if said else 0


def _table(scope: Scope, load: Instr, pointer: str, most: int) -> tuple[int, str]:
    """Return how many bytes are read of a table at indices up to the greatest, and what holds them;
    0 where they are too many, or may be written.
    """
    count = 1 << most.bit_length()
    if count > TABLE_LOADS_MOST:
        return 0, ""
    if literal := _literal(scope, pointer, count):
        return count, literal
    writes = (may_write(i, scope.said) and scope.may_meet(i, load) for i in scope.view)
    fits = count <= _size(scope, pointer) and not any(writes)
    return count if fits else 0, f"load <{count} x i8>, ptr {pointer}, align 1"


def _literal(scope: Scope, pointer: str, count: int) -> str:
    """Return what LLVM knows that a constant holds, empty where it does not."""
    said = scope.said.named.get(pointer, "").partition(", comdat")[0].partition(", !")[0]
    if " = " in said or "constant" not in said:
        return ""
    head = [x for x in scope.module.lines if x.startswith("target ")]
    kind = f"<{count} x i8>"
    body = f"define {kind} @isel.table() {{\n%x = load {kind}, ptr {pointer}\nret {kind} %x\n}}"
    done = scope.optimise("\n".join((*head, f"{pointer} = {said}", body)))
    known = rf"ret {kind} (<.*>|splat .*|zeroinitializer)$"
    found = None if isinstance(done, WorkerFailed) else re.search(known, done, re.MULTILINE)
    return found[1] if found else ""


@dataclass(slots=True)
class _Draft:
    """Values by what they hold: lines before all loops, and what may be unused then."""

    scope: Scope
    head: Lines
    known: dict[object, str] = field(default_factory=dict)
    unused: dict[str, Instr] = field(default_factory=dict)

    def vector(self, v: Vector, w: Lines) -> tuple[str, ...]:
        """Return what puts lanes of a table together."""
        count, kind, table = len(v.loads), f"<{v.count} x i8>", v.table
        if table[0] == "l" and table not in self.known:
            self.known[table] = self.head.write(f"freeze {kind} {self.head.write(table)}")
        steps = [self._leave(i.operands[0]) for i in v.loads]
        lanes, last = [i.operands[-1] for i in steps if i], "poison"
        index, bits = self._join(w, lanes), shape_of(lanes[0].type)[1]
        if bits != 8:
            index = w.write(f"trunc <{count} x i{bits}> {index} to <{count} x i8>")
        for k in range(count):
            at = w.write(f"extractelement <{count} x i8> {index}, i64 {k}")
            lane = w.write(f"extractelement {kind} {self.known.get(table, table)}, i8 {at}")
            called = v.chain[0].name if k == count - 1 else ""
            last = w.write(
                f"insertelement <{count} x i8> {last}, i8 {lane}, i64 {k}", called=called
            )
        return self.scope.indent(v.chain[0], *w.lines)

    def _leave(self, o: Operand) -> Instr | None:
        """Return what gives an operand; it may be unused then."""
        i = self.scope.definition(o)
        self.unused.update({} if i is None else {i.name: i})
        return i

    def _join(self, w: Lines, lanes: Sequence[Operand]) -> str:
        """Return scalars as a vector: what is computed alike, of vectors of its operands."""
        if (*lanes,) not in self.known:
            self.known[*lanes,] = self._write(w, lanes, [*map(self._leave, lanes)])
        return self.known[*lanes,]

    def _write(self, w: Lines, lanes: Sequence[Operand], given: Sequence[Instr | None]) -> str:
        kind, instrs = lanes[0].type, [i for i in given if i is not None and i.known]
        if all(isinstance(o, Literal) for o in lanes):
            return f"<{', '.join(f'{o.type} {spell(o)}' for o in lanes)}>"
        shapes = {(i.opcode, i.operands[0].type) for i in instrs}
        opcode, old = shapes.pop() if len(shapes) == 1 and instrs == given else ("", kind)
        rows = [*zip(*(i.operands for i in instrs), strict=True)] if opcode else []
        if opcode in _JOINED:
            parts = ", ".join([self._join(w, row) for row in rows])
            text = f"{opcode} <{len(lanes)} x {old}> {parts}"
            return w.write(text if len(rows) > 1 else f"{text} to <{len(lanes)} x {kind}>")
        numbers = [*map(number, rows[1])] if opcode == "extractelement" else []
        if numbers == [*range(shape_of(old)[0])] and len({*rows[0]}) == 1:
            return spell(rows[0][0])
        return w.gather([*map(spell, lanes)], kind)
