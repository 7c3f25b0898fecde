"""SARIF logs: what the specification asks for, read back as written, the same bytes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from isel.cli.remarks.findings import RULES, Finding, as_written, findings_of, with_path
from isel.cli.remarks.lines import remark_lines, wants
from isel.cli.remarks.sarif import NotSarif, read_sarif, sarif
from tests.cli.remarks.builds import ROWS

LEVELS = {"none", "note", "warning", "error"}


def check(text: str) -> list[dict[str, object]]:
    """Check a log against SARIF 2.1.0 where we write it (sections 3.13 to 3.30), with the types and
    the properties that its schema demands and no others; return the results.
    """
    log = json.loads(text)
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0" and log["$schema"].endswith("/sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    assert set(run) == {"tool", "originalUriBaseIds", "results", "columnKind"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    assert set(driver) == {"name", "version", "rules"} and driver["name"] == "isel"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    for rule in driver["rules"]:
        assert set(rule) == {"id", "shortDescription", "defaultConfiguration"}
        assert re.fullmatch(r"[a-z-]+", rule["id"])
        assert rule["shortDescription"]["text"].endswith(".")
        assert rule["defaultConfiguration"]["level"] in LEVELS
    for base in run["originalUriBaseIds"].values():
        assert set(base) <= {"uri", "description"}
        if "uri" in base:  # 3.14.14: absolute, and ends in a slash
            assert urlsplit(base["uri"]).scheme == "file" and base["uri"].endswith("/")
    for r in run["results"]:
        told = {"ruleId", "ruleIndex", "level", "message", "partialFingerprints", "properties"}
        assert told <= set(r) <= told | {"locations"}
        assert ids[r["ruleIndex"]] == r["ruleId"]  # 3.27.6
        assert r["level"] in LEVELS
        assert isinstance(r["message"]["text"], str) and r["message"]["text"]
        assert all(isinstance(v, str) and v for v in r["partialFingerprints"].values())
        for place in r.get("locations", []):
            assert set(place) <= {"physicalLocation", "logicalLocations"}
            for logical in place.get("logicalLocations", []):
                assert set(logical) == {"name", "kind"}
            if "physicalLocation" not in place:
                continue
            physical = place["physicalLocation"]
            assert set(physical) <= {"artifactLocation", "region"}
            address = physical["artifactLocation"]
            relative = not urlsplit(address["uri"]).scheme
            assert relative == ("uriBaseId" in address)  # 3.4.4
            assert ".." not in address["uri"].split("/") and " " not in address["uri"]
            assert not relative or address["uriBaseId"] in run["originalUriBaseIds"]
            for key, number in physical.get("region", {}).items():
                assert key in ("startLine", "startColumn") and number >= 1  # 3.30.5
            assert "startLine" in physical.get("region", {"startLine": 1})
    found: list[dict[str, object]] = run["results"]
    return found


@pytest.mark.parametrize("named", [True, False])
def test_a_log_is_as_the_specification_says(named: bool) -> None:
    text = sarif(ROWS, "/p", named=named)
    assert len(check(text)) == len(ROWS)
    assert text == sarif(ROWS, "/p", named=named)
    assert '"src/a%20b.c"' in text and '"file:///usr/x.h"' in text
    assert ("file:///p/" in text) is named


def test_what_is_written_is_read() -> None:
    assert read_sarif(sarif(ROWS, "/p/build", named=True)) == list(ROWS)
    assert read_sarif(sarif(ROWS, "/", named=True)) == list(ROWS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"runs": []}',
        '{"runs": [{}]}',
        "[" * 100_000,
        sarif(ROWS, "/p", named=False),
        sarif(ROWS, "/p", named=True)[:-100],
        sarif(ROWS, "/p", named=True).replace("window-rewritten", "of-another-tool"),
        sarif(ROWS, "/p", named=True).replace('"loops": 1', '"loops": "many"'),
    ],
)  # fmt: skip
def test_what_is_no_log_of_ours(text: str) -> None:
    with pytest.raises(NotSarif):
        read_sarif(text)


def test_every_rule_is_used_by_the_name_it_has() -> None:
    logs = sarif([replace(ROWS[0], rule=rule) for rule in RULES], "/p", named=False)
    assert [r["ruleId"] for r in check(logs)] == list(RULES)


def test_the_hottest_come_first() -> None:
    ordered = sorted(ROWS, key=lambda f: f.order)
    assert [f.fingerprint[:2] for f in ordered] == ["aa", "bb", "cc", "ee", "dd"]


def test_remarks_are_lines_of_a_compiler() -> None:
    asked = [("-Rpass", "isel"), ("-Rpass-missed", "vector|isel"), ("-Rpass-analysis", "loop")]
    lines = list(remark_lines((*ROWS, as_written("/p/src/a.c", "why")), asked, "/p/src"))
    assert lines[0].startswith("a b.c:12:7: remark: @f: 6 operations -> ")
    assert lines[0].endswith(" [-Rpass=isel]")
    assert (
        lines[3]
        == "/usr/x.h:3: remark: @g: kept: no program found that costs less <&> [-Rpass-missed=isel]"
    )
    assert lines[4].startswith("remark: @h: ")
    assert len(lines) == len(ROWS)
    assert list(remark_lines(ROWS, [("-Rpass", "isel"), ("-Rpass", "inline")], "/p")) == []
    assert [wants(p) for p in ("", ".*", "^isel$", "sdagisel", "(")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_names_are_whole(tmp_path: Path) -> None:
    assert with_path(Finding("window-failed", "m", file="../a.c"), "/p/b").file == "/p/a.c"
    assert with_path(Finding("window-failed", "m"), "/p/b").file == ""
    (tmp_path / "build" / "deeper").mkdir(parents=True)
    (tmp_path / "here.c").write_text("")  # which clang names from the folder that both are in
    found = with_path(
        Finding("window-failed", "m", file="here.c"), str(tmp_path / "build" / "deeper")
    )
    assert found.file == str(tmp_path / "here.c")


def test_fingerprints_stay_where_lines_and_numbers_move() -> None:
    from frontends.llvm.report.tried import ModuleReport, Outcome, Place, WindowReport

    def prints(*windows: tuple[int, tuple[str, ...]]) -> list[str]:
        rows = tuple(
            WindowReport(Place("f", "r", line, "a.c", line), Outcome.KEPT, code)
            for line, code in windows
        )
        return [f.fingerprint for f in findings_of(ModuleReport("m", rows))]

    one = ("%3 = add <4 x i8> %1, %2, !dbg !7", "%4 = mul <4 x i8> %3, %1, !dbg !8")
    other = ("%8 = add <4 x i8> %5, %a, !dbg !17", "%9 = mul <4 x i8> %8, %5, !dbg !9")
    third = ("%8 = add <4 x i8> %5, %a", "%9 = mul <4 x i8> %8, %a")
    assert prints((1, one)) == prints((9, other))
    assert prints((1, one)) != prints((1, third))
    assert len(set(prints((1, one), (2, other), (3, third)))) == 3
