"""What is said of two functions by whoever made one of the other: where the source stands whenever
the target comes to a block, and what it goes through while the target does the block.

A witness claims and shows nothing: :mod:`frontends.llvm.cuts.follow` looks at each word of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from frontends.llvm.text.ast import Instr
from frontends.llvm.text.view import View
from isel.model.steps import SILENT, Hints

if TYPE_CHECKING:
    from frontends.llvm.function.graph import Graph


@dataclass(frozen=True, slots=True)
class Stand:
    """Where the source stands: where a block begins, or ``ended``, when all of it is done but for
    where it goes.

    ``last`` is of a loop of one block: whether the pass that comes is known to be the last one; of
    one that has ``ended``, that it was the last or else the next one is.
    """

    label: str
    ended: bool = False
    last: bool | None = None


@dataclass(frozen=True, slots=True)
class Leg:
    """The blocks that the source goes through (``runs``) from where it stands, while the target
    does one; with ``early``, what these load comes first, and each byte is written once.  ``bits``
    are phis, where it stands, of which each lane has no more than so many.
    """

    stand: Stand
    runs: tuple[str, ...] = ()
    early: bool = False
    bits: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Phis that hold the same together: by blocks of the target, those of the source whose lanes,
    all of them by ``join``, are what those of the target are by ``other``, after a ``cast`` or cut
    to as many bits.
    """

    join: str
    other: str
    cast: str
    phis: Mapping[str, Sequence[tuple[Sequence[str], Sequence[str]]]]


Witness: TypeAlias = Mapping[str, Leg]  # by the labels of the target

# Phis of a function, with lines that compute what each is where its block begins: of other phis of
# the block, of what comes from above and of memory; the last of them gives the value.
States: TypeAlias = Mapping[str, Sequence[str]]

# Slots of a function, with the headers of loops that store to each, and of those that load what is
# stored in the pass with the same numbers, the outer ones first.
Slots: TypeAlias = Mapping[str, Sequence[tuple[str, str]]]

Computes: TypeAlias = Callable[[Instr], bool]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two loops of the source, by their headers, whose passes come in another order: of one behind
    the other a pass of each in turn; of the second in the first, ``times`` passes of the outer one
    at once, or where that is 0 the inner one around the outer one.
    """

    first: str
    second: str
    times: int = 0


@dataclass(frozen=True, slots=True)
class Guesses:
    """Who says what two functions look like, the source first; who says nothing if not told.

    ``stands`` says where the source stands, with or without phis of fewer bits, ``frozen`` what it
    loads and the target alone freezes then, for all others, ``slots`` what those of a function are
    stored and loaded in, and ``states`` what phis are where their blocks begin.  ``sums`` says
    which phis hold the same together, of the blocks of the source by those of the target, and of
    what tells which calls are instructions of the target's machine; ``exchange`` which passes come
    in another order; ``hints`` help the proofs of terms.
    """

    stands: Callable[[View, View, bool], Witness | None] = lambda *_: None
    frozen: Callable[[View, View], Sequence[str]] = lambda *_: ()
    slots: Callable[[View], Slots] = lambda _: {}
    states: Callable[[Graph], States] = lambda _: {}
    sums: Callable[[View, View, Mapping[str, str], Computes], Sequence[Sums]] = lambda *_: ()
    exchange: Callable[[View, View], Exchange | None] = lambda *_: None
    hints: Hints = SILENT

    def told(self, exchanges: Sequence[Exchange]) -> Guesses:
        """Return one who says what was handed over, each once, if anything was."""
        left = iter(exchanges)
        return replace(self, exchange=lambda *_: next(left, None)) if exchanges else self


UNTOLD: Final = Guesses()
