"""Every instruction executed against its semantics; what this machine cannot run is reported,
never passed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from isel.spec.instruction import Instruction
from isel.spec.target import Target
from isel.workers import Failed, Pool
from semantics import isa_named
from semantics.execution import Bytes, Executor, NotRun, Run
from semantics.meaning import results
from semantics.samples import from_bytes, immediate_choices, pool, pool_bytes

LEAST: Final = 64  # operand sets for each value of an immediate
_ALL: Final = 1 << 20
_FUNCTIONS: Final = 256  # loops in one module
_ROUND: Final = 16  # modules a process
_POOL: Final = 64  # values of an immediate that are given operands of their own


@dataclass(frozen=True, slots=True)
class Untestable:
    """An instruction that was not executed, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One set of operands (by name, lowest lane first) on which machine and semantics differ."""

    name: str
    immediates: Mapping[str, int]
    inputs: Mapping[str, tuple[int, ...]]
    semantics: tuple[int, ...]
    machine: tuple[int, ...]

    def line(self) -> str:
        """Return the instruction, its operands and both results, lowest lane first, and the
        lanes that differ.
        """
        values = {**self.immediates, **{n: list(v) for n, v in self.inputs.items()}}
        given = ", ".join(f"{n} = {v}" for n, v in values.items())
        lanes = [
            k for k, (s, m) in enumerate(zip(self.semantics, self.machine, strict=True)) if s != m
        ]
        return (
            f"{self.name}: {given}: semantics {list(self.semantics)}, machine "
            f"{list(self.machine)}, which differ in lanes {lanes}"
        )


@dataclass(frozen=True, slots=True)
class FuzzReport:
    """What was executed: ``agree`` are the tested instructions without a disagreement.

    ``vectors`` counts applications (``applications`` by instruction), ``functions`` the
    instructions with each value of their immediates.
    """

    seed: int
    vectors: int
    functions: int
    tested: tuple[str, ...]
    agree: tuple[str, ...]
    untestable: tuple[Untestable, ...]
    disagreements: tuple[Disagreement, ...]
    applications: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Plan:
    """An instruction with what it is run on: ``count`` rows of the pools for each choice of
    immediates.
    """

    instruction: Instruction
    choices: tuple[Mapping[str, int], ...]
    count: int

    def runs(self, size: int) -> list[Run]:
        return [
            Run(self.instruction, c, k * self.count % (size - self.count + 1), self.count)
            for k, c in enumerate(self.choices)
        ]


@dataclass(frozen=True, slots=True)
class _Outcome:
    name: str
    vectors: int
    functions: int
    failure: str
    disagreements: tuple[Disagreement, ...]


def fuzz(
    target: Target,
    count: int,
    seed: int,
    only: Sequence[str] | None = None,
    *,
    immediates: int | None = None,
    least: int = LEAST,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> FuzzReport:
    """Execute each instruction on ``count`` operand sets in total, on at least ``least`` for each
    value of its immediates.

    ``immediates`` bounds how many values are tried (the first and last among them); otherwise all
    legal ones are. ``progress`` is called with the number of instructions that are done and that
    there are.
    """
    wanted = [i for i in target.instructions() if only is None or i.name in only]
    machine = isa_named(target.name).executor()
    why = {i.name: machine.lacks(i.features) for i in wanted}
    lacking = [Untestable(i.name, f"the host {why[i.name]}") for i in wanted if why[i.name]]
    plans = [_plan(i, count, least, immediates, seed) for i in wanted if not why[i.name]]
    size = max((p.count * min(len(p.choices), _POOL) for p in plans), default=1)
    outcomes: list[_Outcome] = []
    batches = _batches(plans)
    for start in range(
        0, len(batches), _ROUND * jobs
    ):  # processes end with each round, and what they cached with them
        some = batches[start : start + _ROUND * jobs]
        _prepare(some, size, seed)
        for batch, done in zip(
            some, Pool(jobs).map(partial(_run_batch, machine, size, seed), some), strict=True
        ):
            if isinstance(done, Failed):
                done = [_Outcome(p.instruction.name, 0, 0, done.reason, ()) for p in batch]
            outcomes.extend(done)
        progress(len(outcomes), len(plans))
    return _report(seed, outcomes, lacking)


def _report(seed: int, outcomes: Sequence[_Outcome], lacking: Sequence[Untestable]) -> FuzzReport:
    ran = [o for o in outcomes if not o.failure]
    return FuzzReport(
        seed,
        sum(o.vectors for o in ran),
        sum(o.functions for o in ran),
        tuple(o.name for o in ran),
        tuple(o.name for o in ran if not o.disagreements),
        (*lacking, *(Untestable(o.name, o.failure) for o in outcomes if o.failure)),
        tuple(d for o in ran for d in o.disagreements),
        tuple((o.name, o.vectors) for o in ran),
    )


def _plan(
    instruction: Instruction, count: int, least: int, immediates: int | None, seed: int
) -> _Plan:
    choices = tuple(
        immediate_choices(instruction.immediates, _ALL if immediates is None else immediates, seed)
    )
    each = -(-count // len(choices))
    return _Plan(instruction, choices, max(each, least) if len(choices) > 1 else each)


def _batches(plans: Sequence[_Plan]) -> list[list[_Plan]]:
    """Divide into modules of about as many functions."""
    found: list[list[_Plan]] = []
    functions = _FUNCTIONS
    for p in plans:
        if functions + len(p.choices) > _FUNCTIONS:
            found.append([])
            functions = 0
        found[-1].append(p)
        functions += len(p.choices)
    return found


def _prepare(batches: Sequence[Sequence[_Plan]], size: int, seed: int) -> None:
    """Make the pools that these instructions read, for the processes forked from this one."""
    for p in (p for batch in batches for p in batch):
        for k, o in enumerate(p.instruction.operands):
            pool_bytes(o.width, o.lanes, k, size, seed)


def _run_batch(machine: Executor, size: int, seed: int, plans: Sequence[_Plan]) -> list[_Outcome]:
    runs = [p.runs(size) for p in plans]
    results = iter(machine.run([r for some in runs for r in some], size, seed))
    return [
        _outcome(p, [(r, next(results)) for r in some], size, seed)
        for p, some in zip(plans, runs, strict=True)
    ]


def _outcome(
    plan: _Plan, done: Sequence[tuple[Run, Bytes | NotRun]], size: int, seed: int
) -> _Outcome:
    name = plan.instruction.name
    disagreements: list[Disagreement] = []
    for run, result in done:
        if isinstance(result, NotRun):
            return _Outcome(name, 0, 0, result.reason, ())
        disagreements.extend(_compare(run, result, size, seed))
    return _Outcome(
        name, plan.count * len(plan.choices), len(plan.choices), "", tuple(disagreements)
    )


def _compare(run: Run, data: Bytes, size: int, seed: int) -> list[Disagreement]:
    i = run.instruction
    rows = slice(run.start, run.start + run.count)
    operands = {
        o.name: pool(o.width, o.lanes, k, size, seed)[rows] for k, o in enumerate(i.operands)
    }
    machine = from_bytes(data.tobytes(), i.lanes, i.width, run.count)
    semantics = results(i, run.immediates, operands, run.count)
    wrong = np.flatnonzero((machine != semantics).any(axis=1))
    if not len(wrong):
        return []
    row = int(wrong[0])
    inputs = {name: tuple(int(x) for x in values[row]) for name, values in operands.items()}
    ours, theirs = (tuple(int(x) for x in results[row]) for results in (semantics, machine))
    return [Disagreement(i.name, run.immediates, inputs, ours, theirs)]
