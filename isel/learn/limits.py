"""How much is looked at to learn rules: one table; limits count, never seconds."""

from __future__ import annotations

from typing import Final

SIZE: Final = 2  # instructions of the terms that are made, where nobody says how many

# Of samples (isel.learn.samples)
DRAWN: Final = 24  # times as many as rows are drawn where few meet the conditions

# Of terms (isel.learn.enumerate, isel.learn.sources, isel.learn.lanes)
MOST_TERMS: Final = 60_000  # of one kind of leaves
KEPT_TERMS: Final = 6  # of a value
LITERAL: Final = 1  # price, in hundredths: between equal terms the one with fewer literals
MOST_OPERANDS: Final = 2  # of an operation
SPELLINGS: Final = 3  # of a value of the grammar that are looked at
MOST_SIZE: Final = 12  # operations of a term of the grammar
MOST_OF_A_LANE: Final = 14  # nodes of a lane of a module
SMALL: Final = 16  # literals that are meant as they are at any width

# Of what rules lack (isel.learn.known, isel.learn.search)
LEAST_GAIN: Final = 4  # hundredths of the price of the left side
CHUNK: Final = 40  # candidates that a worker looks at

# Of CEGIS (isel.learn.deeper)
STEPS_A_TERM: Final = 20_000  # about a second
DEEPEST: Final = 20  # terms that programs of two operations more are looked for
