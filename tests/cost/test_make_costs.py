"""Making tables: the same bytes twice, the shipped rows again, and llvm-mca's own block figures
from our groups.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from bench.costs.corrections import corrections
from bench.costs.patterns import expand
from bench.costs.x86 import MCA, price_table
from bench.costs.x86_shapes import candidates
from isel.cost.code import Block
from isel.cost.prices import read_prices
from semantics.x86.asm import read_operation
from semantics.x86.costs import TABLES, prices_of
from tests.cost.static import block_throughput

pytestmark = pytest.mark.tools

PURE = [
    "aesdec %xmm0, %xmm1",
    "vaddpd %ymm0, %ymm1, %ymm2",
    "vpaddw %ymm0, %ymm1, %ymm2",
    "vpshufb %ymm0, %ymm1, %ymm2",
    "addl %eax, %ecx",
    "movl (%rdi), %eax",
    "vpmulld %ymm0, %ymm1, %ymm2",
    "vpsllw $3, %ymm0, %ymm1",
    "vpsadbw %ymm0, %ymm1, %ymm2",
    "vpblendvb %ymm0, %ymm1, %ymm2, %ymm3",
]


def test_braces() -> None:
    assert list(expand("a{b,c}{,d} v?x a{b,c}")) == ["ab", "abd", "ac", "acd", "x", "vx"]


def test_candidates_are_deterministic() -> None:
    assert list(candidates()) == list(candidates())


@pytest.mark.parametrize("cpu", TABLES)
def test_same_bytes_twice(cpu: str) -> None:
    assert price_table(cpu, PURE) == price_table(cpu, PURE)


@pytest.mark.parametrize("cpu", TABLES)
def test_shipped_facts_again(cpu: str) -> None:
    again = read_prices(price_table(cpu, PURE))
    for form, price in again.rows.items():
        shipped = prices_of(cpu).rows[form]
        assert (price.uops, price.latency, price.throughput) == (
            shipped.uops,
            shipped.latency,
            shipped.throughput,
        )


def _is_corrected(cpu: str, form: str) -> bool:
    """Tell whether a line is about a form: its row need not be llvm-mca's."""
    return any(line.cpu == cpu and line.covers(form) for line in corrections())


@pytest.mark.parametrize("cpu", TABLES)
def test_block_figures_of_llvm_mca_follow_from_the_groups(cpu: str) -> None:
    """A block of random instructions has the same static throughput: so the port groups were
    found right.
    """
    rng = random.Random(cpu)
    known = prices_of(cpu).rows
    lines = [
        line
        for line in _lines()
        if read_operation(line).form in known and not _is_corrected(cpu, read_operation(line).form)
    ]
    blocks = [rng.choices(lines, k=rng.randrange(1, 12)) for _ in range(300)]
    theirs = MCA.block_throughputs(blocks, cpu)
    ours = [
        block_throughput(Block("", tuple(read_operation(line) for line in block)), prices_of(cpu))
        for block in blocks
    ]
    wrong = [
        (a, b, block)
        for a, b, block in zip(ours, theirs, blocks, strict=True)
        if b and abs(a - b) > 0.02 * b
    ]
    assert len(wrong) <= 0.05 * len(blocks), wrong[:3]


@cache
def _lines() -> list[str]:
    return [line for line in MCA.existing(list(candidates())) if _comparable(line)]


def _comparable(line: str) -> bool:
    """Leave out branches, and what llvm-mca cannot simulate in the middle of a block."""
    return (
        line.startswith(("vp", "vmov", "p", "add", "k"))
        and "conflict" not in line
        and not line.startswith(("pop", "push", "prefetch"))
    )
