"""Accesses that touch two cache lines: how often, and what they cost beyond their own prices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from isel.cost.code import Access, Operation, Traffic
from isel.cost.limits import LINE
from isel.cost.ports import Usage
from isel.cost.prices import Split


@dataclass(frozen=True, slots=True)
class Lines:
    """How the vectors of a function lie in memory.

    ``accessed`` is that of a dialect; ``unaligned`` is the share of its accesses of so many bytes
    that nothing aligns to as many.
    """

    accessed: Callable[[str], Access]
    unaligned: Callable[[int], float]

    def split(self, o: Operation, price: Split) -> Iterator[Usage]:
        """Yield what an operation uses because its access may touch two lines.

        One of 64 bytes at an address of no alignment always does, one of 32 every second time:
        loops walk by their own width.  Spills and constants are aligned by LLVM.
        """
        if o.traffic is not Traffic.NONE:
            return
        access = self.accessed(o.form)
        if access.bytes == 0:
            return
        share = min(1.0, access.bytes / LINE) * self.unaligned(access.bytes)
        whole = access.bytes >= LINE
        loads, stores = (
            (price.whole_load, price.whole_store) if whole else (price.load, price.store)
        )
        for u in stores if access.stores else loads:
            yield Usage(u.ports, u.cycles * share)
