"""Tables of expressions: every row of the suite is read, and mistakes are shown where they are."""

from __future__ import annotations

from typing import Final

import pytest

from frontends.halide.expr.rows import read_rows
from isel.errors import SyntaxProblem
from tests.suites import SUITES

SUITE: Final = SUITES / "op_check"
COUNTS: Final = {
    "arm": 301,
    "arm_reductions": 44,
    "hvx": 303,
    "hvx_reductions": 18,
    "x86": 154,
    "x86_reductions": 32,
}
ROW: Final = "pabsb\t16\tuint8\t(uint8)abs((int8)input(x))\n"


@pytest.mark.parametrize("name", COUNTS)
def test_every_row_is_read_and_typed(name: str) -> None:
    path = SUITE / f"{name}.tsv"
    text = path.read_text()
    rows = read_rows(text, path.name)
    assert len(rows) == COUNTS[name] == sum(not line.startswith("#") for line in text.splitlines())
    assert all(r.node.type == r.type for r in rows)


def test_layout_rows_move_data_only() -> None:
    rows = [r for name in COUNTS for r in read_rows((SUITE / f"{name}.tsv").read_text(), name)]
    names = {r.instruction for r in rows if r.is_layout}
    assert {"ld2", "ld3", "ld4", "ldr", "valign(v*,v*,#7)"} <= names
    assert not names & {"vmov*%k", "pabsb", "smlal", "vpaddb*ymm"}


@pytest.mark.parametrize(("name", "loads"), [("ld2", True), ("ldr", True), ("pabsb", False)])
def test_loads_that_order_what_they_load(name: str, loads: bool) -> None:
    (row,) = read_rows(ROW.replace("pabsb", name), "t.tsv")
    assert row.loads == loads


def test_comments_and_empty_lines_are_no_rows() -> None:
    (row,) = read_rows(f"# instruction\n\n{ROW}", "t.tsv")
    assert (row.instruction, row.lanes, str(row.type), row.line) == ("pabsb", 16, "uint8", 3)


@pytest.mark.parametrize(
    ("line", "place", "what"),
    [
        (
            "pabsb\t16\tuint8",
            (2, 1),
            "expected 4 columns (instruction, lanes, type, expression), found 3",
        ),
        ("pabsb\tmany\tuint8\tx", (2, 7), "expected a number of lanes, found 'many'"),
        ("pabsb\t0\tuint8\tx", (2, 7), "expected a number of lanes, found '0'"),
        ("pabsb\t16\tuint9\tx", (2, 10), "unknown type 'uint9', did you mean 'uint8'?"),
        ("pabsb\t16\tuint8\t(uint8)abs(", (2, 27), "expected an expression, found 'the end'"),
        ("pabsb\t16\tuint8\tx", (2, 16), "the expression is int32, not uint8"),
    ],
)
def test_mistakes(line: str, place: tuple[int, int], what: str) -> None:
    with pytest.raises(SyntaxProblem) as found:
        read_rows(f"{ROW}{line}\n", "t.tsv")
    assert ((found.value.line, found.value.column), found.value.what) == (place, what)
