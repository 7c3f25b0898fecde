"""The settings of the grammar search are the heuristics that they name; a search has its steps."""

from __future__ import annotations

from bench.ablation.grammars import HEURISTICS, SETTINGS, Search, grammar_of, run, searches
from bench.ablation.lanes import TERMS

_AVERAGE = next(t for t in TERMS if t.name == "average")
_SCORED = next(s for s in SETTINGS if s.name == "screening, lane-wise, score")


def test_each_heuristic_leaves_fewer_components() -> None:
    searches = (Search(_AVERAGE, "x86", s, 1) for s in SETTINGS)
    sizes = {s.setting.name: len(grammar_of(s).components) for s in searches}
    assert sizes["the 50 best by score"] == 50
    assert sizes["all instructions"] > 2 * sizes["screening"]
    assert sizes["screening"] > sizes["screening, lane-wise, score"]


def test_scoring_finds_the_instruction_and_few_steps_do_not() -> None:
    found = run(Search(_AVERAGE, "x86", _SCORED, 1000))
    assert found.steps < 1000
    assert found.program == ("_mm256_avg_epu16",)
    assert run(Search(_AVERAGE, "x86", _SCORED, 1)).program == ()


def test_each_setting_is_searched_where_it_is_said_to_be() -> None:
    found = searches((_AVERAGE,), 7)
    assert {(s.target, s.width) for s in found if s.setting in SETTINGS} == {
        ("x86", 16),
        ("arm", 16),
    }
    assert {s.setting.name for s in found if (s.target, s.width) == ("hvx", 32)} == {
        s.name for s in HEURISTICS
    }
    assert {s.limit for s in found} == {7}
