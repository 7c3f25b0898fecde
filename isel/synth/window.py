"""A window: the piece of a program that is searched, proved and replaced as one."""

from __future__ import annotations

from dataclasses import dataclass

from isel.ir.expr import Expr
from isel.ir.text import show


@dataclass(frozen=True, slots=True)
class Leaf:
    """An input vector of ``lanes`` elements of ``width`` bits; lane i is ``elem(name, i*width, width)``."""

    name: str
    width: int
    lanes: int


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


@dataclass(frozen=True, slots=True)
class Window:
    """Roots over leaves; ``facts`` are one-bit terms that hold for every concrete execution.

    ``price`` is what the window's present code costs, in hundredths of a cycle, where that is known:
    programs that cost clearly more are of no use.
    """

    leaves: tuple[Leaf, ...]
    roots: tuple[Root, ...]
    facts: tuple[Expr, ...] = ()
    price: int | None = None

    def text(self) -> str:
        """Return deterministic text that determines the window; the cache's key is made of it."""
        lines = [f"leaf {x.name} {x.lanes}x{x.width}" for x in self.leaves]
        for r in self.roots:
            lines.append(f"root {len(r.lanes)}x{r.width}")
            for e, d in zip(r.lanes, r.defined, strict=True):
                known = d.is_const and d.value == 1
                lines.append(("  -" if e is None else f"  {show(e)}") + ("" if known else f" if {show(d)}"))
        lines.extend(f"fact {show(f)}" for f in self.facts)
        if self.price is not None:
            lines.append(f"price {self.price}")
        return "\n".join(lines) + "\n"
