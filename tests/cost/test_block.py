"""The block model on a made-up machine of two ports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isel.cost.block import block_cost
from isel.cost.code import Access, Block, Operation, Traffic
from isel.cost.lines import Lines
from isel.cost.ports import Usage
from isel.cost.prices import (
    Closed,
    Forwarded,
    Price,
    Prices,
    Scheduler,
    Split,
    read_prices,
)
from isel.cost.writer import write_prices
from isel.errors import SyntaxProblem

ROWS = {
    "add r,r": Price(1, 1, 0.5, (Usage(3, 1),)),
    "mul r,r": Price(1, 4, 1, (Usage(1, 1),)),
    "mul r,mem": Price(2, 9, 1, (Usage(1, 1),)),
    "load r,mem": Price(1, 5, 0.5, (Usage(2, 1),)),
    "wide": Price(8, 1, 2, ()),
}
PRICES = Prices("toy", 4, ("A", "B"), ROWS, "")


def op(
    form: str,
    reads: str = "",
    writes: str = "",
    addresses: str = "",
    traffic: Traffic = Traffic.NONE,
    register_form: str = "",
    accumulator: str = "",
) -> Operation:
    return Operation(
        form,
        tuple(reads.split()),
        tuple(writes.split()),
        tuple(addresses.split()),
        traffic,
        register_form,
        accumulator=accumulator,
    )


def cycles(*operations: Operation, repeats: bool = False) -> float:
    return block_cost(Block("b", operations, int(repeats), repeats), PRICES).cycles


def test_greatest_of_the_bounds() -> None:
    add, mul, wide = op("add r,r"), op("mul r,r"), op("wide")
    assert cycles(add, add, mul) == 1.5
    assert cycles(wide, wide) == 4.0
    assert cycles(mul, mul, mul) == 3.0
    assert cycles() == 0.0


def test_a_chain_through_passes_bounds_a_loop_only() -> None:
    chain = op("mul r,r", "acc x", "acc")
    assert cycles(chain) == 1.0
    assert cycles(chain, repeats=True) == 4.0
    assert cycles(chain, op("add r,r", "acc", "acc"), repeats=True) == 5.0


def test_a_longest_path_follows_registers() -> None:
    def path(*operations: Operation) -> float:
        return block_cost(Block("b", operations), PRICES).path

    add = op("add r,r", "t x", "u")
    assert path() == 0.0
    assert path(op("mul r,r", "a", "t"), add, op("mul r,r", "b", "v")) == 5.0
    assert path(op("load r,mem", "", "t", "p"), add) == 6.0
    # What arrives in a register does not wait for the load, what forms its address does.
    late = op("mul r,mem", "u", "v", "p", register_form="mul r,r")
    assert path(add, late) == 9.0
    assert path(op("mul r,r", "a", "p"), late) == 13.0


def test_values_that_the_pass_makes_anew_are_no_chain() -> None:
    assert cycles(op("mul r,r", "x", "t"), op("add r,r", "t", "u"), repeats=True) == 1.0


def test_a_chain_over_two_passes_counts_half() -> None:
    swap = (op("mul r,r", "a", "t"), op("add r,r", "b", "a"), op("add r,r", "t", "b"))
    # a(n+1) = b(n) + 1 and b(n+1) = a(n) + 5: six cycles every two passes.
    assert cycles(*swap, repeats=True) == 3.0


def test_a_register_does_not_wait_for_the_loaded_operand() -> None:
    folded = op("mul r,mem", "acc", "acc", "p", register_form="mul r,r")
    assert cycles(folded, repeats=True) == 4.0
    assert cycles(op("load r,mem", "", "p", "p"), repeats=True) == 5.0


def test_forms_without_a_price_are_named_and_counted() -> None:
    cost = block_cost(Block("b", (op("odd"), op("odd"), op("add r,r"))), PRICES)
    assert cost.missing == (("odd", 2),)
    assert cost.cycles == 0.5


def test_hidden_traffic_carries_its_own_price() -> None:
    cost = block_cost(
        Block("b", (op("load r,mem", traffic=Traffic.SPILL), op("load r,mem"))), PRICES
    )
    assert cost.hidden == (("spill", 0.5),)


def test_a_port_is_closed_to_some_registers_beside_others() -> None:
    rows = {
        **{f"add {r}": Price(1, 1, 0.5, (Usage(3, 1),)) for r in "nws"},
        "mul n": Price(1, 1, 1, (Usage(2, 1),)),
        "add w": Price(1, 1, 1, (Usage(1, 1),)),
    }
    prices = Prices("toy", 4, ("A", "B"), rows, "", Closed(2, ("n",), "w"))

    def ports(*forms: str) -> float:
        return block_cost(Block("b", tuple(op(f) for f in forms)), prices).ports

    assert ports("add n", "add n") == 1.0
    assert ports("add n", "add n", "add w") == 3.0
    assert ports("add s", "add s", "add w") == 1.5
    assert ports("mul n", "add w") == 1.0  # what no other port does stays where it is
    assert read_prices(write_prices(prices, [])).closed == prices.closed


def test_table_text_round_trip() -> None:
    text = write_prices(PRICES, ["tool: none"])
    again = read_prices(text)
    assert (again.cpu, again.dispatch, again.ports, dict(again.rows)) == (
        "toy",
        4,
        ("A", "B"),
        ROWS,
    )
    assert write_prices(again, ["tool: none"]) == text


def test_search_price_prefers_fewer_operations() -> None:
    assert PRICES.hundredths("add r,r") == 51
    assert PRICES.hundredths("mul r,mem") == 102
    assert PRICES.hundredths("nothing") is None


@pytest.mark.parametrize(
    ("change", "what", "line"),
    [
        (("add\tr,r\t1\t1\t0.5\t01*1", "add\tr,r\t1\t1\t0.5"), "expected 6 columns", 6),
        (("add\tr,r\t1\t1", "add\tr,r\tone\t1"), "bad price row", 6),
        (("load\tr,mem\t", "add|load\tr,mem r,r\t"), "second row for 'add r,r'", 7),
        (("# dispatch: 4\n", ""), "'dispatch'", 1),
        (("# dispatch: 4\n", "# dispatch: no\n"), "positive integer", 1),
        (
            ("# dispatch: 4\n", "# dispatch: 4\n# closed: 1 to xmm\n"),
            "'closed: <ports> to <kinds of registers> beside <kind>'",
            1,
        ),
        (
            ("# dispatch: 4\n", "# dispatch: 4\n# likened: mul\n"),
            "'likened: <mnemonics> to <mnemonic>'",
            1,
        ),
    ],
)
def test_bad_tables_are_refused_with_a_position(
    change: tuple[str, str], what: str, line: int
) -> None:
    text = write_prices(PRICES, [])
    assert change[0] in text
    with pytest.raises(SyntaxProblem, match=what) as caught:
        read_prices(text.replace(*change), "toy.tsv")
    assert caught.value.line == line


SUMS = Prices(
    "toy",
    4,
    ("A", "B"),
    {
        **ROWS,
        "dot r,r": Price(1, 4, 1, (Usage(1, 1),), Forwarded("dot", 1)),
        "dots r,r": Price(1, 4, 1, (Usage(1, 1),), Forwarded("dot", 1)),
        "abs r,r": Price(1, 4, 1, (Usage(2, 1),), Forwarded("abs", 1)),
    },
    "",
)


def test_an_accumulator_waits_less_for_what_is_of_its_kind() -> None:
    def carried(*operations: Operation) -> float:
        return block_cost(Block("b", operations, 1, repeats=True), SUMS).carried

    dot = op("dot r,r", "acc x", "acc", accumulator="acc")
    dots = op("dots r,r", "acc x", "acc", accumulator="acc")
    other = op("abs r,r", "acc x", "acc", accumulator="acc")
    assert carried(dot) == 1.0
    assert carried(dot, dots) == 2.0
    assert carried(dot, other) == 8.0
    assert carried(dot, op("add r,r", "acc", "acc")) == 5.0
    # as a factor it arrives no sooner
    assert carried(op("dot r,r", "acc x", "acc")) == 4.0
    assert carried(op("dot r,r", "sum acc", "acc", accumulator="sum")) == 4.0


def test_a_path_of_sums() -> None:
    load, add = op("load r,mem", "", "x"), op("add r,r", "acc", "acc")
    dot = op("dot r,r", "acc x", "acc", accumulator="acc")

    def path(*operations: Operation) -> float:
        return block_cost(Block("b", operations), SUMS).path

    assert path(dot) == 4.0  # what wrote the accumulator before is not known
    assert path(dot, dot) == 5.0
    assert path(dot, add, dot) == 9.0
    assert path(load, dot, dot) == 10.0


def test_accumulators_are_in_the_text() -> None:
    text = write_prices(SUMS, [])
    assert "abs\tr,r\t1\t4 abs:1\t1\tB*1" in text.replace("1*1", "B*1")
    again = read_prices(text)
    assert again.rows == SUMS.rows and write_prices(again, []) == text
    with pytest.raises(SyntaxProblem, match="bad price row"):
        read_prices(text.replace("4 abs:1", "4 abs"))


SPLIT = Prices(
    "toy",
    4,
    ("A", "B"),
    ROWS,
    "",
    split=Split((Usage(2, 1),), (Usage(2, 3),), (Usage(2, 2),), (Usage(2, 5),), "a guide"),
)


def test_what_touches_two_lines_costs_more() -> None:
    def ports(share: float, *operations: Operation, size: int = 64, stores: bool = False) -> float:
        def accessed(form: str) -> Access:
            return Access(size, stores) if "mem" in form else Access()

        lines = Lines(accessed, lambda _: share)
        return block_cost(Block("b", operations), SPLIT, lines).ports

    load = op("load r,mem", "", "x")
    assert ports(0, load) == 1.0
    assert ports(1, load) == 3.0
    assert ports(1, load, size=32) == 1.5
    assert ports(1, load, size=16) == 1.25
    assert ports(0.5, load) == 2.0
    assert ports(1, load, stores=True) == 6.0
    assert ports(1, load, size=32, stores=True) == 2.5
    assert ports(1, op("load r,mem", "", "x", traffic=Traffic.SPILL)) == 1.0
    assert ports(1, op("add r,r")) == 0.5


def test_a_split_is_in_the_text() -> None:
    text = write_prices(SPLIT, [])
    again = read_prices(text)
    assert again.split == SPLIT.split and write_prices(again, []) == text
    nothing = write_prices(
        Prices("toy", 4, ("A",), {}, "", split=Split((), (), (), (), "a guide")), []
    )
    assert read_prices(nothing).split == Split((), (), (), (), "a guide")
    with pytest.raises(SyntaxProblem, match="bad split"):
        read_prices(text.replace("split load: 1*1", "split load: 1*x"))


SCHEDULED = Prices("toy", 4, ("A", "B"), ROWS, "", scheduler=Scheduler(2, 3, "a clock"))


def test_what_waits_longer_than_there_is_room_for_costs_a_loop() -> None:
    """Of four products in a chain the last three wait 4, 8 and 12 cycles."""
    chain = [op("mul r,r", f"r{k}", f"r{k + 1}") for k in range(4)]
    loop = Block("b", tuple(chain), 1, True)
    assert block_cost(loop, PRICES).cycles == 4.0
    found = block_cost(loop, SCHEDULED)
    assert found.waiting == found.cycles == (4 + 8 + 12) / 2
    of_lanes = Block("b", tuple(replace(o, lanes=True) for o in chain), 1, True)
    assert block_cost(of_lanes, SCHEDULED).waiting == (4 + 8 + 12) / 3
    not_timed = replace(SCHEDULED, scheduler=Scheduler(0, 3, "a clock"))
    assert block_cost(loop, not_timed).waiting == 0.0
    two = [op("mul r,r", f"r{k % 2}", f"r{k % 2}") for k in range(4)]
    assert block_cost(Block("b", tuple(two), 0, False), SCHEDULED).waiting == 0.0
    separate = [op("mul r,r", f"s{k}", f"r{k}") for k in range(4)]
    assert block_cost(Block("b", tuple(separate), 1, True), SCHEDULED).cycles == 4.0


def test_a_scheduler_is_in_the_text() -> None:
    text = write_prices(SCHEDULED, [])
    again = read_prices(text)
    assert again.scheduler == SCHEDULED.scheduler and write_prices(again, []) == text
    for bad in ("2 a clock", "60", "2 many clocks"):
        with pytest.raises(SyntaxProblem, match="scheduler"):
            read_prices(text.replace("2 3 a clock", bad))
