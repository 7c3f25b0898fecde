"""The pool: ordered answers, the first item's error, dead workers replaced, log records brought
home.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from isel.errors import UnknownName
from isel.workers import Failed, Pool, processors

ROOT = Path(__file__).parents[1]


def _square(x: int) -> int:
    return x * x


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_answers_come_in_order(jobs: int) -> None:
    assert Pool(jobs).map(_square, list(range(20))) == [x * x for x in range(20)]
    assert Pool(jobs).map(_square, []) == []


def test_closures_and_caches_are_inherited() -> None:
    seen = {3: "three"}
    assert Pool(2).map(lambda x: seen[x], [3, 3, 3]) == ["three"] * 3


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_the_first_items_error_is_raised(jobs: int) -> None:
    def fail(x: int) -> int:
        if x >= 3:
            raise UnknownName("number", str(x))
        return x

    with pytest.raises(UnknownName) as caught:
        Pool(jobs).map(fail, list(range(12)))
    assert caught.value.name == "3"


def test_dead_workers_are_replaced() -> None:
    def die(x: int) -> int:
        if x == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        if x == 5:
            os._exit(9)
        return x

    found = Pool(2).map(die, list(range(8)))
    assert found == [
        0,
        1,
        Failed("the worker was ended by signal 9 (Killed)"),
        3,
        4,
        Failed("the worker exited with status 9"),
        6,
        7,
    ]


def test_every_worker_may_die() -> None:
    def die(x: int) -> int:
        os._exit(1)

    assert all(isinstance(x, Failed) for x in Pool(3).map(die, list(range(7))))


def test_no_worker_is_left_behind() -> None:
    pids = Pool(3).map(lambda x: os.getpid(), list(range(6)))
    assert os.getpid() not in pids
    for pid in pids:
        assert isinstance(pid, int)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_processors() -> None:
    assert 1 <= processors() <= (os.cpu_count() or 1)


def test_log_records_of_workers_are_printed_whole() -> None:
    script = textwrap.dedent("""
        import logging
        from isel.workers import LOG, Pool
        logging.basicConfig(format="%(message)s")
        logging.getLogger().handlers[0].set_name(LOG)
        def note(x):
            logging.getLogger("isel").warning("item %d of many", x)
        Pool(3).map(note, list(range(30)))
    """)
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert sorted(done.stderr.splitlines()) == sorted(f"item {x} of many" for x in range(30))


@pytest.mark.parametrize("jobs", [1, 2])
def test_answers_as_they_come(jobs: int) -> None:
    """Every item is answered by another process; one that takes too long, or ends its worker,
    costs itself only.
    """

    def work(x: int) -> tuple[int, int]:
        if x == 2:
            os._exit(9)
        if x == 3:
            time.sleep(60)
        return x, os.getpid()

    with contextlib.closing(Pool(jobs).each(work, list(range(6)), seconds=0.5)) as answers:
        found = dict(answers)
    lost = {k: v for k, v in found.items() if isinstance(v, Failed)}
    assert lost == {
        2: Failed("the worker exited with status 9"),
        3: Failed("no answer within 0.5 s"),
    }
    good = {k: v for k, v in found.items() if not isinstance(v, Failed)}
    assert {k: x for k, (x, _) in good.items()} == {k: k for k in (0, 1, 4, 5)}
    assert os.getpid() not in {pid for _, pid in good.values()}


def test_answers_that_nobody_wants_any_more_leave_no_worker() -> None:
    with contextlib.closing(Pool(2).each(lambda x: os.getpid(), list(range(9)))) as answers:
        _, pid = next(answers)
    assert isinstance(pid, int)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_error_is_raised_after_the_answers() -> None:
    def fail(x: int) -> int:
        if x == 1:
            raise UnknownName("number", str(x))
        return x

    found: list[tuple[int, int | Failed]] = []
    with pytest.raises(UnknownName):
        found.extend(Pool(1).each(fail, [0, 1, 2]))
    assert found == [(0, 0)]
