"""The page of the ablation, text for what was measured."""

from __future__ import annotations

from bench.ablation.forks import Timed
from bench.ablation.grammars import SETTINGS, Answer, Search
from bench.ablation.lanes import TERMS
from bench.ablation.page import page, seconds
from bench.ablation.worth import Change, Worth

_MANY = tuple(Change(f"term {k}", 1.0, 4.0 - k) for k in range(3))
_WORTHS = (
    Worth("windows", "transform", 9, _MANY, (), (1000, 0), (8.0, 2.0)),
    Worth("chains", "edges", 9, _MANY[:1], _MANY[1:], (1000, 995), (8.0, 8.02)),
    Worth("scaling", "tactics", 0),
)
_SEARCHED = [
    (Search(TERMS[0], "x86", s, 500), Timed(Answer(40, 10 * k, ("add", "add") if k else ()), 1.0))
    for k, s in enumerate(SETTINGS)
]


def _page() -> list[str]:
    kinds, reasons = {"term": 5, "C": 4}, {"chains": "They are long."}
    return page(_WORTHS, kinds, 9, reasons, _SEARCHED).splitlines()


def test_a_name_is_a_line() -> None:
    lines = _page()
    assert "| `windows` | transform | 9 | 3 | 4.00 | term 0 | 0 | 0 % |" in lines
    assert "| `chains` | edges | 9 | 1 | 4.00 | term 0 | 2 | 100 % |" in lines
    assert "| `scaling` | tactics | 0 | 0 |  |  | 0 |  |" in lines


def test_names_that_change_few_cases_have_reasons() -> None:
    assert [line for line in _page() if line.startswith("- ")] == [
        "- `chains`: term 0, 1.00 and 4.00 cycles. They are long.",
        "- `scaling`: no case. No reason is known.",
    ]


def test_a_setting_is_a_line_and_a_term_another() -> None:
    lines = _page()
    assert "| all instructions | intractable | 40 | 0 of 1 | 0 |" in lines
    assert "| screening | 236 | 40 | 1 of 1 | 20 |" in lines
    assert "| saturating sum | - | 10 | 20 | 30 | 40 | 50 | 60 | 70 | `add`, `add` |" in lines


def test_processor_time_is_apart() -> None:
    assert seconds(_WORTHS).splitlines() == [
        "windows                  8.0 s    2.0 s   25 %",
        "chains                   8.0 s    8.0 s  100 %",
        "scaling                  0.0 s    0.0 s       ",
    ]


def test_what_was_measured_is_said() -> None:
    text = "\n".join(_page())
    assert "rewrites 9 modules for two targets" in text
    assert "The modules: 5 term, 4 C." in text
    assert "at most 500 steps" in text
