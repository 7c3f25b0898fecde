"""The page of the ablation, text for what was measured."""

from __future__ import annotations

from bench.ablation.forks import Timed
from bench.ablation.grammars import HEURISTICS, SETTINGS, Answer, Search
from bench.ablation.lanes import TERMS
from bench.ablation.page import page
from bench.ablation.reasons import REASONS
from bench.ablation.worth import NAMES, Change, Worth

_MANY = tuple(Change(f"term {k}", 1.0, 4.0 - k) for k in range(3))
_WORTHS = (
    Worth(("windows",), _MANY, (1000, 0), "transform", 9),
    Worth(("chains",), _MANY[:1], (1000, 995), "edges", 9),
    Worth(("egraph",), (), (0, 0), "tactics", 9),
    Worth(("bit-fields",), (), (0, 0), "tactics", 0),
    Worth(("chains", "egraph"), _MANY[1:], (10, 5)),
)
_ANSWERS = [Timed(Answer(40, 10 * k, ("add", "add") if k else ()), 1.0) for k in range(9)]
_SEARCHED = [
    *zip((Search(TERMS[0], "x86", s, 500) for s in SETTINGS), _ANSWERS, strict=False),
    *zip((Search(TERMS[0], "hvx", s, 500, 32) for s in HEURISTICS), _ANSWERS, strict=False),
]


def _page() -> list[str]:
    kinds, reasons = {"term": 5, "C": 4}, {"egraph": "It is rare."}
    gained = [(("lookups", "second-level"), Change("C c_x", 2.0, 1.5))]
    return page(_WORTHS, kinds, 9, reasons, {"chains": 70}, gained, _SEARCHED).splitlines()


def test_a_name_is_a_line() -> None:
    lines = _page()
    assert "| `windows` | transform | - | 9 | 3 | 0 | 4.00 | term 0 | 0 % |" in lines
    assert "| `chains` | edges | 70 | 9 | 1 | 2 | 4.00 | term 0 | 100 % |" in lines
    assert "| `bit-fields` | tactics | - | 0 | 0 | 0 |  |  |  |" in lines


def test_names_that_make_up_for_each_other_are_a_line() -> None:
    assert "| `chains`, `egraph` | 2 | 3.00 | term 1 |" in _page()


def test_what_is_cheaper_without_is_a_line() -> None:
    assert "| C c_x | 2.00 | 1.50 | `lookups`, `second-level` |" in _page()


def test_names_that_change_few_cases_have_reasons() -> None:
    assert [line for line in _page() if line.startswith("- ")] == [
        "- `egraph`: with others 2 more. It is rare.",
        "- `bit-fields`: no case. No reason is known.",
    ]


def test_a_setting_is_a_line_and_a_term_another() -> None:
    lines = _page()
    assert "| all instructions | intractable | 40 | 0 of 1 | 0 |" in lines
    assert "| screening | 236 | 40 | 1 of 1 | 20 |" in lines
    assert "| saturating sum | - | 10 | 20 | 30 | 40 | 50 | 60 | 70 | `add`, `add` |" in lines


def test_a_heuristic_is_a_line_and_a_width_a_column() -> None:
    lines = _page()
    assert "| setting | hvx, 32 bits: found | hvx, 32 bits: steps |" in lines
    assert "| without scaling | 1 of 1 | 10 |" in lines


def test_what_was_measured_is_said() -> None:
    text = "\n".join(_page())
    assert "Of 9 cases, which\nare 5 term, 4 C, 9 got cheaper." in text
    assert "at most 500 steps" in text


def test_reasons_are_of_mechanisms_that_there_are() -> None:
    assert REASONS.keys() <= {row.name for row in NAMES}
