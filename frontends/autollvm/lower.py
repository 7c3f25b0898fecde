"""AutoLLVM calls as code of a machine: each call by itself, proved.

In this order: a member of its class on the machine, a program that the search finds for its lanes
(in pieces of a register where it is wider), and where that is allowed plain IR of its formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from equiv_classes.dictionary import Dictionary, EquivClass, Member
from equiv_classes.formula import terms_of
from equiv_classes.lanes import NormalLanes
from frontends.autollvm.cuts import INNER, Cut, cuts
from frontends.autollvm.joined import Vector, Wanted, read_lanes
from frontends.autollvm.limits import LOWER_SETTINGS
from frontends.autollvm.read import Call, whole_elements
from frontends.autollvm.vectors import join, part, times_over
from frontends.llvm.splicing.emit import EmissionError, emit
from frontends.llvm.splicing.term_lines import TermWriter
from frontends.llvm.text import build
from frontends.llvm.text.ast import IntType, Literal, Local, Operand, VectorType
from frontends.llvm.text.lines import Lines as Draft
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.windows.regions import Input
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, elem, leaves
from isel.model.answer import Result
from isel.model.machine import Machine
from isel.model.program import Program, Step
from isel.model.window import Leaf, Root, Window
from isel.spec.instruction import Instruction

_COPY: Final = re.compile(r"%\S+ = bitcast (.+) (%\S+) to (.+)")
_ONE: Final = const(1, 1)
Search = Callable[[Window], Result]


@dataclass(frozen=True, slots=True)
class Lines:
    """Code of a call: lines that end with its value, declarations by name, and how it was found."""

    lines: tuple[str, ...]
    declarations: Mapping[str, str]
    how: str


@dataclass
class Lowering:
    """Lowers calls for a machine; ``search`` finds programs, ``plain`` allows plain IR.

    What may be poison or undef is frozen first, so that what a call gives is neither.
    """

    machine: Machine
    dictionary: Dictionary
    search: Search | None
    plain: bool
    defined: Container[object] = ()  # values that are neither poison nor undef

    def code(self, call: Call, fresh: Callable[[], str]) -> Lines | str:
        """Return the code of a call, or why there is none."""
        member = self._member(call)
        if member is not None:
            return emitted_lines(member, call, self, fresh, "a member of the class")
        found = self.program(read_lanes(call), fresh)
        if isinstance(found, Lines) or not self.plain:
            return found
        return plain_lines(call, fresh)

    def _member(self, call: Call) -> Program | None:
        """Return the cheapest instruction of the class that has the call's lanes."""
        c = call.found.of
        normal = NormalLanes(c.letters)
        wanted = normal(call.lanes)
        bits = {x: n * w for x, (n, w) in zip(c.letters, call.found.operands, strict=True)}
        best: tuple[int, str, Program] | None = None
        for m in c.members:
            i = self.machine.by_name.get(m.name) if m.target == self.machine.target.name else None
            if i is None or m.mode != "none" or not self._fits(i, m, call, bits):
                continue
            setting = _setting(c, m, i, wanted, normal)
            price = (self.machine.cost(i), f"{not i.call}{i.name}")
            if setting is not None and (best is None or price < best[:2]):
                best = (*price, _application(i, m, call, setting))
        return None if best is None else best[2]

    def _fits(self, i: Instruction, m: Member, call: Call, bits: Mapping[str, int]) -> bool:
        n, w = call.found.result
        letter = {name: x for x, name in m.operands.items()}
        return i.bits == n * w and all(
            o.name in letter and o.width > 1 and bits.get(letter[o.name]) == o.bits
            for o in i.operands
        )

    def program(self, asked: Wanted, fresh: Callable[[], str]) -> Lines | str:
        """Search lanes: as they are, else cut in two."""
        if self.search is None:
            return "no search"
        lanes, known = asked.lanes, asked.known
        found = self._vector(lanes, known, fresh)
        if isinstance(found, str):
            for cut in cuts(lanes):
                two = self._two(cut, known, fresh)
                if isinstance(two, Lines):
                    found = two
                    break
        if isinstance(found, str):
            return found
        value = Local(found.how[1:], build.integers(len(lanes), lanes[0].width))
        last = _reshape(value, asked.result, fresh)
        return Lines((*found.lines, last), found.declarations, "a program of the search")

    def _two(self, cut: Cut, known: Mapping[str, Vector], fresh: Callable[[], str]) -> Lines | str:
        """Search the inner vector of a cut, then the lanes over it."""
        first = self._vector(cut.inner, known, fresh)
        if isinstance(first, str):
            return first
        n = len(cut.inner)
        inner = Vector(Local(first.how[1:], build.integers(n, cut.width)), n, cut.width)
        second = self._vector(cut.outer, {**known, INNER: inner}, fresh)
        if isinstance(second, str):
            return second
        declarations = {**first.declarations, **second.declarations}
        return Lines((*first.lines, *second.lines), declarations, second.how)

    def _vector(
        self, lanes: Sequence[Expr], known: Mapping[str, Vector], fresh: Callable[[], str]
    ) -> Lines | str:
        """Return code of lanes over vectors, in pieces that fit a register; ``how`` is the name of
        its value.
        """
        n, w = len(lanes), lanes[0].width
        per = max(self.machine.vector_bits // w, 1)
        lines: list[str] = []
        declarations: dict[str, str] = {}
        values: list[Operand] = []
        for k in range(0, n, per):
            found = self._piece(lanes[k : k + per], known, fresh)
            if isinstance(found, str):
                return found
            lines += found.lines
            declarations.update(found.declarations)
            values.append(Local(found.how[1:], build.integers(len(lanes[k : k + per]), w)))
        body, last = join(values, fresh)
        return Lines((*lines, *body), declarations, spell(last))

    def _piece(
        self, lanes: Sequence[Expr], known: Mapping[str, Vector], fresh: Callable[[], str]
    ) -> Lines | str:
        """Return the code of lanes that fit a register, or why there is none."""
        found = self._window(lanes, known, fresh)
        whole = self._whole_register(lanes, known, fresh) if isinstance(found, str) else found
        return whole if isinstance(whole, Lines) else found

    def _whole_register(
        self, lanes: Sequence[Expr], known: Mapping[str, Vector], fresh: Callable[[], str]
    ) -> Lines | str:
        """Return the code of lanes narrower than a register as the first of a whole one, in which
        they are repeated over operands that are as much longer.
        """
        given = {x.source: known[x.source] for x in leaves(*lanes)}
        bits = {len(lanes) * lanes[0].width, *(v.count * v.width for v in given.values())}
        largest = self.machine.vector_bits
        fits = {c for o in (largest // 2, largest) for b in bits if (c := o // b) > 1}
        for times in sorted(c for c in fits if max(bits) * c <= largest):
            found = self._first_of(times, lanes, given, fresh)
            if isinstance(found, Lines):
                return found
        return "no program found for a whole register"

    def _first_of(
        self,
        times: int,
        lanes: Sequence[Expr],
        given: Mapping[str, Vector],
        fresh: Callable[[], str],
    ) -> Lines | str:
        """Return the code of lanes that are the first of as many times as many."""
        draft, wide = Draft(iter(fresh, "")), dict[str, Vector]()
        for source, v in given.items():
            value = draft.widen(v.operand, v.count * times)
            wide[source] = Vector(value, v.count * times, v.width)
        found = self._window(times_over(lanes, given, times), wide, fresh)
        if isinstance(found, str):
            return found
        n, w = len(lanes), lanes[0].width
        whole = Local(found.how[1:], VectorType(n * times, IntType(w)))
        name = fresh()
        low = part(Vector(whole, n * times, w), 0, n).line(name)
        return Lines((*draft.lines, *found.lines, low), found.declarations, f"%{name}")

    def _window(
        self, lanes: Sequence[Expr], known: Mapping[str, Vector], fresh: Callable[[], str]
    ) -> Lines | str:
        """Return the code of some lanes; ``how`` is the name of their value."""
        assert self.search is not None
        largest = self.machine.vector_bits
        before: list[str] = []
        inputs: list[Input] = []
        moved: dict[Expr, Expr] = {}
        for source, at in sorted({(x.source, x.offset // largest) for x in leaves(*lanes)}):
            v = known[source]
            size = min(v.count, largest // v.width)
            name = f"{source}{at}" if v.count > size else source
            o = v.operand
            if v.count > size:
                value = fresh()
                before.append(part(v, at * size, size).line(value))
                o = Local(value, VectorType(size, IntType(v.width)))
            fixed = isinstance(v.operand, Local) and v.operand.name in self.defined
            inputs.append(Input(Leaf(name, v.width, size), o, fixed=fixed))
            for x in leaves(*lanes):
                if (x.source, x.offset // largest) == (source, at):
                    moved[x] = elem(name, x.offset - at * largest, x.width)
        root = Root(
            lanes[0].width, tuple(instantiate(e, moved) for e in lanes), (_ONE,) * len(lanes)
        )
        result = self.search(Window(tuple(x.leaf for x in inputs), (root,)))
        if not result.candidates:
            return result.reason or "no program found"
        try:
            done = emit(result.candidates[0].program, inputs, self.machine.by_name, iter(fresh, ""))
        except EmissionError as problem:
            return str(problem)
        name, whole = fresh(), done.roots[0]
        last = build.cast("bitcast", whole, whole.type).line(name)
        return Lines((*before, *done.hoisted, *done.lines, last), done.declarations, f"%{name}")


def _setting(
    c: EquivClass, m: Member, i: Instruction, wanted: tuple[Expr, ...], normal: NormalLanes
) -> tuple[int, ...] | None:
    """Return immediates at which a member has the wanted lanes, None if there are none."""
    every = m.settings or tuple(product(*(x.values for x in i.immediates)))
    env = c.environment(m)
    for setting in every[:LOWER_SETTINGS]:
        at = {**env, **{f"m{k}": v for k, v in enumerate(setting)}}
        try:
            lanes = terms_of(c.formula, at, {x: x for x in c.letters}, "none")
        except (ValueError, ArithmeticError, LookupError):
            continue
        if normal(lanes) == wanted:
            return setting
    return None


def _application(i: Instruction, m: Member, call: Call, setting: tuple[int, ...]) -> Program:
    """Return one instruction as a program over the call's operands, constants written out."""
    letter = {name: x for x, name in m.operands.items()}
    steps = [
        Step("const", o.width, o.lanes, values=_in_width(x, o.width))
        if isinstance(x := call.operands[letter[o.name]], Literal)
        else Step("leaf", o.width, o.lanes, name=letter[o.name])
        for o in i.operands
    ]
    immediates = tuple((x.name, v) for x, v in zip(i.immediates, setting, strict=True))
    apply = Step("apply", i.width, i.lanes, tuple(range(len(steps))), i.name, immediates)
    return Program((*steps, apply), (len(steps),))


def _in_width(o: Literal, width: int) -> tuple[int | None, ...]:
    """Return the elements of a constant at a width; undefined ones are 0."""
    shape = integer_shape(o.type)
    assert shape is not None
    n, w = shape
    values = [x if isinstance(x, int) else 0 for x in o.lanes]
    bits = sum((v & ((1 << w) - 1)) << (k * w) for k, v in enumerate(values))
    return tuple((bits >> k) & ((1 << width) - 1) for k in range(0, n * w, width))


def emitted_lines(
    program: Program, call: Call, by: Lowering, fresh: Callable[[], str], how: str
) -> Lines:
    """Return a program over a call's operands as lines that end with the call's value."""
    shapes = dict(zip(call.found.of.letters, call.found.operands, strict=True))
    inputs = [
        Input(Leaf(x, *shapes[x][::-1]), o, fixed=o.name in by.defined)
        for x, o in call.operands.items()
        if isinstance(o, Local)
    ]
    done = emit(program, inputs, by.machine.by_name, iter(fresh, ""))
    last = _reshape(done.roots[0], call.found.result, fresh)
    return Lines((*done.hoisted, *done.lines, last), done.declarations, how)


def plain_lines(call: Call, fresh: Callable[[], str]) -> Lines | str:
    """Return a call's formula as plain IR of frozen operands, or why it has none."""
    lanes = whole_elements(call)
    shapes = dict(zip(call.found.of.letters, call.found.operands, strict=True))
    values: dict[str, Local] = {}
    before: list[str] = []
    for letter in call.variable:
        values[letter] = Local(fresh(), build.integers(*shapes[letter]))
        before.append(build.freeze(call.operands[letter]).line(values[letter].name))
    writer = TermWriter(values, f"{fresh()}.t")
    try:
        value = writer.lanes(lanes, (_ONE,) * len(lanes), lanes[0].width)
    except EmissionError as problem:
        return str(problem)
    except KeyError as problem:
        return f"plain IR has no {problem}"
    last = _reshape(value, call.found.result, fresh)
    return Lines((*before, *writer.lines, last), {}, "plain IR")


def _reshape(value: Operand, shape: tuple[int, int], fresh: Callable[[], str]) -> str:
    """Return the line of a value as so many elements of a width."""
    return build.cast("bitcast", value, build.integers(*shape)).line(fresh())


def as_result(lines: Lines, name: str) -> tuple[str, ...]:
    """Return lines of which the last defines ``name``; casts to a value's own type are left out."""
    *rest, last = lines.lines
    while (copy := _COPY.fullmatch(last)) and copy[1] == copy[3] and rest:
        if not rest[-1].startswith(f"{copy[2]} = "):
            break
        *rest, last = rest
    return (*(f"  {x}" for x in rest), f"  %{name} ={last.partition('=')[2]}")
