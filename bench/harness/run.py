"""A run over many kernels: sources, compiles under four states of the cache, checks and times;
one record a kernel.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from bench.harness import machine
from bench.harness.kernels import Kernel
from bench.harness.measure import Code, Task, measure
from bench.harness.records import Record, Run, When, load, save
from bench.harness.sources import Pair, Sources, code_of, same_code, sources
from bench.harness.versions import VERSIONS
from bench.harness.workshop import Workshop
from frontends.halide.targets import HalideTarget
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.api.tools import tool_digest
from isel.errors import IselError
from isel.timing import Plan

T = TypeVar("T")
_MEASURE_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What to do: the registry's module, target, seed, timing plan, workers, where files go.

    ``others`` are the kinds of kernels that are compiled with the cache of all other kernels, too;
    ``resume`` keeps compiles of an earlier run that still hold; ``variant`` compiles each kernel
    under its other schedule, too; ``effort`` scales the limits of the search; ``ours`` are the
    versions of isel that are made, all where it is empty, each with what it is compared with.
    """

    registry: str
    target: HalideTarget
    seed: int
    plan: Plan
    jobs: int
    folder: Path
    others: tuple[str, ...] = ("halide",)
    resume: bool = False
    variant: bool = True
    effort: int = 1
    ours: tuple[str, ...] = ()


class KernelFailed(IselError):
    """One step failed for a kernel."""


@dataclass(slots=True)
class _Work:
    """A kernel on its way; ``record`` grows."""

    kernel: Kernel
    settings: Settings
    record: Record
    made: Sources | None = None

    @property
    def shop(self) -> Workshop:
        return Workshop(
            self.settings.folder / self.kernel.name,
            self.settings.target,
            self.settings.jobs,
            self.settings.effort,
        )

    @property
    def saved(self) -> Path:
        return self.settings.folder / f"{self.kernel.name}.json"

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return self.made.pairs if self.made is not None else ()

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that are made, in the order of tables."""
        assert self.made is not None
        made = {v for p in self.pairs for v in (p.base, p.ours)}
        made.update(v for v, _ in self.made.objects)
        return tuple(v.name for v in VERSIONS[self.kernel.kind] if v.name in made)


Step: TypeAlias = "Callable[[_Work], str]"


def run(kernels: Sequence[Kernel], settings: Settings, say: Callable[[str], None]) -> Run:
    """Take every kernel through every step; what fails is recorded and the others go on."""
    before, digest, start = machine.load(), tool_digest(), time.perf_counter()
    works = [_Work(k, settings, Record(k.name, k.group, k.kind)) for k in kernels]
    steps: tuple[tuple[str, Step, Sequence[str]], ...] = (
        ("compile", partial(_compile, digest), tuple(VERSIONS)),
        ("compile with the cache of all other kernels", partial(_others, works), settings.others),
        ("check and time", _measure, tuple(VERSIONS)),
    )
    for title, step, kinds in steps:
        say(f"== {title}")
        for number, work in enumerate(works, 1):
            if not work.record.error and work.kernel.kind in kinds:
                say(f"[{number}/{len(works)}] {work.kernel.name}: {_attempt(work, step)}")
    plan = settings.plan
    timing = (
        f"{plan.rounds} rounds of at least {plan.round_ns / 1e6:g} ms of processor time a version, "
        "interleaved"
    )
    more = (
        ("timing", timing),
        ("load before and after", f"{before:.2f}, {machine.load():.2f}"),
        ("whole run", f"{time.perf_counter() - start:.0f} s"),
        *([] if tool_digest() == digest else [("note", "the sources changed during the run")]),
    )
    return Run(
        (*machine.facts(settings.seed, settings.target.cpu), *more), tuple(w.record for w in works)
    )


def _attempt(work: _Work, step: Step) -> str:
    try:
        said = step(work)
    except (IselError, OSError) as error:
        line = (
            " ".join((error.message() if isinstance(error, IselError) else str(error)).split())
            or type(error).__name__
        )
        work.record = replace(work.record, error=line)
        said = f"FAILED: {line}"
    save(work.record, work.saved)
    return said


def _compile(digest: str, work: _Work) -> str:
    """Make the sources, then compile with an empty cache, with a full one, and under another
    schedule.
    """
    work.made = _asked(sources(work.kernel, work.settings.target, 0), work.settings.ours)
    changed = {p.ours: p.text for p in sources(work.kernel, work.settings.target, 1).pairs}
    stamp = _stamp(
        digest, work.settings, [t for p in work.pairs for t in (p.text, changed[p.ours])]
    )
    if _kept(work, stamp):
        return "kept from an earlier run"
    work.shop.clear()
    work.record = replace(work.record, stamp=stamp)
    for pair in work.pairs:
        _compile_pair(work, pair, changed[pair.ours])
    for version, code in work.made.objects:
        work.shop.add_object(version, code)
    return ", ".join(
        f"{c.version} {c.when} {c.seconds:.1f} s ({c.rewritten} of {c.found})"
        for c in work.record.compiles
    )


def _asked(made: Sources, ours: Sequence[str]) -> Sources:
    if not ours:
        return made
    return replace(made, pairs=tuple(p for p in made.pairs if p.ours in ours), objects=())


def _compile_pair(work: _Work, pair: Pair, changed: str) -> None:
    shop, target = work.shop, work.settings.target
    cold, text = shop.compiled(pair, pair.text, When.COLD)
    warm, again = shop.compiled(pair, pair.text, When.WARM)
    answers = [(cold, When.COLD), (warm, When.WARM)]
    if work.settings.variant:
        answers.append((shop.compiled(pair, changed, When.VARIANT)[0], When.VARIANT))
    if again != text:
        raise KernelFailed(f"{pair.ours} is another module with a warm cache than with a cold one")
    base, ours = code_of(pair, pair.text, target), code_of(pair, text, target)
    for version, code in ((pair.base, base), (pair.ours, ours)):
        shop.add_object(version, code.object)
    work.record = replace(
        work.record,
        compiles=(*work.record.compiles, *(a.compile(pair.ours, w) for a, w in answers)),
        windows=(*work.record.windows, *cold.windows),
        kept=(*work.record.kept, *cold.kept),
        same_code=(*work.record.same_code, *([pair.ours] if same_code(base, ours) else [])),
    )


def _stamp(digest: str, settings: Settings, texts: Sequence[str]) -> str:
    parts = [
        digest,
        settings.target.cpu,
        settings.target.features,
        str(settings.jobs),
        str(settings.effort),
        *texts,
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _kept(work: _Work, stamp: str) -> bool:
    """Take over the compiles of an earlier run if the kernel's modules and the tool are the
    same.
    """
    if not work.settings.resume or not work.saved.exists():
        return False
    earlier = load(work.saved)
    needed = When.VARIANT if work.settings.variant else When.WARM
    if earlier.stamp != stamp or not {(p.ours, needed) for p in work.pairs} <= {
        (c.version, c.when) for c in earlier.compiles
    }:
        return False
    work.record = replace(earlier, error="", checks=0, times=(), again=())
    return True


def _others(works: Sequence[_Work], work: _Work) -> str:
    """Compile once more with what the searches of all other kernels have left."""
    said = []
    for pair in work.pairs:
        answer = next(
            (c for c in work.record.compiled(When.OTHERS) if c.version == pair.ours), None
        )
        if answer is None:
            found, text = work.shop.compiled(
                pair,
                pair.text,
                When.OTHERS,
                [w.shop.cache(p) for w in works if w is not work for p in w.pairs],
            )
            if text != work.shop.rewritten(pair):
                raise KernelFailed(
                    f"{pair.ours} is another module with the cache of the others than with an "
                    "empty one"
                )
            answer = found.compile(pair.ours, When.OTHERS)
            work.record = replace(work.record, compiles=(*work.record.compiles, answer))
        said.append(
            f"{pair.ours} {answer.seconds:.1f} s, {answer.search_hits} of {answer.searches} "
            "searches answered"
        )
    return "; ".join(said)


def _measure(work: _Work) -> str:
    """Compare with numpy, then time, in a process that LLVM or a kernel may end."""
    assert work.made is not None
    settings = work.settings
    codes = tuple(Code(v, str(work.shop.object(v))) for v in work.versions)
    task = Task(
        settings.registry,
        work.kernel.name,
        codes,
        work.made.signature,
        settings.target,
        settings.seed,
        settings.plan,
    )
    with LlvmWorker(seconds=_MEASURE_SECONDS) as worker:
        found = _unless_failed(worker.run(partial(measure, task)))
    work.record = replace(work.record, checks=found.checks, times=found.times, again=found.again)
    return ", ".join(f"{t.version} {min(t.rounds):.0f} ns" for t in found.times)


def _unless_failed(answer: T | WorkerFailed) -> T:
    if isinstance(answer, WorkerFailed):
        raise KernelFailed(answer.reason)
    return answer
