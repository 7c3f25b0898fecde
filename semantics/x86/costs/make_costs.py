"""Make the shipped price tables from llvm-mca:
``python -m semantics.x86.costs.make_costs [cpu …]``.

Needs Debian's llvm-19; the result is the same bytes on every machine with that version.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from isel.cost.ports import Usage
from isel.cost.prices import Closed, Likened, Price, Prices, write_prices
from semantics.costs import groups
from semantics.costs.mca import Fact, Mca, Tables
from semantics.x86.asm import read_operation
from semantics.x86.costs.corrections import corrected
from semantics.x86.costs.shapes import candidates

CPUS = (
    "alderlake",
    "haswell",
    "icelake-server",
    "sapphirerapids",
    "skylake-avx512",
    "znver3",
    "znver4",
    "znver5",
)
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


def one_line_per_form(lines: Sequence[str]) -> dict[str, str]:
    """Return the first line of each instruction form, by form."""
    forms: dict[str, str] = {}
    for line in lines:
        forms.setdefault(read_operation(line).form, line)
    return {form: forms[form] for form in sorted(forms)}


def price_table(cpu: str, lines: Sequence[str]) -> str:
    """Return the table of ``cpu`` for the forms of ``lines`` as text."""
    forms = one_line_per_form(without_evex(lines, cpu) if cpu in _WITHOUT_AVX512 else lines)
    lines_kept = list(forms.values())
    tables = MCA.tables(lines_kept, cpu)
    dispatch = MCA.dispatch_width(cpu)
    usages, guessed = _usages(lines_kept, tables, cpu, dispatch)
    facts = zip(forms, tables.facts, usages, strict=True)
    rows = {form: Price(f.uops, f.latency, round(f.throughput, 4), u) for form, f, u in facts}
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    prices, changed = corrected(
        Prices(cpu, dispatch, tables.ports, rows, "", _closed(cpu, tables.ports), _LIKENED.get(cpu))
    )
    notes = [
        f"tool: {MCA.version()}",
        f"input: sha256 {digest}",
        f"forms: {len(rows)}, of which port groups guessed: {guessed}, corrected: {changed}",
    ]
    return write_prices(prices, notes)


def _closed(cpu: str, ports: Sequence[str]) -> Closed | None:
    return Closed(1 << ports.index(_CLOSED[cpu]), ("xmm", "ymm"), "zmm") if cpu in _CLOSED else None


def _usages(
    lines: Sequence[str], tables: Tables, cpu: str, dispatch: int
) -> tuple[list[tuple[Usage, ...]], int]:
    """Decompose one line of each distinct fact, which stands for one scheduling class."""
    first: dict[Fact, int] = {}
    for i, fact in enumerate(tables.facts):
        first.setdefault(fact, i)
    probes = groups.pure_groups(lines, tables.facts)
    some = list(first.values())
    found, guesses = groups.decompose(
        [lines[i] for i in some],
        [tables.facts[i] for i in some],
        _units(tables.ports),
        probes,
        MCA,
        cpu,
        dispatch,
    )
    by_fact = dict(zip(first, found, strict=True))
    return [by_fact[fact] for fact in tables.facts], guesses


def _units(ports: Sequence[str]) -> list[int]:
    masks: dict[str, int] = {}
    for i, port in enumerate(ports):
        name, dot, _ = port.partition(".")
        if dot:
            masks[name] = masks.get(name, 0) | 1 << i
    return list(masks.values())


def main(arguments: Sequence[str]) -> int:
    """Write the tables of the CPUs named in ``arguments``, or of all."""
    lines = MCA.existing(list(candidates()))
    for cpu in arguments or CPUS:
        path = Path(__file__).with_name(f"{cpu}.tsv")
        path.write_text(price_table(cpu, lines), encoding="utf-8")
        sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} kB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
