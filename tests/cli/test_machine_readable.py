"""What the tool writes for other tools: JSON as its standard has it, by a schema."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bench.harness.records import save
from bench.harness.table import HEADER, csv_text
from frontends.llvm.report.tried import (
    FunctionReport,
    ModuleReport,
    Outcome,
    Place,
    WindowReport,
    stats,
)
from isel.cli.parser import COMMANDS
from isel.cli.remarks.findings import findings_of
from isel.cli.remarks.sarif import sarif
from isel.json_text import to_json
from tests.bench.harness.records import a_run
from tests.cli.modules import CPU, PLAIN, WINDOW, Run, written
from tests.cli.remarks.builds import ROWS, left
from tests.schemas import HERE, check, strict

ROOT = Path(__file__).parents[2]
PRODUCT = ("isel", "frontends", "semantics", "equiv_classes", "bench", "examples")
# commands that write JSON, by flag, and the schema of what they write
FLAGS = {
    ("opt", "--stats-json"): "stats",
    ("select", "--json"): "select",
    ("semantics", "--json"): "instructions",
    ("classes", "--json"): "classes",
    ("rules", "--json"): "rules",
    ("measure", "--json"): "measure",
    **{(name, "--json"): name for name in (
        "verify", "doctor", "explain", "costs", "why-not", "passes", "lower", "port", "cache",
    )},
}  # fmt: skip
KEPT = WindowReport(
    Place("f", "r", 1), Outcome.KEPT, ("x",), reason="it cannot be written: <4 x i16>", attempts=1
)
RIGHT = replace(KEPT, outcome=Outcome.REWRITTEN, reason="correctness: wrong", cost_after=2.0)
REPORT = ModuleReport(
    "a.ll",
    (KEPT, replace(RIGHT, cost_before=0.0), replace(RIGHT, cost_before=4.5, beside=3)),
    (
        FunctionReport("f", "", 9, 6, {"x": 1}, cost=(0.0, 2.0)),
        FunctionReport("g", "why", 1, 0, {}),
    ),
)


def test_every_flag_that_writes_json_has_a_schema() -> None:
    found = {
        (name, flag)
        for name, row in COMMANDS.items()
        for flag in row.parser(name).flags()
        if "json" in flag and flag.startswith("--")
    }
    assert found == set(FLAGS)
    assert {f"{x}.json" for x in FLAGS.values()} <= {p.name for p in HERE.glob("*.json")}


def test_json_is_written_in_one_place() -> None:
    """Elsewhere Infinity and NaN would be written as words that are no JSON."""
    files = (p for top in PRODUCT for p in (ROOT / top).rglob("*.py"))
    found = {
        str(p.relative_to(ROOT)) for p in files if re.search(r"\bjson\.dumps?\b[^`]", p.read_text())
    }
    assert found == {"isel/json_text.py"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json({"a": [float("inf")]})


def test_a_schema_says_what_is_wrong() -> None:
    good = stats(REPORT)
    value = json.loads(good)
    for bad in ({**value, "functions": -1}, {**value, "new": 1}, {**value, "file": None}):
        with pytest.raises(AssertionError, match=r"\$"):
            check(json.dumps(bad), "stats")
    del value["windows"][0]["chosen"]
    with pytest.raises(AssertionError, match=r"windows\[0\]: lacks chosen"):
        check(json.dumps(value), "stats")
    with pytest.raises(ValueError, match="is no JSON"):
        strict('{"cyclesAfter": Infinity}')


def test_figures_that_are_not_known_are_null() -> None:
    """They were 0.0 and Infinity: where LLVM's code is wrong, or cannot be written."""
    value = check(stats(REPORT), "stats")
    assert isinstance(value, dict)
    costs = [(w["cost_before"], w["cost_after"]) for w in value["windows"]]
    assert costs == [(None, None), (None, 2.0), (4.5, 2.0)]
    assert value["functions_changed"] == {"f": {"cost_before": None, "cost_after": 2.0}}
    log = check(sarif(findings_of(REPORT), "/", named=True), "sarif")
    assert '"cyclesBefore": null' in json.dumps(log)


def test_what_opt_and_batch_write(isel: Run, tmp_path: Path) -> None:
    assert isel("opt", WINDOW, CPU, "-S", "-o", "o.ll", "--stats-json", "o.json").code == 0
    check(Path("o.json").read_text(), "stats")
    folder = tmp_path / "in"
    folder.mkdir()
    written(folder / "a.ll", PLAIN)
    written(folder / "b.ll", "define i32 @f( {\n")
    isel("batch", folder, "-o", "out", "-j", "1")
    records = {p.name: check(p.read_text(), "batch") for p in Path("out").rglob("*.ll.json")}
    assert sorted(records) == ["a.ll.json", "b.ll.json"]


def test_what_lists_write(isel: Run) -> None:
    check(isel("semantics", "list", "x86", "vpavg*", "--json").out, "instructions")
    check(isel("semantics", "coverage", "hvx", "--json").out, "coverage")
    check(isel("classes", "list", "vpavg*", "--json").out, "classes")
    for line in isel("rules", "list", "--json").out.splitlines():
        check(line, "rules")


def test_what_there_is_to_look_up(isel: Run) -> None:
    check(isel("explain", "vpavgb", "--json").out, "explain")
    shown = check(isel("costs", "show", "haswell", "vpavgb", "--json").out, "costs")
    both = check(isel("costs", "compare", "haswell", "znver4", "vpavgb", "--json").out, "costs")
    assert isinstance(shown, list) and isinstance(both, list) and len(both) > len(shown) > 0
    assert check(isel("costs", "compare", "haswell", "haswell", "--json").out, "costs") == []
    check(isel("passes", "--json").out, "passes")
    check(isel("doctor", "--json").out, "doctor")


def test_what_became_of_code(isel: Run, tmp_path: Path) -> None:
    ran = isel("verify", WINDOW, WINDOW, "--json")
    assert ran.code == 0 and '"verdict": "proved"' in ran.out
    check(ran.out, "verify")
    wrong = written(tmp_path / "b.ll", Path(WINDOW).read_text().replace("16384", "16383"))
    ran = isel("verify", WINDOW, wrong, "--json")
    assert ran.code == 2 and '"verdict": "refuted"' in ran.out, ran
    check(ran.out, "verify")
    check(isel("why-not", "vpavgb", WINDOW, CPU, "--cache=off", "--json").out, "why-not")
    calls = isel("opt", WINDOW, CPU, "-S", "--emit=autollvm", "--cache=off").out
    ran = isel("lower", written(tmp_path / "c.ll", calls), CPU, "--generic", "-o", "d.ll", "--json")
    assert ran.code == 0, ran
    check(ran.out, "lower")
    assert isel("lower", "c.ll", "--json").code == 1
    check(isel("lower", WINDOW, "-mtriple=mips", "-o", "d.ll", "--json").out, "lower")


@pytest.mark.tools
def test_what_became_of_a_file_that_is_ported(isel: Run, tmp_path: Path) -> None:
    source = "#include <emmintrin.h>\nvoid f(__m128i *o) { *o = _mm_avg_epu8(*o, *o); }\n"
    (tmp_path / "a.c").write_text(source)
    ran = isel("port", "a.c", "--to", "aarch64", "-o", "a.o", "--json")
    assert ran.code == 0, ran
    check(ran.out, "port")
    assert isel("port", "a.c", "--to", "aarch64", "--json").code == 1


def test_what_a_cache_has(isel: Run) -> None:
    assert isel("opt", WINDOW, "-S", CPU, "--cache", "mine").code == 0
    for action in ("stats", "list", "check"):
        found = check(isel("cache", action, "--cache", "mine", "--json").out, "cache")
        assert isinstance(found, list) and bool(found) == (action != "check")
    assert isel("cache", "clear", "--cache", "mine", "--json").code == 1


def test_what_select_writes(isel: Run) -> None:
    ran = isel("select", "(uint8)input(x) + (uint8)input(x + 16)", "--json", "--cache", "off")
    rows = [check(line, "select") for line in ran.out.splitlines()]
    assert len(rows) == 1, ran


def test_what_remarks_write(isel: Run, tmp_path: Path) -> None:
    folder = left(tmp_path / "r", {"a.o-1": ROWS})
    check((folder / "a.o-1.sarif").read_text(), "sarif")
    assert isel("remarks", folder, "-o", "b.sarif").code == 0
    check(Path("b.sarif").read_text(), "sarif")


def test_what_a_benchmark_writes(tmp_path: Path) -> None:
    run = a_run()
    for record in run.records:
        save(record, tmp_path / "r.json")
        check((tmp_path / "r.json").read_text(), "bench")
    head, *rows = csv.reader(io.StringIO(csv_text(run)))
    assert tuple(head) == HEADER and all(len(r) == len(HEADER) for r in rows)
    figures = [r[5] for r in rows if r[4] in ("s", "ns", "ratio", "MiB")]
    assert figures and all(re.fullmatch(r"\d+(\.\d+)?", x) for x in figures), figures
