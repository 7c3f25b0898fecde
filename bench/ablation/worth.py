"""What each named mechanism is worth: functions rewritten with all of them, and without some.

A name is tried where it can matter: a transform where it rewrote something; a part of the search
where a function got cheaper, and where the search asked whether the name is on, without which
nothing depends on that.  Which of these a function needs is found by leaving out many together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.ablation.cases import Case
from bench.ablation.forks import Timed, here, timed, timed_all
from bench.ablation.needed import Names, needed
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.transform import table
from isel.api.tools import make_tools
from isel.model.mechanisms import SEARCH, Mechanism
from isel.workers import Failed

NAMES: Final = (*table.MECHANISMS, *SEARCH)
_TRANSFORM: Final = "transform"
_EPSILON: Final = 1e-6
_USUAL: Final = 10  # cases that make a machine usual
# How often a part of the search is needed, about; others once. It saves runs and changes no worth.
_OFTEN: Final = {"egraph": 12, "second-level": 12, "dot-products": 6, "lookups": 3}


class Off(tuple[str, ...]):
    """Names that are off; ``asked`` are those that anything looked for among them.

    Equal to itself alone, so that nothing that is remembered for the same names answers for it.
    """

    asked: set[str]

    def __new__(cls, names: Names) -> Off:
        """Make it of names in order."""
        made = super().__new__(cls, names)
        made.asked = set()
        return made

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return super().__contains__(name)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True, slots=True)
class Run:
    """A case rewritten with all mechanisms but those of some names, which are sorted."""

    case: Case
    without: Names = ()


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run gave: the cycles of each function that was judged, as it was and as it is, the
    steps of its searches, how many windows each transform rewrote, and the names that were asked.
    """

    costs: Mapping[str, tuple[float, float]]
    steps: int
    by: Mapping[str, int]
    asked: frozenset[str] = frozenset()

    @property
    def cheaper(self) -> bool:
        """Whether any function costs less than it did."""
        return any(after < before - _EPSILON for before, after in self.costs.values())


@dataclass(frozen=True, slots=True)
class Change:
    """A function's cycles with all mechanisms and without some."""

    case: str
    cost: float
    without: float

    @property
    def factor(self) -> float:
        """How many times dearer it is without."""
        return self.without / self.cost


@dataclass(frozen=True, slots=True)
class Worth:
    """What names are worth: one alone, or several together none of which is missed alone; the
    cases dearer without, the dearest first, and steps of these with and without; of one name, its
    kind and in how many cases it was asked, or rewrote something.
    """

    names: Names
    dearer: tuple[Change, ...] = ()
    steps: tuple[int, int] = (0, 0)
    kind: str = ""
    used: int = 0


@dataclass(frozen=True, slots=True)
class Study:
    """All runs of a case, by the names that were off, and the small sets that it needs."""

    case: Case
    results: dict[Names, Timed[Ran]] = field(default_factory=dict)
    needs: list[Names] = field(default_factory=list)

    def ran(self, without: Names = ()) -> Ran | None:
        """Return what a run gave; None where it failed or there was none."""
        found = self.results.get(without)
        return None if found is None or isinstance(found.value, Failed) else found.value

    def change(self, without: Names) -> Change | None:
        """Return what the case costs without some names, where that is something else."""
        full, less = self.ran(), self.ran(without)
        if full is None or less is None:
            return None
        return worst(changes(f"{self.case.kind} {self.case.name}", full, less))

    @property
    def used(self) -> frozenset[str]:
        """The names that can matter here."""
        full = self.ran()
        if full is None or not full.cheaper:
            return frozenset()
        return full.asked & {row.name for row in SEARCH} | frozenset(full.by)

    @property
    def seconds(self) -> float:
        """The processor seconds of all runs."""
        return sum(t.seconds for t in self.results.values())


def read(report: ModuleReport, asked: Iterable[str]) -> Ran:
    """Return what a report says."""
    costs = {f.name: f.cost for f in report.functions if f.cost is not None}
    steps = sum(w.steps for w in report.windows)
    return Ran(costs, steps, report.by(), frozenset(asked))


def rewrite(run: Run) -> Ran:
    """Rewrite a case without a cache, in this process."""
    c, off = run.case, Off(run.without)
    options = Options(
        triple=c.triple,
        cpu=c.cpu,
        features=c.features,
        vector_width=c.vector_width,
        only_function=c.only,
        disabled=off,
    )
    with LlvmWorker() as worker, make_tools(worker, options, "off") as tools:
        report = rewrite_module(c.text, options, tools, c.name).report
    return read(report, off.asked)


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


Rewrite = Callable[[Run], Ran]


def study(case: Case, names: Sequence[Mechanism] = NAMES, rewrite: Rewrite = rewrite) -> Study:
    """Find what a case needs of some names: runs without some are forks of this process, which has
    searched with all and remembers what they solve alike.
    """
    done = Study(case, {(): here(lambda: rewrite(Run(case)))})

    def dearer(without: Names) -> bool:
        if without not in done.results:
            done.results[without] = timed(lambda: rewrite(Run(case, without)))
        change = done.change(without)
        return change is not None and change.factor > 1

    used = [row for row in names if row.name in done.used]
    done.needs.extend((r.name,) for r in used if r.kind == _TRANSFORM and dearer((r.name,)))
    search = sorted((r.name for r in used if r.kind != _TRANSFORM), key=_often, reverse=True)
    found = needed(tuple(search), lambda names: dearer(tuple(sorted(names))), _often)
    done.needs.extend(tuple(sorted(names)) for names in found)
    return done


def _often(name: str) -> int:
    return _OFTEN.get(name, 1)


def measure(
    cases: Sequence[Case],
    jobs: int,
    names: Sequence[Mechanism] = NAMES,
    rewrite: Rewrite = rewrite,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[Study]:
    """Study cases, so many at a time."""
    _warm(cases, rewrite)
    found = timed_all(lambda c: study(c, names, rewrite), cases, jobs, tell)
    return [
        Study(c, {(): Timed(t.value, t.seconds)}) if isinstance(t.value, Failed) else t.value
        for c, t in zip(cases, found, strict=True)
    ]


def _warm(cases: Sequence[Case], rewrite: Rewrite) -> None:
    """Make in this process what the runs for usual machines would make each for itself."""
    machines: dict[tuple[str, str, str, int | None], list[Case]] = {}
    for c in cases:
        machines.setdefault((c.triple, c.cpu, c.features, c.vector_width), []).append(c)
    for found in machines.values():
        if len(found) >= _USUAL:
            rewrite(Run(min(found, key=lambda c: len(c.text))))


def worths(studies: Sequence[Study], names: Sequence[Mechanism] = NAMES) -> tuple[Worth, ...]:
    """Return what every name is worth alone, then what several are together."""
    together = sorted({found for s in studies for found in s.needs if len(found) > 1})
    return (
        *(_worth(studies, (row.name,), row.kind) for row in names),
        *(_worth(studies, found, "") for found in together),
    )


def _worth(studies: Sequence[Study], names: Names, kind: str) -> Worth:
    need = [s for s in studies if names in s.needs]
    found = [x for s in need if (x := s.change(names)) is not None]
    pairs = [(a.steps, b.steps) for s in need if (a := s.ran()) and (b := s.ran(names))]
    return Worth(
        names,
        tuple(sorted(found, key=lambda c: (-c.factor, c.case))),
        (sum(a for a, _ in pairs), sum(b for _, b in pairs)),
        kind,
        sum(s.used.issuperset(names) for s in studies),
    )


def cheaper(studies: Sequence[Study]) -> list[tuple[Names, Change]]:
    """Return where fewer mechanisms find more: for each case the fewest names it gains without."""
    found = []
    for s in studies:
        every = ((names, s.change(names)) for names in sorted(s.results, key=lambda n: (len(n), n)))
        least = next(((n, c) for n, c in every if c is not None and c.factor < 1), None)
        found += [least] if least else []
    return found


def failures(studies: Sequence[Study]) -> tuple[str, ...]:
    """Return a line for each run that failed."""
    return tuple(
        f"{s.case.kind} {s.case.name} without {', '.join(names) or 'nothing'}: {t.value.reason}"
        for s in studies
        for names, t in s.results.items()
        if isinstance(t.value, Failed)
    )
