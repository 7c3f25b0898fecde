"""The index of a target's instructions, made of what they are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

from isel.ir.expr import Expr, postorder
from isel.spec import known
from isel.spec.index_rows import CallRow, Data, Entries, Row, Sources
from isel.spec.instruction import (
    Immediate,
    Instruction,
    Membership,
    Operand,
    Predication,
    runs_of,
)
from isel.spec.lanes import LaneFunction
from isel.spec.permutes import read_permute
from isel.spec.sem_block import Family

_BLOCK = re.compile(r"^instruction ", re.MULTILINE)


class _Terms:
    """Terms by number, operands before their users."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, list[int | str], list[int]]] = []
        self._number: dict[Expr, int] = {}

    def number(self, root: Expr) -> int:
        for e in postorder([root]):
            if e not in self._number:
                self._number[e] = len(self.rows)
                attr = [*e.attr, e.width] if e.is_leaf or e.is_const else list(e.attr)
                self.rows.append((e.op, attr, [self._number[a] for a in e.args]))
        return self._number[root]

    def number_if(self, root: Expr | None) -> int | None:
        return None if root is None else self.number(root)


def made(entries: Entries, sources: Sources) -> Data:
    """Return the index of instructions that were read from ``sources``; evaluates their first
    lanes and their swizzles.
    """
    terms = _Terms()
    shapes: dict[tuple[Operand, ...], int] = {}
    immediates: dict[tuple[Immediate, ...], int] = {}
    features: dict[frozenset[str], int] = {}
    classes: dict[tuple[Membership, ...], int] = {}
    stages: dict[Predication, int] = {}
    blocks: dict[tuple[int, int, int], int] = {}
    starts = {
        name: (k, len(text), [m.start() for m in _BLOCK.finditer(text)])
        for k, (name, text) in enumerate(sources)
    }
    rows: list[Row] = []
    for i in entries.instructions:
        if not isinstance(i.lane, LaneFunction):
            raise TypeError(f"'{i.name}' was not read from a .sem file")
        place = _place(i.lane.family, starts)
        fixed, plain = not i.immediates, not known.is_masked(i)
        first = known.first_lane(i, ()) if fixed else None
        gathered = known.gather(i, ()) if fixed and plain and first is not None else None
        enumerable = plain and (gathered is not None if fixed else known.is_enumerable(i))
        leaf = gathered is not None and first is not None and first.is_leaf
        moves = plain and (leaf if fixed else known.moves_only(i))
        likely = (
            known.likely_values(i) if enumerable and not moves and len(i.immediates) == 1 else ()
        )
        rows.append(
            Row(
                name=i.name,
                mnemonic=i.mnemonic,
                shape=shapes.setdefault(i.operands, len(shapes)),
                immediates=immediates.setdefault(i.immediates, len(immediates)),
                result=(i.lanes, i.width),
                features=features.setdefault(i.features, len(features)),
                classes=classes.setdefault(i.classes, len(classes)),
                emission=list(i.emission),
                call=i.call,
                stage=stages.setdefault(i.predication, len(stages)),
                block=blocks.setdefault(place, len(blocks)),
                bound=i.lane.bound,
                first=terms.number_if(first),
                values=[
                    (v, terms.number_if(known.first_lane(i, ((i.immediates[0].name, v),))))
                    for v in likely
                ],
                gather=None if gathered is None else known.packed(gathered),
                enumerable=enumerable,
                moves=moves,
                swizzles=[
                    (value, list(known.basis_of(operand, index)))
                    for value, operand, index in known.swizzles(i)
                ]
                if moves
                else [],
                permute=_lists(read_permute(i)) if plain else None,
            )
        )
    number = {i.name: k for k, i in enumerate(entries.instructions)}
    calls = [
        _call(name, i, entries.instructions[number[i.name]], number[i.name], immediates)
        for name, i in entries.calls.items()
    ]
    return Data(
        terms=terms.rows,
        shapes=[[(o.name, o.width, o.lanes, o.role.value) for o in shape] for shape in shapes],
        immediates=[[(m.name, m.width, runs_of(m.values)) for m in group] for group in immediates],
        features=[" ".join(sorted(f)) for f in features],
        classes=[[(m.name, list(m.settings)) for m in group] for group in classes],
        stages=[(p.kind, p.mask, p.source) for p in stages],
        blocks=list(blocks),
        rows=rows,
        calls=calls,
    )


def _lists(permute: known.Permute | None) -> tuple[list[int], list[list[int]]] | None:
    return None if permute is None else (list(permute.by_lane), [list(t) for t in permute.tables])


def _place(
    family: Family, starts: Mapping[str, tuple[int, int, list[int]]]
) -> tuple[int, int, int]:
    source, end, at = starts[family.file]
    k = bisect_right(at, family.name.at) - 1
    return source, at[k], at[k + 1] if k + 1 < len(at) else end


def _call(
    name: str,
    i: Instruction,
    plain: Instruction,
    number: int,
    immediates: dict[tuple[Immediate, ...], int],
) -> CallRow:
    same = i.emission == plain.emission and i.immediates == plain.immediates
    at = immediates.setdefault(i.immediates, len(immediates))
    emission = None if same else list(i.emission)
    return CallRow(name=name, instruction=number, emission=emission, immediates=at)
