"""Bytes loaded from small tables at indices that are computed alike, and put together: lanes of
the table, which is in a register, at the lanes of one vector of indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Final

from frontends.llvm.meaning.bounds import bound_of, bounds_of
from frontends.llvm.meaning.limits import TABLES_BYTES
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType, Literal, Operand, Type
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.objects import constant_bytes, size_behind, size_of_global
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.syntax import number, shape_of
from frontends.llvm.transform.neighbouring_loads import insertions
from frontends.llvm.transform.site import Change, Opportunity, Scope
from frontends.llvm.windows.webs import computed_from

_BYTE: Final = ("load", True, IntType(8), "getelementptr")
_JOINED: Final = frozenset((
    "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "zext", "sext", "trunc",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Vector:
    """Insertions, the last one first, the loads that they insert by lane, what steps to these from
    one pointer, what is said of that, and the greatest index.
    """

    chain: Sequence[Instr]
    loads: Sequence[Instr]
    steps: Sequence[Instr]
    said: str
    most: int

    @property
    def count(self) -> int:
        """The bytes that are read of the table."""
        return 1 << self.most.bit_length()

    @property
    def table(self) -> Literal | build.Body:
        """The table as a literal, or the load of it."""
        known = constant_bytes(self.said, self.count)
        if not known:
            return build.load(build.integers(self.count, 8), self.steps[0].operands[1], 1)
        return build.constant([*known, *["poison"] * (self.count - len(known))], 8)

    def may_be(self, scope: Scope) -> bool:
        """Tell whether the table has what may be read of it, nothing writes that, and nothing else
        uses what is loaded.
        """
        alone = scope.is_closed((*self.loads, *self.chain[1:]), self.chain)
        fixed = isinstance(self.table, Literal)
        size = size_of_global(self.said) or size_behind(self.said)
        every = (i for i in scope.view if not fixed and scope.may_write(i))
        small = self.most < size and self.count <= min(TABLES_BYTES, size + fixed * self.most)
        return small and alone and not any(scope.may_meet(i, self.loads[0]) for i in every)


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield the last insertion of the first of all such vectors, if there are any."""
    inserted = [i for i in scope.view if i.opcode == "insertelement" and i.known]
    bounds = bounds_of(scope.view) if inserted else {}
    if found := [v for i in inserted if (v := _vector(scope, i, bounds)) is not None]:
        yield Opportunity(found[0].chain[0], partial(_write, scope, found), scope.why_small)


def _vector(scope: Scope, root: Instr, bounds: Mapping[str, int]) -> Vector | None:
    """Return a vector of bytes that are loaded, by what its last insertion is."""
    chain = insertions(scope, root)
    loads = [x for _, x, _ in sorted(chain, key=itemgetter(0))]
    steps = [scope.definition(x.operands[0]) or x for x in loads]
    if len(loads) < 4 or not (said := _words(scope, loads, steps)):
        return None
    most = max(bound_of(s.operands[-1], bounds) for s in steps)
    found = Vector([x for *_, x in chain], loads, steps, said, most)
    return found if found.may_be(scope) else None


def _words(scope: Scope, loads: Sequence[Instr], steps: Sequence[Instr]) -> str:
    """Return what is said of the bytes that are loaded, of which the last index names one."""
    kinds = {(x.opcode, x.known, x.type, s.opcode) for x, s in zip(loads, steps, strict=True)}
    (first, *more), outer = {s.operands[:-1] for s in steps}, steps[0].operands[2:-1]
    if kinds != {_BYTE} or more or any(number(o) != 0 for o in outer):
        return ""
    pointer = spell(first[1])
    given = [" ".join(a.attributes) for a in scope.function.arguments if f"%{a.name}" == pointer]
    return given[0] if given else scope.said.named.get(pointer, "")


def _write(scope: Scope, vectors: Sequence[Vector], names: Iterator[str]) -> Change:
    """Return what loads tables before all loops, and their lanes where the vectors were."""
    draft, lines = _Draft(scope, names, vectors[0].chain[0]), dict[int, tuple[str, ...]]()
    for v in vectors:
        lines |= dict.fromkeys([i.line for i in (*v.chain, *v.loads)], ())
        lines[v.chain[0].line] = draft.vector(v)
    for at, head in draft.heads.items():
        own = lines.get(at, (scope.module.lines[at],))
        lines[at] = (*head.lines, *own)
    addresses = [i.operands[0] for v in vectors for i in v.loads]
    unused = computed_from(scope.view.defs, addresses, lambda i: i.opcode != "phi")
    return Change(lines, "lanes of a table", (*unused,))


@dataclass(slots=True)
class _Draft:
    """Where lines go, values by what they hold, and lines before all loops by where these are."""

    scope: Scope
    names: Iterator[str]
    root: Instr
    known: dict[object, Operand] = field(default_factory=dict)
    heads: dict[int, Lines] = field(default_factory=dict)

    def vector(self, v: Vector) -> tuple[str, ...]:
        """Return what puts lanes of a table together."""
        self.root = v.chain[0]
        w, n, table = Lines(self.names), len(v.loads), self._read(v)
        last: Operand = build.poison(build.integers(n, 8))
        index = w.cast("trunc", self._join(w, [s.operands[-1] for s in v.steps]), 8)
        if n < v.count == 16:  # where LLVM 22 aborts on AArch64
            table = w.widen(table, 32)
        for k in range(n):
            lane = w.add(build.extract(table, w.slice(index, k, 1)))
            called = v.chain[0].name if k == n - 1 else ""
            last = w.add(build.insert(last, lane, k), called)
        return tuple(w.lines)

    def _read(self, v: Vector) -> Operand:
        """Return a table as a value: loaded out of all loops, and frozen for all looks."""
        table, view, at = v.table, self.scope.view, v.chain[0]
        if isinstance(table, Literal):
            return table
        while (home := view.homes[view.places[at.line]]) is not None:
            at = view.end(home)
        key, head = (at.line, table), self.heads.setdefault(at.line, Lines(self.names))
        if key not in self.known:
            self.known[key] = head.add(build.freeze(head.add(table)))
        return self.known[key]

    def _join(self, w: Lines, lanes: Sequence[Operand]) -> Operand:
        """Return scalars as a vector."""
        key = (self.scope.view.places[self.root.line], *lanes)
        known = [o.lanes[0] for o in lanes if isinstance(o, Literal)]
        if len(known) == len(lanes):
            return build.constant(known, shape_of(lanes[0].type)[1])
        if key not in self.known:
            instrs = [i for i in map(self.scope.definition, lanes) if i is not None]
            alike = self._alike(w, lanes[0].type, instrs) if len(instrs) == len(lanes) else None
            self.known[key] = w.gather(lanes) if alike is None else w.add(alike)
        return self.known[key]

    def _alike(self, w: Lines, kind: Type, instrs: Sequence[Instr]) -> build.Body | None:
        """Return what computes scalars of vectors of operands, if they are computed alike, or loads
        them, if they are neighbours.
        """
        (opcode, known, _), *more = {(i.opcode, i.known, i.operands[0].type) for i in instrs}
        if more or not known or opcode not in ("load", *_JOINED):
            return None
        if opcode == "load":
            return self._load(instrs)
        rows = [self._join(w, x) for x in zip(*(i.operands for i in instrs), strict=True)]
        return build.like(instrs[0], rows, build.wide(kind, len(instrs)), opcode)

    def _load(self, loads: Sequence[Instr]) -> build.Body | None:
        """Return one load of neighbours, None where they are none, or may be written meanwhile."""
        first = loads[0]
        near = all(self.scope.is_neighbour(first, k, i) for k, i in enumerate(loads))
        if not near or self.scope.written_between(*loads, self.root):
            return None
        kind = build.wide(first.type, len(loads))
        return build.load(kind, first.operands[0], max(first.align, 1))
