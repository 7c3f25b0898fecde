"""Rows are rewritten to code that costs no more than LLVM's own, on registers of 128 to 512 bits.

Every fourth row is, on one width; ``make fixed-point`` has all of them on all three.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frontends.llvm.linked.binding import normalise
from semantics import isa_named
from tests.fixed_point.judge import Judge, judge
from tests.fixed_point.rows import Row, rows

ROWS = {r.name: r for r in rows()}


@pytest.fixture(scope="module")
def judged() -> Iterator[Judge]:
    with judge() as made:
        yield made


@pytest.mark.parametrize("bits", [128, 256, 512])
def test_llvm_reads_every_row(bits: int) -> None:
    text = "".join(r.text(bits).replace("@select", f"@row{n}") for n, r in enumerate(ROWS.values()))
    triple = isa_named("x86").machine.triple
    assert normalise(f'target triple = "{triple}"\n{text}').count("define ") == len(ROWS)


def test_every_operation_at_every_width() -> None:
    names = {name.split()[0] for name in ROWS}
    assert len(names) == 21 and len(ROWS) == 154


WIDTHS = (128, 256, 512)
SOME = [(row, WIDTHS[k % 3]) for k, row in enumerate(list(ROWS.values())[::4])]


@pytest.mark.findings
@pytest.mark.parametrize(("row", "bits"), SOME, ids=[f"{row.name}-{bits}" for row, bits in SOME])
def test_no_row_is_dearer_than_llvm_s_own_code(judged: Judge, row: Row, bits: int) -> None:
    found = judged.judge(row, bits)
    assert found.cost <= found.llvm, found


# Cycles on 512 bits that programs are known to reach.
KNOWN = {
    "absd u8": 1.5,
    "absd u16": 1.5,
    "halving_sub i8": 2.0,
    "halving_sub u8": 1.0,
    "halving_sub i16": 2.0,
    "halving_sub u16": 1.0,
    "halving_sub i32": 2.0,
    "halving_sub u32": 2.0,
    "rounding_halving_add i8": 1.5,
    "rounding_mul_shr i16 14 by 11585": 1.0,
    "rounding_mul_shr i16 15": 2.0,
    "rounding_mul_shr i16 16": 3.0,
    "rounding_shr i8 2": 2.0,
    "rounding_shr u8 2": 2.0,
    "rounding_shr i16": 3.0,
    "rounding_shr u32": 3.0,
    "saturating_add u32": 1.5,
}


@pytest.mark.findings
@pytest.mark.parametrize("name", KNOWN)
def test_known_programs_are_found(judged: Judge, name: str) -> None:
    found = judged.judge(ROWS[name], 512)
    assert found.cost <= KNOWN[name], found


@pytest.mark.findings
@pytest.mark.parametrize("name", ["absd u8", "halving_add u8", "saturating_add u8"])
def test_rows_of_hexagon_cost_a_packet(name: str) -> None:
    with judge("hexagonv66") as judged:
        assert judged.judge(ROWS[name], 1024).cost <= 1.0
