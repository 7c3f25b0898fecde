"""Counts of many processes add up, in a file that does not grow for ever."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from isel.cli.launcher import counters


def many(place: str) -> None:
    for _ in range(200):
        counters.add({"files": 1, "rewritten": 2, "unchanged: -E": 1}, {"XDG_STATE_HOME": place})


def shown(place: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    counters.show({"XDG_STATE_HOME": str(place)})
    return {
        name.strip(): n
        for name, _, n in (line.rpartition(" ") for line in capsys.readouterr().out.splitlines())
    }


def test_processes_add_up_while_lines_are_folded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counters, "_FULL", 300)
    workers = [
        multiprocessing.get_context("fork").Process(target=many, args=(str(tmp_path),))
        for _ in range(3)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = shown(tmp_path, capsys)
    assert (
        found["files compiled by way of the rewriter"],
        found["rewritten"],
        found["run unchanged"],
        found["-E"],
    ) == ("600", "1200", "600", "600")
    assert (tmp_path / "isel" / "launcher.counts").stat().st_size < 500


def test_zeroed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    counters.add({"files": 3, "milliseconds": 1234}, environment)
    assert shown(tmp_path, capsys)["seconds of CPU time"] == "1.2"
    counters.zero(environment)
    counters.zero(environment)
    assert shown(tmp_path, capsys)["files compiled by way of the rewriter"] == "0"


def test_what_cannot_be_written_is_lost(tmp_path: Path) -> None:
    (tmp_path / "isel").write_text("")
    counters.add({"files": 1}, {"XDG_STATE_HOME": str(tmp_path)})


def test_damaged_lines_count_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "isel").mkdir()
    (tmp_path / "isel" / "launcher.counts").write_bytes(
        b"\xff\x00 junk\n-1 files\n\xc2\xb2 files\n2 files\n"
    )
    assert shown(tmp_path, capsys)["files compiled by way of the rewriter"] == "2"
