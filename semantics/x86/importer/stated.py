"""The formulas in ``patches.tsv``, stated because the guide's loops carry a position that depends
on the mask; each is checked by running its text.
"""

from __future__ import annotations

import re

from semantics.importing.patches import Patch
from semantics.x86.importer.patches import ALL
from semantics.x86.importer.spec import Intrinsic


def formula_for(entry: Intrinsic) -> Patch | None:
    """Return the formula that is stated for an entry, or None."""
    formulas = (p for p in ALL if p.kind == "formula")
    return next((f for f in formulas if re.fullmatch(f.edits[0][0], entry.name)), None)


def lane_of(formula: Patch, lanes: int, width: int) -> str:
    """Return the formula of a lane."""
    return formula.edits[0][1].format(lanes=lanes, width=width, bits=lanes.bit_length() - 1)


def definitions(lanes: int) -> tuple[tuple[str, str], ...]:
    """Return what the formulas use: the mask as a number."""
    return (("K", f"fold(concat, q0 < {lanes}, k[q0])"),)
