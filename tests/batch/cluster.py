"""A scheduler and workers of Dask on this machine, each a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_UNTIL: Final = 300.0  # seconds in which all of it must be there


@dataclass(frozen=True, slots=True)
class Cluster:
    """The address of a scheduler, its process, and those of its workers."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: tuple[subprocess.Popen[bytes], ...]


@contextmanager
def local_cluster(folder: Path, environment: dict[str, str], workers: int = 2) -> Iterator[Cluster]:
    """Run a scheduler and workers of one thread each, with what they write in ``folder``; end
    them.
    """
    folder.mkdir(parents=True)
    file = folder / "scheduler.json"
    common = ["--scheduler-file", str(file), "--no-dashboard"]
    processes = [
        _process(
            "dask_scheduler", folder, environment, "--host", "127.0.0.1", "--port", "0", *common
        )
    ]
    try:
        processes += [
            _process(
                "dask_worker",
                folder / str(k),
                environment,
                "--nthreads",
                "1",
                "--no-nanny",
                *common,
            )
            for k in range(workers)
        ]
        address = _waited(
            lambda: (
                str(json.loads(file.read_text())["address"])
                if file.exists() and file.stat().st_size
                else ""
            )
        )
        logs = [folder / str(k) / "dask_worker.log" for k in range(workers)]
        _waited(lambda: "all" if all("Registered to:" in log.read_text() for log in logs) else "")
        yield Cluster(address, processes[0], tuple(processes[1:]))
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def _process(
    what: str, folder: Path, environment: dict[str, str], *words: str
) -> subprocess.Popen[bytes]:
    folder.mkdir(exist_ok=True)
    with (folder / f"{what}.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{what}", *words],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
        )


def _waited(look: Callable[[], str]) -> str:
    """Return what ``look`` finds, once that is something."""
    until = time.monotonic() + _UNTIL
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(0.1)
    raise TimeoutError(f"no cluster within {_UNTIL:g} s")
