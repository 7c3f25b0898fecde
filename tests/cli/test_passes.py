"""What a run does, by name: listed, and switched off."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from frontends.llvm.pipeline.stages import STAGES
from isel.cli.passes import MECHANISMS
from isel.model.answer import Options
from tests.cli.modules import CPU, WINDOW, Run


def test_every_name_is_listed_with_what_it_does(isel: Run) -> None:
    ran = isel("passes")
    rows = [line.split(maxsplit=1) for line in ran.out.splitlines() if line.startswith("  ")]
    assert (ran.code, rows) == (0, [[m.name, m.says] for m in (*MECHANISMS, *STAGES)])
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


def test_what_there_is_after_a_stage(isel: Run) -> None:
    stages = ",".join(s.name for s in STAGES)
    ran = isel("opt", WINDOW, "-S", CPU, "-o", "out.ll", f"--print-after={stages}", "--time-passes")
    said = [line.split()[3] for line in ran.err.splitlines() if line.startswith("; *** after ")]
    assert ran.code == 0 and list(dict.fromkeys(said)) == [s.name for s in STAGES]
    after = dict(
        re.findall(r"; \*\*\* after (\S+) \*\*\*\n(.*?)(?=; \*\*\*|===-)", ran.err, re.DOTALL)
    )
    assert "%r = trunc" in after["parse"] and "_mm512_mulhrs_epi16" in after["judge"]
    assert "llvm.x86.avx512.pmul.hr.sw.512" in after["prove"] and "@" in after["windows"]
    timed = ran.err.partition("wall-clock")[2]
    assert all(f"%  {s.name}\n" in timed for s in STAGES)


def test_a_stage_that_is_none_is_an_error(isel: Run) -> None:
    ran = isel("opt", WINDOW, "--print-after=prov")
    said = "isel: error: unknown stage 'prov', did you mean 'prove'?\n"
    assert (ran.code, ran.err) == (1, said)
