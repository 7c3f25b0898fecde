"""Searches of an order: what they have in common, and what comes of one module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from frontends.llvm.dialect.inrange import without_inrange
from frontends.llvm.dialect.older import NEWEST
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.pipeline.decided import Recent, print_of
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.table import REGROUPED_REDUCTIONS
from isel.api.tools import FunctionMemory, Making, tools_with
from isel.cli.launcher.order import MEASURED, Changed, Order, Result, asked_for
from isel.json_text import to_json

if TYPE_CHECKING:
    from frontends.llvm.pipeline.search import MakeSynthesizer
    from frontends.llvm.report.tried import ModuleReport
    from isel.cache.remote import Remote
    from isel.cache.store import Store
    from isel.cli.launcher.portion import Share
    from isel.model.memory import Memory


_DEAR: Final = (REGROUPED_REDUCTIONS, "joined-windows", "cegis")  # what a portion goes without


class Setting(NamedTuple):
    """What searches of one order have in common."""

    order: Order
    options: Options
    store: Store | None
    tool: str
    making: Making
    worker: LlvmWorker


@contextmanager
def setting(
    order: Order, store: Store | None, tool: str, remote: Remote | None = None
) -> Iterator[Setting]:
    """Yield what the searches of an order need; raise :class:`isel.errors.UsageProblem`."""
    usual = Options(jobs=1, strict=False, llvm_version=order.version or NEWEST)
    options = replace(usual, **asked_for(order.flags)[0])  # type: ignore[arg-type]
    options = replace(options, jobs=1) if order.quick else options
    making = Making(store, prove_again=False, disabled=options.disabled, remote=remote)
    with LlvmWorker() as worker:
        yield Setting(order, options, store, tool, making, worker)


def search(
    setting: Setting,
    text: str,
    *,
    share: Share | None = None,
    make: MakeSynthesizer | None = None,
) -> tuple[Result, bool]:
    """Rewrite a module; return the result and whether another run would give the same.

    Functions spend a ``share``, if there is one, and nothing that is known of them is used;
    ``make`` answers windows otherwise.
    """
    order, options, store, tool, making, worker = setting
    kept = FunctionMemory(store, tool) if store is not None and share is None else Recent()
    memory = _Watched(kept)
    tools = replace(tools_with(worker, store, options), memory=memory, make=make or making)
    if share is not None:
        options = replace(options, disabled=(*options.disabled, *_DEAR))
        cheap = make or replace(making, disabled=options.disabled)
        tools = replace(tools, budget=share.budget, make=cheap)
    again = partial(rewrite_module, without_inrange(text), tools=tools, file=order.source)
    lost, lines, others = _look(done := again(options), order, store, tool)
    if lost:
        done = again(replace(options, only_function=others))
    sys.stderr.writelines(f"{where}: {f.trace}\n" for where, f in done.report.failures)
    result = _result(order, done, worker)
    result = result._replace(
        reasons=tuple((dict(result.reasons) | lost).items()), measured=lines, taken_back=bool(lost)
    )
    return result, store is not None and memory.is_whole() and not result.cut


def _result(order: Order, done: Rewritten, worker: LlvmWorker) -> Result:
    """Return what is said of a module that was rewritten."""
    new: str | bytes = ""
    if done.report.rewritten:
        new = done.written if order.version else _object(worker, done.text, order.level)
    report = done.report
    return Result(
        len(report.functions),
        len(report.windows),
        len(report.rewritten),
        new,
        tuple(report.reasons().items()),
        remarks_of(report) if order.remarks else "",
        cut=report.timed_out or bool(report.failures),  # by a clock or a bug
        changed=_changes(done) if order.late or order.quick else (),
    )


def remarks_of(report: ModuleReport) -> str:
    """Return findings, each as a row, and the YAML."""
    from frontends.llvm.report.remarks import remarks
    from isel.cli.remarks.findings import findings_of

    return to_json([[astuple(f) for f in findings_of(report)], remarks(report)])


class _Watched:
    """A memory of functions that knows whether all that was decided is kept: what is not may be
    decided otherwise another time.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._open: set[str] = set()

    def is_whole(self) -> bool:
        """Tell whether all that was decided is kept."""
        return not self._open

    def recall(self, key: str) -> str | None:
        """See :class:`frontends.llvm.pipeline.decided.Memory`."""
        found = self._memory.recall(key)
        if found is None:
            self._open.add(key)
        return found

    def keep(self, key: str, value: str) -> None:
        """See :class:`frontends.llvm.pipeline.decided.Memory`."""
        self._open.discard(key)
        self._memory.keep(key, value)


def _changes(done: Rewritten) -> tuple[Changed, ...]:
    report = done.report
    names = sorted({w.place.function for w in report.rewritten})
    after = parse_module(done.text, frozenset(names))
    counts = (sum(w.place.function == n for w in report.rewritten) for n in names)
    return tuple(
        Changed(n.strip('"'), print_of(after, n), count)
        for n, count in zip(names, counts, strict=True)
    )


def _look(
    done: Rewritten, order: Order, store: Store | None, tool: str
) -> tuple[dict[str, str], tuple[str, ...], str]:
    """Return :class:`bench.measure.kept.Looked` where there is anything to measure or to know."""
    rows = store if order.quick or order.late else None
    if rows is None or not (order.measure or rows.function(MEASURED)):
        return {}, (), ""
    from bench.measure.kept import look

    return look(done, rows, tool, MEASURED, measure=order.measure)


def _object(worker: LlvmWorker, text: str, level: int) -> bytes:
    """Return the object that the linked LLVM makes."""
    data = worker.run(
        partial(binding.object_code, text, triple="", cpu="", features="", level=level)
    )
    if isinstance(data, WorkerFailed):
        raise RuntimeError(f"no object: {data.reason}")
    return data
