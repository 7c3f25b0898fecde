"""Loops that count from a number to another one, and the blocks that surely follow each other."""

from __future__ import annotations

from dataclasses import dataclass

from frontends.llvm.meaning.limits import PACKING_MOST
from frontends.llvm.text.ast import Instr, IntType, Local, Operand, Type
from frontends.llvm.text.syntax import number
from frontends.llvm.text.view import View, incoming, labels


@dataclass(frozen=True, slots=True)
class Cycle:
    """A loop that is entered from one block, ``before``, and left to ``out`` at its one way back,
    at the end of ``latch``, when ``after`` (``counter`` and ``step``) is what ``test`` compares it
    with.
    """

    header: str
    before: str
    latch: str
    out: str
    counter: Instr
    after: Instr
    test: Instr
    step: int

    @property
    def kind(self) -> Type:
        """The type of what counts."""
        return self.counter.type

    @property
    def start(self) -> Operand:
        """What counts in the first pass."""
        return incoming(self.counter)[self.before]

    @property
    def stop(self) -> Operand:
        """What would count after the last pass."""
        return self.test.operands[1]


@dataclass(frozen=True, slots=True)
class Loop(Cycle):
    """A loop in which ``counter`` is each of ``numbers``."""

    numbers: range


def loop_of(view: View, header: str) -> Loop | None:
    """Return the loop of a header, None where it is none that counts to a number."""
    c = cycle_of(view, header)
    first, bound = (None, None) if c is None else (number(c.start), number(c.stop))
    if c is None or first is None or bound is None or (bound - first) % c.step:
        return None
    few = 0 < (bound - first) // c.step <= PACKING_MOST
    edges = c.header, c.before, c.latch, c.out
    numbers = range(first, bound, c.step)
    return Loop(*edges, c.counter, c.after, c.test, c.step, numbers) if few else None


def loop_that_counts(view: View, header: str) -> Cycle | None:
    """Return the loop of a header, one of numbers where that is known, None where it is none."""
    known = header in view.numbers
    return (loop_of(view, header) or cycle_of(view, header)) if known else None


def cycle_of(view: View, header: str) -> Cycle | None:
    """Return the loop of a header, None where it is none that counts to the same value in each of
    its passes.
    """
    edges = edges_of(view, header)
    ends = None if edges is None else _test(view, header, edges[1])
    if edges is None or ends is None or not _is_fixed(view, edges[1], header, ends[0].operands[1]):
        return None
    test, out = ends
    after = view.definition(test.operands[0])
    for phi in view.block(header).instrs:
        step = _step(after, phi, edges[1]) if phi.opcode == "phi" and phi.known else 0
        if step and after is not None:
            return Cycle(header, *edges, out, phi, after, test, step)
    return None


def _is_fixed(view: View, latch: str, header: str, o: Operand) -> bool:
    """Tell whether an operand is the same in each pass of a loop."""
    inner = view.definition(o)
    outside = latch == header and (inner is None or view.label(inner.name) != header)
    return number(o) is not None or outside


def edges_of(view: View, header: str) -> tuple[str, str] | None:
    """Return the one block that a loop is entered from, and the one that goes back."""
    k = view.numbers.get(header, 0)
    edges = sorted(view.predecessors[k], key=lambda p: view.dominates(k, p))
    back = [view.dominates(k, p) for p in edges]
    names = [view.blocks[p].label for p in edges]
    return (names[0], names[1]) if back == [False, True] else None


def entry_of(view: View, header: str) -> str:
    """Return the block that a loop of one block is surely entered from, empty for any other."""
    before, latch = edges_of(view, header) or ("", "")
    sure = latch == header and labels(view.end(view.numbers[before])) == [header]
    return before if sure else ""


def _test(view: View, header: str, latch: str) -> tuple[Instr, str] | None:
    """Return the comparison that a loop goes on by, and where it goes else."""
    end = view.end(view.numbers[latch])
    ways, test = labels(end), view.definition(end.operands[0]) if end.operands else None
    if len(ways) != 2 or end.opcode != "br" or test is None or test.opcode != "icmp":
        return None
    found = {"eq": ways, "ne": ways[::-1]}.get(test.predicate, ways[:1] * 2)
    return (test, found[0]) if found[1] == header != found[0] else None


def is_value(o: Operand, i: Instr) -> bool:
    """Tell whether an operand is what an instruction gives."""
    return isinstance(o, Local) and o.name == i.name


def _step(after: Instr | None, phi: Instr, latch: str) -> int:
    """Return the positive number that a sum adds to a phi which it is next, 0 for anything else."""
    back = incoming(phi).get(latch)
    if after is None or back is None or not is_value(back, after):
        return 0
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
