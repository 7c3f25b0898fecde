"""The price tables of x86 CPUs out of llvm-mca, and corrections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bench.costs.corrections import corrected
from bench.costs.facts import with_facts
from bench.costs.mca import Mca
from bench.costs.tables import one_line_per_form, origin, priced
from bench.costs.x86_shapes import candidates
from isel.cost.prices import Closed, Likened
from isel.cost.writer import write_prices
from semantics.x86 import costs
from semantics.x86.asm import read_operation

_WITHOUT_AVX512 = frozenset({"alderlake", "haswell", "znver3"})
# Port 1 takes no vector operation while 512-bit ones are under way (Intel's optimization manual on
# the server cores); llvm-mca does not know.
_CLOSED = {
    "sapphirerapids": "SPRPort01",
    "icelake-server": "ICXPort1",
    "skylake-avx512": "SKXPort1",
}
# llvm-mca has the products of AVX512-VNNI and IFMA on registers at a quarter of the rate of the
# same with an operand in memory, and of their forms of AVX-VNNI. Zen 4 runs all of them at the rate
# of other products (uops.info, VPDPWSSD and VPMADD52LUQ: 0.5 cycles, 1 for 512 bits).
_LIKENED = {
    "znver4": Likened(
        ("vpdpbusd", "vpdpbusds", "vpdpwssd", "vpdpwssds", "vpmadd52huq", "vpmadd52luq"), "vpmaddwd"
    )
}
_LIKENED["znver5"] = _LIKENED["znver4"]

MCA = Mca(
    "x86_64-unknown-linux-gnu",
    re.compile(
        r"v?(?:aeskeygenassist|dpp[sd]) "
    ),  # on some CPUs llvm-mca 19 does not end its simulation
)


def without_evex(lines: Sequence[str], cpu: str) -> list[str]:
    """Return the lines that are neither EVEX-encoded nor mask instructions."""
    return [
        line
        for line, code in zip(lines, MCA.encodings(lines, cpu), strict=True)
        if code != "0x62" and "%k" not in line
    ]


def table_of(cpu: str) -> str:
    """Return the table of ``cpu`` for every form that there is."""
    return price_table(cpu, MCA.existing(list(candidates())))


def price_table(cpu: str, lines: Sequence[str]) -> str:
    """Return the table of ``cpu`` for the forms of ``lines`` as text."""
    known = without_evex(lines, cpu) if cpu in _WITHOUT_AVX512 else lines
    found, guessed = priced(one_line_per_form(known, read_operation), MCA, cpu)
    closed = _closed(cpu, found.ports)
    prices, changed = corrected(replace(found, closed=closed, likened=_LIKENED.get(cpu)))
    prices = with_facts(prices, costs.__name__)
    forms = f"forms: {len(found.rows)}, of which port groups guessed: {guessed}"
    return write_prices(prices, [*origin(MCA, lines), f"{forms}, corrected: {changed}"])


def _closed(cpu: str, ports: Sequence[str]) -> Closed | None:
    return Closed(1 << ports.index(_CLOSED[cpu]), ("xmm", "ymm"), "zmm") if cpu in _CLOSED else None
