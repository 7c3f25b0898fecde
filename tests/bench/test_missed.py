"""What LLVM misses: rows are proved, dearer and told with links that hold their sources."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from bench.missed import CPUS, PAGE, link, main
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


def test_the_page_is_of_rules_that_there_are() -> None:
    """After rules are gone, ``make missed``."""
    names = re.findall(r"^\| \d+ \| `([\w.]+)` \|", PAGE.read_text(), re.MULTILINE)
    assert 0 < len(names) <= 50 and {*names} <= {r.name for r in every_rule()}
