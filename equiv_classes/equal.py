"""Merging of what is equal but written differently: groups of forms whose skeletons differ and
whose lanes do not.

Forms of two skeletons are compared where both exist at the same widths: by values first, then by
the verifier.  A group joins another, larger one when each of its forms can be written with the
other's skeleton: numbers from the form of equal widths, offsets and loops of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final, TypeAlias

from equiv_classes.form import Column, Form
from equiv_classes.form import Kind as FormKind
from equiv_classes.formula import lane_term
from equiv_classes.names import LETTERS
from equiv_classes.similarity import Sample, core_slots
from isel.errors import IselError
from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, elem, leaves
from isel.ir.ops import WidthError
from isel.model.verdict import Proved
from isel.verify.prove import Known, Obligation, prove
from isel.verify.samples import columns

_MOST_HOLES: Final = 4
_SAMPLES: Final = 32
Values: TypeAlias = tuple[object, ...]
Order: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Lane:
    """The lane function of a form with one kind: a term over ``a[0], b[0], …``, a letter for
    each hole, and the holes' widths.
    """

    sample: Sample
    term: Expr
    widths: tuple[int, ...]

    @property
    def kind(self) -> FormKind:
        return self.sample.form.kinds[0]


def merged(groups: Sequence[Sequence[Sample]]) -> list[list[Sample]]:
    """Merge groups that compute the same; each merge is proved."""
    lanes = [[x for s in group if (x := _lane(s)) is not None] for group in groups]
    whole = [k for k, group in enumerate(groups) if lanes[k] and len(lanes[k]) == len(group)]
    by_values: dict[Values, list[tuple[int, _Lane, Order]]] = {}
    for k in whole:
        for x in lanes[k]:
            for order in permutations(range(len(x.widths))):
                by_values.setdefault(_values(x, order), []).append((k, x, order))
    result: dict[int, list[Sample]] = {k: list(group) for k, group in enumerate(groups)}
    known: Known = {}
    for k in sorted(whole, key=lambda k: (len(groups[k]), -k)):
        near = [by_values[_values(x, tuple(range(len(x.widths))))] for x in lanes[k]]
        for other in sorted({o for found in near for o, _, _ in found} & set(result)):
            if other == k or (len(groups[other]), -other) < (len(groups[k]), -k):
                continue
            alike = [[(y, order) for o, y, order in found if o == other] for found in near]
            moved = [_moved(x, ys, known) for x, ys in zip(lanes[k], alike, strict=True)]
            if all(m is not None for m in moved):
                result[other].extend(m for m in moved if m is not None)
                del result[k]
                break
    return [result[k] for k in sorted(result)]


def _lane(sample: Sample) -> _Lane | None:
    form = sample.form
    if len(form.kinds) != 1 or form.driven or not 1 <= len(form.kinds[0].holes) <= _MOST_HOLES:
        return None
    kind = form.kinds[0]
    if any(
        form.columns.get(("stride", 0, s, d), 0)
        for s in range(core_slots(kind))
        if s not in kind.holes
        for d in range(max((c[3] + 1 for c in form.columns if c[0] == "radix"), default=0))
    ):
        return None
    numbers = [form.columns["base", 0, s, 0] for s in range(core_slots(kind))]
    text = kind.skeleton
    for j, hole in enumerate(kind.holes):
        text = text.replace(f"<{j}>[{{{hole}}}]", f"{LETTERS[j]}[0]")
    try:
        term = lane_term(re.sub(r"\{(\d+)\}", lambda m: str(numbers[int(m[1])]), text), form.width)
    except (WidthError, IselError, ArithmeticError, LookupError):
        return None  # the proof of the member will say why
    found = {x: x.source for x in leaves(term)}
    letters = LETTERS[: len(kind.holes)]
    if sorted(found.values()) != list(letters) or any(x.offset for x in found):
        return None  # a table lookup, or a hole that the term does not depend on
    widths = {x.source: x.width for x in found}
    return _Lane(sample, term, tuple(widths[x] for x in letters))


def _pattern(labels: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    """Return which holes read which operands, operands numbered by first use."""
    seen = {name: k for k, name in enumerate(dict.fromkeys(x for label in labels for x in label))}
    return tuple(tuple(seen[x] for x in label) for label in labels)


def _values(x: _Lane, order: Order) -> Values:
    """Return what two lanes have in common if they are equal with holes in this order: widths,
    operands, values on samples.
    """
    holes = [elem(LETTERS[j], 0, x.widths[j]) for j in order]
    shared = columns([elem(LETTERS[k], 0, h.width) for k, h in enumerate(holes)], _SAMPLES)
    rows = list(zip(*(v.tolist() for v in shared.values()), strict=True))
    out = tuple(
        evaluate_all([x.term], dict(zip(holes, row, strict=True)), Integer())[x.term]
        for row in rows
    )
    pattern = _pattern([x.kind.labels[j] for j in order])
    return tuple(x.widths[j] for j in order), pattern, x.term.width, out


def _moved(x: _Lane, candidates: Sequence[tuple[_Lane, Order]], known: Known) -> Sample | None:
    """Write a form with the skeleton of the first candidate that is proved equal; ``order``
    gives that one's hole for each of its own.
    """
    for y, order in candidates:
        renamed = {
            elem(LETTERS[j], 0, w): elem(LETTERS[order.index(j)], 0, w)
            for j, w in enumerate(y.widths)
        }
        answer = prove([Obligation(const(1, 1), x.term, instantiate(y.term, renamed))], known=known)
        if isinstance(answer, Proved):
            return replace(x.sample, form=_rewritten(x.sample.form, y, order))
    return None


def _rewritten(form: Form, y: _Lane, order: Order) -> Form:
    old, new = form.kinds[0], y.kind
    mine = [order.index(j) for j in range(len(new.holes))]  # the old hole for each new one
    holes, stage = len(old.holes), old.labels[len(old.holes) :]
    slots = {core_slots(old) + k: core_slots(new) + k for k in range(len(stage))}
    slots |= {old.holes[mine[j]]: slot for j, slot in enumerate(new.holes)}
    labels = (*(old.labels[m] for m in mine), *stage)
    columns = dict(_columns(form.columns, slots, {m: j for j, m in enumerate(mine)}, holes))
    for s in range(core_slots(new)):
        if s not in new.holes:
            columns["base", 0, s, 0] = y.sample.form.columns["base", 0, s, 0]
    kind = FormKind(new.skeleton, old.mode, labels, new.holes, core_slots(new) + len(stage))
    letters = tuple(dict.fromkeys(x for label in labels for x in label))
    return replace(form, kinds=(kind,), columns=columns, letters=letters)


def _columns(
    columns: Mapping[Column, int], slots: Mapping[int, int], blocks: Mapping[int, int], holes: int
) -> Iterator[tuple[Column, int]]:
    for (what, kind, slot, digit), value in columns.items():
        if what == "radix" or slot == -1:
            yield (what, kind, slot, digit), value
        elif what == "block":
            yield (what, kind, blocks[slot] if slot < holes else slot, digit), value
        elif slot in slots:
            yield (what, kind, slots[slot], digit), value
