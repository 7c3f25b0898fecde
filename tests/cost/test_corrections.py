"""Rows that a machine contradicts."""

from __future__ import annotations

from bench.costs.corrections import Correction, corrected, corrections, covered_by
from isel.cost.ports import port_bound
from isel.cost.prices import read_usage
from semantics.x86.costs import TABLES, prices_of


def cycles(cpu: str, form: str) -> float:
    row = prices_of(cpu).of(form)
    assert row is not None
    return port_bound(row.usages)


def test_a_load_that_widens_costs_no_more_than_loads() -> None:
    assert cycles("znver3", "vpmovzxbw ymm,mem") == 0.5 == cycles("znver5", "vpmovzxbw zmm,mem")
    assert cycles("znver3", "vpmovsxwd ymm,xmm") == 1.25


def test_zen_4_takes_two_passes_for_512_bits() -> None:
    """What vector_var and satd of libvpx seemed to gain were prices that no Zen 4 has."""
    for form in ("vpmovzxbw #,mem", "vpmovsxwd #,mem", "vpabsd #,#", "vpshufb #,#,#"):
        for register, found in (("ymm", 0.5), ("zmm", 1.0)):
            assert cycles("znver4", form.replace("#", register)) == found
    rows = prices_of("znver4").rows
    half, whole = (rows[f"vpabsd {r},{r}"].usages for r in ("ymm", "zmm"))
    assert [(u.ports, 2 * u.cycles) for u in half] == [(u.ports, u.cycles) for u in whole]


def test_zen_4_moves_512_bits_twice() -> None:
    for name, found in (
        ("vmovdqu64 zmm,mem", 1),
        ("vpaddb zmm,zmm,mem", 1),
        ("vmovups mem,zmm", 2),
    ):
        assert cycles("znver4", name) == found == 2 * cycles("znver4", name.replace("zmm", "ymm"))
    for name in ("vpmovzxbw zmm,mem", "vinserti64x4 zmm,zmm,mem,imm", "vpsllw zmm,zmm,mem"):
        halves = [u.cycles for u in prices_of("znver4").rows[name].usages[1:]]
        assert halves == [1, 1, 1], "what is loaded has no more than 256 bits"
    assert cycles("znver4", "vpcmpeqb k,ymm,ymm") == 2 * cycles("znver4", "vpcmpeqb ymm,ymm,ymm")


def test_zen_4_has_ports_for_products_and_others_for_shifts_and_for_what_moves_lanes() -> None:
    rows = prices_of("znver4").rows
    for forms, kind, ports in (
        ("vpmaddubsw vpmaddwd vpsadbw vpmullw vgf2p8mulb", "#,#,#", "89"),
        ("vpsrlw vpslld vpsraw vpsllq", "#,#,imm", "ab"),
        ("vpshufb vpackuswb vpermd vpermt2b vpermw", "#,#,#", "9a"),
    ):
        for name in forms.split():
            for register, work in (("ymm", 1), ("zmm", 2)):
                found = rows[f"{name} {kind.replace('#', register)}"].usages
                assert found == (read_usage(f"{ports}*{work}"),), name


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
        assert covered_by(line, prices_of(line.cpu).rows), line


def test_corrected_tables_stay_as_they_are() -> None:
    for table in TABLES:
        found, changed = corrected(prices_of(table))
        assert (changed, dict(found.rows)) == (0, dict(prices_of(table).rows))


def test_patterns() -> None:
    line = Correction("c", ("vpmovsx*", "vpmovzx*"), "ymm,mem*", "0.5", "-")
    assert line.covers("vpmovzxbw ymm,mem(xmm)") and not line.covers("vpmovzxbw ymm,xmm")
    assert not line.covers("vpmovwb ymm,mem")
