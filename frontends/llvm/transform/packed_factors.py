"""What a loop gathers from memory that a loop around it does not change, packed before that one.

A vector is put together of scalars in the innermost loop of a nest of counted loops; what it is
computed from changes with the inner ones only.  A nest like these stores it to a slot of the stack
before all others, and the loop loads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import gcd, prod
from typing import Final

from frontends.llvm.limits import PACKED_FACTORS_ALIGN
from frontends.llvm.meaning.limits import PACKING_MOST
from frontends.llvm.passes.counting import Loop, loop_of
from frontends.llvm.passes.left import Left, require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType, Local, Operand, PtrType
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.rewording import copy, spell
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.text.view import labels
from frontends.llvm.transform.neighbouring_loads import insertions
from frontends.llvm.transform.site import Change, Opportunity, Scope
from isel.cost.loops import loops_of

_Nest = Sequence[tuple[int, ...]]
_COUNT: Final = IntType(64)


@dataclass(frozen=True, slots=True)
class Nest:
    """Vectors of one block, in program order, and what they are computed from by loop, the outer
    ones first; ``before`` is the block that ends before the loop that changes nothing.
    """

    roots: tuple[Instr, ...]
    loops: tuple[Loop, ...]
    parts: tuple[tuple[Instr, ...], ...]
    before: str

    @property
    def sizes(self) -> list[int]:
        """The bytes of each vector."""
        return [prod(shape_of(r.type)) // 8 for r in self.roots]

    @property
    def layout(self) -> tuple[list[int], int]:
        """The factors of what loops count in an address, and the bytes of the slot."""
        whole, factors = sum(self.sizes), list[int]()
        for c in self.loops[::-1]:
            factors.insert(0, -(-whole // c.numbers.step))
            whole = factors[0] * c.numbers.step * len(c.numbers)
        return factors, whole


def _pack(scope: Scope, roots: tuple[Instr, ...], around: _Nest, names: Iterator[str]) -> Change:
    """Return a slot, the nest that fills it, and loads in place of vectors."""
    return _Draft(scope, _nest(scope, roots, around), names).change()


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield the blocks of innermost loops that gather vectors, in program order."""
    loops = loops_of(dict(enumerate(scope.view.successors)))
    for k, block in enumerate(scope.view.blocks):
        around = [loop for loop in loops if k in loop]
        roots = tuple(i for i in block.instrs if _is_gathered(scope, i))
        if roots and len(around) > 1 and len(around[-1]) == 1:
            yield Opportunity(roots[-1], partial(_pack, scope, roots, around)).attempt(scope)


def _is_gathered(scope: Scope, i: Instr) -> bool:
    """Tell whether an instruction is the last that puts loaded scalars together."""
    lanes = insertions(scope, i) if i.opcode == "insertelement" and i.known else []
    inner = any(u.opcode == "insertelement" for u in scope.view.used_by(i.name))
    return len(lanes) > 3 and not inner and all(x.opcode == "load" for _, x, _ in lanes)


def _nest(scope: Scope, roots: tuple[Instr, ...], around: _Nest) -> Nest:
    """Return what is packed of the vectors of a block inside of loops, the outer ones first."""
    view = scope.view
    needed = _needs(scope, roots, around[0])
    outer, inner = _still(around, {view.places[i.line] for i in needed if i.opcode == "phi"})
    loops = tuple(_loops(scope, around[outer:]))
    counts = {c.after.line for c in loops}
    own = [i for i in needed if view.places[i.line] in around[outer] and i.line not in counts]
    parts = tuple(_parts(scope, own, around[inner:], {c.header for c in loops}))
    nest = Nest(roots, loops[inner - outer :], parts, loops[0].before)
    most = f"{nest.layout[1]} bytes would be packed, more than {PACKING_MOST}"
    require(nest.layout[1] <= PACKING_MOST, most)
    return nest


def _loops(scope: Scope, around: _Nest) -> Iterator[Loop]:
    """Yield loops that count, and are surely entered."""
    view = scope.view
    for loop in around:
        c = loop_of(view, view.blocks[loop[0]].label)
        if c is None or c.kind != _COUNT:
            raise Left("how often a loop around it runs is no constant")
        sure = len(labels(view.end(view.numbers[c.before]))) == 1
        require(sure, "a loop around it may be left out")
        yield c


def _still(around: _Nest, moving: set[int]) -> tuple[int, int]:
    """Return of the loops around a block the first that changes nothing, so that none does up to
    those that all change something, and the first of these.
    """
    changes = [loop[0] in moving for loop in around]
    inner = max((k for k, x in enumerate(changes) if not x), default=-1) + 1
    outer = max((k for k, x in enumerate(changes[:inner]) if x), default=-1) + 1
    require(outer < inner, "every loop around changes what is gathered")
    return outer, inner


def _parts(
    scope: Scope, own: Sequence[Instr], nest: _Nest, heads: set[str]
) -> Iterator[tuple[Instr, ...]]:
    """Yield what is computed in each loop of a nest, and in none inside of it."""
    view = scope.view
    choices = {view.label(i.name) for i in own if i.opcode == "phi"} - heads
    require(not choices, "it depends on a choice")
    for n, loop in enumerate(nest):
        inside = nest[n + 1] if n + 1 < len(nest) else ()
        yield tuple(i for i in own if view.places[i.line] in {*loop} - {*inside})
    between = any(view.places[i.line] not in nest[0] for i in own)
    require(not between, "something is computed between the loops")


def _is_fixed(scope: Scope, load: Instr) -> bool:
    """Tell whether a plain load is of what an argument that aliases nothing points to."""
    at = scope.address(load.operands[0])
    return not load.flags and at is not None and at.base in scope.noalias


def _needs(scope: Scope, roots: Sequence[Instr], loop: Sequence[int]) -> list[Instr]:
    """Return what vectors are computed from inside of a loop, in program order."""
    found, waiting = dict[int, Instr](), list(roots)
    while waiting:
        i = waiting.pop()
        if i.line not in found and scope.view.places[i.line] in loop:
            require(i.known and i.opcode != "call", f"it depends on a '{i.opcode}'")
            fixed = i.opcode != "load" or _is_fixed(scope, i)
            require(fixed, "what is gathered may change, or be another pointer's")
            found[i.line] = i
            waiting += [d for o in i.operands if (d := scope.definition(o)) is not None]
    return sorted(found.values(), key=lambda i: i.line)


class _Draft:
    """The text of one packing."""

    def __init__(self, scope: Scope, nest: Nest, names: Iterator[str]) -> None:
        self.scope, self.nest, self.names = scope, nest, names
        self.loops, self.sizes = nest.loops, nest.sizes
        self.factors, self.size = nest.layout
        self.slot = Local(next(names), PtrType())
        self.heads = [next(names) for _ in self.loops]
        self.tails = [*(next(names) for _ in self.loops[1:]), self.heads[-1]]

    def change(self) -> Change:
        """Return what the lines become."""
        lines = {**dict.fromkeys(self._idle(), ()), **self._loads()}
        end, first = self._end(self.nest.before), self.scope.view.blocks[0].instrs[0]
        slot = build.slot(self.size, PACKED_FACTORS_ALIGN).line(self.slot.name)
        lines[end.line] = tuple(self._stores(labels(end)[0]))
        self._add(lines, first, [slot])
        for i in self.scope.view.block(labels(end)[0]).instrs:
            if i.opcode == "phi":
                lines[i.line] = (*copy([i], {self.nest.before: self.tails[0]}),)
        return Change(lines, "packed before the loop")

    def _idle(self) -> set[int]:
        """Return the lines of what nothing but vectors and each other uses."""
        members = [i for part in self.nest.parts for i in part]
        counts, roots = [c.counter for c in self.loops], self.nest.roots
        gone = {i.line for i in members if i not in counts}
        for _ in members:
            gone -= {i.line for i in members if i not in roots and not self._is_alone(i, gone)}
        return gone

    def _is_alone(self, i: Instr, lines: set[int]) -> bool:
        """Tell whether nothing on other lines uses a value."""
        return {u.line for u in self.scope.view.used_by(i.name)} <= lines

    def _end(self, label: str) -> Instr:
        return self.scope.view.end(self.scope.view.numbers[label])

    def _add(self, lines: dict[int, tuple[str, ...]], at: Instr, new: Sequence[str]) -> None:
        """Add lines before an instruction."""
        old = lines.get(at.line, (self.scope.module.lines[at.line],))
        lines[at.line] = (*new, *old)

    def _address(self, w: Lines, level: int, base: Operand, counter: str) -> Operand:
        """Write what adds what a loop counts to an address, and return that."""
        by = build.binary("mul", Local(counter, _COUNT), self.factors[level])
        return w.add(build.address(base, w.add(by)))

    def _access(self, w: Lines, k: int, base: Operand) -> tuple[Operand, int]:
        """Write the address of a vector, and return it with its alignment."""
        first = sum(self.sizes[:k])
        terms = list(zip(self.factors, self.loops, strict=True))
        starts = sum(f * c.numbers.start for f, c in terms)
        align = gcd(PACKED_FACTORS_ALIGN, first, *(f * c.numbers.step for f, c in terms))
        return w.add(build.address(base, first - starts)), align

    def _loads(self) -> dict[int, tuple[str, ...]]:
        """Return the lines where vectors are loaded, and the addresses of the loops around."""
        lines, w = dict[int, tuple[str, ...]](), Lines(self.names)
        base: Operand = self.slot
        for level, c in enumerate(self.loops):
            w = Lines(self.names)
            base = self._address(w, level, base, c.counter.name)
            if c is not self.loops[-1]:
                self._add(lines, self._end(c.header), w.lines)
        for k, r in enumerate(self.nest.roots):
            w.add(build.load(r.type, *self._access(w, k, base)), r.name)
            lines[r.line] = tuple(w.lines)
            w = Lines(self.names)
        return lines

    def _stores(self, behind: str) -> Iterator[str]:
        """Yield the nest that stores, in place of the branch to the block ``behind`` it."""
        new = self._names()
        base: Operand = self.slot
        yield build.go(self.heads[0])
        for n, c in enumerate(self.loops):
            yield from (f"{self.heads[n]}:", *self._head(n, new))
            w = Lines(self.names)
            base = self._address(w, n, base, new[c.counter.name])
            yield from w.lines
            if c is not self.loops[-1]:
                yield build.go(self.heads[n + 1])
        w = Lines(self.names)
        for k, r in enumerate(self.nest.roots):
            w.lines.append(build.store(Local(new[r.name], r.type), *self._access(w, k, base)))
        yield from w.lines
        outs = [behind, *self.tails]
        for n in reversed(range(len(self.loops))):
            yield from (f"{self.tails[n]}:",) if self.tails[n] != self.heads[n] else ()
            yield from self._tail(n, new, outs[n])

    def _names(self) -> dict[str, str]:
        """Return what values are called in the nest that stores."""
        counts = (i for c in self.loops for i in (c.counter, c.after))
        every = (*(i for part in self.nest.parts for i in part), *counts)
        return {name: next(self.names) for name in dict.fromkeys(i.name for i in every)}

    def _head(self, n: int, new: Mapping[str, str]) -> Iterator[str]:
        """Yield what a loop computes."""
        c, part = self.loops[n], self.nest.parts[n]
        edges = {c.before: [self.nest.before, *self.heads][n], c.latch: self.tails[n]}
        phis = dict.fromkeys((c.counter, *(i for i in part if i.opcode == "phi")))
        rest = (i for i in part if i.opcode != "phi")
        yield from copy((*phis, *rest), new, edges)

    def _tail(self, n: int, new: Mapping[str, str], out: str) -> Iterator[str]:
        """Yield what counts the passes of a loop."""
        c, w = self.loops[n], Lines(self.names)
        add = build.binary("add", Local(new[c.counter.name], _COUNT), c.numbers.step)
        after = w.add(add, new[c.after.name])
        test = w.add(build.compare("eq", after, c.numbers.stop))
        yield from (*w.lines, build.branch(spell(test), out, self.heads[n]))
