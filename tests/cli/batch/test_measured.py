"""``isel batch --journal --measure``: what loses is taken back, for builds that may use the cache;
a made clock says what loses.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.measure import changed
from bench.measure.inputs import NotRun
from bench.measure.verdict import Noisy, Timed, Verdict
from isel.cli.launcher import journal
from isel.cli.launcher.journal import Entry
from isel.cli.launcher.order import Order
from isel.cli.launcher.rewriter import decide
from tests.cli.modules import WINDOW, Run

_AIM = 'attributes #0 = { "target-cpu"="sapphirerapids" '
ONE = WINDOW.read_text().replace("attributes #0 = { ", _AIM)
SECOND = ONE[ONE.index("define") : ONE.index("\n}\n") + 3].replace("@multiply_round", "@second")
TWO = ONE.replace("\n}\n", f"\n}}\n\n{SECOND}", 1)
BUILD = Order("", "", "a.c", 22, 3, "", quick=True, output="/x/a.o")
LATE = BUILD._replace(quick=False, output="", late=True)
EXACT = BUILD._replace(quick=False, output="")
LOSES = Timed(0.8, 0.9, 1.0)


class Clock:
    """What says of each function what is given, and who was asked for."""

    def __init__(self, **says: Verdict) -> None:
        self.says = says
        self.asked: list[str] = []

    def __call__(self, before: str, after: str, function: str) -> Verdict:
        self.asked.append(function)
        return self.says[function]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock(multiply_round=LOSES, second=Timed(1.2, 1.3, 1.0))
    monkeypatch.setattr(changed, "measure_alone", made)
    return made


def count(text: str | bytes) -> int:
    assert isinstance(text, str)
    return text.count("call") if text else 0


def test_what_loses_is_taken_back_where_builds_find_it(isel: Run, clock: Clock) -> None:
    whole = decide(EXACT, TWO)[0]
    found = decide(LATE._replace(measure=True), TWO)[0]
    assert sorted(clock.asked) == ["multiply_round", "second"]
    assert 0 < count(found.new) < count(whole.new)
    assert ("multiply_round", "measured: 0.80 and 0.90 times as fast") in found.reasons
    assert "@multiply_round: 0.80 and 0.90 times as fast, taken back" in found.measured
    assert found.rewritten < whole.rewritten
    # Builds, and later batches, give the same without a clock; it is not asked again.
    for order in (BUILD, LATE):
        result, known = decide(order, TWO)
        assert known and result.new == found.new
    decide(LATE._replace(measure=True), TWO)
    assert len(clock.asked) == 2
    # What is the same with any cache does not know of it.
    assert decide(EXACT, TWO)[0].new == whole.new
    Path("a.ll").write_text(TWO)
    assert isel("opt", "a.ll", "-S", "-o", "-").out == whole.new


def test_another_module_with_the_function(clock: Clock) -> None:
    """The function is known by itself, where the rest of its module is another."""
    decide(LATE._replace(measure=True), TWO)
    result, known = decide(LATE, ONE)
    assert not known and result.new == "" and result.taken_back
    assert decide(BUILD, ONE)[0].new == ""


@pytest.mark.parametrize("says", [Noisy(0.8, 1.1), NotRun("it calls g"), Timed(1.2, 1.3, 1.0)])
def test_nothing_is_taken_back_for_noise(
    says: Verdict, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.says["multiply_round"] = says
    found = decide(LATE._replace(measure=True), ONE)[0]
    assert found.new == decide(EXACT, ONE)[0].new != ""
    assert found.measured == (f"@multiply_round: {says}",) and not found.taken_back


def test_a_batch_says_what_was_measured(
    isel: Run, clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Pools fork: the clock goes along.  Entries that are cut, and objects that are gone, are
    said.
    """
    environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
    monkeypatch.setenv("XDG_STATE_HOME", environment["XDG_STATE_HOME"])
    for name in ("a", "cut"):
        journal.add(Entry(f"/x/{name}.o", "a.c", 22, 3, "", "", ONE), environment)
    cut = Path(journal.path_of("/x/cut.o", environment))
    cut.write_bytes(cut.read_bytes()[:50])
    ran = isel("batch", "--journal", "--measure", "--touch", "-j1")
    assert ran.out == (
        "2 modules searched, 0 objects would change\n"
        "  /x/a.o @multiply_round: 0.80 and 0.90 times as fast, taken back\n"
    )
    assert ran.code == 1 and ran.err.count("not a whole entry of the journal") == 1
    assert journal.paths(environment) == []
    journal.add(Entry("/x/a.o", "a.c", 22, 3, "", "other", ONE), environment)
    ran = isel("batch", "--journal", "--measure", "--touch", "-j1")
    assert ran.out.splitlines()[1] == "  /x/a.o: no such file or directory"


def test_measure_goes_with_a_journal(isel: Run) -> None:
    ran = isel("batch", "a.ll", "-o", "out", "--measure")
    assert (ran.code, ran.err) == (1, "isel: error: --measure goes with --journal\n")
