"""``isel batch``: what is asked for, a pool or a cluster that does it, files as they come, the
summary at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from isel.api.asked import check_pattern
from isel.api.tools import tool_identity
from isel.cli.batch.inputs import PAGE, Module, modules_of
from isel.cli.batch.page import page
from isel.cli.batch.summary import Row, Summary, row_of, show, summary_of, table
from isel.cli.batch.task import Answer, Fate, perform
from isel.cli.batch.work import Orders, Worked, say_failed, work
from isel.cli.edge import BUG, OK, USER_ERROR
from isel.cli.limits import COMMAND_LOCK_ATTEMPTS, COMMAND_PATIENCE
from isel.cli.progress import progress
from isel.cli.texts import hold
from isel.errors import UsageProblem, file_problem
from isel.interrupts import settle
from isel.places import OFF
from isel.workers import Failed, Pool, processors

_SCRATCH: Final = ".isel-batch"
_VALUES: Final = (
    "mtriple", "mcpu", "mattr", "effort", "time_limit", "vector_width", "only_function",
)  # fmt: skip
_SWITCHES: Final = ("assume_no_undef", "strict")


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel batch``."""
    if arguments.journal:
        from isel.cli.batch.journal import run as run_journal

        return run_journal(arguments)
    _check(arguments)
    out = Path(arguments.output)
    modules = modules_of(arguments.inputs, out, text=arguments.text)
    with _scratch_in(out) as scratch:
        jobs = arguments.jobs or processors()
        inner = 1 if arguments.scheduler else max(1, jobs // len(modules))
        orders = Orders(out, _flags(arguments), _cache(arguments.cache), tool_identity(), inner)
        limit = arguments.time_limit
        seconds = None if limit is None else 2 * limit + COMMAND_PATIENCE
        rows: list[Row] = []
        answers = _answers(modules, orders, jobs, seconds, arguments.scheduler, scratch)
        with progress("modules") as tell, contextlib.closing(answers):
            for module, worked in answers:
                if worked.fresh:
                    _place(out, scratch, module, worked)
                rows.append(row_of(module, worked.record))
                tell("modules", len(rows), len(modules))
        summary = summary_of(rows)
        _put(out / PAGE, page(summary).encode(errors="replace"), scratch)
    return _say(summary, out)


def _check(arguments: argparse.Namespace) -> None:
    """Raise :class:`isel.errors.UsageProblem` for what does not go together."""
    for name in ("touch", "measure"):
        if getattr(arguments, name):
            raise UsageProblem(f"--{name} goes with --journal")
    if not arguments.inputs or arguments.output is None:
        missing = "-o" if arguments.inputs else "IN"
        what = f"the following arguments are required: {missing}"
        raise UsageProblem(f"{what} (see 'isel batch --help')")
    check_pattern(arguments.only_function or "", "--only-function")


def _say(summary: Summary, out: Path) -> int:
    for row in summary.failed:
        what = show(row.error.partition("\n")[0])
        what = what if ": error: " in what else f"{show(row.name)}: error: {what}"
        sys.stderr.write(f"isel: {what}\n")
    sys.stdout.write(table(summary, show(str(out / PAGE))))
    if any(row.status == Fate.BUG for row in summary.rows):
        return BUG
    return USER_ERROR if summary.failed else OK


def _flags(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the flags of ``isel opt`` on every machine: what is native is that of this one."""
    given = {name: getattr(arguments, name) for name in _VALUES}
    if given["mcpu"] == "native":
        from isel.cli.target import spell_native

        given["mcpu"], given["mattr"] = spell_native("native", given["mattr"] or "")
    disabled = (f"--disable={name}" for name in arguments.disabled or ())
    switches = (_flag(name) for name in _SWITCHES if getattr(arguments, name))
    values = (f"{_flag(name)}={v}" for name, v in given.items() if v is not None)
    return *values, *disabled, *switches


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _cache(given: str | None) -> str | None:
    """Return the cache as a place that does not depend on the working directory."""
    given = given or os.environ.get("ISEL_CACHE") or None
    return given if given in (None, OFF) else os.path.abspath(os.path.expanduser(given))


def _answers(
    modules: Sequence[Module],
    orders: Orders,
    jobs: int,
    seconds: float | None,
    scheduler: str | None,
    scratch: Path,
) -> Generator[tuple[Module, Worked], None, None]:
    """Yield what becomes of each module, in the order in which that is known."""
    if scheduler is not None:
        from isel.cli.batch.cluster import Cluster

        with contextlib.closing(Cluster(scheduler, jobs, seconds)) as cluster:
            yield from cluster.each(modules, orders)
        return
    job = partial(work, orders=orders, perform=partial(perform, scratch=scratch))
    with contextlib.closing(Pool(jobs).each(job, modules, seconds=seconds)) as answers:
        for index, worked in answers:
            module = modules[index]
            if isinstance(worked, Failed):
                worked = say_failed(orders.task(module, b""), Answer(Fate.LOST, worked.reason))
            yield module, worked


@contextlib.contextmanager
def _scratch_in(out: Path) -> Iterator[Path]:
    """Keep other batches out of the folder of outputs, and yield an empty folder in it for files in
    the making.
    """
    with hold(out, "another batch is writing here", COMMAND_LOCK_ATTEMPTS):
        scratch = out / _SCRATCH
        try:
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir()
        except OSError as error:
            raise file_problem(str(out), error) from None
        try:
            yield scratch.absolute()
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _place(out: Path, scratch: Path, module: Module, worked: Worked) -> None:
    """Write output, then record: a record is only there beside the output that it is of."""
    record = out / module.record
    if worked.output is not None:
        _put(out / module.output, worked.output, scratch)
    elif record.exists():  # of an earlier input: what was made of that goes
        (out / module.output).unlink(missing_ok=True)
    _put(record, worked.record.encode(), scratch)


def _put(path: Path, data: bytes, scratch: Path) -> None:
    """Write a file whole or not at all; what is left by a process that is killed lies in
    ``scratch``.
    """
    settle()
    part = scratch / "part"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise file_problem(str(path), error) from None
