"""``isel.optimize``: vector code of a module in better instructions of its target, all of it
proved.
"""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Generic

from frontends.llvm.dialect.inrange import without_inrange
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.options import Options, Tools
from frontends.llvm.report.text import table
from frontends.llvm.report.tried import FunctionReport, ModuleReport, WindowReport
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.windowless import has_no_windows
from frontends.llvm.transform.table import MECHANISMS, WINDOWS
from isel.api.asked import check_machine, check_numbers, check_pattern, host_machine
from isel.api.calls import turn
from isel.api.modules import MODULE, LlvmModule, M, read_text, same_kind, text_of
from isel.api.report import notes
from isel.api.tools import kept_tools, rewrite
from isel.deadline import REACHED, clock_of
from isel.interrupts import in_time
from isel.places import OFF

_HOST: Final = "host"
_NO_VECTORS: Final = "no value of the module is a vector of integers"


@dataclass(frozen=True, slots=True)
class Result(Generic[M]):
    """What became of a module; printed, it is the report of ``isel opt -report``.

    ``module`` is of the kind that was given: another one with everything that was rewritten, or the
    one that was given where nothing was.
    """

    module: M = field(repr=False)
    report: ModuleReport = field(repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    @property
    def windows(self) -> tuple[WindowReport, ...]:
        """A row a window: ``place`` (function, root, line from 1, source location), ``outcome``,
        IR ``before`` and ``after``, ``cost_before`` and ``cost_after`` in cycles of one pass
        through its block or None where nothing was judged, ``proof``, and the ``reason`` where it
        stays.
        """
        return self.report.windows

    @property
    def functions(self) -> tuple[FunctionReport, ...]:
        """A row a function that the module defines: ``name``, why it was ``skipped``, how many
        ``instructions`` it has and how many of them are ``in_windows``, and its ``cost`` before and
        after in cycles where it was changed.
        """
        return self.report.functions

    @property
    def rewritten(self) -> tuple[WindowReport, ...]:
        """The windows that were replaced, each proved for all inputs."""
        return self.report.rewritten

    @property
    def limited(self) -> bool:
        """Whether the time limit left something out: without it more may be found."""
        return self.report.timed_out

    def __str__(self) -> str:
        return "".join((table(self.report), *self.notes))


def optimize(
    module: M,
    *,
    cpu: str | None = None,
    features: str | None = None,
    effort: int = 1,
    cache: bool | str | os.PathLike[str] = True,
    time_limit: float | None = 20.0,
    only: str | None = None,
) -> Result[M]:
    """Rewrite the vector code of a module, in this process; the module that is given stays as it
    is.

    ``module`` is LLVM IR as text, bitcode, or an ``llvmlite.binding.ModuleRef``.  ``cpu`` (LLVM's
    name, or ``host`` for this machine with its features) and ``features`` (``+a,-b``) hold where a
    function has no ``target-cpu``; without them code is for the triple's base features.  ``effort``
    scales all limits of the search, in steps; 0 looks for single instructions only.  ``cache`` is
    True for the usual place, False for none, or a folder or file.  ``time_limit`` is in wall-clock
    seconds of the whole call, the wait for calls of other threads among them: 0 searches nothing,
    None knows no limit; :attr:`Result.limited` says that it was met.  ``only`` is a regular
    expression that must match the whole name of a function.

    Raises :class:`isel.Error`: :class:`isel.errors.BadModule` for what LLVM cannot read or a
    ``ModuleRef`` that is closed, :class:`isel.errors.UnknownName` for a CPU or feature,
    :class:`isel.errors.UsageProblem` for a number or expression that makes no sense; and
    :class:`TypeError` for a module of another type.
    """
    limit = math.inf if time_limit is None else time_limit
    start = time.monotonic()
    check_pattern(only or "", "the pattern of names")
    check_numbers(effort, limit)
    with turn(limit) as worker:
        if worker is None:
            return Result(module, ModuleReport(MODULE, timed_out=True))
        own, text = _read(module, worker)
        machine = _machine(text, cpu or "", features or "")
        left = None if time_limit is None else start + limit - time.monotonic()
        options = Options(
            *machine, effort=effort, only_function=only or "", time_limit=left, strict=False
        )
        if not limit:
            return Result(module, _left(text, REACHED))
        if has_no_windows(text):
            return Result(module, _left(text, _NO_VECTORS))
        place = None if cache is True else os.fspath(cache) if cache is not False else OFF

        def job() -> Result[M]:
            until = clock_of(left).search.at
            with kept_tools(worker, options, place, until) as tools:
                return _rewritten(module, own, options, tools, worker)

        late = partial(Result, module, _left(text, REACHED))
        return in_time(job, None if left is None else start + limit, late)


def windows(
    module: M, *, cpu: str | None = None, features: str | None = None, only: str | None = None
) -> Result[M]:
    """Return what :func:`optimize` would search, without searching: the largest window of each
    place, and by function what is in none (``left_out``: how many instructions, by reason).

    No loop is transformed, so that :func:`optimize` may find windows that are not here.  Takes and
    raises what :func:`optimize` does.
    """
    check_pattern(only or "", "the pattern of names")
    with turn() as worker:
        assert worker is not None
        own, text = _read(module, worker)
        off = tuple(sorted(row.name for row in MECHANISMS if row.name != WINDOWS))
        machine = _machine(text, cpu or "", features or "")
        options = Options(*machine, only_function=only or "", disabled=off, strict=False)
        with kept_tools(worker, options, OFF) as tools:
            nothing = replace(tools, enough=lambda: True)
            return _rewritten(module, own, options, nothing, worker)


def _rewritten(
    module: M, own: str, options: Options, tools: Tools, worker: LlvmWorker
) -> Result[M]:
    done = rewrite(own, options, tools, MODULE, own if isinstance(module, str) else "")
    new = same_kind(module, done.written, worker) if done.changed else module
    return Result(new, done.report, tuple(notes(done, options)))


def _read(module: str | bytes | LlvmModule, worker: LlvmWorker) -> tuple[str, str]:
    given = text_of(module)
    own = without_inrange(given) if isinstance(given, str) else given
    return read_text(own, MODULE, worker)


def _machine(text: str, cpu: str, features: str) -> tuple[str, str, str]:
    """Return the triple (the module's own), CPU and features that code is for by default."""
    if cpu == _HOST:
        return "", *host_machine(features)
    check_machine(text, "", cpu, features)
    return "", cpu, features


def _left(text: str, why: str) -> ModuleReport:
    """Return the report of a module that is left as it is."""
    defined = parse_module(text).functions
    rows = tuple(FunctionReport(f.name, why, len(f.view.work), 0, {}) for f in defined)
    late = tuple(f.name for f in defined) if why is REACHED else ()
    return ModuleReport(MODULE, functions=rows, timed_out=bool(late), late=late)
