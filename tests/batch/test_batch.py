"""A small battery; ``make batch`` runs a large one.

And what a cluster does to a batch that is lost on the way.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from isel.cli.batch import cluster
from isel.errors import UsageProblem
from tests.batch.cluster import local_cluster
from tests.batch.inputs import make
from tests.batch.run import Batch, run


def _answers(folder: Path) -> bool:
    """Tell whether a batch has answered; folders may go while they are looked at."""
    return any(name.endswith(".json") for _, _, names in os.walk(folder) for name in names)


def test_killed_taken_up_and_by_two_dask_workers(tmp_path: Path) -> None:
    inputs = make(tmp_path, 3, random=6, functions=1, kernels=1, examples=1)
    totals = run(Batch(tmp_path, (*inputs, "-mcpu=sapphirerapids", "--effort=0")), 3, 3)
    assert not totals.problems, "\n".join(totals.lines())
    assert totals.modules == 13 and sum(totals.kills.values()) == 3
    assert totals.statuses["refused"] == 5 and totals.statuses["rewritten"]


def test_a_scheduler_that_goes_away(tmp_path: Path) -> None:
    """The work goes on here, which is said once; what the workers did counts."""
    batch = Batch(
        tmp_path, (*make(tmp_path, 4, random=6, functions=1, kernels=0, examples=0), "--effort=0")
    )
    code, said, err, _ = batch.whole("one", "-j1")
    with local_cluster(tmp_path / "cluster", batch.environment("workers")) as cluster:
        process = batch.start("lost", "--scheduler", cluster.address, "-j2")
        until = time.monotonic() + 600
        while not _answers(tmp_path / "lost") and time.monotonic() < until:
            time.sleep(0.05)
        cluster.scheduler.send_signal(signal.SIGKILL)
        out, told = process.communicate(timeout=1800)
    warning, rest = told.split("\n", 1)
    assert (
        warning
        == f"isel: warning: the cluster at {cluster.address} is not used any more, the work goes on here: the connection was lost"
    )
    assert (process.returncode, out.replace("/lost/", "/OUT/"), rest) == (code, said, err)
    assert batch.tree("lost") == batch.tree("one")


def test_a_worker_that_is_killed_costs_nothing_while_another_lives(tmp_path: Path) -> None:
    batch = Batch(
        tmp_path, (*make(tmp_path, 5, random=4, functions=1, kernels=0, examples=0), "--effort=0")
    )
    with local_cluster(tmp_path / "cluster", batch.environment("workers")) as cluster:
        process = batch.start("out", "--scheduler", cluster.address)
        until = time.monotonic() + 600
        while not _answers(tmp_path / "out") and time.monotonic() < until:
            time.sleep(0.05)
        cluster.workers[0].kill()
        _, told = process.communicate(timeout=1800)
    assert process.returncode == 1 and "warning" not in told
    batch.whole("one", "-j1")
    assert batch.tree("out") == batch.tree("one")


def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CLUSTER_CONNECT", 1.0)
    address = "tcp://127.0.0.1:1"
    with pytest.raises(UsageProblem) as said:
        cluster.Cluster(address, 1, None)
    assert str(said.value) == (
        f"no scheduler with a worker at {address}: OSError Timed out trying to connect to {address} after 1 s"
    )


def test_an_address_without_a_port(tmp_path: Path) -> None:
    batch = Batch(tmp_path, make(tmp_path, 6, random=1, functions=1, kernels=0, examples=0))
    process = batch.start("out", "--scheduler", "nothing")
    out, told = process.communicate(timeout=600)
    assert (process.returncode, out) == (1, "")
    assert told.startswith(
        "isel: error: no scheduler with a worker at nothing: ValueError missing port"
    )
    assert not list((tmp_path / "out").iterdir())
