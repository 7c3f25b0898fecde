"""Other names change no verdict, no question to a solver, and no output but names."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest

from tests.names import pools, state
from tests.names.cases import ROOT, Case, of_number, read, sample
from tests.names.check import Found, judge, renamed, rewrite
from tests.names.renaming import plain

SEED: Final = 59
PAIRS: Final = sorted(
    p
    for folder in ("verify/pairs", "verify/attacks", "suites/refinement2", "suites/neon/pairs")
    for p in (ROOT / "tests" / folder).glob("*.ll")
    if not p.name.startswith("two_")
)
WINDOWS: Final = ROOT / "tests" / "golden" / "windows"


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in PAIRS[7::60]])
def test_pairs(path: Path) -> None:
    case = Case(path.stem, read(path))
    before, after = judge(case), judge(renamed(case, SEED))
    row = state.compared(state.PAIR, case.name, SEED, before, after)
    assert not row.changes and not row.asked, f"seed {SEED}: {row.changes}"


def test_modules() -> None:
    name = "clamped_sum_of_bytes"
    case = Case(name, read(WINDOWS / f"{name}.ll"), flags=("-mcpu=znver5",))
    before, after = rewrite(case), rewrite(renamed(case, SEED))
    assert "= call " in before.output, "nothing was rewritten"
    assert before == after, f"seed {SEED}"


def test_a_function_whose_name_assembly_escapes() -> None:
    """It was priced as if LLVM made no code for it."""
    text = read(WINDOWS / "clamped_sum_of_bytes.ll")
    other = text.replace("@clamped_sum_of_bytes(", '@"\\225"(')
    assert other != text
    before, after = (rewrite(Case("x", x, flags=("-mcpu=znver5",))) for x in (text, other))
    assert before == after and "= call " in after.output


def test_what_differs_is_found() -> None:
    """Also where one answer of several is another one, and where what was asked is."""
    proved, open_, wrong = ("proved", ""), ("unknown", "why"), ("refuted", "lane 0")
    before = Found((proved, open_), (("q",), ()))
    same = state.compared(state.PAIR, "x", 1, before, before)
    other = state.compared(state.PAIR, "x", 1, before, Found((proved, wrong), (("r",), ())))
    worse = state.compared(state.PAIR, "y", 1, before, Found((open_, open_), (("q",), ())))
    module = state.compared(state.MODULE, "z", 1, Found(output="a\nb"), Found(output="a\nb\nc"))
    late = state.Row(state.PAIR, "late", 1, problem="an answer | no answer in time")
    rows = [same, other, worse, module, late]
    assert state.wrong(rows) == [worse, module, late]
    assert list(state.printed(rows)) == [
        "x (seed 1): unknown -> refuted | why | lane 0",
        "y (seed 1): proved -> unknown |  | why",
        "z (seed 1): output |  | c",
        "late (seed 1): an answer | no answer in time",
        "pairs 4",
        "proved changed 1",
        "refuted changed 0",
        "unknown changed 1",
        "solvers asked otherwise 1",
        "modules 1",
        "outputs that differ 1",
        "without an answer 1",
        "not renamed 0",
    ]


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    row = state.Row(state.PAIR, "x", 1, (("unknown -> proved", "why", ""),))
    state.append(path, row)
    with path.open("a") as out:
        out.write('{"kind": "pa')
    assert state.read(path) == [row]


def test_names_are_drawn_once() -> None:
    rng = random.Random(SEED)
    for _ in range(20):
        choose = pools.values(rng, {"isel.0", "mul.1"})
        found = [x for x in (choose("old") for _ in range(200)) if x]
        assert len(found) == len({*found}) and not {"isel.0", "mul.1"} & {*found}


def test_numbers_in_names(tmp_path: Path) -> None:
    path = tmp_path / "pair.ll"
    text = "define i8 @src(i8 %isel.double.5) {\n  ret i8 %isel.double.5\n}\n"
    path.write_text(text + text.replace("src", "tgt"))
    case = of_number(path, 63)
    assert case is not None and case.text.count("%isel.double.63") == 4
    assert plain(case.text) == plain(read(path))
    path.write_text(text)
    assert of_number(path, 63) is None


def test_a_sample_is_spread() -> None:
    cases = [Case(str(k), "") for k in range(10)]
    assert [c.name for c in sample(cases, 3)] == ["0", "3", "6"]
    assert sample(cases, 20) == cases
