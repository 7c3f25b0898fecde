"""What a graph of equal terms may cost: one table; limits count, never seconds."""

from __future__ import annotations

from typing import Final

# Of a graph (isel.egraph.store, isel.egraph.graph)
MOST_NODES: Final = 2000
MOST_STEPS: Final = 60_000  # nodes, unions, and operands looked at
MOST_PARTS: Final = 48  # of a sum
MOST_CHANGES: Final = 12  # of the range of a class
KEPT_OPERATIONS: Final = 256  # whose operands are known to swap or not
NEST_LEAVES: Final = 5  # of a term that may have twice as much: few values, many operations

# Of saturation (isel.egraph.saturate)
ROUNDS: Final = 24
SPELLING_ROUNDS: Final = 2
DEPTH: Final = 5  # of patterns
SUMS_OF_A_CLASS: Final = 4  # whose low part is looked at
KEPT_TABLES: Final = 16  # of rules, each with other learned books

# Of extraction (isel.egraph.extract)
NEVER: Final = 1 << 40  # no price
WORDS: Final = 8  # operations in each other that are said in words
AGAIN: Final = 4  # times that what is chosen elsewhere is free
