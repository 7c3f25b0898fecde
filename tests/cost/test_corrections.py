"""Rows that a machine contradicts."""

from __future__ import annotations

from isel.cost.ports import port_bound
from semantics.x86.costs import TABLES, prices_of
from semantics.x86.costs.corrections import Correction, corrected, corrections


def cycles(cpu: str, form: str) -> float:
    row = prices_of(cpu).of(form)
    assert row is not None
    return port_bound(row.usages)


def test_a_load_that_widens_costs_no_more_than_loads() -> None:
    assert cycles("znver3", "vpmovzxbw ymm,mem") == 0.5 == cycles("znver5", "vpmovzxbw zmm,mem")
    assert cycles("znver3", "vpmovsxwd ymm,xmm") == 1.25


def test_zen_5_is_as_fast_on_512_bits() -> None:
    for name in ("vpaddb", "vpmaddubsw", "vpackuswb", "vpunpcklbw", "vpsadbw", "vpdpwssd"):
        wide = cycles("znver5", f"{name} zmm,zmm,zmm")
        assert (
            wide
            == cycles("znver5", f"{name} ymm,ymm,ymm")
            < cycles("znver4", f"{name} zmm,zmm,zmm")
        )
    assert prices_of("znver5").rows["vpaddb zmm,zmm,zmm"].latency == 2
    assert prices_of("znver5").rows["vpmullw zmm,zmm,zmm"].latency == 3


def test_each_line_corrects_something() -> None:
    for line in corrections():
        assert line.cpu in TABLES
        forms = [f for f in prices_of(line.cpu).rows if line.covers(f)]
        assert forms, line


def test_corrected_tables_stay_as_they_are() -> None:
    for table in TABLES:
        found, changed = corrected(prices_of(table))
        assert (changed, dict(found.rows)) == (0, dict(prices_of(table).rows))


def test_patterns() -> None:
    line = Correction("c", ("vpmovsx*", "vpmovzx*"), "ymm,mem*", "0.5", "-")
    assert line.covers("vpmovzxbw ymm,mem(xmm)") and not line.covers("vpmovzxbw ymm,xmm")
    assert not line.covers("vpmovwb ymm,mem")
