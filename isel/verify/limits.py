"""What proofs by steps may cost: one table; limits count, never seconds."""

from __future__ import annotations

from typing import Final

MOST_QUERY_TERMS: Final = 200  # of a query that steps are looked for (isel.verify.stepwise)
MOST_QUERY_NODES: Final = 1200  # of its graph
MOST_STEPS: Final = 16000  # of the graph, where solvers give up
NEAR_PLACES: Final = 96  # values of inner terms that leaves are solved for (isel.verify.near)
NEAR_ROWS: Final = 32  # samples of the other leaves for each
NEAR_LEAST: Final = 12  # else corners alone do not fit
NEAR_WORK: Final = 1 << 22  # values that are computed, a few milliseconds
NEAR_WIDE: Final = 32  # times as much work where integers have more than 64 bits
KEPT_QUERIES: Final = 256
SUM_BITS: Final = 20  # values of sums are looked at before any solver is asked
SUM_WORK: Final = 1 << 11  # for a few tenths of a second at most
