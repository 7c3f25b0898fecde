"""What each side of a refinement may choose: names that both sides share for the same choice.

A choice is ``elem("S.<what>.<n>", offset, width)`` in the source and ``T.`` in the target: the n-th
time that undef or a freeze of ``<what>`` is looked at.  Early choices (freezes, arguments of target
intrinsics) are made once, the others anew at each use of a register.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from frontends.llvm.meaning.lanes import NO, YES, Cannot, Value
from frontends.llvm.meaning.limits import CHOICE_LIMIT
from isel.ir.build import band, bnot, bor, ite
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, elem, leaves


@dataclass
class Chooser:
    """The choices that one side has made so far; ``side`` is S or T, ``numbers`` those of contents
    of frozen values, the same on both sides.
    """

    side: str
    numbers: dict[Hashable, int] = field(default_factory=dict)
    early: set[Expr] = field(default_factory=set)
    late: set[Expr] = field(default_factory=set)
    # the value that a choice most likely takes
    usual: dict[Expr, Expr] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    # late choice to the bits of the value that it decides
    masks: dict[Expr, Expr] = field(default_factory=dict)
    work: int = 0

    def number(self, content: Hashable) -> int:
        """Return the number of what both sides have."""
        return self.numbers.setdefault(content, len(self.numbers))

    def fresh(self, what: str, mark: str) -> str:
        """Return the source name of the next choices of ``what``."""
        key = f"{self.side}.{what}.{mark}"
        n = self.counts[key] = self.counts.get(key, -1) + 1
        return f"{key}{n}"

    def undef(self, what: str, offset: int, width: int, mask: Expr, value: Expr) -> Expr:
        """Return the first look at a lane that may be undef: ``value`` in the bits where
        ``mask`` is 0.
        """
        x = elem(f"{self.side}.{what}.u", offset, width)
        self.late.add(x)
        self.usual[x] = value
        self.masks[x] = mask
        return self._look(x)

    def anything(self, what: str, offset: int, width: int) -> Expr:
        """Return the first look at a lane that is undef."""
        return self.undef(what, offset, width, const(-1, width), const(0, width))

    def _look(self, x: Expr) -> Expr:
        mask = self.masks[x]
        return x if mask.is_const else bor(band(self.usual[x], bnot(mask)), band(x, mask))

    def untouched(self, e: Expr) -> bool:
        """Tell whether a term is an input as it was looked at, and not computed from it."""
        mine = [x for x in leaves(e) if x in self.masks]
        return len(mine) == 1 and e is self._look(mine[0])

    def again(self, value: Value) -> Value:
        """Return the value as another use sees it: late choices are made anew."""
        return self._rename(value, "u", early=False)

    def settled(self, value: Value, mark: str = "f") -> Value:
        """Return the value with its late choices made once and for all."""
        return self._rename(value, mark, early=True)

    def apart(self, mask: Sequence[int | None], x: Value, y: Value) -> Value:
        """Return a shuffle: where it reads a lane that may be undef again, that is another
        choice.
        """
        both, none = x.rows + y.rows, (const(0, x.width), YES)
        read: set[int] = set()
        rows = list[tuple[Expr, Expr]]()
        for k in mask:
            lane = Value.of(x.width, [none if k is None else both[k]])
            rows += (self.again(lane) if k in read else lane).rows
            read |= set() if k is None else {k}
        return Value.of(x.width, rows)

    def _rename(self, value: Value, mark: str, *, early: bool) -> Value:
        moving = [x for x in leaves(*value.lanes, *value.poison) if x in self.late]
        if not moving:
            return value
        self.work += len(moving)
        if self.work > CHOICE_LIMIT:
            raise Cannot("too many uses of values that may be undef")
        new: dict[str, str] = {}
        mapping: dict[Expr, Expr] = {}
        for x in moving:
            # the lanes of one look at a register move together, two looks stay two
            if x.source not in new:
                new[x.source] = self.fresh(x.source.split(".")[1], mark)
            y = mapping[x] = elem(new[x.source], x.offset, x.width)
            (self.early if early else self.late).add(y)
            self.usual[y] = self.usual[x]
            self.masks[y] = self.masks[x]
        return value.over(mapping)

    def frozen(self, value: Value) -> Value:
        """Return the value frozen: poison and undef become one choice a lane."""
        if all(p is NO for p in value.poison):
            return self.settled(value)
        content = (
            tuple(self.neutral(e) for e in value.lanes),
            tuple(self.neutral(p) for p in value.poison),
        )
        settled = self.settled(value)
        source = self.fresh(f"freeze{self.number(content)}", "f")
        lanes: list[Expr] = []
        for i, (e, p) in enumerate(settled.rows):
            if p is NO:
                lanes.append(e)
                continue
            x = elem(source, i * value.width, value.width)
            self.early.add(x)
            self.usual[x] = e
            lanes.append(ite(p, x, e))
        return Value(value.width, tuple(lanes), (NO,) * len(lanes))

    def neutral(self, e: Expr) -> Expr:
        """Return a term with its choices called alike on both sides."""
        return self._called(e, lambda source: source.split(".")[1])

    def stripped(self, e: Expr) -> Expr:
        """Return a term with the side taken out of its choices' names."""
        return self._called(e, lambda source: source[2:])

    def _called(self, e: Expr, name: Callable[[str], str]) -> Expr:
        mine = [x for x in leaves(e) if x in self.late or x in self.early]
        new = {x: elem(name(x.source), x.offset, x.width) for x in mine}
        return instantiate(e, new) if mine else e


def strategies(
    source: Chooser, target: Chooser, used: frozenset[Expr]
) -> tuple[Mapping[Expr, Expr], ...]:
    """Return guesses for the source's choices: the target's of the same name, the target's first of
    the kind, the usual values.

    ``used`` are the leaves that matter in the end.
    """
    theirs = (target.early | target.late) & used
    first: dict[tuple[str, int, int], Expr] = {}
    for x in sorted(theirs, key=lambda x: (x.source, x.offset)):
        first.setdefault((x.source.split(".")[1], x.offset, x.width), x)
    mine = sorted(source.early | source.late, key=lambda x: (x.source, x.offset))
    same: dict[Expr, Expr] = {}
    one: dict[Expr, Expr] = {}
    usual: dict[Expr, Expr] = {}
    for x in mine:
        twin = elem("T" + x.source[1:], x.offset, x.width)
        shared = first.get((x.source.split(".")[1], x.offset, x.width), _usual(source, x))
        one[x] = shared
        same[x] = twin if twin in theirs else shared
        usual[x] = _usual(source, x)
    guesses = [same, one, usual]
    return tuple(g for i, g in enumerate(guesses) if g not in guesses[:i])


def _usual(source: Chooser, x: Expr) -> Expr:
    """Return the likely value of a choice, over inputs only."""
    value = source.usual[x]
    mine = [y for y in leaves(value) if y in source.usual]
    return instantiate(value, {y: _input(source, y) for y in mine}) if mine else value


def _input(source: Chooser, y: Expr) -> Expr:
    value = source.usual[y]
    return value if value.is_leaf and value not in source.usual else const(0, y.width)
