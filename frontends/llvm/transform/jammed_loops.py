"""A loop in another one, several passes of the outer one at once: what these share is loaded once,
and their sums fill registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from frontends.llvm.limits import JAMMED_REGISTERS, JAMMED_SMALL, JAMMED_TIMES
from frontends.llvm.passes.counting import Cycle, Loop, edges_of, loop_of, loop_that_counts
from frontends.llvm.passes.left import require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Block, Instr, Local, VectorType
from frontends.llvm.text.rewording import locals_in, respell, spelled_edges
from frontends.llvm.text.view import View, labels, phis_of
from frontends.llvm.transform.site import Change, Opportunity, Scope, stay
from frontends.llvm.windows.webs import computed_from

_COUNT: Final = "the passes of the loop around it are not known, odd, or do not fit into registers"
_ACCESSES: Final = ("load", "store")
_ANEW: Final = ("call", "freeze", "store")  # done in each pass
_WAITS: Final = "a pass waits for what the one before it ends with"


def _jam(scope: Scope, outer: Cycle, inner: Cycle, times: int, names: Iterator[str]) -> Change:
    """Return what the lines of a nest become."""
    from frontends.llvm.passes.witness import Exchange
    from frontends.llvm.transform.loop_blocks import changed_lines

    lines = changed_lines(scope, _Draft(scope, outer, inner, times, names).texts())
    passes = dict.fromkeys((outer.header, inner.header, outer.latch), times)
    exchange = Exchange(outer.header, inner.header, times)
    return Change(lines, f"{times} passes at once", passes=passes, exchanges=(exchange,))


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield the loops of one block that load vectors, mostly such as the loop around them does not
    change, in program order.
    """
    for b in scope.view.blocks:
        inner = loop_that_counts(scope.view, b.label)
        around = None if inner is None else edges_of(scope.view, inner.before)
        if inner is not None and around is not None and around[1] == inner.out:
            if shared := _alike(scope.view, b, inner.before):
                yield _site(scope, shared[0], inner)


def _alike(view: View, b: Block, outer: str) -> list[Instr]:
    """Return the loads of vectors from where no pass of the loop around leads elsewhere, if they
    are most that are done.
    """
    loads = [i for i in b.instrs if i.opcode == "load" or "gather" in i.callee]
    own = {x: d for x, d in view.defs.items() if view.label(x) in (outer, b.label)}
    shared = [i for i in loads if _is_shared(view, i, own, outer)]
    return shared if 2 * len(shared) > len(loads) else []


def _is_shared(view: View, i: Instr, own: Mapping[str, Instr], outer: str) -> bool:
    """Tell whether a vector is loaded, and what a block ahead of the loop computes is not used for
    its address; ``own`` are the values of both.
    """
    every = computed_from(own, i.operands, lambda _: True)
    return _is_vector(i) and all(view.label(d.name) != outer for d in every)


def _is_vector(i: Instr) -> bool:
    return i.opcode == "load" and isinstance(i.type, VectorType)


def _site(scope: Scope, root: Instr, inner: Cycle) -> Opportunity:
    if labels(scope.view.end(scope.view.numbers[inner.before])) != [inner.header]:
        return stay(root, "the loop around it may go past it")
    outer = loop_of(scope.view, inner.before)
    times = 0 if outer is None else _times(scope, outer, inner.header)
    if outer is None or not times:
        return stay(root, scope.why_small or _COUNT)
    return Opportunity(root, partial(_jam, scope, outer, inner, times)).attempt(scope)


def _times(scope: Scope, outer: Loop, inner: str) -> int:
    """Return how many passes fill registers with what each needs by itself, 0 where two do not."""
    loads = filter(_is_vector, scope.view.block(outer.header).instrs)
    held = (i for i in loads if all(u.opcode != "phi" for u in scope.view.used_by(i.name)))
    own = (*phis_of(scope.view.block(inner)), *held)
    each = sum(8 * scope.sizes.stride(i.type) for i in own if isinstance(i.type, VectorType))
    room = JAMMED_REGISTERS * scope.bits * (2 if scope.bits > JAMMED_SMALL else 1)
    fit = (n for n in JAMMED_TIMES if n * each <= room and len(outer.numbers) % n == 0)
    return next(fit, 0)


def _work(scope: Scope, blocks: Sequence[Block]) -> list[Instr]:
    """Return what is done several times at once."""
    every = [i for b in blocks for i in b.instrs if i.opcode != "dbg"]
    calm = all(i.opcode == "store" or not scope.may_write(i) for i in every)
    require(calm, "it does more than load, compute and store")
    require(scope.is_closed(every, every), "its values are used behind it")
    return every


def _early(outer: Cycle, inner: Block, tail: Block) -> Iterator[Instr]:
    """Yield what is computed behind a loop and does not wait for it, but no test of the end."""
    late = {i.name for i in (*inner.instrs, *phis_of(tail))}
    for i in tail.instrs[:-1]:
        if i.opcode in _ACCESSES or not late.isdisjoint(locals_in(i.text)):
            late.add(i.name)
        elif i.opcode != "dbg" and i is not outer.test:
            yield i


def _nexts(outer: Cycle, header: Block) -> Iterator[tuple[str, str]]:
    """Yield the phis of a loop, and what the next pass gets for each."""
    return ((i.name, spelled_edges(i)[outer.latch]) for i in phis_of(header))


class _Draft:
    """The text of a nest: ``values`` are how what the user's pass gives is spelled in each; the
    first one keeps the names, but of what moves: numbers are in order in LLVM's text.
    """

    def __init__(
        self, scope: Scope, outer: Cycle, inner: Cycle, times: int, names: Iterator[str]
    ) -> None:
        self.scope, self.outer, self.times = scope, outer, times
        self.blocks = [scope.view.block(x) for x in (outer.header, inner.header, outer.latch)]
        every = _work(scope, self.blocks)
        early = [*_early(outer, *self.blocks[1:])]
        rest = {i.line for i in every if i.opcode != "phi"} - {i.line for i in (*early, outer.test)}
        self.parts = [[i for i in b.instrs[:-1] if i.line in rest] for b in self.blocks]
        self.parts[0] += early
        own = {i.name for i in every} - {"", inner.counter.name}
        self.nexts = dict(_nexts(outer, self.blocks[0]))
        self._require_in_order(own | {inner.counter.name}, inner)
        self.values = [*self._values(own, {i.name for i in early}, names)]

    def _require_in_order(self, own: set[str], inner: Cycle) -> None:
        """Look that passes know what they begin with, and how often the loop in them runs."""
        first = {i.name for i in self.parts[0]}
        late = {x for x, o in self.nexts.items() if not own.intersection(locals_in(o)) <= first}
        ahead = (*self.parts[0], *self.parts[1], *phis_of(self.blocks[1]))
        require(late.isdisjoint(x for i in ahead for x in locals_in(i.text)), _WAITS)
        ends = {o.name for o in (inner.start, inner.stop) if isinstance(o, Local)}
        require(own.isdisjoint(ends), "the loop in it does not count alike in each pass")
        again = len(self.scope.view.used_by(self.outer.test.name)) > 1
        require(not again, "more than the end of a pass depends on whether it is the last")

    def _values(
        self, own: set[str], moved: set[str], names: Iterator[str]
    ) -> Iterator[dict[str, str]]:
        found = {x: f"%{next(names) if x in moved else x}" for x in sorted(own)}
        for _ in range(self.times):
            yield found
            then = {x: respell(o, found) for x, o in self.nexts.items()}
            found = {x: f"%{next(names)}" for x in found} | then

    def texts(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the blocks of a function with several passes of a nest at once."""
        parts, last = zip(self.blocks, self.parts, strict=True), self.values[-1]
        new = {b.label: [*self._say(part)] for b, part in parts}
        new[self.outer.latch].append(respell(self.outer.test.text.strip(), last))
        for b in self.scope.view.blocks:
            if b.label in new:
                end = respell(b.instrs[-1].text.strip(), last)
                yield b.label, [*dict.fromkeys(self._phis(b)), *new[b.label], end]
            else:
                yield b.label, [i.text for i in b.instrs]

    def _phis(self, b: Block) -> Iterator[str]:
        """Yield the phis of each pass; those of the outer loop are what the last one gives."""
        outer = b.label == self.outer.header
        for by in self.values:
            for i in phis_of(b):
                name, mid, said = i.text.strip().partition(" = ")
                own = respell(said, self.values[-1] if outer else by)
                yield f"{name if outer else respell(name, by)}{mid}{own}"

    def _say(self, part: Sequence[Instr]) -> Iterator[str]:
        """Yield what passes do one after the other, what they have in common once."""
        said, anew = dict[str, str](), {i.line for i in part if self._is_done_anew(i, part)}
        for by in self.values:
            for i in part:
                name, mid, text = self._line(i, by).partition(" = ")
                if i.line not in anew and text in said:
                    by[i.name] = said[text]
                else:
                    said[text] = name
                    yield name + mid + text

    def _line(self, i: Instr, by: dict[str, str]) -> str:
        """Return the line of an instruction in a pass: the last one counts all of them."""
        if i.line != self.outer.after.line or by is not self.values[-1]:
            return respell(i.text.strip(), by)
        every = build.binary("add", build.result(self.outer.counter), self.times * self.outer.step)
        return every.line(by[i.name][1:])

    def _is_done_anew(self, i: Instr, part: Sequence[Instr]) -> bool:
        """Tell whether an instruction does something else another time."""
        stores = (s for s in part if s.opcode == "store" and i.opcode == "load")
        kept = i.opcode in _ANEW or f"%{i.name}" in self.nexts.values()
        return kept or any(self.scope.may_meet(s, i) for s in stores)
