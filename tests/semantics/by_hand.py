"""The instructions written by hand before the vendor's text was imported, and those that the
text gives for them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from isel.spec.instruction import Instruction
from isel.spec.sem import read_sem

_HERE = Path(__file__).parent / "handwritten"


@cache
def by_hand() -> dict[str, Instruction]:
    return {
        i.name: i
        for f in sorted(_HERE.glob("*.sem"))
        for i in read_sem(f.read_text(), f.name, check=False)
    }


@cache
def pairs() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return name, name of the imported one, and its operands in the order of the former."""
    rows = (
        line.split("\t")
        for line in (_HERE / "pairs.tsv").read_text().splitlines()
        if not line.startswith("#")
    )
    return tuple((name, imported, tuple(operands.split())) for name, imported, operands in rows)
