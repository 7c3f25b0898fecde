"""The lines that compute stencils of a block which share columns, or rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Literal, Local, Operand, VectorType
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.rewording import respell, spell, without_promises
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.text.view import incoming
from frontends.llvm.transform.site import Change, Scope
from frontends.llvm.transform.stencils import CASTS, Leaf, Plan, Stencil, Terms

_Part: TypeAlias = tuple[Operand, int]  # a vector, and how many times it is added


@dataclass(slots=True)
class Writer:
    """Writes what a block becomes: lines at the roots of stencils, in front of all, and before
    the loop.
    """

    scope: Scope
    label: str
    entry: Lines  # in front of the loop
    lines: dict[int, tuple[str, ...]] = field(default_factory=dict)
    phis: list[str] = field(default_factory=list)
    unused: list[Instr] = field(default_factory=list)
    before: str = ""  # the block before the loop, where something is carried
    _first: dict[str, Operand] = field(default_factory=dict)  # what values are in the first pass
    _made: dict[int, Operand] = field(default_factory=dict)  # columns of a plan, by place
    # phis: what they begin with, columns that follow
    _carried: dict[str, tuple[Operand, int]] = field(default_factory=dict)

    def change(self) -> Change:
        """Return all lines that are others."""
        if self.before:
            first = self.scope.view.block(self.label).instrs[0]
            end = self.scope.view.end(self.scope.view.numbers[self.before])
            for at, new in ((first, self.phis), (end, self.entry.lines)):
                self.lines[at.line] = (*new, self.scope.module.lines[at.line])
        said = "columns that are computed once"
        return Change(self.lines, said, tuple(self.unused), self.entry.declarations)

    def write(self, plan: Plan) -> None:
        """Write the stencils of a plan."""
        self._made, self._carried = {}, {}
        for s in plan.group:
            lines = Lines(self.entry.names, declarations=self.entry.declarations)
            if plan.by_rows:
                parts = self._rows(plan, s, lines)
            else:
                parts = self._columns(plan, s, lines)
            self._join(s.terms, [*parts, *s.terms.rest], lines, s.terms.root.name)
            self.lines[s.terms.root.line] = tuple(lines.lines)
            loads = [x.load for x, _ in s.terms.leaves]
            users = (i for x in loads for i in self.scope.view.used_by(x.name))
            self.unused += [*s.terms.inner[1:], *(i for i in users if i.opcode in CASTS), *loads]
        for name, (start, at) in self._carried.items():
            self._add_phi(plan, name, start, self._made[at])

    def _add_phi(self, plan: Plan, name: str, start: Operand, after: Operand) -> None:
        self.before = plan.before
        phi = build.phi(after.type, ((spell(start), plan.before), (spell(after), self.label)))
        self.phis.append(phi.line(name))

    def _rows(self, plan: Plan, s: Stencil, lines: Lines) -> list[_Part]:
        """Write the last row, and the phis that carry it to where it is an earlier one."""
        found = [self._sum(s, s.rows[-1].values(), s.along.values(), lines)]
        for row in reversed(s.rows[:-1]):
            start = self._sum(s, row.values(), s.along.values(), self.entry, first=plan.before)
            name = next(self.entry.names)
            self._add_phi(plan, name, start, found[-1])
            found.append(Local(name, start.type))
        return list(zip(reversed(found), s.down, strict=True))

    def _columns(self, plan: Plan, s: Stencil, lines: Lines) -> list[_Part]:
        """Write the last columns of a stencil, and the others as lanes of these and of those
        before.
        """
        most, before, near = max(s.along), plan.earlier(s), None
        own = self._made[plan.last(s)] = self._column(s, most, lines)
        if before is not None and not before[1]:
            near = self._made[plan.last(before[0])]
        elif before is not None:
            near = Local(next(self.entry.names), own.type)
            self._carried[near.name] = self._start(s, plan), plan.last(before[0])
        found: list[_Part] = []
        for k, weight in s.along.items():
            if k == most:
                found.append((own, weight))
            elif near is not None:
                found.append((self._move(s, near, own, most - k, lines), weight))
            else:
                found.append((self._column(s, k, lines), weight))
        return found

    def _column(self, s: Stencil, k: int, lines: Lines) -> Operand:
        return self._sum(s, [row[k] for row in s.rows], s.down, lines)

    def _start(self, s: Stencil, plan: Plan) -> Operand:
        """Write what a phi of columns begins with: in its last lanes, the first columns."""
        count, bits = shape_of(s.rows[0][0].load.type)
        few = 8 * max(s.along) // bits
        first = [row[0] for row in s.rows]
        own = self._sum(s, first, s.down, self.entry, few, plan.before)
        return self.entry.shuffle(own, [None] * (count - few) + list(range(few)), own)

    def _move(self, s: Stencil, before: Operand, own: Operand, back: int, lines: Lines) -> Operand:
        """Write the columns so many bytes in front of the last ones."""
        count, bits = shape_of(s.rows[0][0].load.type)
        start = count - 8 * back // bits
        return lines.shuffle(before, range(start, start + count), own)

    def _sum(
        self,
        s: Stencil,
        leaves: Iterable[Leaf],
        weights: Iterable[int],
        lines: Lines,
        few: int = 0,
        first: str = "",
    ) -> Operand:
        """Write what joins loads with weights, of which the ``few`` first lanes may be enough; or
        those of the ``first`` pass, behind a block.
        """
        parts: list[_Part] = []
        for x, weight in zip(leaves, weights, strict=True):
            value = self._load(x, first, few) if first else build.result(x.load)
            parts.append((lines.cast(x.cast, value, s.terms.width) if x.cast else value, weight))
        return self._join(s.terms, parts, lines)

    def _load(self, x: Leaf, before: str, few: int) -> Operand:
        """Write a load as it is in the first pass."""
        name, pointer = next(self.entry.names), self._at_first(x.load.operands[0], before)
        kind = build.wide(x.load.type, few) if few else x.load.type
        return self.entry.add(build.load(kind, pointer, 1), name)

    def _at_first(self, o: Operand, before: str) -> Operand:
        """Write what an address is computed from in the first pass, and return it."""
        i = self.scope.definition(o)
        if i is None or self.scope.view.label(i.name) != self.label:
            return o
        if i.name not in self._first:
            if i.opcode == "phi":
                self._first[i.name] = incoming(i)[before]
            else:
                given = {
                    x.name: spell(self._at_first(x, before))
                    for x in i.operands
                    if isinstance(x, Local)
                }
                text = without_promises(i).partition(" = ")[2]
                self._first[i.name] = self.entry.add(build.Body(respell(text, given), i.type))
        return self._first[i.name]

    def _join(self, terms: Terms, parts: Sequence[_Part], lines: Lines, last: str = "") -> Operand:
        """Write what an operation joins, each with its weight; ``last`` is what it is called."""
        found: Operand | None = None
        for n, (part, weight) in enumerate(parts):
            value = _times(part, weight % (1 << terms.width), lines)
            own = last if n == len(parts) - 1 else ""
            found = value if found is None else lines.join(terms.op, found, value, own)
        assert found is not None
        return found


def _times(part: Operand, weight: int, lines: Lines) -> Operand:
    """Write a part so many times."""
    if weight == 1:
        return part
    kind, power = part.type, weight & (weight - 1) == 0
    assert isinstance(kind, VectorType)
    op, n = ("shl", weight.bit_length() - 1) if power else ("mul", weight)
    return lines.add(build.binary(op, part, Literal(kind, (n,) * kind.count)))
