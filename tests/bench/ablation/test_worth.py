"""What a name is worth, of runs that are written down."""

from __future__ import annotations

import os
import signal

from bench.ablation.cases import Case
from bench.ablation.forks import Timed, here, timed
from bench.ablation.page import names_table
from bench.ablation.worth import (
    NAMES,
    Change,
    Off,
    Ran,
    Run,
    Study,
    Worth,
    changes,
    cheaper,
    failures,
    measure,
    study,
    worst,
    worths,
)
from isel.model.mechanisms import EDGES, SEARCH, enabled
from isel.workers import Failed

_FIRST, _SECOND = (Case("term", name, "", "", "") for name in ("first", "second"))
_EDGES = frozenset(row.name for row in EDGES)
_ALL = frozenset(row.name for row in SEARCH)


def _ran(steps: int, **costs: tuple[float, float]) -> Ran:
    return Ran(costs, steps, {}, _ALL)


def test_a_function_that_stays_as_it_was_costs_what_it_did() -> None:
    full, less = _ran(9, f=(4.0, 1.0), g=(2.0, 1.5)), _ran(7, g=(2.0, 1.5))
    assert list(changes("c", full, less)) == [Change("c", 1.0, 4.0)]
    assert list(changes("c", less, full)) == [Change("c", 4.0, 1.0)]


def test_the_dearest_function_counts() -> None:
    found = (Change("c", 2.0, 3.0), Change("c", 2.0, 1.0), Change("c", 2.0, 5.0))
    assert worst(found) == Change("c", 2.0, 5.0)
    assert worst(found[1:2]) == Change("c", 2.0, 1.0)
    assert worst(()) is None


def test_names_that_are_off_remember_which_were_asked() -> None:
    off = Off(("chains",))
    assert not enabled(off, "chains")
    assert enabled(off, "cegis")
    assert off.asked == {"chains", "cegis"}
    assert off != ("chains",)
    assert len({off, Off(("chains",)), ("chains",)}) == 3


def test_a_worth_counts_cases_and_steps() -> None:
    full = Timed(_ran(100, f=(4.0, 1.0)), 2.0)
    without = Timed(_ran(10, f=(4.0, 3.0)), 0.5)
    first = Study(_FIRST, {(): full, ("cegis",): without}, [("cegis",)])
    second = Study(_SECOND, {(): full, ("egraph",): Timed(Failed("gone"), 0.0)})
    found = {w.names: w for w in worths([first, second])}
    change = Change("term first", 1.0, 3.0)
    assert found["cegis",] == Worth(("cegis",), (change,), (100, 10), "tactics", 2)
    assert found["egraph",] == Worth(("egraph",), (), (0, 0), "tactics", 2)
    assert first.seconds == 2.5
    assert failures([first, second]) == ("term second without egraph: gone",)


def test_a_job_is_run_in_a_fork_and_may_fail_or_die() -> None:
    assert timed(lambda: 6 * 7).value == here(lambda: 6 * 7).value == 42
    assert timed(lambda: 1 // 0).value == Failed(
        "ZeroDivisionError: integer division or modulo by zero"
    )
    assert timed(lambda: os.kill(os.getpid(), signal.SIGKILL)).value == Failed("wait status 9")


def test_a_name_is_tried_where_it_can_matter() -> None:
    """Where nothing is cheaper none is, else what rewrote something and what was asked."""

    def rewrite(run: Run) -> Ran:
        cost = 2.0 if "chains" in run.without else 1.0
        by = {"carried-loads": 1}
        return Ran({"f": (4.0, 4.0 if run.case == _SECOND else cost)}, 5, by, _EDGES)

    first, second = measure([_FIRST, _SECOND], 1, rewrite=rewrite)
    assert second.results.keys() == {()}
    assert ("carried-loads",) in first.results
    assert tuple(sorted(_EDGES)) in first.results
    assert {name for names in first.results for name in names} == _EDGES | {"carried-loads"}
    assert first.needs == [("chains",)]


def test_names_that_make_up_for_each_other_are_together() -> None:
    def rewrite(run: Run) -> Ran:
        both = {"chains", "egraph"} <= set(run.without)
        return _ran(5, f=(4.0, 2.0 if both else 1.0))

    found = study(_FIRST, rewrite=rewrite)
    assert found.needs == [("chains", "egraph")]
    (worth,) = (w for w in worths([found]) if w.dearer)
    change = Change("term first", 1.0, 2.0)
    assert worth == Worth(("chains", "egraph"), (change,), (5, 5), "", 1)


def test_what_is_cheaper_without_is_said_with_the_fewest_names() -> None:
    def rewrite(run: Run) -> Ran:
        return _ran(5, f=(4.0, 1.0 if "chains" in run.without else 2.0))

    found = study(_FIRST, rewrite=rewrite)
    assert found.needs == []
    assert cheaper([found]) == [(tuple(sorted(_ALL)), Change("term first", 2.0, 1.0))]


def test_a_study_that_dies_is_a_failure() -> None:
    def rewrite(run: Run) -> Ran:
        if run.case == _SECOND:
            os.kill(os.getpid(), signal.SIGKILL)
        return _ran(5)

    found = measure([_FIRST, _SECOND], 1, rewrite=rewrite)
    (line,) = failures(found)
    assert line.startswith("term second without nothing: ")
    assert cheaper(found) == []


def test_of_some_names_only_these_are_measured() -> None:
    def rewrite(run: Run) -> Ran:
        return Ran({"f": (4.0, 2.0 if run.without else 1.0)}, 5, {"carried-loads": 1}, _ALL)

    rows = [row for row in NAMES if row.name == "carried-loads"]
    (found,) = measure([_FIRST], 1, rows, rewrite)
    assert found.results.keys() == {(), ("carried-loads",)}
    (worth,) = worths([found], rows)
    assert (worth.used, [c.factor for c in worth.dearer]) == (1, [2.0])
    table = names_table([worth], {"carried-loads": 7})
    assert "| `carried-loads` | transform | 7 | 1 | 1 | 0 | 2.00 |" in table
