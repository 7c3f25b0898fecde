"""The source with the control flow of the target: its blocks, copied, as a witness says that it
goes through them.

Whatever the witness says, what comes out does what the source does, or there is nothing.  A block
does those of the source that are named, one after the other, where the source surely goes that way:
there is no other, numbers decide it, or it was asked before.  Whether the next pass of a loop of
one block is the last may be asked sooner, as that pass comes to its test or is undefined behaviour.
Of two ways that both begin where the source stands (a guard) it is not said here which is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from frontends.llvm.cuts.terms import expandable
from frontends.llvm.function.graph import Graph, Kind, Place, goes_on
from frontends.llvm.meaning.bounds import bounds_of
from frontends.llvm.meaning.numbers import number_of
from frontends.llvm.passes.counting import loop_of
from frontends.llvm.passes.left import require
from frontends.llvm.passes.witness import Stand, Witness
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr, IntType, Local, Operand, Symbol
from frontends.llvm.text.layout import to_signed
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.parse import with_blocks
from frontends.llvm.text.rewording import locals_in, narrow_kind, respell, spell, spelled_edges
from frontends.llvm.text.view import labels
from isel.cost.loops import postorder

_NUMBERS: Final = {"true": "1", "false": "0"}
_NO_COPIES: Final = ("llvm.experimental.", "llvm.coro.")  # which one it is says something
_ELSEWHERE: Final = "the source may go elsewhere"


@dataclass(frozen=True, slots=True)
class Followed:
    """A function that does what the source does, and which of its blocks load first, each with the
    guard in front of it, empty where there is none; ``guards`` are all of these.
    """

    function: Function
    early: Mapping[str, str]
    guards: frozenset[str]


def follow(source: Graph, target: Graph, witness: Witness) -> Followed:
    """Return the source as the target goes; raises :class:`Left` where it does not go so."""
    return _Following(source, target, witness).outcome()


class _Following:
    """``order`` are the blocks of the target that are reached, ``trails`` those of the source in
    each, the first of which is done already where it stands at its end; ``work`` and ``called``
    what is done, and its names; ``entry`` what values are when a block begins, ``phis`` those that
    are several there, or were ``kept``.
    """

    def __init__(self, source: Graph, target: Graph, witness: Witness) -> None:
        view = target.function.view
        self.source, self.target, self.witness = source, target, witness
        self.names = source.function.view.free_names("isel.pass")
        self.order = [view.blocks[k].label for k in reversed(postorder(view.successors))]
        require(witness.keys() >= {*self.order}, "the witness is of another target")
        self.stands = {b: witness[b].stand for b in self.order}
        self.after = {b: labels(target.end(b)) for b in self.order}
        self.before = {b: [p for p in self.order if b in self.after[p]] for b in self.order}
        self.trails = {b: (s.label,) * s.ended + witness[b].runs for b, s in self.stands.items()}
        self.guards = {*filter(self._is_guard, self.order)}
        self._check_progress()
        self._check_copies()
        self.work = {(b, k): p for b in self.order for k, p in self._work(b)}
        self.called = dict[tuple[str, int], dict[str, str]]()
        self.labels, self.phis = dict[str, str](), dict[tuple[str, str], str]()
        self._name()
        self.kept, self.entry = [*self.phis], dict[str, dict[str, str]]()
        self._flow()

    def _is_guard(self, b: str) -> bool:
        """Tell whether the target goes two ways where the source stays where it is."""
        return (
            not self.trails[b] and [self.stands[x] for x in self.after[b]] == [self.stands[b]] * 2
        )

    def _guard(self, b: str) -> str:
        """Return the guard that a block surely comes from, empty where there is none."""
        before = self.before[b]
        return before[0] if len(before) == 1 and before[0] in self.guards else ""

    def _flow(self) -> None:
        before, rounds = None, len(self.order) + 2
        while before != (before := (dict(self.entry), len(self.phis))):
            require((rounds := rounds - 1) > 0, "its values go round without an end")
            for b in self.order:
                self.entry[b] = self._enter(b)

    def _check_progress(self) -> None:
        """Look that both begin together, each block where it stands, and none goes round alone."""
        there = all(t[:1] in ((), (self.stands[b].label,)) for b, t in self.trails.items())
        require(there, "the source stands elsewhere")
        named = chain((s.label for s in self.stands.values()), *self.trails.values())
        require(self.source.body.keys() >= {*named}, "the witness is of another source")
        first = self.stands[self.order[0]] == Stand(self.source.function.blocks[0].label)
        require(first, "the witness begins elsewhere")
        still = {b for b in self.order if not self.witness[b].runs}
        while ends := {b for b in still if still.isdisjoint(self.after[b])}:
            still -= ends
        require(not still, "the target goes round where the source stands")

    def _check_copies(self) -> None:
        runs = Counter(a for b in self.order for a in self.witness[b].runs)
        several = (p.instr for a, n in runs.items() if n > 1 for p in self.source.body[a])
        require(all(map(_may_be_copied, several)), "it does more than load, compute, store")
        named = any("blockaddress(" in i.text for i in self.source.function.view)
        require(not named, "a block is a value")

    def _ways(self, a: str) -> list[str]:
        return labels(self.source.end(a))

    def _edge(self, b: str, x: str) -> str:
        """Return the block that the source leaves between two of the target, empty if it stays."""
        return "" if not self.trails[b] or self.stands[x].ended else self.trails[b][-1]

    def _out(self, a: str) -> str:
        """Return where a loop of one block, that comes to its end, is left to."""
        ways = self._ways(a)
        others = [x for x in ways if x != a]
        one = len(others) == 1 and len(ways) == 2 and self.source.end(a).opcode == "br"
        require(one and all(map(goes_on, self.source.body[a])), "it is no loop of one block")
        return others[0]

    def _work(self, b: str) -> Iterator[tuple[int, list[Place]]]:
        if b in self.guards:
            yield 0, self._shared_by(b)
        gone = self._shared_by(first) if (first := self._guard(b)) else []
        for k, a in [*enumerate(self.trails[b])][self.stands[b].ended :]:
            yield k, [p for p in self._body(a) if k or p not in gone]

    def _body(self, a: str) -> Iterator[Place]:
        end = self.source.end(a)
        aside = (Kind.PHI, Kind.SILENT)
        return (p for p in self.source.body[a] if p.kind not in aside and p.instr is not end)

    def _shared_by(self, guard: str) -> list[Place]:
        """Return what a guard computes already: what both ways compute of nothing loaded."""
        late, own = set[Operand](), list[Place]()
        for p in self._body(self.stands[guard].label):
            if p.kind is Kind.FUNCTION and late.isdisjoint(p.instr.operands):
                own.append(p)
            else:
                late.add(Local(p.instr.name, p.instr.type))
        return own

    def _name(self) -> None:
        """Name blocks, what copies compute, and phis of blocks with as many in the target."""
        taken = set[str]()

        def name(x: str) -> str:
            found = next(self.names) if x in taken else x
            taken.add(x)
            return found

        for b in self.order:
            stand, few = self.stands[b], dict(self.witness[b].bits)
            self.labels[b] = name(stand.label) if self.witness[b].runs else next(self.names)
            phis = self.source.phis(stand.label)
            alike = _kinds(phis) == _kinds(self.target.phis(b)) and not stand.ended
            self.phis.update({(b, i.name): name(i.name) for i in phis if alike or i.name in few})
        for at, body in self.work.items():
            self.called[at] = {n: name(n) for p in body if (n := p.instr.name)}

    def _enter(self, b: str) -> dict[str, str]:
        """Return what values are when a block begins, as far as the blocks before it are known."""
        edges = [self._along(p, b) for p in self.before[b] if p in self.entry]
        found, alike = dict[str, str](), dict[tuple[str, ...], str]()
        for name in dict.fromkeys(chain(*edges)):
            values = tuple(e[name] for e in edges if name in e)
            several = len({*values}) > 1
            if name[0] == "#" and (several or len(values) < len(edges)):
                continue
            if several:
                self.phis.setdefault((b, name), alike.get(values) or next(self.names))
            if own := self.phis.get((b, name), ""):
                alike[values] = own
            found[name] = f"%{own}" if own else values[0]
        return found

    def _along(self, b: str, x: str) -> dict[str, str]:
        """Return what values are where one block goes to another."""
        found = dict(self.entry[b])
        for _ in self._through(b, found):
            pass
        if edge := self._edge(b, x):
            self._cross(edge, self.stands[x].label, found)
        return found

    def _through(self, b: str, values: dict[str, str], *, sure: bool = False) -> Iterator[str]:
        """Yield the lines of a block but its end; ``sure`` looks that the source goes so."""
        trail = self.trails[b]
        for k, a in enumerate(trail or ("",)):
            if k:
                require(not sure or self._way(b, k - 1, values) == a, _ELSEWHERE)
                self._cross(trail[k - 1], a, values)
            for p in self.work.get((b, k), ()):
                if name := p.instr.name:
                    values[name] = f"%{self.called[b, k][name]}"
                yield respell(p.instr.text.strip(), values)
                values.pop(f"#{name}", None)
                if number := "" if b in self.after[b] else self._number(p, values):
                    values[f"#{name}"] = number
                    values[name] = values[name] if self.witness[b].early else number

    def _number(self, p: Place, values: Mapping[str, str]) -> str:
        """Return the number that an instruction gives of numbers, empty for anything else."""
        if p.kind is not Kind.FUNCTION or not isinstance(p.instr.type, IntType):
            return ""
        given = [_as_spelled(spell(o), values) for o in p.instr.operands]
        numbers = [_NUMBERS.get(x, x) for x in given]
        known = [int(x) if x.lstrip("-").isdecimal() else None for x in numbers]
        number = number_of(p.instr, known) if expandable(p, self.source) else None
        if number is None:
            return ""
        signed = to_signed(number, p.instr.type.bits)
        return str(signed) if p.instr.type.bits > 1 else str(bool(signed)).lower()

    def _cross(self, a: str, to: str, values: dict[str, str]) -> None:
        """Note what the phis of a block are when it is come to."""
        edges = {i.name: spelled_edges(i) for i in self.source.phis(to)}
        require(all(a in e for e in edges.values()), _ELSEWHERE)
        values.update({n: _as_spelled(e[a], values) for n, e in edges.items()})

    def outcome(self) -> Followed:
        """Return the function, with what is asked in its guards."""
        wanted = [b for b in self.order if self.witness[b].early]
        early = {self.labels[b]: self.labels.get(self._guard(b), "") for b in wanted}
        return Followed(self._function(), early, frozenset(self.labels[b] for b in self.guards))

    def _function(self) -> Function:
        lines = {b: self._lines(b) for b in self.order}
        thin = {b: dict(self._thin(b, lines)) for b in self.order}
        heads = {b: dict[str, None]() for b in self.order}
        for b, name in self._in_use(lines):
            heads[b][thin[b][name][0] if name in thin[b] else self._phi(b, name)] = None
        more = {b: [x for new in thin[b].values() for x in new[1:]] for b in lines}
        texts = ((self.labels[b], (*heads[b], *more[b], *own)) for b, own in lines.items())
        return with_blocks(self.source.function, texts)

    def _lines(self, b: str) -> list[str]:
        values = dict(self.entry[b])
        return [*self._through(b, values, sure=True), *self._end(b, values)]

    def _thin(self, b: str, lines: Mapping[str, list[str]]) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield phis of fewer bits, each with what the value is then; write what they are given."""
        for name, bits in self.witness[b].bits:
            bound = bounds_of(self.source.function.view).get(name, -1)
            require(0 <= bound < 1 << bits, f"%{name} may have more bits")
            kind = self.source.places[name].instr.type
            few, least = (narrow_kind(kind, x) for x in (bits, max(bound.bit_length(), 1)))
            own, cut = (Local(next(self.names), x) for x in (few, least))
            edges = [(f"%{next(self.names)}", self.labels[p]) for p in self.before[b]]
            for p, (new, _) in zip(self.before[b], edges, strict=True):
                given = Symbol(self._along(p, b)[name], kind)
                lines[p].insert(-1, build.cast("trunc", given, few).line(new[1:]))
            cuts = (build.cast("trunc nuw", own, least).line(cut.name),) if least != few else ()
            wide = build.cast("zext", cut if cuts else own, kind).line(self.phis[b, name])
            yield name, (build.phi(few, edges).line(own.name), *cuts, wide)

    def _in_use(self, lines: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, str]]:
        """Return the phis that somebody looks at, and those that were kept."""
        known = {new: self._phi(*at) for at, new in self.phis.items() if at in self.kept}
        waiting = [*chain(*lines.values()), *known.values()]
        while waiting:
            names = {*locals_in(waiting.pop())} - known.keys()
            new = {self.phis[at]: self._phi(*at) for at in self.phis if self.phis[at] in names}
            known |= new
            waiting += new.values()
        found = [at for at, name in self.phis.items() if name in known]
        require(len({self._phi(*at) for at in found}) == len(known), "two values are one")
        return found

    def _phi(self, b: str, name: str) -> str:
        place = self.source.places[name]
        mine = place.kind is Kind.PHI and place.block == self.stands[b].label
        kind, said = place.instr.type, place.instr.text.partition(" = phi ")[2] if mine else ""
        edges = {p: self._along(p, b).get(name, "") for p in self.before[b]}
        require(all(edges.values()), f"%{name} is not known")
        given = ((o, self.labels[p]) for p, o in edges.items())
        return build.phi(kind, given, said.partition(f"{kind} [")[0]).line(self.phis[b, name])

    def _way(self, b: str, k: int, values: Mapping[str, str]) -> str:
        """Return where the source surely goes behind a block of a trail, empty if not known."""
        trail, stand = self.trails[b], self.stands[b]
        ways = self._ways(trail[k])
        if k == 0 and stand.last is not None and not stand.ended:
            return self._out(trail[0]) if stand.last else trail[0]
        if len({*ways}) == 1:
            return ways[0]
        end = self.source.end(trail[k])
        test = _as_spelled(spell(end.operands[0]), values) if end.opcode == "br" else ""
        if _NUMBERS.get(test, test) in ("0", "1"):
            return ways[test in ("false", "0")]
        return trail[k] if k + 1 < len(trail) and self._is_multiple(b) else ""

    def _is_multiple(self, b: str) -> bool:
        """Tell whether a block does as many passes of a loop as divide how often that runs."""
        a, times = self.trails[b][0], len(self.trails[b])
        c = loop_of(self.source.function.view, a)
        if c is None or c.latch != a or {*self.trails[b]} != {a} or len(c.numbers) % times:
            return False
        edges = {self._edge(p, b) for p in self.before[b] if p != b}
        return self.stands[b] == Stand(a) and edges == {c.before}

    def _end(self, b: str, values: dict[str, str]) -> Iterator[str]:
        """Yield what a block ends with."""
        trail, ways, now = self.trails[b], self.after[b], self.stands[b]
        to = [self.labels[x] for x in ways]
        if len(ways) == 1 and self.target.end(b).opcode == "br":
            here = Stand(trail[-1], ended=True) if self.witness[b].runs else now
            there = Stand(self._way(b, len(trail) - 1, values)) if trail else here
            require(self.stands[ways[0]] in (here, there), _ELSEWHERE)
            yield build.go(to[0])
        elif b in self.guards:
            yield build.branch("poison", *to)
        else:
            yield from self._branch(b, to, values)

    def _branch(self, b: str, to: Sequence[str], values: dict[str, str]) -> Iterator[str]:
        """Yield the end of a block where the source goes several ways, or it is asked sooner."""
        stands, trail = [self.stands[x] for x in self.after[b]], self.trails[b]
        a = trail[-1] if trail else self.stands[b].label
        end, own = self.source.end(a), self._ways(a)
        if trail and stands == [Stand(x) for x in own]:
            require(len({*zip(own, to, strict=True)}) == len({*own}), "one way is two")
            ways = {x: f"%{label}" for x, label in zip(own, to, strict=True)}
            yield respell(end.text.strip(), values | ways)
            return
        *lines, test = self._ask(b, a, stands, values)
        yield from lines
        said = "".join(end.text.partition(", !")[1:]) if trail else ""
        yield build.branch(test, to[0], to[1], said)

    def _ask(self, b: str, a: str, stands: Sequence[Stand], values: dict[str, str]) -> list[str]:
        """Return lines that compute whether a loop of one block is left now, or behind its next
        pass, or either of both, whichever decides between two stands; and what is true then.
        """
        lines, either = list[str](), Stand(a, ended=True, last=True)
        out, last, other = Stand(self._out(a)), Stand(a, last=True), Stand(a, last=False)
        at_its_end = self.stands[b] == either and not self.witness[b].runs
        if not self.trails[b]:
            require(self.stands[b] == Stand(a) and stands == [last, other], _ELSEWHERE)
            test = self._ahead(a, values, lines)
        elif at_its_end and stands == [out, last]:
            test = self._test(a, values, lines)
        else:
            require(stands == [either, other], _ELSEWHERE)
            test, own = f"%{next(self.names)}", self._test(a, values, lines)
            self._cross(a, a, values)
            ahead = self._ahead(a, values, lines)
            flags = [Symbol(x, IntType(1)) for x in (own, "true", ahead)]
            lines.append(build.select(*flags).line(test[1:]))
        return [*lines, test]

    def _test(self, a: str, values: Mapping[str, str], lines: list[str]) -> str:
        """Return whether a loop is left by its test, as it is spelled."""
        test = respell(spell(self.source.end(a).operands[0]), values)
        if self._ways(a)[0] != a:
            return test
        return spell(Lines(self.names, lines).add(build.binary("xor", Symbol(test, IntType(1)), 1)))

    def _ahead(self, a: str, values: dict[str, str], lines: list[str]) -> str:
        """Return whether a loop will be left by the test that its next pass comes to."""
        cone, wanted = list[Instr](), {*self.source.end(a).operands[:1]}
        for p in reversed([*self._body(a)]):
            if Local(p.instr.name, p.instr.type) in wanted:
                require(p.kind is Kind.FUNCTION, "its test is more than computed")
                cone.append(p.instr)
                wanted |= {*p.instr.operands}
        for i in reversed(cone):
            values[i.name] = f"%{next(self.names)}"
            lines.append(respell(i.text.strip(), values))
        return self._test(a, values, lines)


def _as_spelled(text: str, values: Mapping[str, str]) -> str:
    """Return a value as it is spelled then, as a number (``#name``) where it is known to be one."""
    return values.get(f"#{text[1:]}") or respell(text, values)


def _kinds(phis: Sequence[Instr]) -> list[str]:
    return sorted(str(i.type) for i in phis)


def _may_be_copied(i: Instr) -> bool:
    intrinsic = i.callee.startswith("llvm.") and not i.callee.startswith(_NO_COPIES)
    plain = i.known and i.opcode != "alloca" and (i.opcode != "call" or intrinsic)
    return plain or i.opcode == "dbg"
