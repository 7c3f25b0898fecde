"""The reading and judging of Alive2's tests, on files of our own in its conventions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.alive2.__main__ import judged, main, rows
from tests.alive2.conventions import Case, Wanted, cases, explained
from tests.alive2.judge import Answer, Grade, Judged, combined, grade, judge, numbered
from tests.alive2.table import Row, printed, reasons, section, totals
from tests.children import Died, Done, Late
from tests.evidence import write_section


def function(name: str, body: str, head: str = "i8 %x, i8 %y") -> str:
    return f"define i8 @{name}({head}) {{\n{body}\n  ret i8 %r\n}}\n"


ADD, SWAPPED, SUB = ("  %r = add i8 %x, %y", "  %r = add i8 %y, %x", "  %r = sub i8 %y, %x")
GOOD = function("src", ADD) + function("tgt", SWAPPED)
BAD = function("src", ADD) + function("tgt", SUB)
FLOAT = (
    "define float @src(float %x) {\n  %r = fadd float %x, 1.0\n  ret float %r\n}\n"
    "define float @tgt(float %x) {\n  ret float %x\n}\n"
)


def folder_of(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def one(folder: Path, text: str) -> Case:
    (case,) = cases(folder_of(folder, {"a.srctgt.ll": text}))
    return case


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (GOOD, Wanted.PROVED),
        (f"{GOOD}; ERROR: Value mismatch\n", Wanted.REFUTED),
        (f";ERROR: Source is more defined\n{GOOD}", Wanted.REFUTED),
        (
            f"; TEST-ARGS: -disallow-ub-exploitation\n; ERROR: Source has guardable UB\n{GOOD}",
            Wanted.REFUTED,
        ),
        (f"; ERROR: Unsupported instruction\n{GOOD}", Wanted.OPEN),
        (f"; XFAIL: Value mismatch\n{GOOD}", Wanted.OPEN),
        (f"; CHECK: Transformation seems to be correct!\n{GOOD}", Wanted.PROVED),
        (f"; CHECK: bits_byte: 16\n{GOOD}", Wanted.OPEN),
        (f"; CHECK: Transformation doesn't verify!\n{GOOD}", Wanted.REFUTED),
    ],
)
def test_what_a_test_expects(tmp_path: Path, text: str, wanted: Wanted) -> None:
    assert one(tmp_path, text).wanted is wanted


def test_names_of_files(tmp_path: Path) -> None:
    """A pair of files is one test, whatever else lies beside it; a file that is no pair is none."""
    found = cases(
        folder_of(
            tmp_path,
            {
                "b/p.src.ll": "",
                "b/p.tgt.ll": "",
                "a.srctgt.ll": "",
                "c.ident.ll": "",
                "d.ll": "",
                "e.opt": "",
            },
        )
    )
    assert [(c.name, c.target) for c in found] == [
        ("a.srctgt.ll", None),
        ("b/p.src.ll", tmp_path / "b/p.tgt.ll"),
    ]


def test_flags(tmp_path: Path) -> None:
    """A flag explains one direction, not the other, and only what it is about."""
    case = one(tmp_path, f"; TEST-ARGS: -src-unroll=2 -func=f -disable-undef-input\n{GOOD}")
    assert case.flags == ("-src-unroll=2", "-func=f", "-disable-undef-input")
    assert case.functions == ("f",)
    assert explained(case).startswith("-src-unroll=2")
    assert (
        explained(
            one(tmp_path, f"; TEST-ARGS: -disable-undef-input\n; ERROR: Value mismatch\n{GOOD}")
        )
        == ""
    )
    assert explained(one(tmp_path, f"; TEST-ARGS: -dbg\n{GOOD}")) == ""
    assert explained(
        one(tmp_path, f"; TEST-ARGS: -tgt-is-asm\n; ERROR: Value mismatch\n{GOOD}")
    ).startswith("-tgt-is-asm")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (GOOD, Answer.PROVED),
        (BAD, Answer.REFUTED),
        (FLOAT, Answer.UNKNOWN),
        (GOOD + function("src7", ADD) + function("tgt7", SUB), Answer.REFUTED),
        (GOOD + function("src_why", ADD) + function("tgt_why", SUB), Answer.REFUTED),
        (GOOD + function("src_lonely", ADD), Answer.PROVED),
        (function("f", ADD), Answer.UNKNOWN),
        ("define i8 @src( {", Answer.UNKNOWN),
    ],
)
def test_our_answer(tmp_path: Path, text: str, answer: Answer) -> None:
    assert judge(one(tmp_path, text)).answer is answer


def test_pairs_of_files(tmp_path: Path) -> None:
    """Functions go by their names; what is in one file alone is left out, and -func selects."""
    files = {
        "p.src.ll": function("f", ADD) + function("g", ADD) + function("h", ADD),
        "p.tgt.ll": function("f", SWAPPED) + function("g", SUB),
    }
    (case,) = cases(folder_of(tmp_path, files))
    assert judge(case).answer is Answer.REFUTED
    (case,) = cases(folder_of(tmp_path, {"p.src.ll": f"; TEST-ARGS: -func=f\n{files['p.src.ll']}"}))
    assert judge(case).answer is Answer.PROVED


def test_suffixes_are_numbers() -> None:
    assert (
        numbered("@src_a @tgt_b @tgt_a @srcs_a @src2") == "@src1000 @tgt1001 @tgt1000 @srcs_a @src2"
    )
    assert combined([]).answer is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        (GOOD, Answer.PROVED, Grade.AGREED_PROVED),
        (GOOD, Answer.REFUTED, Grade.WRONG),
        (GOOD, Answer.UNKNOWN, Grade.UNKNOWN),
        (f"; ERROR: Value mismatch\n{BAD}", Answer.REFUTED, Grade.AGREED_REFUTED),
        (f"; ERROR: Value mismatch\n{BAD}", Answer.PROVED, Grade.WRONG),
        (f"; TEST-ARGS: -tgt-unroll=1\n{BAD}", Answer.REFUTED, Grade.EXPLAINED),
        (f"; TEST-ARGS: -tgt-unroll=1\n; ERROR: Value mismatch\n{BAD}", Answer.PROVED, Grade.WRONG),
        (f"; ERROR: Unsupported instruction\n{BAD}", Answer.REFUTED, Grade.OPEN),
        (f"; ERROR: Unsupported instruction\n{BAD}", Answer.CRASHED, Grade.WRONG),
    ],
)
def test_grades(tmp_path: Path, text: str, answer: Answer, expected: Grade) -> None:
    assert grade(one(tmp_path, text), Judged(answer)) is expected


def test_a_child_that_dies_is_a_crash_and_a_late_one_is_unknown() -> None:
    assert judged(Died("ended by SIGSEGV", 1)) == Judged(Answer.CRASHED, "ended by SIGSEGV")
    assert judged(Late(3)) == Judged(Answer.UNKNOWN, "no answer within 3 s of time")
    assert judged(Done(Judged(Answer.PROVED), 1)) == Judged(Answer.PROVED)


def test_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a folder to the report, exit code 1 because of the test that claims that a sum is a
    difference.
    """
    folder_of(
        tmp_path,
        {
            "good.srctgt.ll": GOOD,
            "claim.srctgt.ll": BAD,
            "float.srctgt.ll": FLOAT,
            "bad.srctgt.ll": f"; ERROR: Value mismatch\n{BAD}",
        },
    )
    assert main([str(tmp_path), "--jobs", "2", "--no-evidence"]) == 1
    said = capsys.readouterr().out
    assert "     1 wrong" in said
    assert (
        "claim.srctgt.ll: proved by Alive2 (Transformation seems to be correct!), refuted (lane 0) by us"
        in said
    )
    assert main([str(tmp_path), "--only", "good", "--jobs", "1"]) == 0
    found = rows(cases(tmp_path), jobs=1, seconds=60)
    assert totals(found) == {
        "tests": 4,
        "agreed: proved": 1,
        "agreed: refuted": 1,
        "unknown": 1,
        "without a verdict of Alive2": 0,
        "different, as a flag of the test explains": 0,
        "wrong": 1,
    }
    assert printed(found) == said
    text = section(found, "commit `c0ffee`", "make alive2", "22")
    assert "| proved | 1 | 1 | 1 | 0 |\n| refuted | 0 | 1 | 0 | 0 |" in text


@pytest.mark.parametrize("folder", ["", "nowhere"])
def test_no_tests_are_an_error(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([folder]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_reasons_are_grouped(tmp_path: Path) -> None:
    case = one(tmp_path, GOOD)
    some = [
        Row(case, Judged(Answer.UNKNOWN, why))
        for why in ("the operand %a", "the operand %b2", "'call' of @f", "4 x i8")
    ]
    assert reasons(some) == [("the operand …", 2), ("… of …", 1), ("… x i8", 1)]


def test_a_section_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "evidence.md"
    write_section(file, "One", "first\n")
    write_section(file, "Two's", "second")
    before = file.read_text()
    write_section(file, "One", "third")
    assert file.read_text() == before.replace("first", "third")
    file.write_text(before.replace("<!-- one: end -->", ""))
    with pytest.raises(ValueError, match="the end of the section 'One' is missing"):
        write_section(file, "One", "fourth")
