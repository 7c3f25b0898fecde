"""Which looks of values a comparison of two terms takes, and what is then to be shown of lanes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from frontends.llvm.cuts.apart import Apart
from frontends.llvm.cuts.block_memory import MEMORY
from frontends.llvm.meaning.lanes import NO, Value
from frontends.llvm.meaning.limits import LOOKS_WAYS
from frontends.llvm.paths.inputs import poison_bit
from isel.ir.build import all_of, band, bnot, bor, ne
from isel.ir.canon import canonical, instantiate, matched
from isel.ir.expr import Expr, elem, joined_by, leaves
from isel.verify.choices import Lane, Problem
from isel.verify.samples import sample_model


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A look at a leaf: its lanes, and by their offsets and widths the numbers of the lanes of the
    result that depend on each.
    """

    name: str
    lanes: set[Expr] = field(default_factory=set)
    uses: dict[tuple[int, int], set[int]] = field(default_factory=dict)

    @property
    def what(self) -> str:
        """The leaf."""
        return self.name.split(".")[1]

    def held_by(self, others: Mapping[str, _Look]) -> list[_Look]:
        """Return the looks at the same leaf that have all its lanes, alike in use first."""
        alike = (t for t in others.values() if t.what == self.what)
        has = (t for t in alike if self.uses.keys() <= t.uses.keys())
        return sorted(has, key=lambda t: -sum(len(x & t.uses[u]) for u, x in self.uses.items()))


def chosen_looks(source: Value, target: Value, apart: Apart) -> dict[Expr, Expr]:
    """Choose the source's looks.

    Each is one of the target's looks at the leaf, as a whole, that has all its lanes: one that is
    used for the same lanes of the result, as each of its lanes is, first, and one with which
    samples do not tell the first such lane from the target's; or it is anything.  Units of memory
    as the caller gave it follow looks one by one, and so do lanes that are undef each by itself
    where no look has them all.
    """
    theirs, mine = _looks(target, "T."), _looks(source, "S.")
    fitting: dict[str, list[str]] = {}
    found: dict[Expr, Expr] = {}
    for look in mine.values():
        has = look.held_by(theirs)
        fitting[look.name] = [t.name for t in has[:LOOKS_WAYS]] or [f"D.{look.name[2:]}"]
        single = not has and all(apart.lane(look.what, x) for x in look.lanes)
        if single or apart.memory(look.what):
            found.update(_one_by_one(look, theirs))
    for (e, p), (f, q) in zip(source.rows, target.rows, strict=True):
        new = dict.fromkeys(x.source for x in leaves(e, p) if x.source in mine and x not in found)
        *trials, last = _trials({mine[name]: fitting[name] for name in new})
        lane = Lane("", e, p, f, q)
        lanes = ((t, plain(lane.over({**found, **t})).fine()) for t in trials)  # not seen wrong
        able = (t for t, fine in lanes if sample_model(canonical(bnot(fine))[0]) is None)
        found.update(next(able, last))
    return found


def _trials(fitting: Mapping[_Look, Sequence[str]]) -> list[dict[Expr, Expr]]:
    """Return the lanes of some looks as lanes of the looks that fit each, in as many ways as there
    are of one; one way of none.
    """
    return [
        {
            x: elem(to[min(k, len(to) - 1)], x.offset, x.width)
            for look, to in fitting.items()
            for x in look.lanes
        }
        for k in range(max(map(len, fitting.values()), default=1))
    ]


def _one_by_one(look: _Look, theirs: Mapping[str, _Look]) -> Iterator[tuple[Expr, Expr]]:
    """Yield for units of memory that the source looks at together one look of the target each:
    the first of those that are used for most of the same lanes of the result, and that are at
    most of the same units.
    """

    def alike(t: _Look) -> tuple[int, int]:
        return len(mine & t.uses[unit]), len(look.uses.keys() & t.uses.keys())

    beside = [t for t in theirs.values() if t.what == look.what]
    for x in look.lanes:
        unit = (x.offset, x.width)
        seen = [t for t in beside if unit in t.uses]
        if seen:
            mine = look.uses[unit]
            yield x, elem(max(seen, key=alike).name, *unit)


def _looks(value: Value, side: str) -> dict[str, _Look]:
    """Return the looks that a value depends on."""
    found: dict[str, _Look] = {}
    for k, (e, p) in enumerate(value.rows):
        for x in leaves(e, p):
            if x.source[:2] == side:
                look = found.setdefault(x.source, _Look(x.source))
                look.lanes.add(x)
                look.uses.setdefault((x.offset, x.width), set()).add(k)
    return found


def where_defined(target: Value, source: Value) -> Value:
    """Return a value of the target that sees of memory what the source does where that is promised
    to be defined: each look is the same then.
    """
    mine = [x for x in leaves(*source.lanes) if x.source[:1] == MEMORY]
    fixed = {(x.source, x.offset, x.width): x for x in mine}
    terms = {poison_bit(x.source, x.offset // x.width): NO for x in mine}
    for x in leaves(*target.lanes) if mine else ():
        side, what, *_ = (*x.source.split("."), "")
        terms[x] = fixed.get((what, x.offset, x.width), x) if side == "T" else x
    return target.over(terms)


def seen_as(leaf: Value, value: Value) -> Value:
    """Return a leaf of the target as another value looks at it if it does so once, else as it is.

    ``leaf`` is one look at all its lanes.
    """
    what = leaf.lanes[0].source.split(".")[1]
    looks = {x.source for x in leaves(*value.lanes) if x.source.split(".")[:2] == ["T", what]}
    if len(looks) != 1:
        return leaf
    look = looks.pop()
    lanes = tuple(elem(look, x.offset, x.width) for x in leaf.lanes)
    return Value(leaf.width, lanes, leaf.poison)


def lanes_of(
    source: Value, target: Value, looks: Mapping[Expr, Expr], pinned: frozenset[Expr]
) -> list[Lane]:
    """Return what is to be shown of lanes, the source's looks replaced: of those that are alike but
    for the names of their leaves one.

    ``pinned`` are leaves of which more is known.  Where a lane is of interest only if a leaf is not
    poison, it is not.
    """
    forms: list[Expr] = []
    kept: list[Lane] = []
    for k, ((e, p), (f, q)) in enumerate(zip(source.rows, target.rows, strict=True)):
        wrong = band(bnot(p), bor(q, ne(e, f)))
        xs = leaves(wrong)
        names = _neutral(xs, looks)
        wrong = instantiate(wrong, names)
        if pinned.isdisjoint(xs):
            if any(matched(form, wrong) is not None for form in forms):
                continue
            forms.append(canonical(wrong)[0])
        kept.append(plain(Lane(f"lane {k}", e, p, f, q).over(names)))
    return kept


def seen_wrong(problem: Problem) -> bool:
    """Tell whether samples show that it is not so: before a solver is asked of the first lane
    the last has been looked at.
    """
    keys = {canonical(all_of(o.negation(), *problem.facts))[0] for o in problem.obligations()}
    return any(sample_model(key) is not None for key in keys)


def plain(lane: Lane) -> Lane:
    """Return a lane where leaves are not poison with which the source's is: nothing is asked of
    it then.
    """
    bits = {x: NO for x in joined_by("or", lane.source_poison) if x.is_leaf}
    return lane.over(bits) if bits else lane


def _neutral(xs: Sequence[Expr], looks: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """Return names for the looks of a lane that do not depend on the lane, so that terms of all
    lanes are in one order.
    """
    chosen = {x: looks.get(x, x) for x in xs}
    ranks = {
        s: n
        for n, s in enumerate(
            sorted(
                {y.source for y in chosen.values() if y.source[1:2] == "."},
                key=lambda s: (len(s), s),
            )
        )
    }
    return {
        x: elem(f"{y.source.rpartition('.')[0]}.n{ranks[y.source]}", y.offset, y.width)
        for x, y in chosen.items()
        if y.source in ranks
    }


def once(looks: Mapping[Expr, Expr]) -> bool:
    """Tell whether every look that the source takes was made once and for all: a choice made
    once may rest on no other.
    """
    return all(
        e.source[:2] != "T." or e.source.split(".")[2].startswith("f") for e in looks.values()
    )
