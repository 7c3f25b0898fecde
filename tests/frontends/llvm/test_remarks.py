"""Reports as remarks, tables and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

import yaml

from frontends.llvm.report.remarks import remarks
from frontends.llvm.report.text import table
from frontends.llvm.report.tried import (
    FunctionReport,
    ModuleReport,
    Outcome,
    Place,
    WindowReport,
    stats,
)

AT = Place("f", "r", 12, "a'b.c", 3, 9)
DONE = WindowReport(
    AT,
    Outcome.REWRITTEN,
    ("%r = add",),
    ("%r = shufflevector <4 x i8> %a, <4 x i8> poison, <4 x i32> zeroinitializer",),
    4.0,
    1.5,
    "1 query",
    "",
    2,
    30,
    "best found",
    ("(ult a0[0]:8 16:8)",),
    6,
    "3 x vpmaxub (zmm)",
    "2 x vpsubusb (zmm)",
    1,
    seconds=0.5,
)
LEFT = WindowReport(
    Place("g", "s", 40),
    Outcome.KEPT,
    ("%s = mul",),
    reason="no program found: 50% of it",
    steps=1,
    operations=1,
    selected="vpmullw (xmm)",
)
REPORT = ModuleReport(
    "m.ll",
    (LEFT, DONE),
    (
        FunctionReport("g", "", 4, 0, {}),
        FunctionReport("f", "", 9, 6, {"load": 3}, cost=(4.0, 1.5)),
        FunctionReport("h", "it is optnone", 4, 0, {}),
    ),
).located({40: 41})


class _Loader(yaml.SafeLoader):
    """Reads LLVM's tags as the mappings under them."""


def _mapping(loader: _Loader, suffix: str, node: yaml.MappingNode) -> Mapping[str, object]:
    return {
        "kind": suffix,
        **{str(k): v for k, v in loader.construct_mapping(node, deep=True).items()},
    }


_Loader.add_multi_constructor("!", _mapping)


def test_remarks_are_yaml() -> None:
    documents = list(yaml.load_all(remarks(REPORT), _Loader))
    assert [d["kind"] for d in documents] == [
        "Missed",
        "Passed",
        "Analysis",
        "Analysis",
        "Analysis",
    ]
    assert documents[0]["DebugLoc"] == {"File": "m.ll", "Line": 41, "Column": 1}
    assert documents[1]["DebugLoc"] == {"File": "a'b.c", "Line": 3, "Column": 9}
    texts = ["".join(str(v) for a in d["Args"] for v in a.values()) for d in documents]
    assert texts == [
        "%s: kept: LLVM selects vpmullw (xmm) already; no program found: 50% of it",
        "%r: 6 operations -> 2 x vpsubusb (zmm), 4.00 -> 1.50 cycles, proved: 1 query",
        "0 of 4 instructions in windows",
        "6 of 9 instructions in windows",
        "function skipped: it is optnone",
    ]


def test_no_remarks_of_an_empty_module() -> None:
    assert remarks(ModuleReport("m.ll")) == ""


def test_table() -> None:
    assert (
        table(REPORT)
        == """\
@f: 4.0 -> 1.5 cycles, 1 of 1 window rewritten
@g: 0 of 1 window rewritten
  cycles: one pass through the innermost loops of the function, and a tenth of what is around a loop, as the table of its CPU has them

a'b.c:3: 6 operations -> 2 x vpsubusb (zmm), 4.0 -> 1.5 cycles, proved for all inputs
  window: %r of @f
  LLVM:   3 x vpmaxub (zmm)
  before: %r = add
  after:  %r = shufflevector <4 x i8> %a, <4 x i8> poison, [broadcast lane 0]
  given:  (ult a0[0]:8 16:8)
  proof:  1 query
  search: best found
  time:   0.50 s, 30 steps, 2 candidates judged

m.ll:41: kept: LLVM selects vpmullw (xmm) already; no program found: 50% of it
  window: %s of @g
  before: %s = mul
  time:   0.00 s, 1 step, 0 candidates judged

m.ll: 1 of 2 windows rewritten; 6 of 17 instructions in windows
       3 load
  function @h skipped: it is optnone
"""
    )


def test_stats_are_json_without_times() -> None:
    data = json.loads(stats(REPORT))
    assert data["windows_rewritten"] == 1
    assert data["instructions_in_windows"] == 6
    assert "seconds" not in stats(REPORT)
