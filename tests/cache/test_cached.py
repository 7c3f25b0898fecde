"""The decorator cannot change an answer: off, cold and warm agree, damaged and false rows are
misses.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from isel.cache import cached as module
from isel.cache.rows import ResultRow
from isel.cache.window_text import read_window
from isel.ir import build as b
from isel.ir.expr import const, elem
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.window import Leaf, Root, Window
from isel.smt.query import Answer, GaveUp, Query
from isel.verify import prove, recorded, stepwise
from tests.cache.parts import AVERAGE, LEAST, MACHINE, SUM, Counting, cached, opened, program
from tests.synth.toy import ToyTarget
from tests.synth.windows import lanewise

NOTHING = lanewise(b.mul, 8, 16, 2)


def _only_row(folder: Path) -> ResultRow:
    store = opened(folder)
    assert store.overlay is not None
    (row,) = store.overlay.results()
    store.close()
    return row


def _put(folder: Path, row: ResultRow) -> None:
    store = opened(folder)
    store.add_result(row)
    store.close()


@pytest.mark.parametrize(
    "window", [AVERAGE, SUM, LEAST, NOTHING], ids=["average", "sum", "least", "nothing"]
)
def test_off_cold_and_warm_agree(tmp_path: Path, window: Window) -> None:
    off = Counting().search(window)
    cold, warm = Counting(), Counting()
    assert cached(cold, opened(tmp_path)).search(window) == off
    assert cached(warm, opened(tmp_path)).search(window) == off
    assert [len(cold.asked), len(warm.asked)] == [1, 0]


def test_costs_and_certificates_survive(tmp_path: Path) -> None:
    cold = cached(Counting(), opened(tmp_path)).search(AVERAGE)
    warm = cached(Counting(), opened(tmp_path)).search(AVERAGE)
    assert [c.program.cost for c in warm.candidates] == [50]
    assert [c.proof for c in warm.candidates] == [c.proof for c in cold.candidates]


def test_incomplete_results_are_not_kept(tmp_path: Path) -> None:
    """A search cut short by a clock says nothing about the next run."""
    for window in (AVERAGE, NOTHING):
        cached(Counting(complete=False), opened(tmp_path)).search(window)
        cached(Counting(error=ValueError()), opened(tmp_path)).search(window)
        after = Counting()
        cached(after, opened(tmp_path)).search(window)
        assert len(after.asked) == 1


class _NeverAsked:
    def __init__(self, *_: object) -> None:
        pass

    @property
    def turns(self) -> tuple[_NeverAsked, ...]:
        raise RuntimeError("a solver was asked about what the certificate covers")

    def check(self, query: Query) -> Answer:
        raise RuntimeError("a solver was asked about what the certificate covers")

    def split(self, count: int) -> tuple[_NeverAsked, _NeverAsked]:
        return self, self


def test_a_certificate_is_believed_only_for_its_own_queries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        prove, "enumerate_inputs", lambda *_: None
    )  # what few input bits decide is not put to a solver, nor what steps show
    monkeypatch.setattr(stepwise, "by_steps", lambda *_: None)
    cached(Counting(), opened(tmp_path)).search(AVERAGE)
    monkeypatch.setattr(recorded, "default_portfolio", _NeverAsked)
    after = Counting()
    assert cached(after, opened(tmp_path)).search(AVERAGE).candidates
    assert not after.asked
    row = _only_row(tmp_path)
    data = json.loads(row.programs)
    data["programs"][0]["queries"] = ["0" * 64 for _ in data["programs"][0]["queries"]]
    _put(tmp_path, replace(row, programs=json.dumps(data)))
    with pytest.raises(RuntimeError, match="a solver was asked"):
        cached(Counting(), opened(tmp_path)).search(AVERAGE)


def test_a_wrong_program_is_searched_again(tmp_path: Path) -> None:
    """A row that names another instruction is refuted, not believed, and replaced."""
    right = cached(Counting(), opened(tmp_path)).search(AVERAGE)
    row = _only_row(tmp_path)
    _put(tmp_path, replace(row, programs=row.programs.replace("avg8.128", "add8.128")))
    again = Counting()
    assert cached(again, opened(tmp_path)).search(AVERAGE) == right
    assert len(again.asked) == 1
    assert "avg8.128" in _only_row(tmp_path).programs


@pytest.mark.parametrize(
    "damage",
    [
        lambda r: replace(r, programs="{"),
        lambda r: replace(r, programs="[]"),
        lambda r: replace(r, programs='{"programs": [{}], "versions": {}}'),
        lambda r: replace(r, programs=r.programs.replace("avg8.128", "unheard.of")),
        lambda r: replace(r, programs=r.programs.replace("roots 2", "roots 7")),
        lambda r: replace(r, programs=r.programs.replace("roots 2", "")),
        lambda r: replace(r, programs=r.programs.replace("16x8", "15x8")),
        lambda r: replace(r, window=r.window + "fact 1:1\n"),
        lambda r: replace(r, programs='{"programs": ' + "[" * 100_000),
        lambda r: replace(
            r, programs='{"programs": ' + "[" * 900 + "]" * 900 + ', "versions": {}}'
        ),
        lambda r: replace(r, programs=r.programs.replace('"cost": 50', '"cost": ' + "9" * 5000)),
        lambda r: replace(r, programs=r.programs.replace('"cost": 50', '"cost": 1e999')),
        lambda r: replace(r, programs=r.programs.replace("avg8.128", "\\ud800")),
        lambda r: replace(r, programs=r.programs.replace('"text": "', '"text": 5, "x": "')),
    ],
)
def test_damaged_rows_are_misses(tmp_path: Path, damage: object) -> None:
    right = cached(Counting(), opened(tmp_path)).search(AVERAGE)
    assert callable(damage)
    _put(tmp_path, damage(_only_row(tmp_path)))
    again = Counting()
    assert cached(again, opened(tmp_path)).search(AVERAGE) == right
    assert len(again.asked) == 1


def test_other_solver_versions_prove_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = cached(Counting(), opened(tmp_path)).search(AVERAGE)
    row = _only_row(tmp_path)
    data = json.loads(row.programs)
    data["versions"]["z3"] = "0.0"
    data["programs"][0]["queries"], data["programs"][0]["solvers"] = [], []
    _put(tmp_path, replace(row, programs=json.dumps(data)))
    monkeypatch.setattr(recorded, "default_portfolio", _NeverAsked)
    after = Counting()
    assert cached(after, opened(tmp_path)).search(AVERAGE) == right
    assert not after.asked
    assert _only_row(tmp_path).programs == row.programs  # and is kept as these versions proved it


def test_prove_again_does_not_look_at_the_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached(Counting(), opened(tmp_path)).search(AVERAGE)
    monkeypatch.setattr(module, "Recorded", _NeverAsked)
    after = Counting()
    assert cached(after, opened(tmp_path), prove_again=True).search(AVERAGE).candidates
    assert not after.asked


class _Silent:
    def check(self, query: Query) -> Answer:
        return GaveUp("silent")


def test_a_solver_that_always_gives_up_yields_nothing_and_a_row_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Invariant 6: with the real search and a solver that never answers, nothing is found.  That
    it stayed open is kept for the solvers that left it open, and for no others.
    """
    from isel.synth.synthesize import make_synthesizer

    store = opened(tmp_path)
    options = Options(disabled=("cegis",))
    with monkeypatch.context() as silent:
        silent.setattr(prove, "default_portfolio", lambda effort: _Silent())
        silent.setattr(prove, "enumerate_inputs", lambda *_: None)
        silent.setattr(stepwise, "by_steps", lambda *_: None)
        result = module.CachedSynthesizer(
            make_synthesizer(MACHINE, options, None), store, MACHINE, options
        ).search(AVERAGE)
    assert result.candidates == ()
    assert result.reason.endswith("silent")
    assert store.overlay is not None
    assert store.overlay.counts() == (1, 0, 0)
    again = Counting()
    warm = module.CachedSynthesizer(again, opened(tmp_path), MACHINE, options)
    assert warm.search(AVERAGE) == result
    assert not again.asked
    monkeypatch.setattr(module, "solver_versions", lambda: {"bitwuzla": "0", "z3": "0"})
    proved = module.CachedSynthesizer(again, opened(tmp_path), MACHINE, options).search(AVERAGE)
    assert len(again.asked) == 1
    assert proved.candidates


class _Priced(ToyTarget):
    def operation_cost(self, instruction: object, cpu: str) -> int:
        return 77


class _Renewed(ToyTarget):
    digest = "renewed"


def test_the_key_is_complete(tmp_path: Path) -> None:
    """Everything that an answer depends on changes the key."""
    store = opened(tmp_path)
    lanes = tuple(elem("a", 8 * i, 8) for i in range(16))
    plain = Window((Leaf("a", 8, 16),), (Root(8, lanes, (const(1, 1),) * 16),))
    guarded = replace(
        plain, roots=(Root(8, lanes, (b.eq(lanes[0], lanes[1]),) + (const(1, 1),) * 15),)
    )
    factual = replace(plain, facts=(b.ult(lanes[0], const(9, 8)),))
    unused = replace(plain, roots=(Root(8, (None, *lanes[1:]), (const(1, 1),) * 16),))
    machines = [
        MACHINE,
        Machine(ToyTarget(), "", frozenset({"f"}), 512),
        Machine(ToyTarget(), "", frozenset(), 256),
        Machine(_Priced(), "", frozenset(), 512),
        Machine(_Renewed(), "", frozenset(), 512),
    ]
    keys = [cached(Counting(), store, machine=m).key(plain) for m in machines]
    keys += [
        cached(Counting(), store, options=o).key(plain)
        for o in (Options(effort=2), Options(disabled=("cegis",)), Options(alternatives=5))
    ]
    keys += [cached(Counting(), store).key(w) for w in (guarded, factual, unused)]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("window", [AVERAGE, SUM, LEAST, NOTHING])
def test_windows_are_read_back(window: Window) -> None:
    assert read_window(window.text()) == window


def test_guarded_windows_are_read_back() -> None:
    lanes = (elem("a", 0, 8), None)
    window = Window(
        (Leaf("a", 8, 2),),
        (
            Root(8, lanes, (b.ult(elem("a", 0, 8), const(3, 8)), const(0, 1))),
            Root(8, lanes, (const(1, 1),) * 2),
        ),
        (b.eq(elem("a", 0, 8), const(1, 8)),),
    )
    assert read_window(window.text()) == window
    with pytest.raises(ValueError, match="not a line of a window"):
        read_window("loaf a 2x8\n")


def test_programs_read_back() -> None:
    from isel.model.program import read_program

    p = program("avg8.128")
    assert read_program(p.text()) == p


def test_only_what_is_missing_is_prepared(tmp_path: Path) -> None:
    """What has a row is answered without loading the search."""
    cached(Counting(), opened(tmp_path)).search(AVERAGE)
    inner = Counting()
    cached(inner, opened(tmp_path)).prepare([AVERAGE])
    assert inner.prepared == []
    cached(inner, opened(tmp_path)).prepare([AVERAGE, SUM])
    assert inner.prepared == [SUM.text()]
