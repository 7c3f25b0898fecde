"""Reports as remarks, tables and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

import yaml

from frontends.llvm.remarks import remarks
from frontends.llvm.report import FunctionReport, ModuleReport, Outcome, Place, WindowReport, stats, table

AT = Place("f", "r", 12, "a'b.c", 3, 9)
DONE = WindowReport(AT, Outcome.REWRITTEN, ("%r = add",), ("%r = call",), 4.0, 1.5, "1 query", "better", 2, 30, "best found", ("(ult a0[0]:8 16:8)",), 0.5)
LEFT = WindowReport(Place("g", "s", 40), Outcome.KEPT, ("%s = mul",), reason="no program found: 50% of it")
REPORT = ModuleReport("m.ll", (DONE, LEFT), (FunctionReport("f", "", 9, 6, {"load": 3}), FunctionReport("g", "it is optnone", 4, 0, {})))


class _Loader(yaml.SafeLoader):
    """Reads LLVM's tags as the mappings under them."""


def _mapping(loader: _Loader, suffix: str, node: yaml.MappingNode) -> Mapping[str, object]:
    return {"kind": suffix, **{str(k): v for k, v in loader.construct_mapping(node, deep=True).items()}}


_Loader.add_multi_constructor("!", _mapping)


def test_remarks_are_yaml() -> None:
    documents = list(yaml.load_all(remarks(REPORT), _Loader))
    assert [d["kind"] for d in documents] == ["Passed", "Missed", "Analysis", "Analysis"]
    assert documents[0]["DebugLoc"] == {"File": "a'b.c", "Line": 3, "Column": 9}
    texts = ["".join(str(v) for a in d["Args"] for v in a.values()) for d in documents]
    assert texts == [
        "window of r rewritten; cost 4.00 -> 1.50; 1 query",
        "window of s kept: no program found: 50% of it",
        "6 of 9 instructions in windows",
        "function skipped: it is optnone",
    ]


def test_no_remarks_of_an_empty_module() -> None:
    assert remarks(ModuleReport("m.ll")) == ""


def test_table() -> None:
    assert (
        table(REPORT)
        == """\
rewritten: @f %r line 12 (a'b.c:3:9)
  before: %r = add
  after:  %r = call
  cost:   4.00 -> 1.50 cycles
  proof:  1 query
  given:  (ult a0[0]:8 16:8)
  search: best found
  reason: better
  time:   0.50 s, 30 steps, 2 candidates judged
kept: @g %s line 40
  before: %s = mul
  cost:   - -> - cycles
  proof:  -
  reason: no program found: 50% of it
  time:   0.00 s, 0 steps, 0 candidates judged
module m.ll: 2 windows, 1 rewritten; 6 of 13 instructions in windows
       3 load
  function @g skipped: it is optnone
"""
    )


def test_stats_are_json_without_times() -> None:
    data = json.loads(stats(REPORT))
    assert data["windows_rewritten"] == 1
    assert data["instructions_in_windows"] == 6
    assert "seconds" not in stats(REPORT)
