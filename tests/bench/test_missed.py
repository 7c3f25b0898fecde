"""What LLVM misses: rows are proved, dearer and told with links that hold their sources."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from bench.missed import CPUS, PAGE, Met, link, main
from isel.rules.record import every_rule


def test_a_link_holds_the_source_and_what_compiles_it() -> None:
    found = link("https://x/", "define i8 @src()\n", [("alive", "-a")])
    state = json.loads(base64.urlsafe_b64decode(found.removeprefix("https://x/")))
    (session,) = state["sessions"]
    assert session["language"] == "llvm" and session["source"] == "define i8 @src()\n"
    assert session["compilers"] == [{"id": "alive", "options": "-a"}]


def test_a_row_and_its_file(tmp_path: Path) -> None:
    page, issues = tmp_path / "missed.md", tmp_path / "issues"
    assert main(["-o", str(page), "--issues", str(issues), "slice.bit", "invert"]) == 0
    (row,) = (x for x in page.read_text().splitlines() if x.startswith("| 1 |"))
    _, _, name, _, cpu, left, right, saved, *_ = (x.strip() for x in row.split("|"))
    assert name == "`slice.bit`" and cpu in dict(CPUS).values()
    assert round(float(left) - float(right), 2) == float(saved) > 0
    (path,) = issues.iterdir()
    text = path.read_text()
    assert path.name == "01-slice.bit.md" and "isel rules prove slice.bit" in text
    assert text.count("define ") == 4 and text.count("/clientstate/") == 2


def test_how_often_a_rule_applies_in_a_module(tmp_path: Path) -> None:
    module, page = tmp_path / "a.ll", tmp_path / "missed.md"
    module.write_text(
        'target triple = "x86_64-linux"\n'
        "define <16 x i8> @f(<16 x i8> noundef %a) {\n"
        "  %x = xor <16 x i8> %a, splat (i8 -1)\n  %y = add <16 x i8> %x, splat (i8 1)\n"
        "  ret <16 x i8> %y\n}\n"
    )
    found = Met()
    found.add(module.read_text(), str(module))
    assert found.lanes == 16 and found.by_rule["complement"] == 16
    assert main(["-o", str(page), "--from", str(module), "--", "slice.bit"]) == 0
    assert "of 16 lanes of 1 module," in page.read_text()


def test_the_page_is_of_rules_that_there_are() -> None:
    """After rules are gone, ``make missed``."""
    names = re.findall(r"^\| \d+ \| `([\w.]+)` \|", PAGE.read_text(), re.MULTILINE)
    assert 0 < len(names) <= 50 and {*names} <= {r.name for r in every_rule()}
