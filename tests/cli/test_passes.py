"""What a run does, by name: listed, and switched off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isel.cli.passes import MECHANISMS
from isel.model.answer import Options
from tests.cli.modules import CPU, WINDOW, Run


def test_every_name_is_listed_with_what_it_does(isel: Run) -> None:
    ran = isel("passes")
    rows = [line.split(maxsplit=1) for line in ran.out.splitlines() if line.startswith("  ")]
    assert (ran.code, rows) == (0, [[m.name, m.says] for m in MECHANISMS])
    assert len({m.name for m in MECHANISMS}) == len(MECHANISMS)
    assert all("\n" not in m.says and m.name == m.name.lower() for m in MECHANISMS)


def test_what_is_off_does_nothing(isel: Run, tmp_path: Path) -> None:
    ran = isel("opt", WINDOW, "-S", CPU, "-o", "out.ll", "--disable=windows", "--stats-json=s.json")
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "out.ll").read_bytes() == Path(WINDOW).read_bytes()
    assert json.loads((tmp_path / "s.json").read_text())["windows"] == []


@pytest.mark.parametrize(
    "words", [("--disable", "windos"), ("--disable=windows,windos",), ("-disable=windos",)]
)
def test_a_name_that_is_none_is_an_error(isel: Run, words: tuple[str, ...]) -> None:
    ran = isel("opt", WINDOW, *words)
    said = "isel: error: unknown mechanism 'windos', did you mean 'windows'?\n"
    assert (ran.code, ran.out, ran.err) == (1, "", said)


def test_what_is_off_is_part_of_a_key() -> None:
    assert Options(disabled=("a",)).text() not in (
        Options().text(),
        Options(disabled=("b",)).text(),
    )
    assert "disabled" not in Options().text()  # what is kept without it stays
