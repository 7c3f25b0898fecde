"""A window: the piece of a program that is searched, proved and replaced as one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from isel.ir.build import concat
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, elem, leaves, show


@dataclass(frozen=True, slots=True)
class Leaf:
    """An input vector of ``lanes`` elements of ``width`` bits; lane i is
    ``elem(source, first + i*width, width)``.

    Its source is itself, or the ``region`` of which it and other leaves hold parts, ``first`` bits
    into it: memory, or a scalar. A leaf with a ``period`` holds the same so many bits again and
    again; one that is a ``scalar`` is that, repeated after it was frozen, so that its lanes are
    alike even where it is undefined.  An ``invariant`` leaf has one value while the window's loop
    runs: what is made of such leaves alone is made once.
    """

    name: str
    width: int
    lanes: int
    region: str = ""
    first: int = 0
    period: int = 0
    scalar: bool = False
    invariant: bool = False

    @property
    def source(self) -> str:
        """What the elements are elements of."""
        return self.region or self.name

    def element(self, at: int, width: int) -> Expr:
        """Return ``width`` bits of the leaf, ``at`` bits into it."""
        if not self.period:
            return elem(self.source, self.first + at, width)
        at %= self.period
        near = min(width, self.period - at)
        low = elem(self.source, self.first + at, near)
        return low if near == width else concat(self.element(at + near, width - near), low)


@dataclass(frozen=True, slots=True)
class Root:
    """An output vector: the value of each lane over the leaves, and when it is defined.

    ``defined`` holds a one-bit term a lane: where it is 0 the source lane is poison for concrete
    leaves (a violated flag, an oversized shift) and anything may replace it.
    A lane whose term is ``None`` is never used.
    """

    width: int
    lanes: tuple[Expr | None, ...]
    defined: tuple[Expr, ...]


WORDS: Final = ("scalar", "invariant")  # of a leaf, in a window's text


def _apart(x: Leaf) -> Leaf:
    """Return a leaf that has nothing in common with others; a scalar keeps its lanes alike."""
    alone = Leaf(x.name, x.width, x.lanes, invariant=x.invariant)
    return replace(alone, region=f"{x.name}.", period=x.width, scalar=True) if x.scalar else alone


class TwoReads(Exception):
    """A lane reads a bit of a region in two places, which may differ where it is undefined."""


@dataclass(frozen=True)
class Window:
    """Roots over leaves; ``facts`` are one-bit terms that hold for every concrete execution.

    ``price`` is what the window's present code costs, in hundredths of a cycle, where that is
    known: programs that cost clearly more are of no use.
    """

    leaves: tuple[Leaf, ...]
    roots: tuple[Root, ...]
    facts: tuple[Expr, ...] = ()
    price: int | None = None

    @cached_property
    def _placed(self) -> dict[str, Leaf]:
        return {x.name: x for x in self.leaves if x.region}

    def regional(self, e: Expr) -> Expr:
        """Return a term over elements of leaves, each by its own name, over regions."""
        if not self._placed:
            return e
        own = (x for x in leaves(e) if x.op == "elem" and x.source in self._placed)
        new = {x: self._placed[x.source].element(x.offset, x.width) for x in own}
        return instantiate(e, new) if new else e

    @property
    def shares(self) -> bool:
        """Tell whether leaves have something in common, or one with itself but for scalars."""
        own = {x.region for x in self.leaves if x.scalar}
        regions = [x.region for x in self.leaves if x.region]
        return len(regions) > len(set(regions)) or not own.issuperset(regions)

    def in_regions(self) -> Window:
        """Return the window with its terms over regions."""
        if not self._placed:
            return self
        roots = []
        for r in self.roots:
            lanes = tuple(None if e is None else self.regional(e) for e in r.lanes)
            roots.append(Root(r.width, lanes, tuple(map(self.regional, r.defined))))
        return replace(self, roots=tuple(roots), facts=tuple(map(self.regional, self.facts)))

    def apart(self) -> Window:
        """Return the window with leaves that have nothing in common, without those that its
        terms do not read.
        """
        terms = [e for r in self.roots for e in (*r.lanes, *r.defined) if e is not None]
        read = {x.source for e in (*terms, *self.facts) for x in leaves(e)}
        return replace(self, leaves=tuple(_apart(x) for x in self.leaves if x.name in read))

    def placed(self, e: Expr) -> Expr:
        """Return :meth:`regional` of what a program gives in a lane.

        Raises :class:`TwoReads` where the term has a bit from two leaves, or from two places of one
        (REFINEMENT R6): each element of each leaf is frozen by itself, and what is undefined need
        not be read the same twice.  Lanes are independent: each use of what is undefined is.
        """
        readers: dict[tuple[str, int], tuple[str, int]] = {}
        for x in leaves(e):
            leaf = self._placed.get(x.source) if x.op == "elem" else None
            for at in range(x.offset, x.offset + x.width) if leaf is not None else ():
                assert leaf is not None
                inside = at % leaf.period if leaf.period else at
                here = (leaf.name, inside if leaf.scalar else at)
                if readers.setdefault((leaf.source, leaf.first + inside), here) != here:
                    raise TwoReads
        return self.regional(e)

    def text(self) -> str:
        """Return deterministic text that determines the window; the cache's key is made of it."""
        return self._meaning if self.price is None else f"{self._meaning}price {self.price}\n"

    @property
    def digest(self) -> str:
        """A short hash of the window, whatever its present code costs."""
        return hashlib.sha256(self._meaning.encode()).hexdigest()[:16]

    def priced(self, price: int | None) -> Window:
        """Return the window with the price of its present code."""
        made = replace(self, price=price)
        made.__dict__["_meaning"] = self._meaning  # which is as long as the window
        return made

    @cached_property
    def _meaning(self) -> str:
        lines = [
            f"leaf {x.name} {x.lanes}x{x.width}"
            + (f" {x.region} {x.first} {x.period}" if x.region else "")
            + "".join(f" {word}" for word in WORDS if getattr(x, word))
            for x in self.leaves
        ]
        for r in self.roots:
            lines.append(f"root {len(r.lanes)}x{r.width}")
            for e, d in zip(r.lanes, r.defined, strict=True):
                known = d.is_const and d.value == 1
                said = "" if known else f" if {show(d)}"
                lines.append(f"  {'-' if e is None else show(e)}{said}")
        lines.extend(f"fact {show(f)}" for f in self.facts)
        return "\n".join(lines) + "\n"
