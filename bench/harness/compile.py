"""A measured compile: the rewriter on one module, in a process of its own that counts and reports.

``python -m bench.harness.compile`` reads a :class:`Job` as JSON from standard input, writes the
rewritten module to ``out`` and prints an :class:`Answer` as JSON.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Final

from bench.harness.records import Compile, Kept, When, Window
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.report.phrases import why_kept
from frontends.llvm.report.tried import Outcome, WindowReport
from isel.api.tools import tools_with
from isel.cache.database import Database
from isel.cache.rows import ResultRow
from isel.cache.store import Store
from isel.errors import IselError
from isel.json_text import to_json

_LLVM_SECONDS: Final = 120.0  # for one job of the worker


class CompileFailed(IselError):
    """A measured compile ended without an answer."""


@dataclass(frozen=True, slots=True)
class Job:
    """Module, where to write the result, the cache file (made if missing), CPU, features,
    workers, LLVM's pipeline or not, and the search's effort.
    """

    module: str
    out: str
    cache: str
    cpu: str
    features: str
    jobs: int
    pipeline: bool
    effort: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What a compile took and did; counts as in :class:`bench.harness.records.Compile`, or an
    ``error``.
    """

    error: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    llvm_seconds: float = 0.0
    peak_mib: float = 0.0
    found: int = 0
    rewritten: int = 0
    rolled_back: int = 0
    searches: int = 0
    search_hits: int = 0
    judgements: int = 0
    judgement_hits: int = 0
    windows: tuple[Window, ...] = ()
    kept: tuple[Kept, ...] = ()

    def compile(self, version: str, when: When) -> Compile:
        """Return the record of this compile."""
        return Compile(
            version,
            when,
            self.seconds,
            self.cpu_seconds,
            self.llvm_seconds,
            self.peak_mib,
            self.found,
            self.rewritten,
            self.rolled_back,
            self.searches,
            self.search_hits,
            self.judgements,
            self.judgement_hits,
        )


class CountingStore(Store):
    """A store that counts questions and answers, those of forked workers too."""

    def __init__(self, overlay: Database) -> None:
        super().__init__(None, overlay)
        self.searches, self.search_hits, self.judgements, self.judgement_hits = (
            _counter() for _ in range(4)
        )

    def result(self, key: str) -> ResultRow | None:
        """See :class:`isel.cache.store.Store`."""
        found = super().result(key)
        _count(self.searches, self.search_hits, found is not None)
        return found

    def verdict(self, key: str) -> str | None:
        """See :class:`isel.cache.store.Store`."""
        found = super().verdict(key)
        _count(self.judgements, self.judgement_hits, found is not None)
        return found


def _counter() -> Synchronized[int]:
    return multiprocessing.get_context("fork").Value("q", 0)


def _count(asked: Synchronized[int], hits: Synchronized[int], hit: bool) -> None:
    for counter, by in ((asked, 1), (hits, int(hit))):
        with counter.get_lock():
            counter.value += by


def compiled(job: Job, seconds: float) -> Answer:
    """Run a job in a fresh process; raises :class:`CompileFailed` where it dies or takes longer
    than ``seconds``.
    """
    command = [sys.executable, "-m", "bench.harness.compile"]
    try:
        done = subprocess.run(
            command,
            input=to_json(asdict(job)),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CompileFailed(f"isel did not end within {seconds:g} s") from None
    if done.returncode:
        raise CompileFailed(f"isel ended with status {done.returncode}: {_last(done.stderr)}")
    data = json.loads(done.stdout)
    windows = tuple(
        Window(**{**w, "before": tuple(w["before"]), "after": tuple(w["after"])})
        for w in data.pop("windows")
    )
    answer = Answer(**{**data, "windows": windows, "kept": tuple(Kept(**k) for k in data["kept"])})
    if answer.error:
        raise CompileFailed(answer.error)
    return answer


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


def perform(job: Job) -> Answer:
    """Do the job in this process."""
    text = Path(job.module).read_text()
    overlay = Database(Path(job.cache))
    overlay.probe()
    store = CountingStore(overlay)
    options = Options(cpu=job.cpu, features=job.features, jobs=job.jobs, effort=job.effort)
    start, busy = time.perf_counter(), _busy()
    with LlvmWorker(seconds=_LLVM_SECONDS) as worker:
        done = rewrite_module(
            text, options, tools_with(worker, store, options), Path(job.module).name
        )
        seconds = time.perf_counter() - start
    cpu_seconds = _busy() - busy  # processes are counted when they have ended
    store.close()
    with LlvmWorker(seconds=_LLVM_SECONDS) as worker:
        llvm_seconds = _llvm(worker, text, job)
    Path(job.out).write_text(done.text)
    report = done.report
    return Answer(
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        llvm_seconds=llvm_seconds,
        peak_mib=max(
            resource.getrusage(who).ru_maxrss
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        / 1024,
        found=len(report.windows),
        rewritten=len(report.rewritten),
        rolled_back=sum(w.outcome is Outcome.KEPT and w.attempts > 0 for w in report.windows),
        searches=store.searches.value,
        search_hits=store.search_hits.value,
        judgements=store.judgements.value,
        judgement_hits=store.judgement_hits.value,
        windows=tuple(_window(w) for w in report.rewritten),
        kept=tuple(
            Kept(str(w.place), why_kept(w)) for w in report.windows if w.outcome is Outcome.KEPT
        ),
    )


def _busy() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usages)


def _window(w: WindowReport) -> Window:
    before, after = (tuple(line.strip() for line in lines) for lines in (w.before, w.after))
    return Window(
        str(w.place), before, after, w.cost_before, w.cost_after, w.proof, w.operations, w.chosen
    )


def _llvm(worker: LlvmWorker, text: str, job: Job) -> float:
    """Return the seconds of LLVM's own work on the module, as the version that is compared with
    is made.
    """
    start = time.perf_counter()
    best = (
        worker.optimise(text, triple="", cpu=job.cpu, features=job.features)
        if job.pipeline
        else text
    )
    made = (
        best
        if isinstance(best, WorkerFailed)
        else worker.assembly(best, triple="", cpu=job.cpu, features=job.features)
    )
    seconds = time.perf_counter() - start
    if isinstance(made, WorkerFailed):
        raise CompileFailed(f"LLVM fails on the module: {made.reason}")
    return seconds


def main() -> int:
    """Read a job, do it, print the answer."""
    job = Job(**json.load(sys.stdin))
    try:
        answer = perform(job)
    except IselError as error:
        answer = Answer(error=error.message())
    sys.stdout.write(to_json(asdict(answer)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
