"""The formulas in ``patches.tsv``, stated because the guide's loops carry a position that depends
on the mask, or have no short form; each is checked by running its text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from semantics.importing.patches import Patch
from semantics.x86.importer.patches import ALL
from semantics.x86.importer.spec import Intrinsic


def formula_for(entry: Intrinsic) -> Patch | None:
    """Return the formula that is stated for an entry, or None."""
    formulas = (p for p in ALL if p.kind == "formula")
    return next((f for f in formulas if re.fullmatch(f.edits[0][0], entry.name)), None)


def lane_of(formula: Patch, lanes: int, width: int, names: Sequence[str]) -> str:
    """Return the formula of a lane, of parameters of these names."""
    sizes = {"lanes": lanes, "width": width, "bits": lanes.bit_length() - 1}
    return formula.edits[0][1].format(*names, **sizes)


def legal(formula: Patch) -> tuple[int, ...]:
    """Return the values of an immediate of what a formula is of."""
    return tuple(map(int, formula.edits[0][2].split()))


def definitions(lane: str, lanes: int) -> tuple[tuple[str, str], ...]:
    """Return what a formula uses: the mask as a number."""
    return (("K", f"fold(concat, q0 < {lanes}, k[q0])"),) if "K" in lane else ()
