"""Searches of many windows: each distinct window once, in this process or in a pool, with the
same answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TypeAlias

from isel.deadline import REACHED, Deadline
from isel.failures import Failure, failure_of
from isel.model.answer import Result, Synthesizer
from isel.model.machine import Machine
from isel.model.window import Window
from isel.progress import Tell, silent
from isel.spec.target import Target
from isel.workers import Failed, Pool

TargetOf: TypeAlias = Callable[[str], Target]
MakeSynthesizer: TypeAlias = Callable[[Machine, Pool | None, int], Synthesizer]


@dataclass(frozen=True, slots=True)
class MachineRecipe:
    """How any process makes the machine of a function: a module-level function and plain data."""

    target_of: TargetOf
    triple: str
    cpu: str
    features: frozenset[str]
    vector_bits: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """How any process makes the synthesizer of a function, of some effort."""

    machine: MachineRecipe
    make: MakeSynthesizer
    effort: int


@dataclass(frozen=True, slots=True)
class Job:
    """One window to search before ``deadline``; an exception passes where ``strict``."""

    recipe: Recipe
    window: Window
    deadline: Deadline
    strict: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a job and the wall-clock seconds it took, and what failed on the way."""

    result: Result
    seconds: float
    failure: Failure | None = None


@lru_cache(maxsize=64)
def machine_of(recipe: MachineRecipe) -> Machine:
    """Return the machine of a recipe, one a process."""
    return Machine(recipe.target_of(recipe.triple), recipe.cpu, recipe.features, recipe.vector_bits)


@lru_cache(maxsize=64)
def _synthesizer(recipe: Recipe, pool: Pool | None) -> Synthesizer:
    return recipe.make(machine_of(recipe.machine), pool, recipe.effort)


def _search(job: Job, pool: Pool | None) -> Outcome:
    start = time.monotonic()
    if job.deadline.is_over:
        return Outcome(Result((), False, REACHED, 0), 0.0)
    try:
        result = _synthesizer(job.recipe, pool).search(job.window)
        if job.strict and result.error is not None:
            raise result.error
    except Exception as error:
        if job.strict:
            raise
        return _as_failure(failure_of(error))
    failure = failure_of(result.error) if result.error is not None else None
    return Outcome(replace(result, error=None), time.monotonic() - start, failure)


def _as_failure(failure: Failure) -> Outcome:
    return Outcome(Result((), False, failure.reason, 0), 0.0, failure)


def search_alone(job: Job) -> Outcome:
    """Search one window without helpers."""
    return _search(job, None)


def _prepare(jobs: Sequence[Job], *, strict: bool) -> None:
    """Make what the searches of windows have in common: workers inherit it."""
    for recipe in dict.fromkeys(job.recipe for job in jobs):
        windows = [job.window for job in jobs if job.recipe == recipe]
        with nullcontext() if strict else suppress(Exception):  # each search meets it again
            _synthesizer(recipe, None).prepare(windows)


def search_all(
    jobs: Sequence[Job], pool: Pool | None, *, strict: bool, tell: Tell = silent
) -> list[Outcome]:
    """Search every window, equal ones once; the order of the answers is the order of ``jobs``."""
    told = partial(tell, "windows searched")
    keys = [(job.recipe, job.window.text()) for job in jobs]
    distinct = dict(zip(reversed(keys), reversed(jobs), strict=True))
    todo = list(dict.fromkeys(keys))
    told(0, len(todo))
    if pool is not None and len(todo) > 1:
        _prepare([distinct[k] for k in todo], strict=strict)
        answers = [_answer(a) for a in pool.map(search_alone, [distinct[k] for k in todo], told)]
    else:
        answers = [_answer(a) for a in Pool().map(lambda k: _search(distinct[k], pool), todo, told)]
    found = dict(zip(todo, answers, strict=True))
    return [found[k] for k in keys]


def _answer(answer: Outcome | Failed) -> Outcome:
    if isinstance(answer, Failed):
        return _as_failure(Failure(f"the search failed: {answer.reason}", f"{answer.reason}\n"))
    return answer
