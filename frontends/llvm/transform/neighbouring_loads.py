"""Vectors put together of neighbouring scalars in memory: one load of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frontends.llvm.splicing.write import location
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Literal, Local, VectorType
from frontends.llvm.transform.site import Change, Scope


@dataclass(frozen=True, slots=True)
class Row:
    """The last insertion of a vector, loads of its lanes in order, and all that is not needed."""

    root: Instr
    loads: tuple[Instr, ...]
    extended: str  # by which cast, empty if by none
    parts: tuple[Instr, ...]
    why_not: str = ""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return a vector load where the last scalar is loaded, extended where the vector was."""
        first, last = self.loads[0], max(self.loads, key=lambda i: i.line)
        name = next(names) if self.extended else self.root.name
        whole = Local(name, build.wide(first.type, len(self.loads)))
        load = build.load(whole.type, first.operands[0], max(first.align, 1), location(last))
        lines: dict[int, tuple[str, ...]] = {i.line: () for i in self.parts}
        lines[last.line] = (load.line(name),)
        if self.extended:
            cast = build.cast(self.extended, whole, self.root.type)
            lines[self.root.line] = (cast.line(self.root.name, location(self.root)),)
        return Change(lines, "one load of scalars")


def sites(scope: Scope) -> Iterator[Row]:
    """Yield vectors of four or more scalars that lie one after the other, in program order."""
    for i in scope.view:
        row = _row(scope, i) if i.opcode == "insertelement" and i.known else None
        if row is not None:
            yield row


def _row(scope: Scope, root: Instr) -> Row | None:
    """Return the row whose last insertion an instruction is."""
    chain = insertions(scope, root)
    lanes = {k: i for k, i, _ in chain}
    if len(chain) < 4 or sorted(lanes) != list(range(len(chain))):
        return None
    cast = lanes[0].opcode if lanes[0].opcode in ("zext", "sext") else ""
    loads = _loads(scope, [lanes[k] for k in range(len(chain))], cast)
    inner = dict.fromkeys((*lanes.values(), *loads, *(i for _, _, i in chain[1:])))
    if not loads or not scope.is_closed(inner, (root,)):
        return None
    return Row(root, loads, cast, (root, *inner), scope.written_between(*loads))


def _loads(scope: Scope, lanes: list[Instr], cast: str) -> tuple[Instr, ...]:
    """Return the loads under lanes, nothing where these are no neighbours."""
    under = (scope.definition(i.operands[0]) if cast else i for i in lanes)
    loads = tuple(i for i in under if i is not None and i.opcode == "load")
    alike = len(loads) == len(lanes) and len({i.opcode for i in lanes}) == 1
    near = (scope.is_neighbour(loads[0], k, i) for k, i in enumerate(loads))
    return loads if alike and all(near) else ()


def insertions(scope: Scope, root: Instr) -> list[tuple[int, Instr, Instr]]:
    """Return lane, scalar and insertion of a vector of which all lanes are given, last first."""
    found: list[tuple[int, Instr, Instr]] = []
    i: Instr | None = root
    while i is not None and i.opcode == "insertelement":
        lane, k = scope.definition(i.operands[1]), i.operands[2]
        if lane is None or not isinstance(k, Literal) or not isinstance(k.lanes[0], int):
            return []
        found.append((k.lanes[0], lane, i))
        i = scope.definition(i.operands[0])
    count = root.type.count if isinstance(root.type, VectorType) else 0
    return found if len(found) == count and isinstance(found[-1][2].operands[0], Literal) else []
