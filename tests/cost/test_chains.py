"""Chains through registers and memory, in loops of one block and of several."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.costs.facts import with_facts
from isel.cost.block import code_costs, quickest_ways, waits_of
from isel.cost.chains import Timing, blocked_time, carried_latency
from isel.cost.prices import Forwarding, Prices, read_prices
from isel.cost.runs import ways_through
from isel.cost.writer import write_prices
from isel.errors import SyntaxProblem
from semantics.assembly import read_functions
from semantics.x86.asm import DIALECT, read_operation
from semantics.x86.costs import TABLES, prices_of

NARROW = [f"movw %ax, {k}(%rdi)" for k in range(0, 8, 2)]


@pytest.fixture(scope="module")
def prices() -> Prices:
    """Prices that say what forwarding takes: 0, 5, 7 and 18 cycles."""
    found = prices_of("sapphirerapids")
    assert found.forwarding is not None
    return replace(
        found,
        forwarding=replace(found.forwarding, renamed=0, latency=5, lanes=7, failed=18, blocked=16),
    )


@pytest.mark.parametrize(
    ("lines", "cycles"),
    [
        # A register comes back as it was stored, a part of it or one at another address later.
        (["movl (%rdi), %eax", "imull %eax, %eax", "movl %eax, (%rdi)"], 3),
        (["movswl (%rdi), %eax", "imull %eax, %eax", "movw %ax, (%rdi)"], 5 + 3),
        (["movl (%rdi,%rcx), %eax", "imull %eax, %eax", "movl %eax, (%rdi,%rcx)"], 5 + 3),
        (["imull 8(%rdi), %eax", "movl %eax, 8(%rdi)"], 5 + 3),
        # Lanes of what one store wrote, and a vector that many stores wrote.
        (["movzwl 6(%rdi), %eax", "vmovd %eax, %xmm0", "vmovdqu %xmm0, (%rdi)"], 5 + 3),
        (["vmovdqu (%rdi), %xmm0", "vpaddd %xmm0, %xmm0, %xmm0", "vmovdqu %xmm0, (%rdi)"], 7 + 1),
        (["vmovsd (%rdi), %xmm0", "vpaddd %xmm0, %xmm0, %xmm0", "vmovq %xmm0, (%rdi)"], 7 + 1),
        (["vpmulld (%rdi), %xmm1, %xmm0", "vmovdqu %xmm0, (%rdi)"], 7 + 10),
        (["vpmovzxbw (%rdi), %ymm0", "vmovdqu %xmm0, (%rdi)"], 7 + 3),
        (["vpbroadcastw (%rdi), %ymm0", "vmovd %xmm0, (%rdi)"], 7 + 3),
        (
            ["vmovdqu (%rdi), %ymm0", "vpaddw %ymm0, %ymm0, %ymm0", "vpmovwb %ymm0, (%rdi)"],
            18 + 1 + 4,
        ),
        (["vpmovzxbw (%rdi), %ymm0", "vpmovwb %ymm0, (%rdi)"], 7 + 3 + 4),
        (["vmovq (%rdi), %xmm0", "vmovd %xmm0, %eax", *NARROW], 18 + 3),
        (["movl (%rdi), %eax", "imull %eax, %eax", "movw %ax, (%rdi)"], 18 + 3),
        # What the pass stores before it loads is of this pass.
        (["movl %ecx, (%rdi)", "imull (%rdi), %eax", "movl %eax, (%rdi)"], 3),
        (["movl (%rdi), %eax", "imull %eax, %eax", "movl %eax, 4(%rdi)"], 0),
        (["movl (%rdi), %eax", "imull %eax, %eax", "movl %eax, (%rsi)"], 0),
        # The next pass is elsewhere; an address that only moves before the store is not.
        (["movl (%rdi), %eax", "imull %eax, %eax", "movl %eax, (%rdi)", "addq $4, %rdi"], 1),
        (["movl (%rdi,%rcx,4), %eax", "movl %eax, (%rdi,%rcx,4)", "incq %rcx"], 1),
        (["addl $1, table+4(%rip)"], 1 + 5),
        (["addl $1, (%rdi)"], 1),
    ],
)
def test_memory_at_one_address_is_a_register(
    prices: Prices, lines: list[str], cycles: float
) -> None:
    operations = [read_operation(x) for x in lines]
    assert carried_latency(operations, prices) == cycles


def test_without_a_figure_for_it_memory_carries_nothing(prices: Prices) -> None:
    chain = [read_operation(x) for x in ("movswl (%rdi), %eax", "movw %ax, (%rdi)")]
    assert carried_latency(chain, prices) == 5
    assert carried_latency(chain, replace(prices, forwarding=None)) == 0


def test_one_pass_and_many_are_told_apart(prices: Prices) -> None:
    timing, operations = Timing(prices), (read_operation("addl %eax, %eax"),)
    assert [timing.of(operations, repeats=x).carried for x in (False, True, False)] == [0, 1, 0]


def test_a_longest_path_goes_through_memory(prices: Prices) -> None:
    lines = ["imull %ecx, %eax", *NARROW, "vmovq (%rdi), %xmm0", "vpaddw %xmm0, %xmm0, %xmm0"]
    operations = [read_operation(x) for x in lines]
    assert Timing(prices).of(tuple(operations), repeats=False).path == 3 + 18 + 1


TWO = ["movl %eax, (%rdi)", "movl %eax, 4(%rdi)"]


@pytest.mark.parametrize(
    ("lines", "repeats", "waits"),
    [
        ([*TWO, "movq (%rdi), %rcx"], False, 1),
        ([*TWO, "movq (%rdi), %rcx"], True, 1),
        (["movq (%rdi), %rcx", *TWO], False, 0),
        (["movq (%rdi), %rcx", *TWO], True, 1),
        (["vmovdqu (%rdi), %xmm0", "movq %rcx, 8(%rdi)"], True, 1),
        ([*TWO, "movq (%rdi), %rcx", "vmovdqu (%rdi), %xmm0"], False, 1),
        ([*TWO, "movq (%rdi), %rcx", *TWO, "movq (%rdi), %rcx"], False, 2),
        ([*TWO, "movl 4(%rdi), %ecx"], True, 0),
        ([*TWO, "movq 8(%rdi), %rcx"], True, 0),
    ],
)
def test_a_load_of_what_several_stores_wrote_holds_up_all(
    prices: Prices, lines: list[str], repeats: bool, waits: int
) -> None:
    operations = [read_operation(x) for x in lines]
    assert blocked_time(operations, prices, repeats=repeats) == 16 * waits
    none = replace(prices, forwarding=None)
    assert blocked_time(operations, none, repeats=repeats) == 0


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("movl %eax, 8(%rdi)", ("rdi", 8, 4, False, True, True)),
        ("movw %ax, -0x10(%rdi)", ("rdi", -16, 2, False, True, False)),
        ("movzbl (%rsi), %eax", ("rsi", 0, 1, True, False, False)),
        ("addq %rax, (%rdi)", ("rdi", 0, 8, True, True, True)),
        ("cmpl %eax, (%rdi)", ("rdi", 0, 4, True, False, False)),
        ("setne (%rdi)", ("rdi", 0, 1, False, True, False)),
        ("vmovdqa %ymm0, 32(%rdi)", ("rdi", 32, 32, False, True, False)),
        ("vpmovzxbw (%rdi), %ymm0", ("rdi", 0, 16, True, False, False)),
        ("vpinsrw $1, 2(%rdi), %xmm0, %xmm0", ("rdi", 2, 2, True, False, False)),
        ("vpextrb $1, %xmm0, (%rdi)", ("rdi", 0, 1, False, True, False)),
        ("vmovq %xmm0, (%rdi)", ("rdi", 0, 8, False, True, False)),
        ("vpaddd (%rdi){1to8}, %ymm0, %ymm0", ("rdi", 0, 4, True, False, False)),
        ("vextracti128 $1, %ymm0, (%rdi)", ("rdi", 0, 16, False, True, False)),
        ("leaq 8(%rdi), %rax", None),
        ("vmovdqu8 %zmm0, (%rdi) {%k1}", None),
        ("vpgatherdd (%rdi,%ymm0), %ymm1 {%k1}", None),
    ],
)
def test_where_an_instruction_loads_and_stores(
    line: str, place: tuple[str, int, int, bool, bool, bool] | None
) -> None:
    found = read_operation(line).place
    if found is None:
        assert place is None
        return
    told = (found.first, found.bytes, found.loads, found.stores, found.whole)
    assert (found.base.split()[0], *told) == place


def test_addresses_differ_by_what_they_are_computed_of() -> None:
    texts = ("(%rdi)", "(%rdi,%rcx)", "(%rdi,%rcx,2)", "a(%rip)", "b(%rip)", "%fs:(%rdi)")
    places = [read_operation(f"movl {x}, %eax").place for x in texts]
    assert len({p.base for p in places if p is not None}) == len(texts)


CHECKED = """
  .type f,@function
f:
  movl %edx, %ecx
.LBB0_1:
  cmpq $32, %r8
  jb .LBB0_3
  vmovd 2(%rdi), %xmm0
  vpmulld %xmm0, %xmm0, %xmm0
  vmovdqu %xmm0, (%rdi)
  jmp .LBB0_4
.LBB0_3:
  movl %r9d, (%rsi)
.LBB0_4:
  decl %ecx
  jne .LBB0_1
  retq
"""


def test_a_loop_of_several_blocks_waits_for_what_its_passes_hand_on(prices: Prices) -> None:
    """A check in front of a block hid that the next pass waits for it (a lattice was 0.83)."""
    code = read_functions(CHECKED, DIALECT)["f"]
    assert code.loops[0].ways == ((1, 3, 4), (1, 2, 4))
    timing = Timing(prices)
    waits = waits_of(code, timing)
    costs = code_costs(code, timing, [1, 10, 10, 0, 10], waits)
    assert sum(c.cycles for b, c in zip(code.blocks, costs, strict=True) if b.depth) >= 5 + 10
    seldom = code_costs(code, timing, [1, 10, 0, 10, 10], waits)
    assert seldom[1].cycles < 2
    # What the first block takes for the way that waits is not of the quickest one.
    assert quickest_ways(costs, waits) == quickest_ways(seldom, waits)
    assert 0 < quickest_ways(costs, waits)[0] < 5


def test_ways_through_a_loop_are_few_and_hold_no_loop() -> None:
    assert ways_through((0, 1, 2, 3), {0: [1, 2], 1: [3], 2: [3], 3: [0, 4]}) == [
        (0, 1, 3),
        (0, 2, 3),
    ]
    assert ways_through((0, 1), {0: [1], 1: [1, 0]}) == []
    ladder = {k: [k + 1, k + 2] for k in range(0, 20, 2)} | {k: [k + 1] for k in range(1, 20, 2)}
    assert ways_through(range(21), ladder | {20: [0]}) == []


def test_a_table_says_what_forwarding_takes() -> None:
    given = Prices("toy", 4, ("A",), {}, "", forwarding=Forwarding(0, 5, 7, 18, 16, "some book"))
    text = write_prices(given, [])
    assert read_prices(text).forwarding == given.forwarding
    for bad in ("0 5 18 16", "0 5 7 18 x book", "0 5 7 18 16"):
        with pytest.raises(SyntaxProblem):
            read_prices(text.replace("0 5 7 18 16 some book", bad))


@pytest.mark.parametrize("cpu", TABLES)
def test_tables_have_the_facts_beside_them(cpu: str) -> None:
    table = prices_of(cpu)
    again = with_facts(table, "semantics.x86.costs")
    assert (again.forwarding, again.scheduler) == (table.forwarding, table.scheduler)
    assert again.split == table.split and again.rows == table.rows


@pytest.mark.parametrize(
    ("lines", "timed"),
    [
        (["movw %ax, (%rdi)", "movswl (%rdi), %eax", "addl $1, %eax"], 8.5),
        (["movl %eax, (%rdi)", "movl (%rdi), %eax", "addl $1, %eax"], 1.5),
        (["vmovq %xmm0, (%rdi)", "vmovq (%rdi), %xmm0", "vpaddd %xmm0, %xmm0, %xmm0"], 10.0),
        (["vmovdqu %xmm0, (%rdi)", "vmovdqu (%rdi), %xmm0", "vpaddd %xmm0, %xmm0, %xmm0"], 10.0),
        (["vmovdqu %xmm0, (%rdi)", "vpmovzxbw (%rdi), %ymm0"], 10.8),
        (["vpmovwb %ymm0, (%rdi)", "vpmovzxbw (%rdi), %ymm0"], 14.8),
        (["vpmovwb %ymm0, (%rdi)", "vmovdqu (%rdi), %xmm0"], 12.9),
    ],
)
def test_chains_that_were_timed_on_a_zen_4(lines: list[str], timed: float) -> None:
    found = carried_latency([read_operation(x) for x in lines], prices_of("znver4"))
    assert abs(found - timed) <= 0.6
