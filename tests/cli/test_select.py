"""``isel select``: one expression, tables, what their rows say, and mistakes."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from isel.cli.examples import EXAMPLES
from tests.cli.modules import Run, written

ROWS = """\
# instruction	lanes	result_type	expression
paddb	16	uint8	((uint8)input(x) + (uint8)input(x + 16))
pavgb	16	uint8	uint8(((uint16((uint8)input(x)) + uint16((uint8)input(x + 16))) + (uint16)1)/(uint16)2)
"""
SUMS = """\
vpsadbw	4	uint64	sum(r in 0..7: uint64((uint8)absd((uint8)input((8*x) + r), (uint8)input(((8*x) + r) + 32))))
psadbw	2	uint32	sum(r in 0..7: uint32((uint8)absd((uint8)input((8*x) + r), (uint8)input(((8*x) + r) + 32))))
vpsadbw	4	int16	sum(r in 0..7: int16((uint8)absd((uint8)input((8*x) + r), (uint8)input(((8*x) + r) + 32))))
vpdpwssds*zmm	16	int32	saturating_sum(r in 0..1: int32((int16)input((2*x) + r))*int32((int16)input(((2*x) + r) + 32)))
vpdpbusd*ymm	8	int32	sum(r in 0..3: int32((uint8)input((4*x) + r))*int32((int8)input(((4*x) + r) + 32)))
pmulhrsw	8	int16	(int16)rounding_mul_shift_right((int16)input(x), (int16)input(x + 16), (uint16)15)
"""
ALONE = """\
vmov*%k	32	uint8	select((uint8)input(x) > (uint8)7, (uint8)input(x), (uint8)input(x + 16))
psubusw	16	uint16	(uint16)absd((uint16)input(x), (uint16)input(x + 16))
paddb	16	uint8	(uint8)input((uint8)input(x))
paddb	16	float32	(float32)input(x)*2.500000f
paddb	16	uint8	((uint8)input(x)*(uint8)input(x + 16))
"""
KEYS = ["instruction", "expression", "lanes", "layout", "passed", "program", "constants", "cost"]
KEYS += ["reference_cost", "llvm_cost", "verdict", "proof", "seconds", "reason"]


def test_the_example_of_its_help(isel: Run) -> None:
    ran = isel(*shlex.split(EXAMPLES["select"])[1:])
    assert ran.code == 0
    assert "vpavgb" in ran.out
    assert "proved" in ran.out


def test_one_expression(isel: Run) -> None:
    ran = isel(
        "select", "(uint8)input(x) + (uint8)input(x + 16)", "--lanes", "32", "--cache", "off"
    )
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "vpaddb %ymm0, %ymm1, %ymm0\n# 0.33 cycles, proved; LLVM alone: 0.33\n"


def test_what_python_prints_and_the_constants_of_the_program(isel: Run) -> None:
    printed = "<halide.Expr of type int16: ((int16)c_im(x)/(int16)7)>"
    ran = isel("select", printed, "--mcpu", "haswell", "--cache", "off")
    assert ran.code == 0 and "vpmulhw .LCPI0_0(%rip), %ymm2, %ymm3  # i16 9363 x16\n" in ran.out
    ours, llvm = re.findall(r"\d+\.\d\d", ran.out.splitlines()[-1])
    assert float(ours) < float(llvm)


def test_a_whole_register_by_default(isel: Run) -> None:
    assert "%zmm1" in isel("select", "(uint8)input(x) + (uint8)input(x + 16)", "--cache", "off").out
    assert (
        "%zmm"
        not in isel(
            "select",
            "(uint8)input(x) + (uint8)input(x + 16)",
            "--mcpu",
            "haswell",
            "--cache",
            "off",
        ).out
    )


def test_a_table(isel: Run, tmp_path: Path) -> None:
    ran = isel("select", written(tmp_path / "rows.tsv", ROWS), "--cache", "off", "-j1")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()[:3]] == ["#", "named", "named"]
    assert ran.out.splitlines()[-1].startswith(
        "2 rows: 2 named, 0 cheaper, 0 equal, 0 failed; median "
    )


def test_rows_as_objects_and_any_number_of_workers(isel: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "rows.tsv", ROWS + ALONE)
    runs = [
        [
            json.loads(line)
            for line in isel("select", path, "--json", "--cache", "off", jobs).out.splitlines()
        ]
        for jobs in ("-j1", "-j2")
    ]
    for row in (*runs[0], *runs[1]):
        assert list(row) == KEYS
        assert row.pop("seconds") >= 0
    assert runs[0] == runs[1]
    assert [r["verdict"] for r in runs[0]] == [
        "named",
        "named",
        "equal",
        "named",
        "failed",
        "failed",
        "failed",
    ]
    assert [r["passed"] for r in runs[0]] == [True] * 4 + [False] * 3
    assert [r["proof"] for r in runs[0]] == ["proved"] * 4 + ["", "", "proved"]
    assert runs[0][4]["reason"] == "a gather: the index depends on data or is not linear"
    assert runs[0][5]["reason"] == "floating point is not selected"
    assert all(r["program"] and r["cost"] <= r["reference_cost"] for r in runs[0][:4])


def test_sums_become_the_instruction_that_sums(isel: Run, tmp_path: Path) -> None:
    """One instruction and what puts the sums in their place: never more than two cycles."""
    lines = isel(
        "select", written(tmp_path / "rows.tsv", SUMS), "--json", "--cache", "off", "-j1"
    ).out.splitlines()
    found = [json.loads(line) for line in lines]
    assert [(r["verdict"], r["proof"]) for r in found] == [("named", "proved")] * 6
    assert [r["cost"] for r in found] == [1.0, 1.0, 2.0, 1.0, 0.6667, 1.0]


def test_code_of_older_cpus_only(isel: Run, tmp_path: Path) -> None:
    """What is compared with the instruction may come from an older CPU, never from a newer one."""
    row = "vmov*%k\t16\tuint8\tselect((uint8)input(x) > (uint8)7, (uint8)input(x), (uint8)input(x + 16))\n"
    ran = isel(
        "select",
        written(tmp_path / "row.tsv", row),
        "--json",
        "--cache",
        "off",
        "--mcpu",
        "x86-64-v2",
        "--effort",
        "0",
    )
    (found,) = (json.loads(line) for line in ran.out.splitlines())
    assert found["program"]
    assert [line for line in found["program"] if line.startswith("v") or "%k" in line] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["(uint8)input(x) +"],
            "isel: <expression>:1:18: error: expected an expression, found 'the end'",
        ),
        (
            ["<halide.Expr of type int8: (uint8)a(x)>"],
            "isel: <expression>:1:22: error: the expression is uint8, not int8",
        ),
        (
            ["<halide.Expr of type int8: (uint8)a(x) $>"],
            "isel: <expression>:1:40: error: expected an operator or the end, found '$'",
        ),
        (["x", "--target", "mips"], "invalid choice: 'mips'"),
        (
            ["x", "--mcpu", "saphirerapids"],
            "unknown CPU 'saphirerapids', did you mean 'sapphirerapids'?",
        ),
        (["nowhere.tsv"], "nowhere.tsv: error: no such file or directory"),
    ],
)
def test_mistakes(isel: Run, words: list[str], said: str) -> None:
    ran = isel("select", *words)
    assert ran.code == 1
    assert said in ran.err
    assert ran.out == ""


def test_a_twin_is_compared_where_it_is_proved(isel: Run, tmp_path: Path) -> None:
    """The saturating dot product of a row whose sums cannot saturate: the plain one is chosen,
    and held against its twin.
    """
    row = "vpdpbusds*xmm\t4\tint32\tsaturating_sum(r in 0..3: int32((int8)input((4*x) + r))*int32((uint8)input(((4*x) + r) + 32)))\n"
    (found,) = (
        json.loads(line)
        for line in isel(
            "select", written(tmp_path / "row.tsv", row), "--json", "--cache", "off"
        ).out.splitlines()
    )
    assert (found["verdict"], found["cost"]) == ("equal", found["reference_cost"])


def test_what_a_load_takes_apart_comes_from_memory(isel: Run, tmp_path: Path) -> None:
    """Rows of loads that order what they load, and of pairs of pairs, for AArch64."""
    rows = (
        "ld3\t16\tint16\tmax((int16)input(x*3), (int16)input(((x*3) + 3) - 1))\n"
        "smaxp\t8\tint16\tmaximum(r in 0..3: (int16)input((4*x) + r))\n"
        "uaddlp\t4\tuint64\t(uint64)123 + sum(r in 0..3: uint64((uint32)input((4*x) + r)))\n"
    )
    path = written(tmp_path / "rows.tsv", rows)
    ran = isel("select", path, "--target", "arm", "-j1", "--json", "--cache", "off")
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [(r["verdict"], r["proof"]) for r in found] == [("named", "proved")] * 3
    assert found[0]["cost"] is not None and found[0]["program"][0].endswith("[x0], #48")
    assert [line.split()[0] for line in found[1]["program"]] == ["smaxp"] * 3
    assert found[2]["cost"] < found[2]["llvm_cost"]


def test_what_is_loaded_as_it_is_costs_nothing(isel: Run, tmp_path: Path) -> None:
    """LLVM says then of the argument that it is returned, which is no part of an expression."""
    row = written(tmp_path / "row.tsv", "valign(v*,v*,#7)\t128\tuint8\t(uint8)input(x + 7)\n")
    (line,) = isel("select", row, "--target", "hvx", "--json", "--cache", "off").out.splitlines()
    found = json.loads(line)
    assert (found["verdict"], found["proof"], found["cost"]) == ("cheaper", "proved", 0.0)
