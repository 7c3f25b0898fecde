"""A campaign: batches of several generators, in processes that may die, until so many functions
are done.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from tests.fuzz import state
from tests.fuzz.case import Batch, call_to_json
from tests.fuzz.check import Checked, Finding, check, isel_opt, kinds
from tests.fuzz.generators import make, sizes
from tests.fuzz.shrink import shrunk
from tests.fuzz.state import Row

ROOT: Final = Path(__file__).parents[2]
SECONDS: Final = 900.0  # for a batch, a last resort
_RENEW: Final = 40  # batches that one process does, so that its memory stays small
_SAYS: Final = 20  # batches between two lines of progress


@dataclass(frozen=True, slots=True)
class Campaign:
    """What is to be done: ``count`` functions, generators in turn from ``seed`` on, shares of the
    work by repetition of a name.

    ``flags`` are those of ``isel opt``.  ``part`` of ``parts`` processes does every ``parts``-th
    batch.
    """

    folder: Path
    count: int
    seed: int
    generators: tuple[str, ...]
    flags: tuple[str, ...]
    part: int = 0
    parts: int = 1
    shrink: bool = True


def batches(campaign: Campaign) -> Iterator[tuple[str, int]]:
    """Yield generators and seeds until the functions are as many as wanted."""
    functions, per, n = 0, sizes(), 0
    while functions < campaign.count:
        name = campaign.generators[n % len(campaign.generators)]
        yield name, campaign.seed + n
        functions += per[name]
        n += 1


def commit() -> str:
    """Return the commit of the checkout, with a plus sign where the tool differs from it."""
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run(
        [*git, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    tool = ["isel", "frontends", "semantics", "equiv_classes"]
    dirty = subprocess.run(
        [*git, "status", "--porcelain", "--", *tool], capture_output=True, text=True, check=False
    ).stdout.strip()
    return (head or "unknown") + ("+" if dirty else "")


@dataclass(frozen=True, slots=True)
class Done:
    """A batch and what came of it; ``clang`` may refuse what was generated, which is an error
    of the generator.
    """

    batch: Batch
    checked: Checked


def _one(name: str, seed: int, flags: Sequence[str]) -> Done:
    since = time.process_time()
    batch = make(name, seed)
    made = time.process_time() - since
    checked = check(batch, partial(isel_opt, tuple(flags)))
    return Done(
        batch,
        Checked(
            checked.functions,
            checked.status,
            checked.run,
            checked.looped,
            checked.unrunnable,
            checked.findings,
            checked.cpu + made,
        ),
    )


def run_campaign(campaign: Campaign, say: Callable[[str], None] = print) -> bool:
    """Do what is left of a campaign; return whether nothing was found, earlier runs included."""
    campaign.folder.mkdir(parents=True, exist_ok=True)
    known = {r.key for r in state.read(campaign.folder)}
    wanted = [b for n, b in enumerate(batches(campaign)) if n % campaign.parts == campaign.part]
    todo = [b for b in wanted if b not in known]
    say(f"{len(wanted)} batches, {len(wanted) - len(todo)} of them done before")
    at, host = commit(), binding.host_cpu()
    worker = LlvmWorker(seconds=SECONDS)
    try:
        for n, (name, seed) in enumerate(todo, 1):
            done = worker.run(partial(_one, name, seed, campaign.flags))
            row = _row(campaign, name, seed, done, at, host)
            state.append(campaign.folder, row)
            if isinstance(done, WorkerFailed):
                _lost(campaign.folder, name, seed, done.reason)
                say(f"{name} {seed}: {done.reason}")
            else:
                _keep(campaign, done, worker, say)
            if n % _SAYS == 0 or n == len(todo):
                say(f"{n}/{len(todo)} {state.total(state.read(campaign.folder))}")
            if n % _RENEW == 0:
                worker.close()
    finally:
        worker.close()
    sums = state.total(r for r in state.read(campaign.folder) if r.key in set(wanted))
    return not any(sums[k] for k in ("differences", "faults", "reports", "wrong_exits"))


def _row(
    campaign: Campaign, name: str, seed: int, done: Done | WorkerFailed, at: str, host: str
) -> Row:
    flags = " ".join(campaign.flags)
    if isinstance(done, WorkerFailed):
        return Row(
            name,
            seed,
            at,
            flags,
            host,
            sizes()[name],
            exits={state.LATE if done.late else done.reason: 1},
        )
    c = done.checked
    whats = [f.what for f in c.findings]
    counts = {
        "differences": whats.count("difference"),
        "faults": whats.count("fault"),
        "reports": whats.count("report"),
    }
    return Row(
        name,
        seed,
        at,
        flags,
        host,
        c.functions,
        len(c.run),
        c.looped,
        kinds(c.run),
        c.unrunnable,
        **counts,
        exits={str(c.status): 1},
        seconds=round(c.cpu, 3),
    )


def _keep(campaign: Campaign, done: Done, worker: LlvmWorker, say: Callable[[str], None]) -> None:
    """Write what was found to a folder each, whole and shrunk."""
    for f in done.checked.findings:
        folder = (
            campaign.folder
            / state.FOUND
            / f"{done.batch.generator}-{done.batch.seed}{f'-{f.function}' if f.function else ''}"
        )
        folder.mkdir(parents=True, exist_ok=True)
        write_finding(folder, f, done.batch)
        say(f"{f.what}: {folder}\n  {f.detail}")
        if campaign.shrink and f.function:
            case = next(c for c in done.batch.cases if c.name == f.function)
            found = worker.run(
                partial(shrunk, f.before, case, partial(isel_opt, campaign.flags), done.batch.cpu)
            )
            if not isinstance(found, WorkerFailed):
                (folder / "shrunk.ll").write_text(found.text)
                (folder / "shrunk.json").write_text(
                    json.dumps([call_to_json(c) for c in found.case.calls], indent=1)
                )
                say(f"  shrunk to {len(found.text.splitlines())} lines")


def _lost(folder: Path, name: str, seed: int, reason: str) -> None:
    """Write how to make a batch again whose process died."""
    place = folder / state.FOUND / f"{name}-{seed}"
    place.mkdir(parents=True, exist_ok=True)
    (place / "note.txt").write_text(
        f"python -m tests.fuzz.generators {name} {seed} makes the module\n{reason}\n"
    )


def write_finding(folder: Path, f: Finding, batch: Batch) -> None:
    """Write both versions, the C that they were made of, the calls and a note."""
    (folder / "before.ll").write_text(f.before)
    (folder / "after.ll").write_text(f.after)
    if batch.source:
        (folder / "source.c").write_text(batch.source)
    case = next((c for c in batch.cases if c.name == f.function), None)
    if case is not None:
        (folder / "calls.json").write_text(
            json.dumps([call_to_json(c) for c in case.calls], indent=1)
        )
    (folder / "note.txt").write_text(
        f"{f.what} in {f.function or 'the module'}, -mcpu={batch.cpu}\n{f.detail}\n"
    )


def run_parts(words: Sequence[str], jobs: int) -> bool:
    """Run the parts of ``python -m tests.fuzz`` with ``words`` side by side; return whether
    nothing was found.
    """
    command = [sys.executable, "-m", "tests.fuzz", *words, "--jobs", "1", "--parts", str(jobs)]
    runs = [subprocess.Popen([*command, "--part", str(k)], cwd=ROOT) for k in range(jobs)]
    try:
        statuses = [run.wait() for run in runs]
        return not any(statuses)
    finally:
        for run in runs:
            run.terminate()
