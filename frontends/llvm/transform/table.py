"""The transforms by name, in the order in which they are tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from isel.model.mechanisms import Mechanism


@dataclass(frozen=True, slots=True)
class Row:
    """A transform: its name, what it does in one line, and the module that it is in."""

    name: str
    says: str
    module: str


CARRIED_LOADS: Final = "carried-loads"
REGROUPED_REDUCTIONS: Final = "regrouped-reductions"
WINDOWS: Final = "windows"
TRANSFORMS: Final = (
    Row(
        CARRIED_LOADS,
        "an unaligned load in place of a shuffle of what earlier iterations loaded",
        "frontends.llvm.opt.carried",
    ),
    Row(
        REGROUPED_REDUCTIONS,
        "accumulators of a loop with other lanes, in the order of what they are computed from",
        "frontends.llvm.loops.reforms",
    ),
    Row(
        WINDOWS,
        "proved programs of the search in place of expressions",
        "frontends.llvm.opt.function",
    ),
)
MECHANISMS: Final = tuple(Mechanism(row.name, "transform", row.says) for row in TRANSFORMS)
