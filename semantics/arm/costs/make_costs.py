"""Make the shipped price tables from llvm-mca:
``python -m semantics.arm.costs.make_costs [cpu …]``.

Needs Debian's llvm-19; the result is the same bytes on every machine with that version.  Tables
have every instruction of Neon, whichever of them the CPU has, and what LLVM takes of SVE
where a CPU has that.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from isel.cost.writer import write_prices
from semantics.arm.asm import read_operation
from semantics.arm.costs import TABLES
from semantics.arm.costs.shapes import candidates, scalable_candidates
from semantics.arm.isa import ISA
from semantics.arm.target import cpus
from semantics.costs.facts import with_facts
from semantics.costs.mca import Mca
from semantics.costs.tables import one_line_per_form, origin, priced

_FEATURES: Final = "aes crc dotprod fullfp16 i8mm rdm sha2 sha3 sm4"


def _mca(*more: str) -> Mca:
    attributes = (*(f"+{f}" for f in _FEATURES.split()), *more)
    none = re.compile(r"(?!)")  # all end
    return Mca(ISA.machine.triple, endless=none, attributes=",".join(attributes))


MCA: Final = _mca("-sve", "-sve2")
SCALABLE: Final = _mca("+sve")


def _has_sve(cpu: str) -> bool:
    return "sve" in cpus().of(cpu)


def price_table(cpu: str, lines: Sequence[str]) -> str:
    """Return the table of ``cpu`` for the forms of ``lines`` as text."""
    mca = SCALABLE if _has_sve(cpu) else MCA
    prices, guessed = priced(one_line_per_form(lines, read_operation), mca, cpu)
    forms = f"forms: {len(prices.rows)}, of which port groups guessed: {guessed}"
    return write_prices(with_facts(prices, str(__package__)), [*origin(MCA, lines), forms])


def main(arguments: Sequence[str]) -> int:
    """Write the tables of the CPUs named in ``arguments``, or of all."""
    neon = MCA.existing(list(candidates()))
    sve = SCALABLE.existing(list(scalable_candidates()))
    for cpu in arguments or TABLES:
        lines = [*neon, *sve] if _has_sve(cpu) else neon
        path = Path(__file__).with_name(f"{cpu}.tsv")
        path.write_text(price_table(cpu, lines), encoding="utf-8")
        sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} kB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
