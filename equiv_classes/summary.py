"""Counts as in HYDRIDE's Table 1: instructions, classes, sizes, singletons, parameters; by
target and together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from equiv_classes.dictionary import Dictionary, EquivClass, Member


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over the classes of one target, or of all.

    ``instructions`` are names; ``cores`` classes; ``modes`` pairs of a class and a predication that
    occurs; ``sizes`` classes by their number of instructions; ``unread`` the singletons without a
    formula.
    """

    target: str
    instructions: int
    cores: int
    modes: int
    singletons: int
    unread: int
    operations: int
    sizes: Mapping[int, int]
    parameters: Mapping[int, int]

    @property
    def mean_parameters(self) -> float:
        """Parameters a class, over those with a formula."""
        counted = [n for n, k in self.parameters.items() for _ in range(k)]
        return fmean(counted) if counted else 0.0


@dataclass(frozen=True, slots=True)
class Share:
    """What a group of instructions has of the classes: ``cores`` with some member in it, and
    those that it has ``alone``, by name.
    """

    group: str
    instructions: int
    cores: int
    alone: tuple[str, ...]


def shares(dictionary: Dictionary, group: Callable[[Member], str]) -> tuple[Share, ...]:
    """Return the share of each group, in the order of their size."""
    names: dict[str, set[tuple[str, str]]] = {}
    cores: Counter[str] = Counter()
    alone: dict[str, list[str]] = {}
    for c in dictionary.classes:
        mine = {group(m) for m in c.members}
        cores.update(mine)
        if len(mine) == 1:
            alone.setdefault(next(iter(mine)), []).append(c.name)
        for m in c.members:
            names.setdefault(group(m), set()).add((m.target, m.name))
    every = sorted(names, key=lambda g: (-len(names[g]), g))
    return tuple(Share(g, len(names[g]), cores[g], tuple(alone.get(g, ()))) for g in every)


@dataclass(frozen=True, slots=True)
class Common:
    """The largest group of each target, taken together: their classes, those that each of them has
    a member in, and the operations.
    """

    groups: tuple[str, ...]
    cores: int
    shared: int
    operations: int

    def line(self) -> str:
        """Return the counts in words."""
        return (
            f"{' and '.join(self.groups)}: {self.cores} cores, {self.shared} of them on each, "
            f"{self.operations} operations\n"
        )


def common(dictionary: Dictionary, group: Callable[[Member], str]) -> Common:
    """Return what the largest groups of all targets have together."""
    groups = _largest(dictionary, group)
    mine = [(c, {group(m) for m in c.members} & set(groups)) for c in dictionary.classes]
    found = [(c, some) for c, some in mine if some]
    shared = sum(len(some) == len(groups) for _, some in found)
    return Common(groups, len(found), shared, len({c.operation for c, _ in found}))


def _largest(dictionary: Dictionary, group: Callable[[Member], str]) -> tuple[str, ...]:
    """Return the group of each target that has the most instructions."""
    every = {(m.target, m.name, group(m)) for c in dictionary.classes for m in c.members}
    size = Counter((target, name) for target, _, name in every)
    found: dict[str, str] = {}
    for target, name in sorted(size, key=lambda key: (-size[key], key)):
        found.setdefault(target, name)
    return tuple(found.values())


def show_shares(found: Sequence[Share]) -> str:
    """Return the shares as a table, with the names of the classes that a group has alone but
    for those of the largest.
    """
    head = f"{'group':48} {'instructions':>12} {'cores':>6} {'alone':>6}"
    rows = [f"{s.group:48} {s.instructions:12} {s.cores:6} {len(s.alone):6}" for s in found]
    names = [f"{s.group}: {' '.join(s.alone)}" for s in found[1:] if s.alone]
    return "\n".join([head, *rows, "", *names, ""])


def summaries(dictionary: Dictionary) -> tuple[Summary, ...]:
    """Return the counts of each target, then of all together."""
    targets = tuple(dict.fromkeys(m.target for c in dictionary.classes for m in c.members))
    return (
        *(_summary(t, (t,), dictionary.classes) for t in targets),
        _summary("together", targets, dictionary.classes),
    )


def _summary(name: str, targets: Sequence[str], classes: Sequence[EquivClass]) -> Summary:
    mine = [(c, [m for m in c.members if m.target in targets]) for c in classes]
    mine = [(c, members) for c, members in mine if members]
    names = [{(m.target, m.name) for m in members} for _, members in mine]
    sizes = Counter(len(n) for n in names)
    parameters = Counter(len(c.parameters) for c, _ in mine if not c.reason)
    return Summary(
        name,
        len(set().union(*names)),
        len(mine),
        sum(len({m.mode.partition("+")[0] for m in members}) for _, members in mine),
        sizes[1],
        sum(1 for c, _ in mine if c.reason),
        len({c.operation for c, _ in mine}),
        dict(sorted(sizes.items())),
        dict(sorted(parameters.items())),
    )


def show(found: Sequence[Summary]) -> str:
    """Return the counts as a table, then the histograms."""
    head = (
        f"{'':10} {'instructions':>12} {'operations':>10} {'cores':>6} {'cores x modes':>14} "
        f"{'singletons':>11} "
        f"{'not read':>9} {'parameters a class':>19}"
    )
    rows = [
        f"{s.target:10} {s.instructions:12} {s.operations:10} {s.cores:6} {s.modes:14} "
        f"{s.singletons:11} "
        f"{s.unread:9} {s.mean_parameters:19.1f}"
        for s in found
    ]
    whole = found[-1]
    sizes = " ".join(f"{size}:{count}" for size, count in whole.sizes.items())
    parameters = " ".join(f"{n}:{count}" for n, count in whole.parameters.items())
    return "\n".join(
        [
            head,
            *rows,
            "",
            f"classes by size (instructions:classes)   {sizes}",
            f"classes by parameters (number:classes)  {parameters}",
            "",
        ]
    )
