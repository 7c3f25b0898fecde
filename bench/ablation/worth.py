"""What each named mechanism is worth: modules rewritten with all of them, and without one.

A name is tried where it can matter: a transform where it rewrote something, a part of the search
where a module got cheaper at all and where the search without all of its family (every edge; or
CEGIS) leaves it dearer.  Equality saturation is a family of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bench.ablation.cases import Case
from bench.ablation.forks import Timed, timed_all
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.transform import table
from isel.api.tools import make_tools
from isel.model.mechanisms import EDGES, TACTICS, Mechanism
from isel.workers import Failed

CEGIS: Final = "cegis"
EGRAPH: Final = "egraph"
LEARNED: Final = "learned-rules"
NAMES: Final = (*table.MECHANISMS, *EDGES, *TACTICS)
ALL_EDGES: Final = tuple(sorted(row.name for row in EDGES))
_FAMILIES: Final = (ALL_EDGES, (CEGIS,), (EGRAPH,), (LEARNED,))
_EPSILON: Final = 1e-6
_USUAL: Final = 10  # cases that make a machine usual
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A case rewritten with all mechanisms but those of some names, which are sorted."""

    case: Case
    without: Names = ()


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run gave: the cycles of each function that was judged, as it was and as it is, the
    steps of its searches, and how many windows each transform rewrote.
    """

    costs: Mapping[str, tuple[float, float]]
    steps: int
    by: Mapping[str, int]

    @property
    def cheaper(self) -> bool:
        """Whether any function costs less than it did."""
        return any(after < before - _EPSILON for before, after in self.costs.values())


@dataclass(frozen=True, slots=True)
class Change:
    """A function's cycles with all mechanisms and without one."""

    case: str
    cost: float
    without: float

    @property
    def factor(self) -> float:
        """How many times dearer it is without."""
        return self.without / self.cost


@dataclass(frozen=True, slots=True)
class Worth:
    """What a name is worth: the cases that it was tried on, those dearer without it, the dearest
    first, those cheaper, and steps and processor seconds of the tried ones with and without it.
    """

    name: str
    kind: str
    tried: int
    dearer: tuple[Change, ...] = ()
    cheaper: tuple[Change, ...] = ()
    steps: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = (0.0, 0.0)


def read(report: ModuleReport) -> Ran:
    """Return what a report says."""
    costs = {f.name: f.cost for f in report.functions if f.cost is not None}
    return Ran(costs, sum(w.steps for w in report.windows), report.by())


def rewrite(run: Run) -> Ran:
    """Rewrite a case without a cache, in this process."""
    c = run.case
    options = Options(
        triple=c.triple,
        cpu=c.cpu,
        features=c.features,
        vector_width=c.vector_width,
        disabled=run.without,
    )
    with LlvmWorker() as worker, make_tools(worker, options, "off") as tools:
        return read(rewrite_module(c.text, options, tools, c.name).report)


def changes(case: str, full: Ran, less: Ran) -> Iterator[Change]:
    """Yield the functions that cost something else without a mechanism."""
    for name, (before, cost) in sorted(full.costs.items()):
        without = less.costs.get(name, (before, before))[1]
        if abs(without - cost) > _EPSILON:
            yield Change(case, cost, without)
    for name, (before, without) in sorted(less.costs.items()):
        if name not in full.costs and without < before - _EPSILON:
            yield Change(case, before, without)


def worst(found: Iterable[Change]) -> Change | None:
    """Return the one change that counts for a case: the dearest, else the cheapest."""
    every = sorted(found, key=lambda c: c.factor)
    if not every:
        return None
    return every[-1] if every[-1].factor > 1 else every[0]


Results = Mapping[Run, Timed[Ran]]


@dataclass(frozen=True, slots=True)
class Measured:
    """All runs, by what was asked."""

    results: dict[Run, Timed[Ran]]

    def ran(self, case: Case, without: Names = ()) -> Ran | None:
        """Return what a run gave; None where it failed or was not asked for."""
        found = self.results.get(Run(case, without))
        return None if found is None or isinstance(found.value, Failed) else found.value

    def change(self, case: Case, without: Names) -> Change | None:
        """Return what a case costs without some names, where that is something else."""
        full, less = self.ran(case), self.ran(case, without)
        if full is None or less is None:
            return None
        return worst(changes(f"{case.kind} {case.name}", full, less))

    def dearer(self, cases: Iterable[Case], without: Names) -> list[Case]:
        """Return the cases that are dearer without some names."""
        found = ((c, self.change(c, without)) for c in cases)
        return [c for c, change in found if change is not None and change.factor > 1]

    def worth(self, name: str, kind: str, without: Names) -> Worth:
        """Return what some names are worth together."""
        cases = [r.case for r in self.results if r.without == without]
        found = [x for c in cases if (x := self.change(c, without)) is not None]
        order = sorted(found, key=lambda c: (-c.factor, c.case))
        pairs = [(self.results[Run(c)], self.results[Run(c, without)]) for c in cases]
        steps = [(a.value, b.value) for a, b in pairs]
        return Worth(
            name,
            kind,
            len(cases),
            tuple(c for c in order if c.factor > 1),
            tuple(c for c in reversed(order) if c.factor < 1),
            (_steps(a for a, _ in steps), _steps(b for _, b in steps)),
            (sum(a.seconds for a, _ in pairs), sum(b.seconds for _, b in pairs)),
        )


def _steps(values: Iterable[Ran | Failed]) -> int:
    return sum(v.steps for v in values if not isinstance(v, Failed))


Tell = Callable[[str], None]


def measure(
    cases: Sequence[Case],
    jobs: int,
    tell: Tell,
    rewrite: Callable[[Run], Ran] = rewrite,
    names: Sequence[Mechanism] = NAMES,
) -> Measured:
    """Run what is needed to say what each of some names is worth."""
    measured = Measured({})
    _warm(cases, rewrite)

    def run(asked: Sequence[Run], what: str) -> None:
        measured.results.update(zip(asked, timed_all(rewrite, asked, jobs), strict=True))
        seconds = sum(measured.results[r].seconds for r in asked)
        tell(f"{what}: {len(asked)} runs, {seconds:.0f} s")

    run([Run(c) for c in cases], "all mechanisms")
    better = [c for c in cases if (r := measured.ran(c)) is not None and r.cheaper]
    searched = any(row.kind != "transform" for row in names)
    run([Run(c, own) for c in better for own in (_FAMILIES if searched else ())], "families")
    run(list(_single(measured, better, names)), "names")
    return measured


def _warm(cases: Sequence[Case], rewrite: Callable[[Run], Ran]) -> None:
    """Make in this process what the runs for usual machines would make each for itself."""
    machines: dict[tuple[str, str, str, int | None], list[Case]] = {}
    for c in cases:
        machines.setdefault((c.triple, c.cpu, c.features, c.vector_width), []).append(c)
    for found in machines.values():
        if len(found) >= _USUAL:
            rewrite(Run(min(found, key=lambda c: len(c.text))))


def _single(
    measured: Measured, better: Sequence[Case], names: Sequence[Mechanism]
) -> Iterator[Run]:
    """Yield the runs without one name each."""
    for row in names:
        if (row.name,) not in _FAMILIES:
            yield from (Run(c, (row.name,)) for c in _tried(measured, better, row))


def _tried(measured: Measured, better: Sequence[Case], row: Mechanism) -> Sequence[Case]:
    """Return the cases that a name is tried on."""
    if row.kind == "transform":
        return [c for c in better if (r := measured.ran(c)) is not None and r.by.get(row.name)]
    return measured.dearer(better, ALL_EDGES if row.kind == "edges" else (CEGIS,))


def worths(measured: Measured) -> tuple[Worth, ...]:
    """Return what every name is worth, and all edges together."""
    rows = [measured.worth(row.name, row.kind, (row.name,)) for row in NAMES]
    return (*rows, measured.worth("all edges", "edges", ALL_EDGES))


def failures(measured: Measured) -> tuple[str, ...]:
    """Return a line for each run that failed."""
    return tuple(
        f"{r.case.kind} {r.case.name} without {', '.join(r.without) or 'nothing'}: {t.value.reason}"
        for r, t in measured.results.items()
        if isinstance(t.value, Failed)
    )
