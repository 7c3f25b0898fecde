"""Results as people and provers take them: ``isel cache list``, ``show`` and ``export --pairs``."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from isel import __version__
from isel.cache.database import Database
from isel.cli import results
from isel.places import key_path
from isel.trust import signer_at
from tests.cli.modules import CPU, WINDOW, Run


@pytest.fixture
def mine(isel: Run, tmp_path: Path) -> Path:
    assert isel("opt", WINDOW, "-S", CPU, "--cache", tmp_path / "mine").code == 0
    return tmp_path / "mine"


def test_a_result_is_listed_shown_and_exported_as_a_pair_that_is_proved(
    isel: Run, mine: Path, tmp_path: Path
) -> None:
    head, row, total = isel("cache", "list", "--sort=gain", "--cache", mine).out.splitlines()
    assert head.split() == ["key", "gain", "before", "after", "uses", "instructions"]
    key, gain, before, after, uses, name = row.split()
    assert (uses, name) == ("1", "vpmulhrsw") and float(gain) == pytest.approx(
        float(before) - float(after)
    )
    assert total.startswith("1 results with a program")
    shown = isel("cache", "show", key[:6], "--cache", mine)
    assert (
        shown.code == 0
        and f"; isel {__version__}, result {key}" in shown.out
        and "; uses: 1 in the functions" in shown.out
    )
    prices = [
        line.split()[1:]
        for line in shown.out.splitlines()
        if line.startswith(("; sapphirerapids", "; znver4", "; haswell"))
    ]
    assert (
        len(prices) == 3
        and sum(
            float(after) < float(before)
            for _, before, after in (p for p in prices if p[1] != "lacks")
        )
        >= 2
    )
    assert (
        isel("cache", "export", "--pairs", "pairs", "--cache", mine).out
        == "wrote 1 pairs to pairs, left out 0\n"
    )
    (file,) = (tmp_path / "pairs").iterdir()
    assert file.name == f"vpmulhrsw-{key}.ll" and file.read_text() == shown.out
    ran = isel("verify", file)
    assert ran.code == 0 and ran.out.startswith("@src: proved")
    file.write_text(file.read_text().replace("i32 16384", "i32 16383"))
    assert isel("verify", file).code == 2


def test_what_is_not_proved_is_left_out(isel: Run, mine: Path, tmp_path: Path) -> None:
    """A row with a valid signature and a wrong program: its maker's word is not enough."""
    database = Database(mine / "cache.sqlite", signer=signer_at(key_path(os.environ)))
    (row,) = database.results()
    database.add_result(
        type(row)(
            row.key,
            row.target,
            row.window,
            row.programs.replace("mulhrs", "mulhi"),
            row.reason,
            row.steps,
            row.tool,
        )
    )
    database.close()
    ran = isel("cache", "export", "--pairs", tmp_path / "pairs", "--cache", mine)
    assert ran.code == 3 and "left out" in ran.out and "refuted" in ran.out
    assert list((tmp_path / "pairs").iterdir()) == []
    assert isel("cache", "show", row.key, "--cache", mine).code == 1


def test_pairs_are_written_as_they_are_proved(
    isel: Run, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written stays where the command ends early."""
    real = results._proved_pair

    def interrupted(found: results.Found, worker: LlvmWorker) -> object:
        if list((tmp_path / "pairs").iterdir()):
            raise KeyboardInterrupt
        return real(found, worker)

    (row,) = Database(mine / "cache.sqlite", signer=signer_at(key_path(os.environ))).results()
    both = ([results._find(row, Counter())] * 2, 0, 0)
    monkeypatch.setattr(results, "_proved_pair", interrupted)
    monkeypatch.setattr(results, "_results", lambda store: both)
    isel("cache", "export", "--pairs", "pairs", "--cache", mine)
    (file,) = (tmp_path / "pairs").iterdir()
    assert file.read_text().startswith("; isel ")


def test_rows_that_cannot_be_read_are_counted(isel: Run, mine: Path) -> None:
    database = Database(mine / "cache.sqlite", signer=signer_at(key_path(os.environ)))
    (row,) = database.results()
    database.add_result(type(row)("0" * 64, row.target, "leaf nonsense", row.programs, "", 0, ""))
    database.add_result(
        type(row)(
            "1" * 64,
            row.target,
            row.window,
            row.programs.replace("_mm512_mulhrs_epi16", "_mm_gone"),
            "",
            0,
            "",
        )
    )
    database.close()
    ran = isel("cache", "list", "--cache", mine)
    assert (
        ran.code == 0 and "\n2 rows cannot be read" in ran.out and ran.out.count("vpmulhrsw") == 1
    )


def test_an_empty_cache_is_an_empty_list(isel: Run) -> None:
    assert "0 results with a program" in isel("cache", "list").out
    assert isel("cache", "list", "--cache", "off").code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show",), "isel cache show takes a key"),
        (("show", "feed"), "unknown result 'feed'"),
        (("list", "x"), "isel cache list takes no file"),
        (("list", "--sort=size"), "invalid choice: 'size'"),
        (("stats", "--sort=gain"), "--sort belongs to 'isel cache list'"),
        (("check", "--pairs", "d"), "--pairs belongs to 'isel cache export'"),
        (("export", "rows.sqlite", "--pairs", "d"), "takes no file beside --pairs"),
        (("export",), "isel cache export takes a file"),
    ],
)
def test_mistakes_are_told(isel: Run, words: tuple[str, ...], told: str) -> None:
    ran = isel("cache", *words)
    assert ran.code == 1 and told in ran.err and ran.err.count("\n") == 1


def test_a_folder_that_cannot_be_made(isel: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = isel("cache", "export", "--pairs", tmp_path / "file" / "pairs")
    assert ran.code == 1 and ran.err.startswith(f"isel: {tmp_path / 'file' / 'pairs'}: error: ")
