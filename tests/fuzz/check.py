"""One batch: through ``isel opt``, and what was rewritten is run in both versions."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.cli import main as isel
from isel.cli.edge import INTERRUPTED
from tests.fuzz.case import LOOP, Batch, Case
from tests.fuzz.guarded import Code, run
from tests.fuzz.harness import first_difference
from tests.fuzz.modules import changed, functions, has_loop, only

# of isel opt: written, or a module that is refused in one line, which none of a compiler is
EXITS: Final = (0, 1)
_RUN_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Opted:
    """What ``isel opt`` did: exit status, what it said, the module it wrote, and the functions
    that it says it rewrote.
    """

    status: int
    said: str
    text: str
    rewritten: frozenset[str]


Optimiser: TypeAlias = Callable[[str, str], Opted]  # of a module's text, for a CPU


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not be: ``what`` is ``difference``, ``fault``, ``exit`` or ``report``."""

    what: str
    function: str
    detail: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a batch; ``run`` are the rewritten functions that both versions of were run,
    ``unrunnable`` those that LLVM cannot compile.
    """

    functions: int
    status: int
    run: tuple[Case, ...]
    looped: int
    unrunnable: int
    findings: tuple[Finding, ...]
    cpu: float


def isel_opt(flags: Sequence[str], text: str, cpu: str) -> Opted:
    """Run ``isel opt`` in this process; ``flags`` come first so that it can travel as a partial."""
    with tempfile.TemporaryDirectory() as folder:
        source, result, stats = (
            Path(folder, "in.ll"),
            Path(folder, "out.ll"),
            Path(folder, "stats.json"),
        )
        source.write_text(text)
        errors = io.StringIO()
        words = [
            "opt",
            str(source),
            "-S",
            "-o",
            str(result),
            "--stats-json",
            str(stats),
            *([f"-mcpu={cpu}"] if cpu else []),
            *flags,
        ]
        with contextlib.redirect_stderr(errors):
            status = isel(words)
        if status == INTERRUPTED:  # it is this run that is to end
            raise KeyboardInterrupt
        if status != 0:
            return Opted(status, errors.getvalue().strip(), text, frozenset())
        windows = json.loads(stats.read_text())["windows"]
        return Opted(
            0,
            errors.getvalue().strip(),
            result.read_text(),
            frozenset(w["function"] for w in windows if w["outcome"] == "rewritten"),
        )


def cpu_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    t = os.times()
    return t.user + t.system + t.children_user + t.children_system


def code_of(seed: int) -> Code:
    """Return how a batch is compiled: every other one as it stands, the others after LLVM's -O3."""
    return Code(3, pipeline=True) if seed % 2 else Code()


def check(batch: Batch, optimise: Optimiser) -> Checked:
    """Rewrite a batch and run what was rewritten, each function by itself where a process dies
    of it.
    """
    since = cpu_seconds()
    before = binding.normalise(batch.text)
    done = optimise(before, batch.cpu)
    if done.status not in EXITS or (done.status and batch.source and batch.cases):
        found = Finding("exit", "", f"exit status {done.status}: {done.said}", before, "")
        return Checked(_count(batch), done.status, (), 0, 0, (found,), cpu_seconds() - since)
    after = before if done.text == before else binding.normalise(done.text)
    differ = changed(before, after)
    cases = tuple(c for c in batch.cases if c.name in differ)
    findings = [
        Finding("report", n, "changed but not reported as rewritten", before, after)
        for n in sorted(differ - done.rewritten)
    ]
    with LlvmWorker(seconds=_RUN_SECONDS) as worker:
        outcomes = compare(worker, before, after, cases, code_of(batch.seed))
    findings += [f for f in outcomes if isinstance(f, Finding)]
    ran = tuple(c for c, f in zip(cases, outcomes, strict=True) if not isinstance(f, WorkerFailed))
    bodies = functions(before)
    looped = sum(has_loop(bodies[c.name]) for c in ran)
    return Checked(
        _count(batch),
        done.status,
        ran,
        looped,
        len(cases) - len(ran),
        tuple(findings),
        cpu_seconds() - since,
    )


def _count(batch: Batch) -> int:
    return len(batch.cases) or 1  # a program that is not run counts as one


def compare(
    worker: LlvmWorker, before: str, after: str, cases: Sequence[Case], code: Code
) -> list[Finding | WorkerFailed | None]:
    """Run both versions of every case: None where they agree, why LLVM cannot run the first
    version, or what is wrong.
    """
    if not cases:
        return []
    names = {c.name for c in cases}
    old, new = only(before, names), only(after, names)
    mine = run(worker, old, cases, code)
    yours = mine if isinstance(mine, WorkerFailed) else run(worker, new, cases, code)
    if isinstance(yours, WorkerFailed):
        if len(cases) > 1:
            return [x for c in cases for x in compare(worker, before, after, [c], code)]
        return [
            yours
            if yours is mine
            else Finding(
                "fault",
                cases[0].name,
                f"the rewritten version does not run: {yours.reason}",
                old,
                new,
            )
        ]
    assert not isinstance(mine, WorkerFailed)
    found: list[Finding | WorkerFailed | None] = []
    for case, a, b in zip(cases, mine, yours, strict=True):
        what = first_difference([c.regions for c in case.calls], a, b)
        found.append(
            Finding(
                "difference", case.name, what, only(before, {case.name}), only(after, {case.name})
            )
            if what
            else None
        )
    return found


def kinds(cases: Sequence[Case]) -> dict[str, int]:
    """Count the cases by what is particular about their memory."""
    every = sorted({k for c in cases for k in c.kinds} - {LOOP})
    return {k: sum(k in c.kinds for c in cases) for k in every}
