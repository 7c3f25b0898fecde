"""The transforms by name, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from isel.model.mechanisms import Mechanism, enabled

if TYPE_CHECKING:  # the command line reads the names alone
    from frontends.llvm.transform.site import Transform


@dataclass(frozen=True, slots=True)
class Row:
    """A transform: its name, which is its module's, what it does in one line, a word without which
    a module of LLVM IR has no site, whether it is tried where it alone is no gain, whether a
    function is rewritten without it first, which it must be as fast as, and whether it has several
    ways to write a function, which stand side by side.
    """

    name: str
    says: str
    word: str
    patient: bool = field(default=False, kw_only=True)
    rival: bool = field(default=False, kw_only=True)
    several: bool = field(default=False, kw_only=True)

    def load(self) -> Transform:
        """Import it."""
        return cast("Transform", import_module(f"{__package__}.{self.name.replace('-', '_')}"))


# Of a function before windows are cut.
BEFORE_WINDOWS: Final = (
    Row(
        "fully-unrolled-loops",
        "the few passes of a loop one after the other, each without branches that it decides",
        "= phi i",
        patient=True,
    ),
    Row(
        "fused-loops",
        "two loops of as many passes, one behind the other, as one where both access the same",
        "= phi i",
    ),
    Row(
        "peeled-passes",
        "the first pass of a loop before it, where what it carries is the same in all others",
        "= phi ",
    ),
    Row(
        "checked-blocks",
        "a block of scalars that may meet in memory as vectors, behind a check that they do not",
        "store ",
        patient=True,
    ),
    Row(
        "passes-as-lanes",
        "a loop of few passes over scalars as vectors, a lane for each pass",
        "= phi i",
        patient=True,
    ),
    Row(
        "wide-integers",
        "integers of more than 64 bits, joined bit by bit and moved by bytes, as vectors of bytes",
        " i128 ",
        patient=True,
    ),
    Row(
        "carried-loads",
        "an unaligned load in place of a shuffle of what earlier iterations loaded",
        "shufflevector",
        patient=True,
    ),
    Row(
        "reused-columns",
        "columns of a stencil computed once: moved within a block, carried from pass to pass",
        "load <",
        patient=True,
        rival=True,
    ),
    Row(
        "table-loads",
        "lanes of a table in registers in place of scalars that are loaded from it",
        "insertelement",
        patient=True,
    ),
    Row(
        "neighbouring-loads",
        "one vector load in place of scalar loads of neighbours that are put together",
        "insertelement",
    ),
    Row(
        "packed-factors",
        "what a loop gathers and a loop around it does not change, packed before that",
        "insertelement",
        patient=True,
    ),
    Row(
        "jammed-loops",
        "passes of a loop around another one at once, where they load the same in that one",
        "load <",
        patient=True,
        rival=True,
    ),
    Row(
        "unrolled-loops",
        "passes of a loop as one, that adds a product in each, or stores half a register",
        "= phi i",
        patient=True,
    ),
    Row(
        "joined-windows",
        "one store of a whole register in place of two of its halves, computed alike",
        "store <",
        patient=True,
        rival=True,
    ),
    Row(
        "narrow-lanes",
        "lanes that a loop carries, in as few bits as the greatest of them needs",
        "phi <",
        patient=True,
    ),
    Row(
        "frozen-loads",
        "one frozen load in place of neighbours under a reduction, where memory is written",
        "@llvm.vector.reduce.",
        patient=True,
    ),
)
REGROUPED_REDUCTIONS: Final = "regrouped-reductions"
WINDOWS: Final = "windows"
# Of what those before left: ways to write it, side by side, and what is written in the end.
LAST: Final = (
    Row(
        REGROUPED_REDUCTIONS,
        "accumulators of a loop with other lanes, in the order of what they are computed from",
        "reduce.",
        several=True,
    ),
    Row(WINDOWS, "proved programs of the search in place of expressions", "<"),
)
MECHANISMS: Final = tuple(
    Mechanism(row.name, "transform", row.says) for row in (*BEFORE_WINDOWS, *LAST)
)


def before_windows(disabled: Collection[str]) -> Iterator[Row]:
    """Yield the transforms that are on and come before windows."""
    return (row for row in (*BEFORE_WINDOWS, *LAST[:-1]) if enabled(disabled, row.name))
