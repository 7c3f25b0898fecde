"""``isel remarks``: what a build left, merged, and what cannot be merged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isel.cli.grammar.builds import remarks_parser
from isel.cli.remarks import command, page
from isel.cli.remarks.build import read_build
from tests.cli.modules import Run
from tests.cli.remarks.builds import LONG, ROWS, left
from tests.cli.remarks.test_sarif import check


def test_objects_are_merged(isel: Run, tmp_path: Path) -> None:
    folder = left(tmp_path / "r", {"a.o-1": ROWS[:3], "b.o-2": ROWS[2:], "c.o-3": ()})
    ran = isel("remarks", folder, "-o", "b.sarif", "b.html", "--root", "/")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "3 objects, 5 windows, 2 rewritten; b.sarif, b.html\n"
    results = check(Path("b.sarif").read_text())
    assert len(results) == 5  # one of both objects, once
    text = Path("b.sarif").read_text()
    assert "file:" not in text and '"p/src/a%20b.c"' in text
    html = Path("b.html").read_text()
    assert "<script" not in html and "http" not in html.replace("http-equiv", "")
    assert html.index("p/src/a b.c:12") < html.index(f"{LONG}.cpp:1234")
    assert "&lt;&amp;&gt;" in html and "2 of 5 windows rewritten" in html
    assert isel("remarks", folder, "-o", "c.sarif", "c.html", "--root", "/").code == 0
    assert Path("c.sarif").read_bytes() == Path("b.sarif").read_bytes()
    assert Path("c.html").read_bytes() == Path("b.html").read_bytes()


def test_files_are_named_from_the_root(isel: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    rows = [replace(ROWS[0], file=str(tmp_path / "src" / "a.c"))]
    folder = left(tmp_path / "r", {"a.o-1": tuple(rows)}, str(tmp_path / "build"))
    assert isel("remarks", folder, "-o", "b.sarif").code == 0
    assert '"src/a.c"' in Path("b.sarif").read_text()
    assert isel("remarks", folder, "-o", "b.sarif", "--root", "src").code == 0
    assert '"a.c"' in Path("b.sarif").read_text()


def test_at_most_so_many_results(
    isel: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "REMARKS_RESULTS", 2)
    monkeypatch.setattr(page, "REMARKS_SHOWN", 1)
    folder = left(tmp_path / "r", {"a.o-1": ROWS})
    ran = isel("remarks", folder, "-o", "b.sarif", "b.html", "--root", "/")
    assert ran.out.startswith("1 object, 5 windows, 2 rewritten; the 3 coolest results")
    assert [r["ruleId"] for r in check(Path("b.sarif").read_text())] == ["window-rewritten"] * 2
    assert "and 1 more" in Path("b.html").read_text()


def test_no_windows(isel: Run, tmp_path: Path) -> None:
    folder = left(tmp_path / "r", {"a.o-1": ()})
    assert isel("remarks", folder, "-o", "b.html", "b.sarif").code == 0
    assert "No windows" in Path("b.html").read_text()
    assert check(Path("b.sarif").read_text()) == []


def test_what_is_cut_is_left_out_and_said(isel: Run, tmp_path: Path) -> None:
    folder = left(tmp_path / "r", {"a.o-1": ROWS, "b.o-2": ROWS})
    cut = folder / "b.o-2.sarif"
    cut.write_text(cut.read_text()[:500])
    (folder / "c.o-3.sarif").mkdir()
    (folder / "a.o-1.yaml").write_text("--- !Passed\nPass: is")  # is not read
    ran = isel("remarks", folder, "-o", "b.html")
    assert ran.code == 0
    assert [line.split(": ")[:2] for line in ran.err.splitlines()] == [["isel", "warning"]] * 2
    assert f"{cut}: left out: not as isel-cc writes it" in ran.err
    assert "b.o-2.sarif was left out" in Path("b.html").read_text()
    assert ran.out.startswith("1 object, 5 windows")
    (folder / "a.o-1.sarif").unlink()
    ran = isel("remarks", folder, "-o", "b.html")
    assert ran.code == 1 and ran.err.startswith(f"isel: {cut}: error: not as isel-cc writes it")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("nowhere", "-o", "b.html"), "nowhere: error: no such file or directory"),
        (("empty", "-o", "b.html"), "empty: error: no remarks here: build with ISEL_REMARKS"),
        (("file", "-o", "b.html"), "file: error: not a directory"),
        (("empty", "-o", "b.pdf"), "error: -o b.pdf: expected a name that ends in .sarif or .html"),
        (("empty", "-o", "no/b.html"), "no/b.html: error: no such file or directory"),
        (("empty", "-o", "b.html", "--root", "no"), "no: error: is no folder"),
        (("empty",), "error: the following arguments are required: -o"),
    ],
)
def test_what_cannot_be(isel: Run, tmp_path: Path, words: tuple[str, ...], what: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    ran = isel("remarks", *words)
    assert ran.code == 1 and ran.err.startswith(f"isel: {what}")
    assert not list(tmp_path.glob("b.*"))


def test_a_folder_that_cannot_be_read(
    isel: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = left(tmp_path / "r", {"a.o-1": ROWS})

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)  # root reads every folder
    ran = isel("remarks", folder, "-o", "b.html")
    assert (ran.code, ran.err) == (1, f"isel: {folder}: error: permission denied\n")


def test_a_build_that_is_read(tmp_path: Path) -> None:
    build = read_build(str(left(tmp_path / "r", {"a.o-1": ROWS})))
    assert [f.rule for f in build.rewritten] == ["window-rewritten"] * 2
    assert (build.objects, build.unread) == (1, ())


def test_the_grammar() -> None:
    parser = remarks_parser()
    given = parser.parse_args(["d", "-o", "a.sarif", "b.html", "-root", "r"])
    assert (given.folder, given.outputs, given.root) == ("d", ["a.sarif", "b.html"], "r")


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "figures of 10^308": lambda r: r["properties"].update(cyclesBefore=1e308, cyclesAfter=-1e308),
    "no number": lambda r: r["properties"].update(cyclesAfter=float("nan")),
    "Infinity": lambda r: r["properties"].update(cyclesAfter=float("inf")),
    "a small number": lambda r: r["properties"].update(cyclesAfter=5e-324),
    "a truth": lambda r: r["properties"].update(cyclesAfter=True),
    "words": lambda r: r["properties"].update(cyclesBefore="1e400"),
    "an integer of 400 digits": lambda r: r["properties"].update(cyclesBefore=10**400),
    "many loops": lambda r: r["properties"].update(loops=400),
    "loops that are no number": lambda r: r["properties"].update(loops=1e400),
    "a line that is none": lambda r: r["locations"][0]["physicalLocation"].update(
        region={"startLine": -1}
    ),
    "a rule of lines": lambda r: r.update(ruleId="a\nb" * 999),
    "no properties": lambda r: r.pop("properties"),
    "another kind": lambda r: r.update(properties=[1]),
    "no message": lambda r: r.update(message=None),
    "no place": lambda r: r.update(locations=[]),
    "no file's name": lambda r: r["locations"][0]["physicalLocation"]["artifactLocation"].update(
        uri="\ud800.c"
    ),
}


@pytest.mark.parametrize("name", [*FORGED, "deep", "a list", "1e400"])
def test_a_forged_log_costs_itself(name: str, isel: Run, tmp_path: Path) -> None:
    """OverflowError ended this, and nothing was written."""
    folder = left(tmp_path / "r", {"a.o-1": ROWS, "b.o-2": ROWS[:1]})
    forged = folder / "b.o-2.sarif"
    log = json.loads(forged.read_text())
    if name in FORGED:
        FORGED[name](log["runs"][0]["results"][0])
    text = {"deep": "[" * 200_000, "a list": "[]"}.get(name, json.dumps(log))
    forged.write_text(text.replace('"cyclesBefore": 10.25', '"cyclesBefore": 1e400')
                      if name == "1e400" else text)  # fmt: skip
    ran = isel("remarks", folder, "-o", "b.html", "b.sarif")
    assert ran.code == 0 and len(ran.err.splitlines()) == 1
    assert ran.err.startswith(f"isel: warning: {forged}: left out: not as isel-cc writes it (")
    assert len(ran.err) < 400 and ran.out.startswith("1 object, 5 windows, 2 rewritten")
    assert len(check(Path("b.sarif").read_text())) == 5
    (folder / "a.o-1.sarif").unlink()
    ran = isel("remarks", folder, "-o", "c.html")
    assert ran.code == 1 and len(ran.err.splitlines()) == 1 and not Path("c.html").exists()
