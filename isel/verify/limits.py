"""What proofs by steps may cost: one table; limits count, never seconds."""

from __future__ import annotations

from typing import Final

MOST_QUERY_TERMS: Final = 200  # of a query that steps are looked for (isel.verify.saturated)
MOST_QUERY_NODES: Final = 1200  # of its graph
