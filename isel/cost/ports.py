"""The port-subset bound: the least time in which the ports can serve what is bound to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """``cycles`` of work that any one port of the bit mask ``ports`` may do."""

    ports: int
    cycles: float


def port_bound(usages: Iterable[Usage]) -> float:
    """Return the least k such that every subset of ports can do in k cycles the work that only it
    can do.

    By Hall's theorem this is the optimum of distributing divisible work over the ports; only unions
    of the masks that occur need to be looked at, and port groups that share no port are
    independent.
    """
    return max((needed for _, needed in _loads(usages)), default=0.0)


def busiest(usages: Iterable[Usage]) -> int:
    """Return the ports, as a bit mask, that bound :func:`port_bound`: the fewest that need as
    long for what only they can do; 0 where nothing is used.
    """
    loads = list(_loads(usages))
    bound = max((needed for _, needed in loads), default=0.0)
    return min(
        (u for u, needed in loads if needed > bound - 1e-9),
        key=lambda u: (u.bit_count(), u),
        default=0,
    )


def _components(masks: Sequence[int]) -> list[list[int]]:
    """Split masks into groups that share no port."""
    groups: list[tuple[int, list[int]]] = []
    for mask in masks:
        union, members = mask, [mask]
        apart: list[tuple[int, list[int]]] = []
        for other, others in groups:
            if other & mask:
                union, members = union | other, others + members
            else:
                apart.append((other, others))
        groups = [*apart, (union, members)]
    return [members for _, members in groups]


def _loads(usages: Iterable[Usage]) -> Iterator[tuple[int, float]]:
    """Yield the unions of masks with the least time in which their ports can do what only they
    can.
    """
    load: dict[int, float] = {}
    for u in usages:
        if u.cycles and u.ports:
            load[u.ports] = load.get(u.ports, 0.0) + u.cycles
    for masks in _components(sorted(load)):
        unions: set[int] = set()
        for mask in masks:
            unions |= {mask, *(mask | u for u in unions)}
        for union in unions:
            only = sum(load[m] for m in masks if m & ~union == 0)
            yield union, only / union.bit_count()
