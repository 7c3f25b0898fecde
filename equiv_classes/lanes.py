"""The lanes of one instruction as skeletons: normal forms, results of packed bits as lanes,
predication taken off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import islice, permutations, product
from typing import Final

from equiv_classes.normal import Normalizer
from equiv_classes.skeleton import Raw, Skeletons, truth_table
from isel.ir.expr import Expr, const, elem, leaves, postorder
from isel.spec.instruction import Instruction, Role

MOST_SETTINGS: Final = 4096  # combinations of immediates that are looked at
MOST_TERMS: Final = 3000  # sub-terms of a lane that are looked at
MOST_TEXT: Final = 4000  # characters of a formula that is one
_PROBES: Final = (0x96, 0xCA, 0x1B)
_TRUTH: Final = "(truth {0} <0>[{1}]:{2} <1>[{3}]:{4} <2>[{5}]:{6})"


class NotUnderstood(Exception):
    """Why an instruction has no formula with parameters; it is then a class of its own."""


class Mode(StrEnum):
    """What happens to a lane whose predicate bit is 0."""

    NONE = "none"
    MERGE = "merge"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class Lane:
    """One result lane: its predication, the skeleton under it, and the predicate's and the
    other value's places.
    """

    mode: Mode
    raw: Raw
    stage: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """Lanes that are boolean functions of three elements each, under one kind of predication."""

    mode: Mode
    over: tuple[tuple[Expr, ...], ...]
    stages: tuple[tuple[Expr, ...], ...]


def _leaves(cores: Sequence[Expr]) -> tuple[Expr, ...]:
    return tuple(dict.fromkeys(x for core in cores for x in leaves(core) if x.op == "elem"))


def _ordered(over: Sequence[Expr], order: Sequence[int]) -> tuple[Expr, ...]:
    return tuple(over[k] for k in order)


@dataclass(frozen=True)
class Reader:
    """Reads the lanes of one instruction, at all settings of its immediates or ``among`` some;
    without ``folds`` each of several like terms has holes of its own.
    """

    instruction: Instruction
    among: tuple[tuple[int, ...], ...] = ()
    folds: bool = True

    @cached_property
    def normal(self) -> Normalizer:
        """The normal form of terms over this instruction's operands."""
        return Normalizer({o.name: k for k, o in enumerate(self.instruction.operands)})

    @cached_property
    def skeleton(self) -> Skeletons:
        """The skeletons of terms."""
        return Skeletons(folding=self.folds)

    @cached_property
    def predicates(self) -> frozenset[str]:
        """The operands whose bits may be a predicate."""
        return frozenset(
            o.name for o in self.instruction.operands if o.role in (Role.MASK, Role.SCALAR)
        )

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Bits of each operand."""
        return {o.name: o.bits for o in self.instruction.operands}

    @cached_property
    def settings(self) -> tuple[tuple[int, ...], ...]:
        """The combinations of the immediates' values; raises :class:`NotUnderstood` where they
        are too many.
        """
        if self.among:
            return self.among
        count = 1
        for m in self.instruction.immediates:
            count *= len(m.values)
        if count > MOST_SETTINGS:
            raise NotUnderstood(f"{count} combinations of immediates")
        return tuple(product(*(m.values for m in self.instruction.immediates)))

    def terms(self, setting: Sequence[int]) -> list[Expr]:
        """Return the lanes in normal form."""
        values = {m.name: v for m, v in zip(self.instruction.immediates, setting, strict=True)}
        lanes = [self.instruction.lane(i, values) for i in range(self.instruction.lanes)]
        size = sum(1 for _ in islice(postorder(lanes[:1]), MOST_TERMS + 1))
        if size > MOST_TERMS:
            raise NotUnderstood(f"a lane of more than {MOST_TERMS} terms")
        return [self.normal(e) for e in lanes]

    @cached_property
    def truth(self) -> Truth | None:
        """How each lane is a boolean function of three elements whose table is the immediate,
        or None.
        """
        if len(self.instruction.immediates) != 1 or self.instruction.immediates[0].values != tuple(
            range(256)
        ):
            return None
        probes = [[self._stripped(e) for e in self.terms((m,))] for m in _PROBES]
        over = tuple(
            _leaves(cores)
            for cores in zip(*([core for _, core, _ in row] for row in probes), strict=True)
        )
        if any(len(x) != 3 for x in over):
            return None
        for order in permutations(range(3)):
            if all(
                truth_table(row[0][1], _ordered(over[0], order)) == m
                for row, m in zip(probes, _PROBES, strict=True)
            ):
                stages = tuple(stage for _, _, stage in probes[0])
                return Truth(probes[0][0][0], tuple(_ordered(x, order) for x in over), stages)
        return None

    def _truth_lanes(self, truth: Truth, setting: Sequence[int]) -> tuple[Lane, ...]:
        """Return lanes whose first number is the table; the proof shows that it is the
        immediate in every lane.
        """
        rows = zip(truth.over, truth.stages, strict=True)
        places = [
            ((setting[0], *(n for x in over for n in (x.offset, x.width))), over, stage)
            for over, stage in rows
        ]
        return tuple(
            Lane(
                truth.mode,
                Raw(_TRUTH, numbers, tuple((2 * k + 1, (x.source,)) for k, x in enumerate(over))),
                tuple((x.source, x.offset) for x in stage),
            )
            for numbers, over, stage in places
        )

    def lanes(self, setting: Sequence[int]) -> tuple[Lane | None, ...]:
        """Return the lanes, None for a lane that is 0."""
        if self.truth is not None:
            return self._truth_lanes(self.truth, setting)
        return tuple(
            None if e.is_const and e.value == 0 else self._lane(e)
            for e in unpacked(self.terms(setting))
        )

    def cores(self, setting: Sequence[int]) -> list[Expr]:
        """Return the lanes without their predication."""
        return [self._stripped(e)[1] for e in unpacked(self.terms(setting))]

    def _lane(self, e: Expr) -> Lane:
        mode, core, stage = self._stripped(e)
        raw = self.skeleton(core)
        if len(raw.key) > MOST_TEXT:
            raise NotUnderstood(f"a formula of {len(raw.key)} characters")
        return Lane(mode, raw, tuple((x.source, x.offset) for x in stage))

    def _stripped(self, e: Expr) -> tuple[Mode, Expr, tuple[Expr, ...]]:
        """Take the predicate off a lane."""
        if e.op == "ite" and self._is_predicate(e.args[0]) and not e.args[1].is_const:
            bit, core, other = e.args
            if other.is_const and other.value == 0:
                return Mode.ZERO, core, (bit,)
            if other.op == "elem":
                return Mode.MERGE, core, (bit, other)
        if e.op == "and" and e.width == 1:
            rest = list(_conjuncts(e))
            bits = [x for x in rest if self._is_predicate(x)]
            if len(bits) == 1 and len(rest) == 2:
                core = next(x for x in rest if x is not bits[0])
                if any(x.source not in self.predicates for x in leaves(core)):
                    return Mode.ZERO, core, (bits[0],)
        return Mode.NONE, e, ()

    def _is_predicate(self, e: Expr) -> bool:
        return e.op == "elem" and e.width == 1 and e.source in self.predicates


def _conjuncts(e: Expr) -> Iterator[Expr]:
    while e.op == "and":
        yield e.args[1]
        e = e.args[0]
    yield e


def unpacked(lanes: Sequence[Expr]) -> list[Expr]:
    """Split lanes that are concatenations of equally wide pieces into these; other lanes stay
    as they are.
    """
    pieces = [list(_pieces(e)) for e in lanes]
    widths = {p.width for lane in pieces for p in lane if not p.is_const}
    if all(len(p) == 1 for p in pieces) or not widths:
        return list(lanes)
    unit = min(widths)
    if any(
        p.width % unit or (p.width > unit and not (p.op == "elem" or p.is_const))
        for lane in pieces
        for p in lane
    ):
        return list(lanes)
    return [x for lane in pieces for p in lane for x in _cut(p, unit)]


class NormalLanes:
    """The normal forms of lanes over operands by letter, which say whether two vectors are one."""

    def __init__(self, letters: Sequence[str]) -> None:
        self._normal = Normalizer({x: k for k, x in enumerate(letters)})

    def __call__(self, lanes: Sequence[Expr]) -> tuple[Expr, ...]:
        """Return lanes in normal form, those that are packed one by one."""
        return tuple(self._normal(e) for e in unpacked([self._normal(e) for e in lanes]))


def _pieces(e: Expr) -> Iterator[Expr]:
    """Yield what a term concatenates, lowest first."""
    if e.op == "concat":
        yield from _pieces(e.args[1])
        yield from _pieces(e.args[0])
    elif e.op == "zext" and e.args[0].op == "concat":
        yield from _pieces(e.args[0])
        yield const(0, e.width - e.args[0].width)
    else:
        yield e


def _cut(e: Expr, unit: int) -> Iterator[Expr]:
    for k in range(0, e.width, unit):
        if e.width == unit:
            yield e
        elif e.is_const:
            yield const(e.value >> k, unit)
        else:
            yield elem(e.source, e.offset + k, unit)
