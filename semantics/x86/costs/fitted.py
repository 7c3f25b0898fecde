"""A table of prices brought into line with what was timed: throughput, latency, and the ports that
a form shares with others.

Ports cannot be seen from outside.  What is known is a table's groups of ports, and how long two
forms take together: forms of the same ports as long as one after the other, forms of ports apart as
long as the slower one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from isel.cost.ports import Usage, busiest, port_bound
from isel.cost.prices import Price, Prices
from semantics.x86.costs.timed import Timed

PROBES: Final = 10
_NEAR, _CLOSE = 0.05, 0.08  # cycles and share by which timing and table may differ
_WORSE: Final = 0.1  # cycles of a pair by which other ports must explain it better
_STEPS: Final = 12  # cycles are kept in twelfths


def fitted(
    base: Prices, times: Mapping[str, Timed], pairs: Mapping[tuple[str, str], float]
) -> Prices:
    """Return the table with the rows of timed forms as they were timed; ``pairs`` are cycles of a
    form beside a probe.
    """
    rows = {form: base.of(form) or row for form, row in base.rows.items()}
    for form, time in times.items():
        rows[form] = _priced(rows[form], time)
    groups = sorted({u.ports for row in rows.values() for u in row.usages})
    beside: dict[str, list[tuple[Price, float]]] = {}
    for (form, probe), cycles in pairs.items():
        beside.setdefault(form, []).append((rows[probe], cycles))
    for form, seen in beside.items():
        rows[form] = _shared(rows[form], seen, groups)
    return replace(base, rows=rows, likened=None)


def probes(base: Prices, times: Mapping[str, Timed]) -> tuple[str, ...]:
    """Return the timed forms that stand for the groups of ports: of each group that is a form's
    only one the first form by name, at most ten.
    """
    found: dict[int, str] = {}
    for form in sorted(times):
        row = base.of(form)
        if row is not None and len(row.usages) == 1 and times[form].throughput is not None:
            found.setdefault(row.usages[0].ports, form)
    return tuple(found.values())[:PROBES]


def differs(mine: float, theirs: float) -> bool:
    """Tell whether cycles differ by more than timing does."""
    return abs(mine - theirs) > max(_NEAR, _CLOSE * theirs)


def _priced(row: Price, time: Timed) -> Price:
    bound = port_bound(row.usages)
    if time.throughput is not None and bound and differs(time.throughput, bound):
        cycles = max(1, round(_STEPS * time.throughput)) / _STEPS
        row = replace(row, usages=scaled(row.usages, cycles), throughput=round(cycles, 4))
    if time.latency is not None and abs(time.latency - row.latency) > 0.5:
        row = replace(row, latency=max(1, round(time.latency)))
    return row


def scaled(usages: Sequence[Usage], cycles: float) -> tuple[Usage, ...]:
    """Return the same ports with so much work that they need ``cycles``: what binds is scaled."""
    found = list(usages)
    for _ in range(len(found) + 1):
        bound = port_bound(found)
        if abs(bound - cycles) < 1e-6:
            break
        ports = busiest(found)
        found = [
            replace(u, cycles=u.cycles * cycles / bound) if u.ports & ~ports == 0 else u
            for u in found
        ]
        if bound < cycles:
            break
    return tuple(found)


def _shared(row: Price, seen: Sequence[tuple[Price, float]], groups: Sequence[int]) -> Price:
    """Return the row on the group of ports that explains what pairs took, on its own where no
    other does so clearly better.
    """
    if len(row.usages) != 1:
        return row
    cycles = port_bound(row.usages)
    (own,) = row.usages

    def missed(ports: int) -> float:
        mine = Usage(ports, cycles * ports.bit_count())
        return sum((port_bound([mine, *probe.usages]) - took) ** 2 for probe, took in seen)

    best = min(groups, key=lambda ports: (missed(ports), ports))
    if missed(own.ports) - missed(best) <= _WORSE**2 * len(seen):
        return row
    return replace(row, usages=(Usage(best, cycles * best.bit_count()),))
