"""Swizzles that compute instructions call for, derived from their gather maps, and their classes.

After MISAAL (PLDI 2025) section 3.3.  Where a lane function has several holes in one operand, its
values come as contiguous vectors, one a hole: *packing* puts these (one to four) where the
instruction reads them.  Where lanes of the result do not follow the order in which the operands are
read, *restoring* puts them in that order.  Movement that leaves everything in place is none.
Nothing is listed by hand; the classes come from the same similarity analysis as those of
instructions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from equiv_classes.build import Source, build
from equiv_classes.dictionary import Dictionary, EquivClass, shipped
from equiv_classes.lanes import Reader
from equiv_classes.names import short_hash
from isel.ir.expr import Expr, const, elem, leaves
from isel.spec.instruction import Instruction, Operand, Role

FILE: Final = "swizzles.txt"
MOST_SOURCES: Final = 4
LEAST_WIDTH: Final = 8  # narrower slices are parts of elements, which no swizzle moves


@dataclass(frozen=True, slots=True)
class Swizzle:
    """``count`` elements of ``width`` bits from ``sources`` vectors of ``lanes`` elements.

    ``moves`` has (place, source, lane) for every element that matters, in the order of places.
    """

    width: int
    count: int
    lanes: int
    sources: int
    moves: tuple[tuple[int, int, int], ...]

    @property
    def trivial(self) -> bool:
        """Whether nothing is moved."""
        return self.sources == 1 and all(place == lane for place, _, lane in self.moves)

    @property
    def table(self) -> tuple[object, ...]:
        """How many vectors are read, and which element goes where in one block, where blocks are
        alike: what swizzles have in common whose places no formula gives.
        """
        for size in (k for k in range(1, self.count + 1) if self.count % k == 0):
            block = {p: (s, lane) for p, s, lane in self.moves if p < size}
            every = ((k * size, p) for p in block for k in range(self.count // size))
            again = {(at + p, block[p][0], at + block[p][1]) for at, p in every}
            if again == set(self.moves):
                return self.sources, tuple(sorted(block.items()))
        return self.sources, self.moves

    def as_instruction(self, name: str) -> Instruction:
        """Return the swizzle as an instruction, with 0 in places that do not matter."""
        at = {place: (f"x{source}", lane * self.width) for place, source, lane in self.moves}

        def lane(i: int, immediates: Mapping[str, int]) -> Expr:
            return elem(*at[i], self.width) if i in at else const(0, self.width)

        operands = tuple(Operand(f"x{k}", self.width, self.lanes) for k in range(self.sources))
        return Instruction(
            name, name, operands, (), self.width, self.count, frozenset(), (), "", lane
        )


def swizzles_of(instruction: Instruction) -> Iterator[tuple[str, Swizzle]]:
    """Yield what an instruction calls for: ``result``, or the name of an operand, and the
    swizzle.
    """
    reader = Reader(instruction, folds=False)
    try:
        total, groups = _kinds(reader)
    except Exception:  # what cannot be read calls for nothing that is known; its class says why
        return
    for lanes in groups:
        for operand in (o for o in instruction.operands if o.role is not Role.INDEX):
            packed = _packing(operand, lanes)
            if packed is not None and not packed.trivial:
                yield operand.name, packed
        restored = _restoring(instruction, lanes, total)
        if restored is not None and not restored.trivial:
            yield "result", restored


def _kinds(reader: Reader) -> tuple[int, list[list[tuple[int, tuple[Expr, ...]]]]]:
    """Return the number of lanes as read, and those of each kind that computes something, with
    their holes; immediates have their first value.
    """
    groups: dict[str, list[tuple[int, tuple[Expr, ...]]]] = {}
    cores = list(reader.cores(reader.settings[0]))
    for k, core in enumerate(cores):
        holes = leaves(core)
        if core.args and holes and all(x.op == "elem" for x in holes):
            groups.setdefault(reader.skeleton(core).key, []).append((k, holes))
    return len(cores), [g for g in groups.values() if len(g) > 1]


def _packing(operand: Operand, lanes: Sequence[tuple[int, tuple[Expr, ...]]]) -> Swizzle | None:
    """Return what puts the values of an operand's holes in place; None where an element serves
    several of them.
    """
    reading = [[j for j, x in enumerate(holes) if x.source == operand.name] for _, holes in lanes]
    holes = sorted({j for js in reading for j in js})
    widths = {x.width for _, xs in lanes for x in xs if x.source == operand.name}
    if not 1 <= len(holes) <= MOST_SOURCES or len(widths) != 1 or min(widths) < LEAST_WIDTH:
        return None
    (width,) = widths
    moves: dict[int, tuple[int, int]] = {}
    for rank, (_, xs) in enumerate(lanes):
        for source, j in enumerate(holes):
            if xs[j].source != operand.name:
                continue
            place, rest = divmod(xs[j].offset, width)
            if rest or place in moves:
                return None
            moves[place] = (source, rank)
    ordered = tuple((p, *moves[p]) for p in sorted(moves))
    return Swizzle(width, operand.bits // width, len(lanes), len(holes), ordered)


def _restoring(
    instruction: Instruction, lanes: Sequence[tuple[int, tuple[Expr, ...]]], total: int
) -> Swizzle | None:
    """Return what puts the results, of ``total`` lanes, in the order in which their first holes
    are read, operand after operand.
    """
    rank = {o.name: k for k, o in enumerate(instruction.operands)}
    read = sorted((rank[holes[0].source], holes[0].offset, k) for k, holes in lanes)
    if len({r[:2] for r in read}) < len(read):
        return None
    moves = tuple((place, 0, k) for place, (_, _, k) in enumerate(read))
    return Swizzle(instruction.bits // total, len(read), total, 1, moves)


@dataclass(frozen=True, slots=True)
class Counts:
    """How often the instructions of a target call for a swizzle, how many of these are
    distinct, and in how many classes they are.
    """

    target: str
    called_for: int
    distinct: int
    classes: int


def calls_of(instructions: Iterable[Instruction]) -> tuple[tuple[str, Swizzle], ...]:
    """Return every call for a swizzle: its caller, ``instruction.operand`` or
    ``instruction.result``, a number behind it from the second on, and the swizzle.
    """
    found = []
    for i in instructions:
        before: list[str] = []
        for what, x in swizzles_of(i):
            before.append(what)
            number = before.count(what)
            found.append((f"{i.name}.{what}{f'.{number}' if number > 1 else ''}", x))
    return tuple(found)


def build_swizzles(
    sources: Sequence[Source], calls: Sequence[Sequence[tuple[str, Swizzle]]], version: str
) -> Dictionary:
    """Group what the instructions of each source call for; members bear the names of the
    callers.
    """
    made = [
        Source(s.name, s.digest, [x.as_instruction(caller) for caller, x in called])
        for s, called in zip(sources, calls, strict=True)
    ]
    found = build(made, version).dictionary
    pairs = zip(sources, calls, strict=True)
    moved = {(s.name, caller): x for s, called in pairs for caller, x in called}
    read = [(c, c.name.removeprefix("move")) for c in found.classes if not c.reason]
    named = [replace(c, name=f"swizzle_of_{len(c.letters)}{name}") for c, name in read]
    alone = [c for c in found.classes if c.reason]
    return Dictionary((*named, *_by_table(alone, moved)), found.source)


def _by_table(
    alone: Sequence[EquivClass], moved: Mapping[tuple[str, str], Swizzle]
) -> Iterator[EquivClass]:
    """Yield a class a table of movements that no formula gives."""
    tables: dict[tuple[object, ...], list[EquivClass]] = {}
    for c in alone:
        m = c.members[0]
        tables.setdefault(moved[m.target, m.name].table, []).append(c)
    for table, rows in tables.items():
        members = tuple(m for c in rows for m in c.members)
        name = f"swizzle_of_{table[0]}.{short_hash(repr(table))}"
        yield replace(rows[0], name=name, members=members)


def counts(found: Dictionary) -> tuple[Counts, ...]:
    """Return the counts of each target, then of all together."""
    targets = tuple(dict.fromkeys(m.target for c in found.classes for m in c.members))
    return (*(_counts(found, t, (t,)) for t in targets), _counts(found, "together", targets))


def _counts(found: Dictionary, name: str, targets: Sequence[str]) -> Counts:
    rows = [(c.name, m.values) for c in found.classes for m in c.members if m.target in targets]
    return Counts(name, len(rows), len(set(rows)), len({c for c, _ in rows}))


def show_counts(found: Sequence[Counts]) -> str:
    """Return the counts as a table."""
    head = f"{'':10} {'called for':>10} {'distinct swizzles':>18} {'classes':>8}"
    rows = [f"{c.target:10} {c.called_for:10} {c.distinct:18} {c.classes:8}" for c in found]
    return "\n".join([head, *rows, ""])


@cache
def swizzles() -> Dictionary:
    """Return the shipped swizzle classes, read once; empty where none were generated."""
    return shipped(FILE)
