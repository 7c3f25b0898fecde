"""What a name is worth, of runs that are written down."""

from __future__ import annotations

import os
import signal

from bench.ablation.cases import Case
from bench.ablation.forks import Timed, timed
from bench.ablation.page import names_table
from bench.ablation.worth import (
    ALL_EDGES,
    CEGIS,
    EGRAPH,
    LEARNED,
    NAMES,
    Change,
    Measured,
    Ran,
    Run,
    Worth,
    changes,
    failures,
    measure,
    worst,
    worths,
)
from isel.workers import Failed

_FIRST, _SECOND = (Case("term", name, "", "", "") for name in ("first", "second"))


def _ran(steps: int, **costs: tuple[float, float]) -> Ran:
    return Ran(costs, steps, {})


def test_a_function_that_stays_as_it_was_costs_what_it_did() -> None:
    full, less = _ran(9, f=(4.0, 1.0), g=(2.0, 1.5)), _ran(7, g=(2.0, 1.5))
    assert list(changes("c", full, less)) == [Change("c", 1.0, 4.0)]
    assert list(changes("c", less, full)) == [Change("c", 4.0, 1.0)]


def test_the_dearest_function_counts() -> None:
    found = (Change("c", 2.0, 3.0), Change("c", 2.0, 1.0), Change("c", 2.0, 5.0))
    assert worst(found) == Change("c", 2.0, 5.0)
    assert worst(found[1:2]) == Change("c", 2.0, 1.0)
    assert worst(()) is None


def test_a_worth_counts_cases_steps_and_seconds() -> None:
    measured = Measured(
        {
            Run(_FIRST): Timed(_ran(100, f=(4.0, 1.0)), 2.0),
            Run(_SECOND): Timed(_ran(50, f=(4.0, 2.0)), 1.0),
            Run(_FIRST, (CEGIS,)): Timed(_ran(10, f=(4.0, 3.0)), 0.5),
            Run(_SECOND, (CEGIS,)): Timed(_ran(20, f=(4.0, 1.0)), 0.5),
            Run(_FIRST, ALL_EDGES): Timed(Failed("gone"), 0.0),
        }
    )
    assert measured.worth("cegis", "tactics", (CEGIS,)) == Worth(
        "cegis",
        "tactics",
        2,
        (Change("term first", 1.0, 3.0),),
        (Change("term second", 2.0, 1.0),),
        (150, 30),
        (3.0, 1.0),
    )
    assert measured.dearer([_FIRST, _SECOND], (CEGIS,)) == [_FIRST]
    (line,) = failures(measured)
    assert line.startswith("term first without chains, ")
    assert line.endswith(": gone")


def test_a_job_is_run_in_a_fork_and_may_fail_or_die() -> None:
    assert timed(lambda: 6 * 7).value == 42
    assert timed(lambda: 1 // 0).value == Failed(
        "ZeroDivisionError: integer division or modulo by zero"
    )
    assert timed(lambda: os.kill(os.getpid(), signal.SIGKILL)).value == Failed("wait status 9")


def test_a_name_is_tried_where_it_can_matter() -> None:
    def rewrite(run: Run) -> Ran:
        if run.case == _SECOND:
            return _ran(5, f=(4.0, 4.0))
        cost = 2.0 if run.without == ALL_EDGES else 1.0
        return Ran({"f": (4.0, cost)}, 5, {"carried-loads": 1})

    measured = measure([_FIRST, _SECOND], 1, lambda _: None, rewrite)
    assert measured.results.keys() == {
        Run(_FIRST),
        Run(_SECOND),
        Run(_FIRST, ALL_EDGES),
        Run(_FIRST, (CEGIS,)),
        Run(_FIRST, (EGRAPH,)),
        Run(_FIRST, (LEARNED,)),
        Run(_FIRST, ("carried-loads",)),
        *(Run(_FIRST, (name,)) for name in ALL_EDGES),
    }
    assert {w.name: w.tried for w in worths(measured) if w.kind == "tactics"}["scaling"] == 0


def test_of_some_names_only_these_are_measured() -> None:
    """Without a part of the search among them no family of these is left out."""

    def rewrite(run: Run) -> Ran:
        return Ran({"f": (4.0, 2.0 if run.without else 1.0)}, 5, {"carried-loads": 1})

    rows = [row for row in NAMES if row.name == "carried-loads"]
    measured = measure([_FIRST], 1, lambda _: None, rewrite, rows)
    assert measured.results.keys() == {Run(_FIRST), Run(_FIRST, ("carried-loads",))}
    worth = measured.worth("carried-loads", "transform", ("carried-loads",))
    assert (worth.tried, [c.factor for c in worth.dearer]) == (1, [2.0])
    assert "| `carried-loads` | transform | 1 | 1 | 2.00 |" in names_table([worth])
