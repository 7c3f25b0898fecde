"""What proofs by steps may cost: one table; limits count, never seconds."""

from __future__ import annotations

from typing import Final

MOST_QUERY_TERMS: Final = 200  # of a query that steps are looked for (isel.verify.saturated)
MOST_QUERY_NODES: Final = 1200  # of its graph
FEW_TERMS: Final = 24  # of a query that steps are looked for before a solver is asked
FEW_STEPS: Final = 1500  # of its graph then
MOST_STEPS: Final = 16000  # where solvers give up, or a great many inputs are looked at otherwise
KEPT_QUERIES: Final = 256
SUM_BITS: Final = 20  # values of sums are looked at before any solver is asked
FEW_WORK: Final = 1 << 8  # for some milliseconds at most
SUM_WORK: Final = 1 << 11  # for a few tenths of a second at most
