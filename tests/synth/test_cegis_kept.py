"""What grammars gave is kept: read back it is the same, and no grammar is asked twice."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from isel.ir.build import add, band, bxor, sub
from isel.ir.canon import formal
from isel.ir.expr import const
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.synth import requests
from isel.synth.cegis.kept import key_of, read, write
from isel.synth.cegis.run import run_task
from isel.synth.cegis.types import Exhausted, Found, Grammar, Outcome, OutOfSteps, Task
from isel.synth.synthesize import make_synthesizer
from isel.workers import Failed
from tests.synth import windows as w
from tests.synth.cegis_parts import part
from tests.synth.toy import ToyTarget

X, Y = formal(0, 8), formal(1, 8)
PARTS = (part("add", add(X, Y)), part("and", band(X, Y)), part("xor", bxor(X, Y)))
ONE = const(1, 1)


def task(depth: int = 2, effort: int = 20_000) -> Task:
    lane = add(band(X, Y), const(9, 8))
    return Task(lane, ONE, Grammar("g", PARTS, (const(9, 8),), depth), effort, False)


@pytest.mark.parametrize(
    ("asked", "kind"), [(task(), Found), (task(1), Exhausted), (task(2, 0), OutOfSteps)]
)
def test_an_outcome_is_read_as_it_was(asked: Task, kind: type[Outcome]) -> None:
    outcome = run_task(asked)
    assert isinstance(outcome, kind)
    assert read(write(outcome), asked) == outcome


def test_a_key_is_of_all_that_an_answer_depends_on() -> None:
    keys = {
        key_of(t, salt)
        for salt in ("a", "b")
        for t in (task(), task(1), task(effort=1), Task(sub(X, Y), ONE, task().grammar, 9, True))
    }
    assert len(keys) == 8


def test_what_does_not_fit_is_none() -> None:
    good = json.loads(write(run_task(task())))
    bad = [["found"], ["never"], [], 3, [*good[:2], [["mul", [0, 1]]], *good[3:]]]
    bad.append([*good[:2], [["add", [0, 99]]], *good[3:]])
    bad.append([*good[:1], ["(never"], *good[2:]])
    assert [read(json.dumps(x), task()) for x in bad] == [None] * len(bad)
    assert read("{", task()) is None


class Notes:
    """A memory in a dictionary, and what was asked of it."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def recall(self, key: str) -> str | None:
        return self.known.get(key)

    def keep(self, key: str, value: str) -> None:
        self.known[key] = value


def test_no_grammar_is_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = Notes()

    def search() -> object:
        machine = Machine(ToyTarget(), "toy", frozenset(), 512)
        synthesizer = make_synthesizer(machine, Options(), None, notes)
        synthesizer.library.outcomes.clear()
        return synthesizer.search(w.lanewise(w.halving_add, 8, 16, 2))

    first = search()
    assert notes.known
    monkeypatch.setattr(requests, "run_tasks", lambda tasks, _: [1 // 0 for _ in tasks])
    assert search() == first


class Dead:
    """A pool whose workers die."""

    def map(self, fn: object, items: Sequence[object]) -> list[Failed]:
        return [Failed("killed") for _ in items]


def test_what_a_search_found_whose_workers_die_is_not_kept() -> None:
    notes, machine = Notes(), Machine(ToyTarget(), "toy", frozenset(), 512)
    synthesizer = make_synthesizer(machine, Options(), Dead(), notes)
    synthesizer.library.outcomes.clear()
    result = synthesizer.search(w.lanewise(w.halving_add, 8, 16, 2))
    assert result.candidates and not result.is_whole and "killed" in str(result.error)
    assert not notes.known and not synthesizer.library.outcomes
