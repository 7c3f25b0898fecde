"""The reader of the .sem language: what entries mean, and what is said of mistakes."""

from __future__ import annotations

import pytest

from isel.ir.expr import show
from isel.spec.instruction import Instruction, Role
from isel.spec.sem import SemProblems, read_entries, read_sem
from isel.spec.sem_show import show_sem

ADD = """# a comment
instruction add{s}_{bits}
  for s, w in (b, 8) (w, 16)
  for bits, f in (64, none) (128, {s}x wide)

  let n = bits / w
  in a, b: n x w
  result n x w
  lane a[i] + b[i]
  features {f}
  emit %r = add <{n} x i{w}> %a, %b
"""


def entry(*lines: str, result: str = "4 x 8") -> Instruction:
    text = (
        "\n  ".join(
            [
                "instruction test",
                *lines,
                f"result {result}",
                "features none",
                "emit %r = freeze <4 x i8> %a",
            ]
        )
        + "\n"
    )
    (found,) = read_sem(text)
    return found


def problems(text: str) -> str:
    with pytest.raises(SemProblems) as caught:
        read_sem(text, "t.sem")
    return caught.value.message()


def test_loops_give_the_members_in_order() -> None:
    found = read_sem(ADD)
    assert [i.name for i in found] == ["addb_64", "addb_128", "addw_64", "addw_128"]
    assert found[3].features == {"wx", "wide"}
    assert found[1].emission == ("%r = add <16 x i8> %a, %b",)
    assert (found[2].lanes, found[2].width, found[2].mnemonic) == (4, 16, "addw")
    assert show(found[2].lane(3, {})) in ("(add a[48]:16 b[48]:16)", "(add b[48]:16 a[48]:16)")


@pytest.mark.parametrize(
    ("lane", "expected"),
    [
        ("a[3 - i]", "a[16]:8"),
        ("sat_s(sext(a[i], 9) + sext(a[i], 9), 8)", None),
        ("extract(zext(a[i], 16), 4, 8)", "(extract 4 8 (zext 16 a[8]:8))"),
        ("~a[i]", "(not a[8]:8)"),
        ("i * 3", "3:8"),
        ("-1", "255:8"),
        ("eq(a[i], 7) ? 1 : a[i]", "(ite (eq a[8]:8 7:8) 1:8 a[8]:8)"),
        ("i == 1 ? 5 : a[i]", "5:8"),
        ("fold(+, k < 2, a[2 * k])", None),
        ("trunc(fold(concat, k < 4, a[k]), 8)", None),
        ("truth(0xf0, a[0], a[1], a[2])", None),
        ("(i + 1 < 3) & (i > 0) ? a[0] : 0", "a[0]:8"),
    ],
)
def test_formulas(lane: str, expected: str | None) -> None:
    term = entry("in a: 4 x 8", f"lane {lane}").lane(1, {})
    assert term.width == 8
    if expected is not None:
        assert show(term) == expected


def test_fold_runs_from_the_left_and_concat_puts_the_first_lowest() -> None:
    assert (
        show(entry("in a: 4 x 2", "lane fold(concat, k < 4, a[k])").lane(0, {}))
        == "(concat a[6]:2 (concat a[4]:2 (concat a[2]:2 a[0]:2)))"
    )


def test_pick_chooses_by_an_operand() -> None:
    i = entry("in a: 4 x 8", "index x: 4 x 8", "lane pick(a, 0, 4, trunc(x[i], 2))")
    assert i.operand("x").role is Role.INDEX
    text = show(i.lane(2, {}))
    assert "x[16]:8" in text and all(f"a[{k}]:8" in text for k in (0, 8, 16, 24))


def test_kinds_are_tried_in_order() -> None:
    i = entry("in a: 4 x 8", "lane when i % 2 == 0: a[i]", "lane when i == 3: 9", "lane 0")
    assert [show(i.lane(k, {})) for k in range(4)] == ["a[0]:8", "0:8", "a[16]:8", "9:8"]


def test_immediates_and_definitions() -> None:
    i = entry("in a: 4 x 8", "imm n: 8 in 0..2, 7", "where p = (i + n) % 4", "lane a[p]")
    assert i.immediates[0].values == (0, 1, 2, 7)
    assert show(i.lane(1, {"n": 7})) == "a[0]:8"
    assert i.lane(1, {"n": 2}) is not i.lane(1, {"n": 1})


def test_predication_is_a_stage_of_its_own() -> None:
    text = ADD.replace("features {f}", "features {f}\n  predication merge(k, old)").replace(
        "(64, none) (128, {s}x wide)", "(64, none)"
    )
    i = read_sem(text)[0]
    assert [(o.name, o.role, o.width) for o in i.operands] == [
        ("old", Role.ACCUMULATOR, 8),
        ("k", Role.MASK, 1),
        ("a", Role.IN, 8),
        ("b", Role.IN, 8),
    ]
    assert i.emission == (
        "%plain = add <8 x i8> %a, %b",
        "%r = select <8 x i1> %k, <8 x i8> %plain, <8 x i8> %old",
    )
    assert show(i.lane(1, {})).startswith("(ite k[1]:1 (add ")
    zero = read_sem(text.replace("merge(k, old)", "zero(k)"))[0]
    assert zero.emission[-1] == "%r = select <8 x i1> %k, <8 x i8> %plain, <8 x i8> zeroinitializer"
    assert (
        read_sem(text.replace("merge(k, old)", "none"))[0]
        == read_sem(text.replace("  predication merge(k, old)\n", ""))[0]
    )


def test_calls_pass_operands_then_immediates() -> None:
    text = "instruction f\n  in a: 4 x 8\n  scalar c: 1 x 16\n  imm n: 32 in 1..3\n  result 4 x 8\n  lane a[i]\n"
    text += "  features x\n  call llvm.f\n  also llvm.old llvm.older\n"
    entries = read_entries(text)
    (i,) = entries.instructions
    assert i.call == "llvm.f" and i.emission == (
        "%r = call <4 x i8> @llvm.f(<4 x i8> %a, i16 %c, i32 $n)",
    )
    assert sorted(entries.also) == ["llvm.old", "llvm.older"]
    old = entries.also["llvm.old"]
    assert (
        old.call == "llvm.old"
        and "@llvm.old(" in old.emission[0]
        and old.lane(2, {"n": 1}) is i.lane(2, {"n": 1})
    )


def test_long_lines_continue() -> None:
    text = ADD.replace("lane a[i] + b[i]", "lane a[i] +\n    ... b[i]")
    assert read_sem(text) == read_sem(ADD)
    assert "t.sem:10:9: error: 'c' is no operand" in problems(
        ADD.replace("lane a[i] + b[i]", "lane a[i] +\n    ... c[i]")
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "a[i] + b[i]",
            "a[i] + c[i]",
            "t.sem:9:15: error: 'c' is no operand\n  lane a[i] + c[i]\n              ^",
        ),
        ("a[i] + b[i]", "a[i] + bad(1)", "t.sem:9:15: error: unknown function 'bad'"),
        (
            "a[i] + b[i]",
            "a[i] + b",
            "t.sem:9:15: error: 'b' is an operand, expected one of its elements",
        ),
        ("a[i] + b[i]", "a[i] + m", "t.sem:9:15: error: 'm' is not known here"),
        ("a[i] + b[i]", "a[i] + b[i + 1]", "t.sem:9:15: error: element 8 of 'b', which has 8"),
        (
            "a[i] + b[i]",
            "a[i] + zext(b[i], 2 * w)",
            "t.sem:9:13: error: a bit-vector of 16 bits, expected 8 bits",
        ),
        (
            "a[i] + b[i]",
            "zext(a[i], 9)",
            "t.sem:9:8: error: a bit-vector of 9 bits, expected 8 bits",
        ),
        ("a[i] + b[i]", "a[i] + 256", "t.sem:9:13: error: 256 does not fit 8 bits"),
        (
            "a[i] + b[i]",
            "a[i] >> b[i]",
            "t.sem:9:13: error: '>>' of bit-vectors, expected a function that says the sign",
        ),
        ("a[i] + b[i]", "a[i] + ", "error: the line ends, expected an expression"),
        ("a[i] + b[i]", "(a[i]", "error: the line ends, expected ')'"),
        ("a[i] + b[i]", "a[i] $ b[i]", "t.sem:9:13: error: '$' is no part of the language"),
        ("a[i] + b[i]", "a[i] b[i]", "t.sem:9:13: error: 'b', expected the end of the line"),
        ("a[i] + b[i]", "umin(a[i])", "t.sem:9:8: error: 1 arguments of 'umin', expected 2"),
        ("a[i] + b[i]", "a[i / 0]", "t.sem:9:12: error: integer division or modulo by zero"),
        ("a[i] + b[i]", "when i > 0: a[i]", "t.sem:2:13: error: no formula for lane 0"),
        ("a[i] + b[i]", "fold(max, k < 2, a[k])", "t.sem:9:8: error: 'max' cannot be folded"),
        (
            "a[i] + b[i]",
            "pick(a, 0, 4, b[i])",
            "t.sem:9:8: error: a choice of 4 elements by 8 bits, expected 256",
        ),
        ("in a, b: n x w", "in a, b: n", "t.sem:7:12: error: 'n', expected COUNT x WIDTH"),
        ("in a, b: n x w", "in a, b", "t.sem:7:10: error: expected NAME: COUNT x WIDTH"),
        ("in a, b: n x w", "in a, a: n x w", "t.sem:9:15: error: 'b' is no operand"),
        ("result n x w", "result 0 x w", "t.sem:8:10: error: 0, expected a positive number"),
        (
            "result n x w",
            "resutl n x w",
            "t.sem:8:3: error: unknown statement 'resutl', expected one of",
        ),
        ("  result n x w\n", "", "t.sem:2:13: error: an instruction without result"),
        ("  emit %r = add <{n} x i{w}> %a, %b\n", "", "error: an instruction without emit or call"),
        ("(w, 16)", "(w, 16, 3)", "t.sem:3:23: error: 3 values, expected 2"),
        ("add{s}_{bits}", "add{s}", "error: a second 'addb'"),
        ("add{s}_{bits}", "add{q}_{bits}", "error: unknown name 'q'"),
        ("let n = bits / w", "let n", "error: expected NAME = EXPRESSION"),
        (
            "let n = bits / w",
            "predication maybe(k)",
            "error: 'maybe(k)', expected none, merge(MASK, SOURCE) or zero(MASK)",
        ),
        ("instruction add", "add", "t.sem:2:1: error: 'add' outside of an instruction"),
    ],
)
def test_mistakes_are_shown_where_they_are(old: str, new: str, message: str) -> None:
    assert old in ADD
    assert message in problems(ADD.replace(old, new))


def test_all_mistakes_are_reported_in_order() -> None:
    text = ADD.replace("a[i] + b[i]", "c[i] + bad(1)").replace(
        "features {f}", "feature {f}"
    ) + ADD.replace("add{", "sub{").replace("n x w", "n by w")
    lines = [line for line in problems(text).splitlines() if line.startswith("t.sem:")]
    assert [line.split(":")[1] for line in lines] == ["9", "9", "10", "18", "19"]


def test_without_the_check_a_lane_says_what_is_wrong_when_asked() -> None:
    (i, *_) = read_sem(ADD.replace("b[i]", "b[i + 1]"), check=False)
    assert show(i.lane(0, {})) in ("(add a[0]:8 b[8]:8)", "(add b[8]:8 a[0]:8)")
    with pytest.raises(Exception, match="element 8 of 'b'"):
        i.lane(7, {})
    with pytest.raises(IndexError):
        i.lane(8, {})


def test_printing_is_read_back() -> None:
    text = "instruction t\n  in a: 4 x 8\n  imm n: 8 in 0..2, 7\n  where p = (i + n) % 4 * (1 - 2)\n  result 4 x 8\n"
    text += "  lane when (i < 2) == 1: a[-p] - (a[i] - 1)\n  lane 0\n  features x\n"
    text += "  emit %r = shufflevector <4 x i8> %a, <4 x i8> poison, $[i < 4: (i + n) % 4]\n"
    (i,) = read_sem(text, check=False)
    (again,) = read_sem(show_sem(i), check=False)
    assert again == i and show_sem(again) == show_sem(i)
    assert again.lane(0, {"n": 0}) is i.lane(0, {"n": 0})
