"""The tables of AArch64: the forms that LLVM selects have prices, llvm-mca says the same again,
and its own figures of blocks follow from our groups.
"""

from __future__ import annotations

import itertools
import random
from functools import cache

import pytest

from bench.costs.arm import MCA, price_table
from bench.costs.arm_shapes import candidates, scalable_candidates
from bench.costs.tables import one_line_per_form
from isel.cost.block import block_cost
from isel.cost.code import Block
from isel.cost.prices import read_prices
from semantics import isa_named
from semantics.arm.asm import read_operation
from semantics.arm.costs import SHIPPED, TABLES
from semantics.arm.target import cpus, target
from semantics.forms import forms
from tests.cost.static import block_throughput, simulated_cycles

PURE = [
    "add v0.16b, v1.16b, v2.16b",
    "mul v0.4s, v1.4s, v2.4s",
    "sshll v0.8h, v1.8b, #1",
    "ldr q0, [x9, #16]",
    "add x0, x1, x2",
    "add x0, x1, x2, lsl #8",
    "tbl v0.16b, { v4.16b, v5.16b }, v2.16b",
    "fmov d0, x1",
    "str q0, [x9, #16]",
    "b.ne foo",
]


@pytest.mark.parametrize("cpu", TABLES)
def test_every_form_that_is_selected_has_a_price(cpu: str) -> None:
    prices = SHIPPED.prices_of(cpu)
    assert {i.name for i in target().instructions()} == set(forms("arm"))
    assert {f for some in forms("arm").values() for f in some if prices.of(f) is None} == set()
    assert all(0 < target().operation_cost(i, cpu) < 1500 for i in target().instructions())


def test_tables_of_cpus() -> None:
    """An A76 and an X1 have the A57's model in LLVM; only what is not listed is the A57's too."""
    assert [SHIPPED.table_for(c) for c in ("neoverse-v1", "cortex-a76", "cortex-x1", "apple-m4")] == [
        "neoverse-v1", "cortex-a57", "cortex-a57", "apple-m1",
    ]  # fmt: skip
    assert isa_named("arm").prices("cortex-a710").cpu == "neoverse-n2"
    named = {cpu for some in SHIPPED.nearest.values() for cpu in some}
    assert named - set(cpus().cpus) <= {"", "apple-latest"} and not named & set(TABLES)


def test_costs_of_known_instructions() -> None:
    """V1 has four vector units, N1 two; Arm's guides say so of both."""
    add, dot, low = (target().by_name[n] for n in ("vaddq_s8", "vusdotq_s32", "vget_low_s8"))
    assert target().operation_cost(add, "neoverse-v1") < target().operation_cost(add, "neoverse-n1")
    assert target().operation_cost(dot, "neoverse-v1") == target().operation_cost(
        add, "neoverse-v1"
    )
    assert target().operation_cost(low, "neoverse-v1") == 1


@cache
def lines() -> dict[str, str]:
    """Return the first candidate of each form."""
    return one_line_per_form([*candidates(), *scalable_candidates()], read_operation)


@pytest.mark.parametrize("cpu", TABLES)
def test_what_llvm_takes_of_sve_has_a_price(cpu: str) -> None:
    """LLVM selects ``umulh z0.h, p0/m, …`` for a vector of 128 bits on a CPU with SVE, and products,
    sums with them and clamps of 64-bit lanes.
    """
    rows, sve = SHIPPED.prices_of(cpu).rows, "sve" in cpus().of(cpu)
    known = ("ptrue p.h,label", "umulh z.h,p/m,z.h,z.h", "mov z.s,imm")
    for form in (*known, "mul z.d,z.d,imm", "smax z.d,z.d,imm", "mad z.d,p/m,z.d,z.d"):
        assert (form in rows) == sve


def test_each_form_of_a_table_is_a_candidates() -> None:
    assert set(SHIPPED.prices_of("neoverse-v1").rows) <= set(lines())


@pytest.mark.tools
@pytest.mark.parametrize("cpu", TABLES)
def test_shipped_facts_again(cpu: str) -> None:
    text = price_table(cpu, PURE)
    assert text == price_table(cpu, PURE)
    again = read_prices(text)
    assert len(again.rows) == len(PURE)
    for form, price in again.rows.items():
        shipped = SHIPPED.prices_of(cpu).rows[form]
        assert (price.uops, price.latency, price.throughput) == (
            shipped.uops,
            shipped.latency,
            shipped.throughput,
        )


@pytest.mark.tools
@pytest.mark.parametrize("cpu", TABLES)
def test_block_figures_of_llvm_mca_follow_from_the_groups(cpu: str) -> None:
    """See the same test of x86."""
    rng = random.Random(cpu)
    prices = SHIPPED.prices_of(cpu)
    every = [lines()[form] for form in prices.rows]
    some = MCA.existing([x for x in every if not x.startswith(("b", "cb", "tb"))])
    blocks = [rng.choices(some, k=rng.randrange(1, 12)) for _ in range(300)]
    theirs = MCA.block_throughputs(blocks, cpu)
    ours = [
        block_throughput(Block("", tuple(map(read_operation, block))), prices) for block in blocks
    ]
    wrong = [
        (a, b, block)
        for a, b, block in zip(ours, theirs, blocks, strict=True)
        if b and abs(a - b) > 0.02 * b
    ]
    assert len(wrong) <= 0.05 * len(blocks), wrong[:3]


@pytest.mark.parametrize("cpu", ["neoverse-v1", "neoverse-n2", "neoverse-v2"])
@pytest.mark.parametrize(
    "line",
    [
        "smlal v0.4s, v1.4h, v2.4h",
        "uabal v0.8h, v1.8b, v2.8b",
        "sdot v0.4s, v1.16b, v2.16b",
        "mla v0.4s, v1.4s, v2.4s",
        "sadalp v0.4s, v1.8h",
        "usra v0.8h, v1.8h, #3",
    ],
)
def test_accumulators_are_forwarded(cpu: str, line: str) -> None:
    block = Block("", (read_operation(line),), 1, repeats=True)
    assert block_cost(block, SHIPPED.prices_of(cpu)).carried == 1


@pytest.mark.tools
def test_accumulators_of_a_model_that_has_them() -> None:
    """Neoverse V2 of LLVM 19 simulated: alone, and in turns with other kinds."""
    some = [
        *("mla v0.4s, v1.4s, v2.4s", "mls v0.8h, v1.8h, v2.8h", "smlal v0.4s, v1.4h, v2.4h"),
        *(
            "umlal2 v0.4s, v1.8h, v2.8h",
            "sdot v0.4s, v1.16b, v2.16b",
            "saba v0.16b, v1.16b, v2.16b",
        ),
        *("uabal2 v0.8h, v1.16b, v2.16b", "uadalp v0.8h, v1.16b", "srsra v0.8h, v1.8h, #1"),
        *(
            "sqrdmlah v0.8h, v1.8h, v2.8h",
            "smmla v0.4s, v1.16b, v2.16b",
            "sqdmlal v0.4s, v1.4h, v2.4h",
        ),
    ]
    blocks = [[a] for a in some] + [[a, b] for a, b in itertools.combinations(some, 2)]
    prices = SHIPPED.prices_of("neoverse-v2")
    for block, theirs in zip(blocks, simulated_cycles(MCA, blocks, "neoverse-v2"), strict=True):
        ours = block_cost(Block("", tuple(map(read_operation, block)), 1, repeats=True), prices)
        assert ours.cycles == pytest.approx(theirs, abs=0.1), block
