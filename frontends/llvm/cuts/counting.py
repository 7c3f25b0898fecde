"""Loops that count from a number to another one, and the blocks that surely follow each other."""

from __future__ import annotations

from dataclasses import dataclass

from frontends.llvm.limits import PACKING_MOST
from frontends.llvm.text.ast import Instr, IntType, Local, Operand, Type
from frontends.llvm.text.syntax import number
from frontends.llvm.text.view import View, incoming, labels


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that is entered from one block, ``before``, and left to ``out`` at its one way back,
    at the end of ``latch``, when ``counter`` has been each of ``numbers``; ``after`` and ``test``
    say so.
    """

    header: str
    before: str
    latch: str
    out: str
    counter: Instr
    after: Instr
    test: Instr
    numbers: range

    @property
    def kind(self) -> Type:
        """The type of what counts."""
        return self.counter.type

    def counts_as(self, other: Loop) -> bool:
        """Tell whether two loops count alike."""
        return self.numbers == other.numbers and self.kind == other.kind


def loop_of(view: View, header: str) -> Loop | None:
    """Return the loop of a header, None where it is none that counts to a number."""
    edges = _edges(view, header)
    ends = None if edges is None else _test(view, header, edges[1])
    if edges is None or ends is None:
        return None
    test, out = ends
    after, bound = view.definition(test.operands[0]), number(test.operands[1])
    for phi in view.block(header).instrs:
        if phi.opcode == "phi" and phi.known and after is not None and bound is not None:
            numbers = _numbers(phi, after, bound, edges)
            if numbers is not None:
                return Loop(header, *edges, out, phi, after, test, numbers)
    return None


def _edges(view: View, header: str) -> tuple[str, str] | None:
    """Return the one block that a loop is entered from, and the one that goes back."""
    k = view.numbers.get(header, 0)
    edges = sorted(view.predecessors[k], key=lambda p: view.dominates(k, p))
    back = [view.dominates(k, p) for p in edges]
    names = [view.blocks[p].label for p in edges]
    return (names[0], names[1]) if back == [False, True] else None


def _test(view: View, header: str, latch: str) -> tuple[Instr, str] | None:
    """Return the comparison that a loop goes on by, and where it goes else."""
    end = view.end(view.numbers[latch])
    ways, test = labels(end), view.definition(end.operands[0]) if end.operands else None
    if len(ways) != 2 or end.opcode != "br" or test is None or test.opcode != "icmp":
        return None
    found = {"eq": ways, "ne": ways[::-1]}.get(test.predicate, ways[:1] * 2)
    return (test, found[0]) if found[1] == header != found[0] else None


def _numbers(phi: Instr, after: Instr, bound: int, edges: tuple[str, str]) -> range | None:
    """Return what a phi is, pass by pass, if a sum is what it is next and a bound the last sum."""
    given = incoming(phi)
    start, next_ = (given.get(x) for x in edges)
    first = None if start is None else number(start)
    step = _step(after, phi) if next_ is not None and is_value(next_, after) else 0
    if first is None or step == 0 or (bound - first) % step:
        return None
    return range(first, bound, step) if 0 < (bound - first) // step <= PACKING_MOST else None


def is_value(o: Operand, i: Instr) -> bool:
    """Tell whether an operand is what an instruction gives."""
    return isinstance(o, Local) and o.name == i.name


def _step(after: Instr, phi: Instr) -> int:
    """Return the positive number that a sum adds to a phi, 0 for anything else."""
    plain = after.opcode == "add" and after.known and is_value(after.operands[0], phi)
    step = number(after.operands[1]) if plain else None
    half = 1 << (phi.type.bits - 1) if isinstance(phi.type, IntType) else 0
    return step if step is not None and step < half else 0


def path_from(view: View, start: str) -> list[str]:
    """Return a block and those that surely come after it, to the first that has a choice."""
    found = [start]
    while True:
        ways = labels(view.end(view.numbers[found[-1]]))
        if len(ways) != 1 or ways[0] in found:
            return found
        found += ways
