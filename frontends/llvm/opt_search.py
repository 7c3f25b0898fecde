"""Searches of many windows: each distinct window once, in this process or in a pool, with the same answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from isel.spec.target import Target
from isel.synth.answer import Result, Synthesizer
from isel.synth.machine import Machine
from isel.synth.window import Window
from isel.workers import Failed, Pool

TargetOf: TypeAlias = Callable[[str], Target]
MakeSynthesizer: TypeAlias = Callable[[Machine, Pool | None], Synthesizer]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How any process makes the machine of a function and its synthesizer: module-level functions and plain data."""

    target_of: TargetOf
    make: MakeSynthesizer
    triple: str
    cpu: str
    features: frozenset[str]
    vector_bits: int


@dataclass(frozen=True, slots=True)
class Job:
    """One window to search; ``deadline`` is on the monotonic clock, after which nothing is started."""

    recipe: Recipe
    window: Window
    deadline: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a job and the wall-clock seconds it took."""

    result: Result
    seconds: float


@lru_cache(maxsize=64)
def machine_of(recipe: Recipe) -> Machine:
    """Return the machine of a recipe, one a process."""
    return Machine(recipe.target_of(recipe.triple), recipe.cpu, recipe.features, recipe.vector_bits)


@lru_cache(maxsize=64)
def _synthesizer(recipe: Recipe, pool: Pool | None) -> Synthesizer:
    return recipe.make(machine_of(recipe), pool)


def _search(synthesizer: Synthesizer, job: Job) -> Outcome:
    start = time.monotonic()
    if job.deadline is not None and start > job.deadline:
        return Outcome(Result((), False, "the time limit was reached", 0), 0.0)
    result = synthesizer.search(job.window)
    return Outcome(result, time.monotonic() - start)


def search_alone(job: Job) -> Outcome:
    """Search one window without helpers."""
    return _search(_synthesizer(job.recipe, None), job)


def search_all(jobs: Sequence[Job], pool: Pool | None) -> list[Outcome]:
    """Search every window, equal ones once; the order of the answers is the order of ``jobs``."""
    keys = [(job.recipe, job.window.text()) for job in jobs]
    distinct = dict(zip(reversed(keys), reversed(jobs), strict=True))
    todo = list(dict.fromkeys(keys))
    if pool is not None and len(todo) > 1:
        for recipe in dict.fromkeys(r for r, _ in todo):
            _synthesizer(recipe, None).prepare([distinct[k].window for k in todo if k[0] == recipe])  # workers inherit it
        answers = [_answer(a) for a in pool.map(search_alone, [distinct[k] for k in todo])]
    else:
        answers = [_search(_synthesizer(k[0], pool), distinct[k]) for k in todo]
    found = dict(zip(todo, answers, strict=True))
    return [found[k] for k in keys]


def _answer(answer: Outcome | Failed) -> Outcome:
    if isinstance(answer, Failed):
        return Outcome(Result((), False, f"the search failed: {answer.reason}", 0), 0.0)
    return answer
