"""What phis of loops seem to be: computed of memory, as it is when their block begins.

``%p = phi [ %a, … ], [ %x, … ]`` of a loop, where ``%a`` is computed of loads before
it: in each pass it may be the same of what lies as far from an address of that pass.  A wrong guess
costs a proof and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from frontends.llvm.function.addresses import Addresses
from frontends.llvm.function.graph import Graph
from frontends.llvm.limits import STATES_MOST, STATES_PASSES
from frontends.llvm.passes.counting import edges_of
from frontends.llvm.passes.left import Left, require
from frontends.llvm.passes.witness import States
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Local, Operand, Symbol
from frontends.llvm.text.rewording import rename, spell, without_promises
from frontends.llvm.text.view import View, incoming, phis_of


def states_of(graph: Graph) -> States:
    """Return phis that seem to be computed of memory."""
    view, found = graph.function.view, dict[str, Sequence[str]]()
    addresses, names = Addresses(graph.function, graph.sizes), view.free_names("isel.state")
    for b in view.blocks:
        before, latch = edges_of(view, b.label) or ("", "")
        for phi in phis_of(b) if latch else ():
            with suppress(Left):
                guess = _Guess(view, addresses, b.label, before, latch, names)
                guess.check(phi)
                found[phi.name] = [*guess.lines(phi)]
    return found


@dataclass(frozen=True, slots=True)
class _Guess:
    """The first block of a loop, and the one blocks that go there from outside and inside."""

    view: View
    addresses: Addresses
    label: str
    before: str
    latch: str
    names: Iterator[str]

    def lines(self, phi: Instr) -> Iterator[str]:
        """Yield what computes, of memory in each pass, what a phi is in the first one."""
        called, cone = dict[str, str](), self._cone(incoming(phi)[self.before], self.before)
        require(any(map(_loads, cone)), "it begins with nothing that is loaded")
        for i in cone:
            called[i.name] = next(self.names)
            if _loads(i):
                yield from self._load(i, called[i.name])
            else:
                yield rename(i.text.strip().partition(", !")[0], called)

    def check(self, phi: Instr) -> None:
        """Look that it is given, perhaps some passes before, what these compute of memory."""
        for _ in range(STATES_PASSES):
            o = incoming(phi)[self.latch]
            i = self.view.definition(o)
            if i is None or i.opcode != "phi" or self.view.label(i.name) != self.label:
                require(any(map(_loads, self._cone(o, self.label))), "nothing is loaded")
                return
            phi = i
        raise Left("it is carried for too long")

    def _cone(self, o: Operand, label: str) -> list[Instr]:
        """Return what an operand is computed of in a block, or anywhere above a loop for what comes
        from there, down to what is loaded, in order.
        """
        found, waiting = dict[int, Instr](), [o]
        while waiting:
            i = self.view.definition(waiting.pop())
            if i is None or i.line in found:
                continue
            there = label in (self.before, self.view.label(i.name))
            require(there and i.opcode != "phi", "it is of elsewhere")
            require(len(found) < STATES_MOST, "it is computed of too much")
            found[i.line] = i
            waiting += i.operands if not _loads(i) else ()
        return [found[n] for n in sorted(found)]

    def _load(self, load: Instr, name: str) -> Iterator[str]:
        """Yield a load at an address of the loop, where another one is in the first pass."""
        near, at = self._near(load)
        called = dict[str, str]()
        for i in self._steps(near):
            called[i.name] = next(self.names)
            yield rename(without_promises(i), called)
        place = Local(next(self.names), near.type)
        yield build.address(Symbol(rename(spell(near), called), near.type), at).line(place.name)
        yield build.load(load.type, place, 1).line(name)

    def _near(self, load: Instr) -> tuple[Operand, int]:
        """Return an address of the loop, and how far from it, in the first pass, a load is."""
        given = {i.name: incoming(i)[self.before] for i in phis_of(self.view.block(self.label))}
        of, there = self.addresses.of, self.addresses.of(load.operands[0])
        for i in filter(_loads, self.view.block(self.label).instrs):
            at = of(i.operands[0])
            first = None if at is None else self.addresses.replaced(at, given)
            far = None if first is None or there is None else first.gap(there)
            if far is not None:
                return i.operands[0], far
        raise Left("it begins elsewhere")

    def _steps(self, pointer: Operand) -> list[Instr]:
        """Return what an address is computed by in the loop, in order."""
        found, waiting = dict[int, Instr](), [pointer]
        while waiting:
            i = self.view.definition(waiting.pop())
            if i is None or i.opcode == "phi" or self.view.label(i.name) != self.label:
                continue
            require(not _loads(i) and len(found) < STATES_MOST, "an address is loaded")
            found[i.line] = i
            waiting += [o for o in i.operands if isinstance(o, Local)]
        return [found[n] for n in sorted(found)]


def _loads(i: Instr) -> bool:
    return i.opcode == "load"
