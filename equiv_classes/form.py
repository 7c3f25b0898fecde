"""Forms: an instruction as skeletons under loop nests, every number of it a column of a table.

A form holds for some settings of the immediates.  Each kind of lane is one skeleton; its lanes are
a loop nest, and the lane's place in the result, the offsets of its holes and all other numbers are
affine in the nest's digits.  A number may also follow an immediate: ``base + scale * field``.
Lanes that no kind covers are 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from equiv_classes.affine import Field, Table, fields, nest
from equiv_classes.lanes import Lane, Mode, NotUnderstood, Reader

Column: TypeAlias = tuple[str, int, int, int]  # what, kind, slot, digit
Settings: TypeAlias = tuple[tuple[int, ...], ...]
Label: TypeAlias = tuple[str, ...]
_MOST_PARTS = 16
_MOST_RUNS = 4
_LEAST_BLOCK = 64


@dataclass(frozen=True, slots=True)
class Kind:
    """A skeleton, its mode, the operands of its holes (several: their rows one after the
    other), and which slots are offsets.
    """

    skeleton: str
    mode: Mode
    labels: tuple[Label, ...]
    holes: tuple[int, ...]
    slots: int


@dataclass(frozen=True, slots=True)
class Form:
    """One instruction at some settings of its immediates.

    ``columns`` has a number for each column; ``driven`` says which columns follow which immediate
    (-1 in front of a lane's own field).  ``letters`` are the operands in the order of their first
    use.
    """

    settings: Settings
    kinds: tuple[Kind, ...]
    columns: Mapping[Column, int]
    driven: tuple[tuple[Column, int, bool], ...]
    letters: tuple[str, ...]
    lanes: int
    width: int

    def key(self) -> tuple[object, ...]:
        """Return what forms of one formula have in common, whatever their predication."""
        letter = {name: k for k, name in enumerate(self.letters)}
        own = ((k.skeleton, k.labels[: len(k.holes)]) for k in self.kinds)
        kinds = ((s, tuple(tuple(letter[x] for x in label) for label in ls)) for s, ls in own)
        return tuple(kinds), self.driven


def forms(reader: Reader) -> tuple[Form, ...]:
    """Return the forms of an instruction, which together cover every setting of its immediates.

    Settings where every lane is 0 have no formula and are left out.  Raises :class:`NotUnderstood`
    with the reason.
    """
    lanes = {s: reader.lanes(s) for s in reader.settings}
    live = [s for s in reader.settings if any(x is not None for x in lanes[s])]
    if not live:
        raise NotUnderstood("every lane is 0")
    alike: dict[tuple[object, ...], list[tuple[int, ...]]] = {}
    for s in live:
        alike.setdefault(
            tuple(None if x is None else (x.mode, x.raw.key) for x in lanes[s]), []
        ).append(s)
    found = _together(reader, list(alike.values()), lanes) if len(alike) <= _MOST_PARTS else None
    if found is not None and len(found) == 1:
        return found
    apart = _apart(reader, live, lanes) if len(live) > 1 else None
    best = min((f for f in (found, apart) if f is not None), key=len, default=None)
    if best is None or len(best) > _MOST_PARTS:
        raise NotUnderstood(
            "the immediate chooses among formulas" if len(alike) > 1 else "offsets are not affine"
        )
    return best


def _together(
    reader: Reader,
    groups: Iterable[list[tuple[int, ...]]],
    lanes: Mapping[tuple[int, ...], Sequence[Lane | None]],
) -> tuple[Form, ...] | None:
    """Fit immediates lane by lane, for settings whose lanes have the same skeletons."""
    found = [_form(reader, tuple(g), [lanes[s] for s in g]) for g in groups]
    return None if any(f is None for f in found) else tuple(f for f in found if f is not None)


def _apart(
    reader: Reader,
    live: Sequence[tuple[int, ...]],
    lanes: Mapping[tuple[int, ...], Sequence[Lane | None]],
) -> tuple[Form, ...] | None:
    """Fit lanes setting by setting, then the columns of like settings to the immediates."""
    alike: dict[tuple[object, ...], list[Form]] = {}
    for s in live:
        f = _form(reader, (s,), [lanes[s]])
        if f is None:
            return None
        alike.setdefault((f.kinds, f.letters, tuple(f.columns)), []).append(f)
        if len(alike) > _MOST_PARTS:
            return None
    found = [_merged(group) for group in alike.values()]
    return None if any(f is None for f in found) else tuple(f for f in found if f is not None)


def _merged(group: Sequence[Form]) -> Form | None:
    first = group[0]
    names = list(first.columns)
    settings = tuple(f.settings[0] for f in group)
    fits = fields(
        np.array(settings, np.int64).reshape(len(group), -1),
        np.array([[f.columns[c] for c in names] for f in group], np.int64),
    )
    if fits is None:
        return None
    columns: dict[Column, int] = {}
    driven: list[tuple[Column, int, bool]] = []
    for c, (base, field) in zip(names, fits, strict=True):
        columns[c] = base
        if field is not None:
            if c[0] == "stride" and field.bits:
                return None
            _add_field(columns, driven, c, field)
    return Form(
        settings, first.kinds, columns, tuple(driven), first.letters, first.lanes, first.width
    )


def _add_field(
    columns: dict[Column, int], driven: list[tuple[Column, int, bool]], c: Column, field: Field
) -> None:
    what, kind, slot, digit = c
    driven.append((c, field.which, field.bits == 0))
    columns[(f"{what} scale", kind, slot, digit)] = field.scale
    if field.bits:
        columns[(f"{what} low", kind, slot, digit)] = field.low
        columns[(f"{what} bits", kind, slot, digit)] = field.bits


def _form(
    reader: Reader, settings: Settings, lanes: Sequence[Sequence[Lane | None]]
) -> Form | None:
    """Build one form for settings whose lanes have the same skeletons, None where something is
    not affine.
    """
    groups: dict[tuple[Mode, str], list[int]] = {}
    for i, lane in enumerate(lanes[0]):
        if lane is not None:
            groups.setdefault((lane.mode, lane.raw.key), []).append(i)
    for block in _blocks(reader):
        built = _build(reader, settings, lanes, list(groups.values()), block)
        if built is not None:
            return built
    split: dict[tuple[object, ...], list[int]] = {}
    for (mode, key), members in groups.items():
        for i in members:
            split.setdefault((mode, key, tuple(_sources(row[i]) for row in lanes)), []).append(i)
    for parts in (
        list(split.values()),
        [run for members in split.values() for run in _runs(lanes, members)],
    ):
        if len(groups) < len(parts) <= _MOST_RUNS:
            built = _build(reader, settings, lanes, sorted(parts), 0)
            if built is not None:
                return built
    return None


def _runs(lanes: Sequence[Sequence[Lane | None]], members: Sequence[int]) -> Iterator[list[int]]:
    """Split lanes into the longest runs of neighbours whose numbers take equal steps."""
    run: list[int] = []
    step: list[int] | None = None
    for i in members:
        if run:
            rows = ((_numbers(row[run[-1]]), _numbers(row[i])) for row in lanes)
            taken = [b - a for x, y in rows for a, b in zip(x, y, strict=True)]
            if run[-1] + 1 != i or (step is not None and taken != step):
                yield run
                run, step = [], None
            else:
                step = taken
        run.append(i)
    yield run


def _numbers(lane: Lane | None) -> tuple[int, ...]:
    return () if lane is None else (*lane.raw.numbers, *(o for _, o in lane.stage))


def _blocks(reader: Reader) -> Iterator[int]:
    size = max(reader.sizes.values(), default=0)
    yield 0
    block = size // 2
    while block >= _LEAST_BLOCK:
        yield block
        block //= 2


def _sources(lane: Lane | None) -> tuple[object, ...]:
    return () if lane is None else (*(s for _, s in lane.raw.holes), *(s for s, _ in lane.stage))


def _build(
    reader: Reader,
    settings: Settings,
    lanes: Sequence[Sequence[Lane | None]],
    groups: list[list[int]],
    block: int,
) -> Form | None:
    found: list[tuple[list[int], Kind, Table]] = []
    for members in groups:
        read = _read(reader, lanes, members, block)
        if read is None:
            return None
        found.append((members, *read))
    columns: dict[Column, int] = {}
    driven: list[tuple[Column, int, bool]] = []
    kinds: list[Kind] = []
    inputs = np.array(settings, np.int64).reshape(len(settings), -1)
    for members, kind, values in found:
        for part, fits in _by_field(inputs, members, values):
            if not _fill(columns, driven, len(kinds), part, fits, kind.slots):
                return None
            for j, label in enumerate(kind.labels):
                if len(label) > 1:
                    columns["block", len(kinds), j, 0] = block or reader.sizes[label[0]]
            kinds.append(kind)
        if len(kinds) > _MOST_PARTS or not kinds:
            return None
    core = dict.fromkeys(x for k in kinds for label in k.labels[: len(k.holes)] for x in label)
    more = (x for k in kinds for label in k.labels[len(k.holes) :] for x in label)
    letters = tuple(dict.fromkeys((*core, *more)))
    width = reader.instruction.bits // len(lanes[0])
    return Form(settings, tuple(kinds), columns, tuple(driven), letters, len(lanes[0]), width)


def _read(
    reader: Reader, lanes: Sequence[Sequence[Lane | None]], members: Sequence[int], block: int
) -> tuple[Kind, Table] | None:
    """Return the kind of some lanes and their numbers, settings x slots x lanes: the numbers of
    the skeleton, then the stage's offsets.
    """
    rows = [[x for i in members if (x := row[i]) is not None] for row in lanes]
    first = rows[0][0]
    holes = len(first.raw.holes)
    labels: list[Label] = []
    values = np.array(
        [[(*x.raw.numbers, *(o for _, o in x.stage)) for x in row] for row in rows], np.int64
    ).swapaxes(1, 2)
    spots = (*(k for k, _ in first.raw.holes), *range(len(first.raw.numbers), values.shape[1]))
    for j, spot in enumerate(spots):
        sources = [
            [x.raw.holes[j][1] if j < holes else (x.stage[j - holes][0],) for x in row]
            for row in rows
        ]
        label = tuple(dict.fromkeys(s for row in sources for x in row for s in x))
        if len(label) > 1 and any(sources[0][0] != x for row in sources for x in row):
            size = block or reader.sizes[label[0]]
            if len({reader.sizes[s] for s in label}) > 1 or any(
                len(x) > 1 for row in sources for x in row
            ):
                return None
            at = np.array([[label.index(x[0]) for x in row] for row in sources], np.int64)
            offsets = values[:, spot]
            values[:, spot] = offsets // size * (size * len(label)) + at * size + offsets % size
        labels.append(label)
    raw, numbers = first.raw, tuple(k for k, _ in first.raw.holes)
    return Kind(raw.key, first.mode, tuple(labels), numbers, values.shape[1]), values


def _by_field(
    inputs: Table, members: Sequence[int], values: Table
) -> Iterator[tuple[list[int], list[list[tuple[int, Field | None]]]]]:
    """Split lanes by what an immediate does to them; yields lanes and, for each, base and field
    of every slot.
    """
    settings, slots, count = values.shape
    fits = fields(inputs, values.reshape(settings, slots * count))
    if fits is None:
        yield [], []
        return
    by_lane = [[fits[s * count + i] for s in range(slots)] for i in range(count)]
    parts: dict[tuple[object, ...], list[int]] = {}
    for i, row in enumerate(by_lane):
        parts.setdefault(
            tuple(None if f is None else (f.which, f.scale, f.bits) for _, f in row), []
        ).append(i)
    for part in parts.values():
        yield [members[i] for i in part], [by_lane[i] for i in part]


def _fill(
    columns: dict[Column, int],
    driven: list[tuple[Column, int, bool]],
    kind: int,
    members: Sequence[int],
    fits: Sequence[Sequence[tuple[int, Field | None]]],
    slots: int,
) -> bool:
    """Add the columns of one kind: its loop nest with the lane's place (slot -1), every slot
    and the lowest bit of every field.
    """
    if not fits:
        return False
    first = [f for _, f in fits[0]]
    lows = [s for s in range(slots) if (f := first[s]) is not None and f.bits]
    table = [
        members,
        *([row[s][0] for row in fits] for s in range(slots)),
        *([f.low for row in fits if (f := row[s][1]) is not None] for s in lows),
    ]
    loops = nest(np.array(table, np.int64))
    if loops is None:
        return False
    names = [("base", s) for s in range(-1, slots)] + [("base low", s) for s in lows]
    for d, r in enumerate(loops.radices):
        columns["radix", kind, 0, d] = r
    for (what, s), base in zip(names, loops.base, strict=True):
        columns[what, kind, s, 0] = base
    for d, strides in enumerate(loops.strides):
        for (what, s), stride in zip(names, strides, strict=True):
            columns[what.replace("base", "stride"), kind, s, d] = stride
    for s, f in enumerate(first):
        if f is not None:
            driven.append((("base", kind, s, 0), f.which, f.bits == 0))
            columns["base scale", kind, s, 0] = f.scale
            if f.bits:
                columns["base bits", kind, s, 0] = f.bits
    return True
