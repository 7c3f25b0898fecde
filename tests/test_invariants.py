"""The ten invariants of the house, each with the tests that hold it; the fifth and ninth are
held here.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.runs import digest, ways

ROOT = Path(__file__).parents[1]
EXAMPLES = ("multiply_round", "q15_multiply")

HELD_BY = {
    "1 one expression type; solver and LLVM values cross no module boundary": (
        "tests/test_architecture.py::test_one_importer",
    ),
    "2 one op table; the rest expands; parse(print(e)) is e": (
        "tests/ir/test_text.py::test_parse_of_show_is_the_same_object",
        "tests/ir/test_build.py::test_derived_operations_against_python",
    ),
    "3 one interpreter; all inputs at widths 1 to 4 agree": (
        "tests/interp/test_agreement.py::test_integers_and_numpy_agree",
        "tests/interp/test_agreement.py::test_solvers_agree_with_integers",
    ),
    "4 the engine names no ISA and no front end": (
        "tests/test_architecture.py::test_the_engine_knows_no_isa_and_no_front_end",
    ),
    "5 pure and deterministic": (
        "tests/test_invariants.py::test_the_same_bytes_however_it_is_run",
    ),
    "6 nothing without a Proved; unknown is never yes and never cached": (
        "tests/test_architecture.py::test_only_the_verifier_proves",
        "tests/cache/test_cached.py::test_a_solver_that_always_gives_up_yields_nothing_and_a_row_that_says_so",
        "tests/cache/test_cached.py::test_incomplete_results_are_not_kept",
    ),
    "7 the verifier sees two expressions and facts": (
        "tests/test_architecture.py::test_the_verifier_sees_nothing_of_the_search",
    ),
    "8 the cache is a decorator; its key is complete": (
        "tests/cache/test_cached.py::test_off_cold_and_warm_agree",
        "tests/cache/test_cached.py::test_the_key_is_complete",
        "tests/cli/test_forgeries.py::test_forged_rows_are_not_there",
    ),
    "9 generated files regenerate": (
        "tests/test_invariants.py::test_examples_regenerate",
        "tests/test_invariants.py::test_the_seed_regenerates",
    ),
    "10 every semantics is tested against something else": (
        "tests/cli/test_commands.py::test_semantics_fuzz",
    ),
}


@pytest.mark.parametrize("invariant", HELD_BY)
def test_every_invariant_is_held_by_tests_that_exist(invariant: str) -> None:
    for place in HELD_BY[invariant]:
        file, _, name = place.partition("::")
        functions = {
            n.name
            for n in ast.parse((ROOT / file).read_text()).body
            if isinstance(n, ast.FunctionDef)
        }
        assert name in functions, place


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_same_bytes_however_it_is_run(example: str, tmp_path: Path) -> None:
    """Two hash seeds, one and two workers, cache off, cold and warm, and with answers proved
    again.
    """
    found = {
        run: digest(ROOT / "examples" / f"{example}.ll", run, tmp_path)
        for run in ways(tmp_path / "cache")
    }
    assert len(set(found.values())) == 1, found


def test_examples_regenerate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from examples import regen

    before = {
        p: p.read_bytes()
        for folder in (ROOT / "examples", ROOT / "examples" / "avx2")
        for p in sorted(folder.glob("*.ll"))
    }
    assert len(before) >= 10
    monkeypatch.setattr(
        regen,
        "CPUS",
        {bits: (cpu, tmp_path / folder.name) for bits, (cpu, folder) in regen.CPUS.items()},
    )
    monkeypatch.setattr(regen, "ROOT", tmp_path)
    regen.main()
    made = {p: (tmp_path / p.parent.name / p.name).read_bytes() for p in before}
    assert made == before


def test_the_seed_regenerates(tmp_path: Path) -> None:
    """Judged by its rows: two databases with the same rows may differ in how pages are laid out."""
    from examples.seed import make_seed
    from isel.cache.database import Database

    make_seed(tmp_path / "seed.sqlite")
    rows = []
    for path in (ROOT / "cache.sqlite", tmp_path / "seed.sqlite"):
        database = Database(path, frozen=True)
        rows.append((list(database.results()), database.verdicts()))
        database.close()
    assert rows[0] == rows[1]
    assert rows[0][0]
