"""Joins the parts that may not know each other: front end, targets, search, gate and cache."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import astuple, dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import equiv_classes
import frontends
import isel
import semantics
from frontends.llvm.dialect.older import NEWEST
from frontends.llvm.linked.binding import llvm_version
from frontends.llvm.linked.worker import LATE, LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.pipeline.judge import Judge
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from frontends.llvm.pipeline.stages import Watch, watch_nothing
from frontends.llvm.text.given import lines_of
from frontends.llvm.text.isolate import nameless
from isel import __version__
from isel.api.limits import TOOLS_CACHES
from isel.api.sources import Source, write_source
from isel.cost.judgement import Judgement
from isel.cost.work import Work
from isel.deadline import REACHED
from isel.interrupts import in_time
from isel.json_text import to_json
from isel.model.answer import Options as SearchOptions
from isel.model.answer import Result, Synthesizer
from isel.model.machine import Machine
from isel.model.mechanisms import Disabled
from isel.model.window import Window
from isel.places import OFF, is_off, overlay_path
from isel.progress import Tell, silent
from isel.spec.target import Target
from isel.trust import UNREADABLE
from isel.workers import Pool
from semantics import searched_for
from semantics.digest import digests

if TYPE_CHECKING:
    from isel.cache.remote import Remote
    from isel.cache.store import Store

_PACKAGES: Final = tuple(
    Path(str(m.__file__)).parent for m in (isel, frontends, semantics, equiv_classes)
)


@dataclass(frozen=True, slots=True)
class _Grammars:
    """What grammars gave, kept beside verdicts."""

    store: Store

    def recall(self, key: str) -> str | None:
        """See :class:`isel.synth.cegis.kept.Memory`."""
        return self.store.verdict(key)

    def keep(self, key: str, value: str) -> None:
        """See :class:`isel.synth.cegis.kept.Memory`."""
        self.store.add_verdict(key, value)


@dataclass(frozen=True)
class _Search:
    """The search of a machine, loaded when a window is not in the cache."""

    machine: Machine
    options: SearchOptions
    pool: Pool | None
    store: Store | None

    @cached_property
    def _load(self) -> Synthesizer:
        from isel.synth.synthesize import make_synthesizer

        memory = None if self.store is None else _Grammars(self.store)
        return make_synthesizer(self.machine, self.options, self.pool, memory)

    def prepare(self, windows: Sequence[Window]) -> None:
        """See :class:`isel.model.answer.Synthesizer`."""
        self._load.prepare(windows)

    def search(self, window: Window) -> Result:
        """See :class:`isel.model.answer.Synthesizer`."""
        job = partial(self._load.search, window)
        return in_time(job, _until.get(), _leave_search)


def _leave_search() -> Result:
    """Keep nothing that was being made."""
    _kept_making.cache_clear()
    if "isel.synth.instructions.library" in sys.modules:
        from isel.synth.instructions.library import library_of

        library_of.cache_clear()
    return Result((), False, REACHED, 0)


# The moment after which a search of a call of the API is left where it is.
_until: Final[ContextVar[float | None]] = ContextVar("until", default=None)


@dataclass(frozen=True, slots=True)
class Making:
    """How a machine gets its synthesizer; forked workers inherit it."""

    store: Store | None
    prove_again: bool
    disabled: Disabled = ()
    remote: Remote | None = None

    def __call__(self, machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
        """Return the search of a machine behind the cache."""
        options = SearchOptions(effort=effort, disabled=self.disabled)
        inner = _Search(machine, options, pool, self.store)
        if self.store is None:
            return inner
        from isel.cache.cached import CachedSynthesizer

        return CachedSynthesizer(inner, self.store, machine, options, self.prove_again, self.remote)

    def __hash__(self) -> int:
        return id(self)


class CachedJudge:
    """A gate that remembers: judgements are pure functions of both modules, the target and the
    versions.
    """

    def __init__(self, gate: Judge, store: Store, salt: str) -> None:
        self._gate = gate
        self._store = store
        self._salt = salt

    def judge(self, before: str, after: str, function: str) -> Judgement:
        """See :class:`frontends.llvm.pipeline.judge.Judge`."""
        parts = [self._salt, function, nameless(before), nameless(after)]
        key = hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()
        found = read_judgement(self._store.verdict(key))
        if found is not None:
            return found
        judgement = self._gate.judge(before, after, function)
        if LATE not in judgement.reason:
            self._store.add_verdict(key, to_json(astuple(judgement)))
        return judgement

    def work(self, module: str, functions: Sequence[str]) -> list[Work]:
        """See :class:`frontends.llvm.pipeline.judge.Judge`; not kept, since it costs little more
        than a look.
        """
        return self._gate.work(module, functions)


def read_judgement(value: str | None) -> Judgement | None:
    """Return what was kept of a judgement, or None where it is damaged."""
    if value is None:
        return None
    try:
        accept, reason, before, after, old, new, runs, told = json.loads(value)
        figures = (tuple(map(float, x)) for x in (old, new, runs, told))
        return Judgement(bool(accept), str(reason), float(before), float(after), *figures)
    except UNREADABLE:
        return None


class FunctionMemory:
    """Keeps what was decided about functions; a change of the tool, of LLVM or of a solver
    makes it forget.
    """

    def __init__(self, store: Store, identity: str = "") -> None:
        """``identity`` is :func:`tool_identity`, found out if it is not given."""
        self._store = store
        self._given = identity
        self._kept = False

    @cached_property
    def _identity(self) -> str:
        return self._given or tool_identity()

    @cached_property
    def _salt(self) -> str:
        return "\0".join(["isel function 2", self._identity, SearchOptions().text()])

    def _key(self, key: str) -> str:
        return hashlib.sha256(f"{self._salt}\0{key}".encode()).hexdigest()

    def recall(self, key: str) -> str | None:
        """See :class:`frontends.llvm.pipeline.decided.Memory`."""
        return self._store.function(self._key(key))

    def keep(self, key: str, value: str) -> None:
        """See :class:`frontends.llvm.pipeline.decided.Memory`."""
        self._store.add_function(self._key(key), value)
        self._kept = True

    def keep_source(self, module: str, options: Options) -> None:
        """Keep the module of functions that were kept, so that another machine can decide them,
        too.
        """
        if self._kept and not options.disabled:
            self._store.add_source(*write_source(Source(nameless(module), options, self._identity)))


@cache
def tool_digest() -> str:
    """Return a hash of the tool's own files: code, semantics, prices, classes."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted(package.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(
                    f"{path.relative_to(package.parent)}\0".encode() + path.read_bytes() + b"\0"
                )
    return digest.hexdigest()


def tool_identity() -> str:
    """Return what determines every answer beside input and options: the tool, LLVM and the
    solvers.
    """
    from isel.smt.versions import solver_versions

    solvers, sets = str(sorted(solver_versions().items())), str(digests())
    return "\0".join([__version__, tool_digest(), llvm_version(), solvers, sets])


def _judge(
    worker: LlvmWorker, store: Store | None, target: Target, cpu: str, features: str, triple: str
) -> Judge:
    gate = Gate(worker, target, cpu, features, triple)
    if store is None:
        return gate
    salt = "\0".join(
        ["isel judgement 9", __version__, llvm_version(), gate.digest, cpu, features, triple]
    )
    return CachedJudge(gate, store, salt)


def tools_with(
    worker: LlvmWorker,
    store: Store | None,
    options: Options,
    *,
    prove_again: bool = False,
    tell: Tell = silent,
    watch: Watch = watch_nothing,
    making: Making | None = None,
) -> Tools:
    """Return what the rewriter works with, on an open store or without one."""
    making = making or Making(store, prove_again, options.disabled)
    memory = None if store is None or prove_again else FunctionMemory(store)
    judge = partial(_judge, worker, store)
    return Tools(_targets(options.llvm_version), making, judge, memory, tell, watch, worker=worker)


def _targets(version: int) -> Callable[[str], Target]:
    """Return what finds the target of a triple for a version of LLVM."""
    if version >= NEWEST:
        return searched_for
    from semantics.older import TargetsOf

    return TargetsOf(version)


def rewrite(
    text: str, options: Options, tools: Tools, file: str, given: str | None = None
) -> Rewritten:
    """Rewrite a module as :func:`frontends.llvm.pipeline.module.rewrite_module` does, and keep what
    its functions were decided from; its report has lines of the text that was ``given``, if any
    was.
    """
    done = rewrite_module(text, options, tools, file)
    if isinstance(tools.memory, FunctionMemory):
        tools.memory.keep_source(done.before, options)
    if given is None:
        return done
    lines = lines_of(done.before, given) if given else {}
    return replace(done, report=done.report.located(lines))


@contextmanager
def make_tools(
    worker: LlvmWorker,
    options: Options,
    cache: str | None,
    *,
    prove_again: bool = False,
    tell: Tell = silent,
    watch: Watch = watch_nothing,
) -> Iterator[Tools]:
    """Yield what the rewriter works with; ``cache`` is a folder, a file, ``off`` or None for
    the usual place.
    """
    store = _open(cache)
    try:
        yield tools_with(worker, store, options, prove_again=prove_again, tell=tell, watch=watch)
    finally:
        if store is not None:
            store.close()


@contextmanager
def kept_tools(
    worker: LlvmWorker, options: Options, cache: str | None, until: float | None = None
) -> Iterator[Tools]:
    """Yield what :func:`make_tools` does; what searches load is kept for the next call.

    A search is left at the moment ``until``, on the monotonic clock.
    """
    place = OFF if is_off(cache, os.environ) else str(overlay_path(cache, os.environ))
    making = _kept_making(place)
    before = _until.set(until)
    try:
        yield tools_with(worker, making.store, options, making=making)
    finally:
        _until.reset(before)
        if making.store is not None:
            making.store.close()  # a connection is of one thread; the next call makes another


@lru_cache(maxsize=TOOLS_CACHES)
def _kept_making(place: str) -> Making:
    return Making(_open(place), False)


def _open(cache: str | None) -> Store | None:
    if is_off(cache, os.environ):
        return None
    from isel.cache.store import open_store

    return open_store(cache)
