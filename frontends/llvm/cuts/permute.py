"""The source with passes of its loops in another order.

A witness names two loops.  Of one behind the other a pass of each is done in turn.  Of one in the
other, several passes of the outer one are done at once, or, where it says of none, the inner one is
done around the outer one.  Whatever it says, what comes out does what the source does, or there is
nothing: each pass is done as often as before, of the same values; all come to an end and do nothing
else that others see; two that come in another order touch no common byte of which one is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias

from frontends.llvm.function.addresses import Address
from frontends.llvm.function.alias import Span, Writes
from frontends.llvm.function.graph import Graph, Kind, Place
from frontends.llvm.meaning.limits import PERMUTE_PASSES, STRAIGHT_INSTRUCTIONS
from frontends.llvm.passes.counting import Cycle, Loop, loop_that_counts
from frontends.llvm.passes.left import Left, require
from frontends.llvm.passes.witness import Exchange
from frontends.llvm.text.ast import Function, Local
from frontends.llvm.text.parse import with_blocks
from frontends.llvm.text.rewording import locals_in, respell, spell
from frontends.llvm.text.view import incoming, labels

_SCOPES: Final = {"alias.scope", "noalias"}  # which say nothing of two passes
_COMPUTED: Final = (Kind.FUNCTION, Kind.CHOICE, Kind.PHI, Kind.END, Kind.SILENT)
_UNLIKE: Final = "the loops do not lie so"
_MEET: Final = "two passes that are exchanged may meet in memory"
_Places: TypeAlias = Sequence[Place]
_Strand: TypeAlias = tuple[_Places, _Places, _Places]  # before a loop of one block, in it, behind
_Values: TypeAlias = Mapping[str, str]  # how values and labels are spelled


def permute(graph: Graph, exchange: Exchange) -> Function:
    """Return a function with passes exchanged; raises :class:`Left` where they are not to be."""
    texts, moved = _Permutation(graph, exchange).texts(exchange.times)
    old = graph.function.blocks
    own = {b.label: [respell(i.text.strip(), moved) for i in b.instrs] for b in old} | texts
    return with_blocks(graph.function, ((x, lines) for x, lines in own.items() if lines))


class _Permutation:
    """``own`` are the values of the blocks that change, of which some are ``known`` so far."""

    def __init__(self, graph: Graph, exchange: Exchange) -> None:
        view = self.view = graph.function.view
        self.graph, self.writes = graph, Writes(graph)
        self.addresses, self.names = self.writes.addresses, view.free_names("isel.turn")
        loops = [c for x in (exchange.first, exchange.second) if (c := loop_that_counts(view, x))]
        require(len(loops) == 2, "the witness names no loop that counts")
        self.first, self.second = loops
        self.latches = {c.header: c.latch for c in (self.first, self.second)}
        ends = {*self.latches, *self.latches.values()}
        self.between = sorted({self.second.before} - ends)
        body = [p for b in sorted({*ends, *self.between}) for p in graph.body[b]]
        self._check(body)
        self.inside, self.known = {p.instr.line for p in body}, set[str]()
        self.own = {p.instr.name for p in body} - {""}

    def _check(self, body: _Places) -> None:
        moved = (p for p in body if p.kind not in _COMPUTED)
        plain = all(p.accesses and _SCOPES.isdisjoint(dict(p.instr.metadata)) for p in moved)
        require(plain, "it does more than load, compute and store")
        require(not any("blockaddress(" in i.text for i in self.view), "a block is a value")

    def texts(self, times: int) -> tuple[dict[str, list[str]], _Values]:
        """Return the lines of blocks that change, and what is spelled otherwise in others."""
        outer, inner = self.first, self.second
        require(inner.latch == inner.header != outer.header, _UNLIKE)
        self.times = self._passes(inner)
        if outer.latch == outer.header:
            return self._fuse()
        passes, there = self._passes(outer), labels(self.graph.end(outer.header)) == [inner.header]
        require(bool(passes) and there and inner.out == outer.latch, _UNLIKE)
        head, tail = self._work(outer.header), self._work(outer.latch)
        return self._jam(head, tail, times) if times else self._swap(head, tail, passes or 0), {}

    def _passes(self, c: Cycle) -> int | None:
        """Return how often a loop runs, None where that is a number that is not known."""
        if isinstance(c, Loop):
            return len(c.numbers)
        names = [o.name for o in (c.start, c.stop) if isinstance(o, Local)]
        sure = all(map(self._is_fixed, names)) and c.step % 2 == 1
        require(sure, "it is not known that a loop ends")
        return None

    def _is_fixed(self, name: str) -> bool:
        """Tell whether each look at a value sees the same, while the blocks run."""
        return name not in self.own and self.writes.settled.holds(name)

    def _work(self, a: str) -> list[Place]:
        return [p for p in self.graph.body[a] if p.kind not in (Kind.SILENT, Kind.END)]

    def _end(self, label: str, edges: _Values) -> str:
        return respell(self.graph.end(label).text.strip(), edges)

    def _steps(self, span: Span) -> tuple[int, int, Address]:
        """Return how much further bytes are in each next pass of the loop of one block that they
        are accessed in, and of the one around that, and where they are in the first one.
        """
        at, by = span.address, [0, 0]
        for c in (self.second, self.first):
            if (inner := c.latch == c.header) and span.block != c.header:
                continue
            phis = {i.name: incoming(i) for i in self.graph.phis(c.header)}
            then, first = (
                self.addresses.replaced(at, {x: o[edge] for x, o in phis.items()})
                for edge in (c.latch, c.before)
            )
            further = None if then is None else at.gap(then)
            if further is None or first is None:
                raise Left(_MEET)
            by[inner], at = further, first
        require(all(map(self._is_fixed, at.names)), _MEET)
        return by[True], by[False], at

    def _require_apart(self, one: _Strand, other: _Strand, far: Sequence[int] = (0,)) -> None:
        """Look that nothing of a strand meets what comes sooner than before of another one, that
        many passes of the loop around later.
        """
        for (j, mine), (k, theirs) in product(enumerate(one), enumerate(other)):
            for pair in product(mine, theirs) if j > k or j == k == 1 else ():
                if {p.kind for p in pair} in ({Kind.EFFECT}, {Kind.EFFECT, Kind.LOAD}):
                    a, b = map(self.writes.span, pair)
                    apart = a and b and self._are_apart(a, b, (j == 1, k == 1), far)
                    require(apart is True, _MEET)

    def _are_apart(self, a: Span, b: Span, inside: tuple[bool, bool], far: Sequence[int]) -> bool:
        if self.writes.lie_apart(a.address.base, b.address.base):
            return True
        (x, around, one), (y, then, other) = map(self._steps, (a, b))
        gap, step = one.gap(other), -x if inside[0] else y
        if gap is None or around != then or (all(inside) and x != y):
            return False
        gap -= x * all(inside)  # any pass of the one after any of the other
        times = 1 if not any(inside) else self.times and self.times - all(inside)
        ends = b.low - b.high, a.high - a.low
        return not any(_falls(gap + n * around, step, times, *ends) for n in far)

    def _fuse(self) -> tuple[dict[str, list[str]], _Values]:
        first, second, k = self.first, self.second, self.view.numbers
        path = [first.header, *self.between, second.header]
        lie = (first.out, second.before) == (path[1], path[-2])
        for x in self.between:
            alone = self.view.predecessors[k[x]] == (k[first.header],)
            lie &= alone and not self._work(x) and labels(self.graph.end(x)) == [second.header]
        a, b = ((spell(c.start), c.step, c.kind, spell(c.stop)) for c in (first, second))
        same = {second.counter.name: f"%{first.counter.name}"} if a[:3] == b[:3] else {}
        alike = a == b or self._passes(first) == self.times is not None
        require(lie and alike, _UNLIKE)
        one, other = (((), self._work(c.header), ()) for c in (first, second))
        self._require_apart(one, other)
        edges = {second.before: f"%{first.before}", second.header: f"%{first.header}"}
        loop = self._turns([one, other], [{}, {**same, **edges}])
        end = self._end(first.header, {first.out: f"%{second.out}"})
        texts = {first.header: [*loop, end], **{x: list[str]() for x in path[1:]}}
        return texts, {**same, second.header: f"%{first.header}"}

    def _say(self, said: Iterable[tuple[Place, _Values]]) -> Iterator[str]:
        """Yield lines with other values, all of which are known but for what phis get of a pass."""
        phis = set[str]()
        for p, by in said:
            i, phi = p.instr, p.kind is Kind.PHI
            edges = incoming(i) if phi else dict(enumerate(i.operands))
            used = (o for x, o in edges.items() if x != self.latches.get(p.block))
            given = {respell(f"%{o.name}", by)[1:] for o in used if isinstance(o, Local)}
            require(given.isdisjoint(self.own - self.known), "a value is not there yet")
            (phis if phi else self.known).add(respell(f"%{i.name}", by)[1:])
            yield respell(i.text.strip(), by)
        self.known |= phis

    def _turns(self, strands: Sequence[_Strand], values: Sequence[_Values]) -> list[str]:
        """Return the lines of a loop whose passes do one of each strand in turn."""
        every = [(p, by) for s, by in zip(strands, values, strict=True) for p in s[1]]
        phis = dict[str, tuple[Place, _Values]]()
        for p, by in every:
            if p.kind is Kind.PHI:
                phis.setdefault(respell(f"%{p.instr.name}", by), (p, by))
        work = (x for x in every if x[0].kind is not Kind.PHI)
        return [*self._say(phis.values()), *self._say(work)]

    def _jam(self, head: _Places, tail: _Places, times: int) -> dict[str, list[str]]:
        outer, inner, body = self.first, self.second, self._work(self.second.header)
        strand = front, _, behind = self._strand(head, body, tail)
        whole = isinstance(outer, Loop) and times > 1 and len(outer.numbers) % times == 0
        few = times * (len(head) + len(body) + len(tail)) < STRAIGHT_INSTRUCTIONS
        require(whole and few, "so many passes are not done at once")
        self._require_apart(strand, strand, range(1, times))
        values = self._copies(strand, times)
        lines = [*self._say((p, {}) for p in head if p.kind is Kind.PHI)]
        lines += self._say((p, by) for by in values for p in front)
        loop = self._turns([strand] * times, values)
        last = self._say((p, by) for by in values for p in behind)
        return {
            outer.header: [*lines, self._end(outer.header, {})],
            inner.header: [*loop, self._end(inner.header, values[0])],
            outer.latch: [*last, self._end(outer.latch, {})],
        }

    def _strand(self, head: _Places, body: _Places, tail: _Places) -> _Strand:
        """Return a pass: what the inner loop gives nothing for is computed before it."""
        late, front, behind = {p.instr.name for p in body}, list[Place](), list[Place]()
        for p in tail:
            waits = p.kind is not Kind.FUNCTION or not late.isdisjoint(locals_in(p.instr.text))
            late |= {p.instr.name} if waits else set()
            (behind if waits else front).append(p)
        return [*(p for p in head if p.kind is not Kind.PHI), *front], body, behind

    def _copies(self, strand: _Strand, times: int) -> list[_Values]:
        """Return what values are in each of so many passes; the last one keeps the names."""
        names = (p.instr.name for part in strand for p in part)
        own = [x for x in names if x not in ("", self.second.counter.name)]
        given, values, phis = dict[str, str](), list[_Values](), self.graph.phis(self.first.header)
        nexts = {i.name: spell(incoming(i)[self.first.latch]) for i in phis}
        for _ in range(times - 1):
            fresh = {x: f"%{next(self.names)}" for x in own}
            values.append({**given, **fresh})
            given = {x: respell(o, values[-1]) for x, o in nexts.items()}
            self.own |= {x[1:] for x in fresh.values()}
        return [*values, given]

    def _swap(self, head: _Places, tail: _Places, passes: int) -> dict[str, list[str]]:
        outer, inner, body = self.first, self.second, self._work(self.second.header)
        users = {u.line for x in self.own for u in self.view.used_by(x)}
        plain = all(p.kind is Kind.FUNCTION for p in (*head[1:], *tail))
        few = isinstance(inner, Loop) and body[1].kind is not Kind.PHI and passes <= PERMUTE_PASSES
        require(few and plain and users <= self.inside, "its loops do more than count, or long")
        self._require_apart(((), body, ()), ((), body, ()), range(1, passes))
        a, b, c = (f"%{x}" for x in (outer.header, inner.header, outer.latch))
        edges = {outer.header: f"%{outer.before}", inner.header: c}
        around = respell(inner.counter.text.strip(), edges)
        inside = respell(outer.counter.text.strip(), {outer.before: a, outer.latch: b})
        self.known |= {inner.counter.name, outer.counter.name}
        loop = self._say((p, {}) for p in (*head[1:], *body[1:], *tail))
        return {
            outer.header: [around, self._end(outer.header, {})],
            inner.header: [inside, *loop, self._end(outer.latch, {outer.header: b, outer.out: c})],
            outer.latch: [self._end(inner.header, {inner.header: a, outer.latch: f"%{outer.out}"})],
        }


def _falls(first: int, step: int, times: int | None, low: int, high: int) -> bool:
    """Tell whether one of so many numbers, or of all, falls between two others."""
    if step < 0:
        return _falls(-first, -step, times, -high, -low)
    k = max(0, (low - first) // step + 1) if step else 0
    return (times is None or k < times) and low < first + k * step < high
