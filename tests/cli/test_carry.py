"""Functions and judgements that travel: decided again and signed where they arrive, or refused;
never believed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from frontends.llvm.pipeline.options import Options
from isel.api import tools
from isel.api.sources import Source, read_source, write_source
from tests.cli.conftest import Ran
from tests.cli.modules import CPU, PLAIN, WINDOW, Run
from tests.cli.test_cache import execute

TOOK = [
    "took 1 results, refused 0",
    "took 1 judgements, refused 0",
    "decided the functions of 1 modules again, 1 functions as in the file",
]


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an export, which the first test makes."""
    return tmp_path_factory.mktemp("carried")


@pytest.fixture
def export(isel: Run, tmp_path: Path, kept: Path) -> Path:
    """Return a copy of what was exported of the decision about one function."""
    if not (kept / "rows.sqlite").exists():
        assert (
            isel("opt", WINDOW, "-S", "-o", kept / "out.ll", CPU, "--cache", tmp_path / "mine").code
            == 0
        )
        ran = isel("cache", "export", kept / "rows.sqlite", "--cache", tmp_path / "mine")
        assert ran.out.startswith(
            "wrote 1 results, 1 judgements, 1 functions and the 1 modules they are from to "
        )
    (tmp_path / "rows.sqlite").write_bytes((kept / "rows.sqlite").read_bytes())
    return tmp_path / "rows.sqlite"


def taken(isel: Run, export: Path, *more: str) -> Ran:
    return isel("cache", "import", export, "--cache", export.parent / "other", *more)


def rows(cache: Path, table: str) -> list[tuple[object, ...]]:
    return execute(cache, f"SELECT key, value FROM {table} ORDER BY key")


def test_what_was_decided_is_decided_again_and_then_known(
    isel: Run, export: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = taken(isel, export)
    assert (ran.code, ran.out.splitlines()) == (0, TOOK)
    other = export.parent / "other" / "cache.sqlite"
    for table in ("verdicts", "functions"):
        assert rows(other, table) == rows(export, table) != []
        assert all(len(str(mac)) == 64 for (mac,) in execute(other, f"SELECT mac FROM {table}"))
        assert {mac for (mac,) in execute(export, f"SELECT mac FROM {table}")} == {""}
    assert isel("cache", "check", "--cache", export.parent / "other").code == 0
    monkeypatch.setattr(tools._Search, "search", None)
    monkeypatch.setattr(tools.CachedJudge, "judge", None)
    assert (
        isel("opt", WINDOW, "-S", "-o", "out.ll", CPU, "--cache", export.parent / "other").code == 0
    )
    assert Path("out.ll").read_bytes() == (kept / "out.ll").read_bytes()


def test_the_file_of_a_module_is_not_told(export: Path) -> None:
    (value,) = (str(v) for k, v in rows(export, "sources") if k != "tool")
    source = read_source(value)
    assert (
        source is not None
        and "ModuleID" not in source.text
        and "source_filename" not in source.text
        and WINDOW.name not in value
    )


@pytest.mark.parametrize("anew", [(), ("--anew",)])
def test_a_function_that_is_not_decided_so_is_refused(
    isel: Run, export: Path, anew: tuple[str, ...]
) -> None:
    (value,) = (json.loads(str(v)) for _, v in rows(export, "functions"))
    honest = rows(export, "functions")
    edits = value["edits"]
    edits["lines"] = [[k, ["  ret <32 x i16> zeroinitializer"]] for k, _ in edits["lines"]]
    execute(export, "UPDATE functions SET value = ?", json.dumps(value))
    ran = taken(isel, export, *anew)
    assert ran.code == (0 if anew else 3)
    assert any(
        line.startswith("refused function ") and line.endswith(": it is not decided so here")
        for line in ran.out.splitlines()
    ) is not bool(anew)
    assert rows(export.parent / "other" / "cache.sqlite", "functions") == honest


def test_a_function_without_its_module_is_refused(isel: Run, export: Path) -> None:
    execute(export, "DELETE FROM sources WHERE key <> 'tool'")
    ran = taken(isel, export)
    assert ran.code == 3 and ran.out.splitlines()[2].endswith(": no module that it is from")
    assert rows(export.parent / "other" / "cache.sqlite", "functions") == []


def test_what_another_tool_said_is_made_again(isel: Run, export: Path) -> None:
    execute(export, "UPDATE sources SET value = 'another' WHERE key = 'tool'")
    honest = rows(export, "verdicts")
    execute(export, "UPDATE verdicts SET value = '[false, \"no\", 1, 1, [], []]'")
    ran = taken(isel, export)
    assert ran.code == 0
    assert ran.out.splitlines()[1:] == [
        "left out 1 judgements: they are made again, since another tool, LLVM or solver made them",
        "decided the functions of 1 modules again",
    ]
    assert rows(export.parent / "other" / "cache.sqlite", "verdicts") == honest


BAD = {
    "text": "]",
    "no module": "{}",
    "no base 64": json.dumps({"module": "\u00e9", "options": {}, "tool": ""}),
    "option": write_source(Source(PLAIN, Options(), "t"))[1].replace(
        '"effort": 1', '"effort": "1"'
    ),
    "cut": write_source(Source(PLAIN, Options(), "t"))[1].replace('"module": "e', '"module": "f'),
}


@pytest.mark.parametrize("damage", BAD)
def test_what_cannot_be_read_is_no_source(damage: str) -> None:
    assert read_source(BAD[damage]) is None


def test_a_damaged_module_is_refused_in_one_line(isel: Run, export: Path) -> None:
    execute(export, "UPDATE sources SET value = ? WHERE key <> 'tool'", BAD["cut"])
    ran = taken(isel, export)
    assert (ran.code, ran.err) == (3, "")
    assert [line.endswith(": unreadable") for line in ran.out.splitlines()[2:]] == [True, False]


def test_a_judgement_that_cannot_be_read_is_refused(isel: Run, export: Path) -> None:
    execute(export, "UPDATE verdicts SET value = '[1]'")
    ran = taken(isel, export)
    assert ran.code == 3 and "took 0 judgements, refused 1" in ran.out
    assert len(rows(export.parent / "other" / "cache.sqlite", "functions")) == 1


def test_a_module_that_is_none_is_refused(isel: Run, export: Path) -> None:
    execute(
        export,
        "UPDATE sources SET value = ? WHERE key <> 'tool'",
        write_source(Source("define void @f(", Options(), "t"))[1],
    )
    ran = taken(isel, export)
    assert (
        ran.code == 3
        and ran.out.splitlines()[2].startswith("refused module ")
        and "error: " in ran.out
    )


def test_sources_are_read_as_they_were_written() -> None:
    given = Source(
        PLAIN + "; \udcff\n",
        Options(
            cpu="haswell",
            effort=2,
            vector_width=256,
            only_function="f.*",
            assume_no_undef=True,
            strict=False,
        ),
        "t",
    )
    assert read_source(write_source(given)[1]) == given
