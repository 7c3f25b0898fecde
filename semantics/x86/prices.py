"""Prices of instructions: from the CPU's table where it has the instruction's form."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from isel.cost.prices import Prices, read_prices
from isel.spec.instruction import Instruction

DEFAULT_CPU = "sapphirerapids"
_NEAREST = {
    "icelake-server": "sapphirerapids",
    "skylake-avx512": "sapphirerapids",
    "cascadelake": "sapphirerapids",
    "emeraldrapids": "sapphirerapids",
    "graniterapids": "sapphirerapids",
    "rocketlake": "sapphirerapids",
    "x86-64-v4": "sapphirerapids",
    "znver1": "znver4",
    "znver2": "znver4",
    "znver3": "znver4",
    "znver5": "znver4",
    "alderlake": "haswell",
    "broadwell": "haswell",
    "skylake": "haswell",
    "x86-64": "haswell",
    "x86-64-v2": "haswell",
    "x86-64-v3": "haswell",
}


@cache
def prices(cpu: str) -> Prices | None:
    """Return the table of a CPU or of the nearest that has one; None where no tables ship."""
    for name in (cpu, _NEAREST.get(cpu, DEFAULT_CPU)):
        file = files("semantics.x86") / "costs" / f"{name}.tsv"
        if file.is_file():
            return read_prices(file.read_text(encoding="utf-8"), f"{name}.tsv")
    return None


@cache
def forms() -> dict[str, tuple[str, ...]]:
    """Return the machine instructions that LLVM selects for each instruction's emission, as forms of the price tables."""
    file = files("semantics.x86") / "forms.tsv"
    if not file.is_file():
        return {}
    rows = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return {row[0]: tuple(row[1:]) for row in rows}


def instruction_cost(instruction: Instruction, cpu: str) -> int:
    """Return hundredths of a cycle of reciprocal throughput; a form without a row is priced by its size."""
    table = prices(cpu)
    known = [None if table is None else table.hundredths(f) for f in forms().get(instruction.name, ())]
    if known and None not in known:
        return sum(k for k in known if k is not None)
    widest = max(instruction.bits, *(o.bits for o in instruction.operands))
    return 102 if widest > 256 else 52
