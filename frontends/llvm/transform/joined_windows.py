"""Two stores of half a register, side by side, of values computed alike: one of all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frontends.llvm.text.ast import Instr, Literal, Operand
from frontends.llvm.transform import wider
from frontends.llvm.transform.site import Change, Scope


@dataclass(frozen=True, slots=True)
class Pair:
    """The last value of a half, and in pairs what both are computed from, the stores last."""

    root: Instr
    pairs: tuple[tuple[Instr, Instr], ...]
    why_not: str = ""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return wide loads where the later half is loaded, the rest where the later is stored."""
        lines: dict[int, tuple[str, ...]] = {i.line: () for pair in self.pairs for i in pair}
        new, body, needs = dict[str, str](), list[str](), dict[str, str]()
        for a, b in self.pairs:
            for leaf in (x for x in wider.vectors_of(a) if x not in new):  # both halves look at it
                new[leaf] = next(names)
                body.append(f"%{new[leaf]} = {wider.twice(leaf, wider.vectors_of(a)[leaf])}")
            new |= {a.name: next(names)} if a.name else {}
            later = max(a, b, key=lambda i: i.line)
            if a.opcode == "load":
                lines[later.line] = scope.indent(later, wider.text(a, new))
            else:
                body.append(wider.text(a, new))
                lines[later.line] = scope.indent(later, *body) if a.opcode == "store" else ()
            needs |= wider.declaration(a)
        return Change(lines, "joined halves", (), needs)


def sites(scope: Scope) -> Iterator[Pair]:
    """Yield pairs of neighbouring stores that fill a register, in program order."""
    for block in scope.view.blocks:
        stores = [i for i in block.instrs if i.opcode == "store" and i.known and not i.flags]
        while len(stores) > 1:
            pair = _pair(scope, *stores[:2]) or _pair(scope, *stores[1::-1])
            yield from (pair,) if pair is not None else ()
            stores = stores[2 if pair is not None else 1 :]


def _pair(scope: Scope, low: Instr, high: Instr) -> Pair | None:
    """Return two stores with what they are computed from, None where they are no halves."""
    (x, at), (y, behind) = low.operands, high.operands
    bits, nodes = scope.bits_of(x.type), dict[str, tuple[Instr, Instr]]()
    if 2 * bits != scope.bits or scope.distance(at, behind) != bits // 8:
        return None
    alike = _alike(scope, x, y, nodes)
    pairs = (*nodes.values(), (low, high))
    if not alike or not scope.is_closed(i for pair in pairs for i in pair):
        return None
    why = "memory is used between both" if any(scope.between(low, high)) else ""
    return Pair((scope.definition(y) or high), pairs, why)


def _alike(scope: Scope, x: Operand, y: Operand, nodes: dict[str, tuple[Instr, Instr]]) -> bool:
    """Tell whether two values are the same function of neighbours in memory; note of which."""
    if x == y:
        return not isinstance(x, Literal) or len(set(x.lanes)) == 1
    a, b = scope.definition(x), scope.definition(y)
    if a is None or b is None or not wider.says_same(a, b) or a.name in nodes:
        return a is not None and nodes.get(a.name) == (a, b)
    operands = zip(a.operands, b.operands, strict=True)
    if not (scope.is_neighbour(a, 1, b) and not scope.written_between(a, b)):
        if not (wider.is_lanewise(a) and all(_alike(scope, c, d, nodes) for c, d in operands)):
            return False
    return nodes.setdefault(a.name, (a, b)) == (a, b)
