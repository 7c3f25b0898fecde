"""What was decided about a function is recalled: the same text and report, nothing searched,
and nothing that was not proved.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from frontends.llvm.pipeline.decided import Recent
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from frontends.llvm.report.tried import stats
from frontends.llvm.transform.table import Row
from isel.model.answer import Result, Synthesizer
from isel.model.machine import Machine
from isel.model.memory import Memory
from isel.model.window import Window
from isel.workers import Pool
from tests.frontends.llvm.toy import TOOLS, Guess

HERE = Path(__file__).parent / "opt"
CASES = sorted(p.stem for p in HERE.glob("*.ll"))


@dataclass
class Notes:
    """A memory that is a dictionary."""

    kept: dict[str, str] = field(default_factory=dict)
    recalled: int = 0

    def recall(self, key: str) -> str | None:
        found = self.kept.get(key)
        self.recalled += found is not None
        return found

    def keep(self, key: str, value: str) -> None:
        self.kept[key] = value


class _Unsure(Guess):
    def search(self, window: Window) -> Result:
        return replace(super().search(window), complete=False)


def unsure(machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
    return _Unsure()


def never(machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
    raise AssertionError("nothing is searched")


def run(
    text: str, notes: Notes | None, options: Options | None = None, tools: Tools = TOOLS
) -> Rewritten:
    return rewrite_module(text, options or Options(), replace(tools, memory=notes), "case.ll")


def source(name: str) -> str:
    return (HERE / f"{name}.ll").read_text()


@pytest.mark.parametrize("name", CASES)
def test_text_and_report_are_the_same_and_nothing_is_searched(name: str) -> None:
    notes = Notes()
    plain, cold = run(source(name), None), run(source(name), notes)
    warm = run(source(name), notes, tools=replace(TOOLS, make=never))
    assert plain.text == cold.text == warm.text
    assert stats(plain.report) == stats(cold.report) == stats(warm.report)
    assert notes.recalled == len(notes.kept) > 0


def test_other_functions_do_not_matter() -> None:
    one = source("shared")
    two = one.replace(
        "define ", "define <16 x i8> @other(<16 x i8> %a) {\n  ret <16 x i8> %a\n}\n\ndefine ", 1
    )
    two = two.replace(
        "ret <16 x i8> %a\n}", "%x = add <16 x i8> %a, splat (i8 1)\n  ret <16 x i8> %x\n}", 1
    )
    notes = Notes()
    run(two, notes)
    changed = two.replace("%a, splat (i8 1)", "%a, splat (i8 2)")
    warm = run(changed, notes)
    assert notes.recalled == len(notes.kept) - 2  # all but what changed
    assert warm.text == run(changed, None).text


@pytest.mark.parametrize("damage", ["text", "line", "printed", "root", "empty"])
def test_what_was_kept_and_is_not_what_was_proved_is_not_used(damage: str) -> None:
    notes = Notes()
    plain = run(source("shared"), notes)
    for key, value in notes.kept.items():
        data = json.loads(value)
        if damage == "text":
            data["edits"]["lines"] = [
                [k, [line.replace("%a", "%b") for line in new]] for k, new in data["edits"]["lines"]
            ]
        elif damage == "line":
            data["edits"]["lines"] = [[k + 1, new] for k, new in data["edits"]["lines"]]
        elif damage == "printed":
            data["printed"] = "0"
        elif damage == "root":
            for row in data["windows"]:
                row["place"]["root"] = "nobody"
        notes.kept[key] = "" if damage == "empty" else json.dumps(data)
    again = run(source("shared"), notes)
    assert again.text == plain.text
    assert stats(again.report) == stats(plain.report)


def test_a_function_of_which_a_transform_failed_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notes = Notes()
    run(source("spliced"), notes)
    assert notes.kept
    monkeypatch.setattr(Row, "load", lambda row: None)
    notes = Notes()
    run(source("spliced"), notes, Options(strict=False))
    assert not notes.kept


def test_options_are_part_of_the_key() -> None:
    notes = Notes()
    run(source("shared"), notes)
    count = len(notes.kept)
    run(source("shared"), notes, Options(effort=2))
    run(source("shared"), notes, Options(assume_no_undef=True))
    assert notes.recalled == 0 and len(notes.kept) == 3 * count


@pytest.mark.parametrize("options", [Options(bisect_limit=1), Options(verify_each=True)])
def test_runs_that_look_closely_recall_nothing(options: Options) -> None:
    notes = Notes()
    run(source("shared"), notes)
    run(source("shared"), notes, options)
    assert notes.recalled == 0


def test_what_another_run_might_find_is_not_kept() -> None:
    notes = Notes()
    run(source("shared"), notes, tools=replace(TOOLS, make=unsure))
    assert notes.kept == {}


def test_what_is_recent_is_recalled_from_what_it_was_kept_by() -> None:
    memory: Memory = Recent()
    memory.keep("a", "what was decided")
    assert memory.recall("a") == "what was decided"
    assert memory.recall("b") is None
