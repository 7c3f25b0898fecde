"""The price tables of AArch64 CPUs out of llvm-mca.

Tables have every instruction of Neon, whichever of them the CPU has, and what LLVM takes of SVE
where a CPU has that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bench.costs.arm_shapes import candidates, scalable_candidates
from bench.costs.facts import with_facts
from bench.costs.mca import Mca
from bench.costs.tables import one_line_per_form, origin, priced
from isel.cost.writer import write_prices
from semantics.arm import costs
from semantics.arm.asm import read_operation
from semantics.arm.isa import ISA
from semantics.arm.target import cpus

_FEATURES: Final = "aes crc dotprod fullfp16 i8mm rdm sha2 sha3 sm4"


def _mca(*more: str) -> Mca:
    attributes = (*(f"+{f}" for f in _FEATURES.split()), *more)
    none = re.compile(r"(?!)")  # all end
    return Mca(ISA.machine.triple, endless=none, attributes=",".join(attributes))


MCA: Final = _mca("-sve", "-sve2")
SCALABLE: Final = _mca("+sve")


def _has_sve(cpu: str) -> bool:
    return "sve" in cpus().of(cpu)


def table_of(cpu: str) -> str:
    """Return the table of ``cpu`` for every form that there is."""
    sve = SCALABLE.existing(list(scalable_candidates())) if _has_sve(cpu) else ()
    return price_table(cpu, [*MCA.existing(list(candidates())), *sve])


def price_table(cpu: str, lines: Sequence[str]) -> str:
    """Return the table of ``cpu`` for the forms of ``lines`` as text."""
    mca = SCALABLE if _has_sve(cpu) else MCA
    prices, guessed = priced(one_line_per_form(lines, read_operation), mca, cpu)
    forms = f"forms: {len(prices.rows)}, of which port groups guessed: {guessed}"
    return write_prices(with_facts(prices, costs.__name__), [*origin(MCA, lines), forms])
