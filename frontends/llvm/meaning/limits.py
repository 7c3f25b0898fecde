"""How much is looked at of what is proved: limits of facts, meaning, paths and cuts, by module."""

from __future__ import annotations

from typing import Final

# function.addresses
ADDRESSES_DEPTH: Final = 64  # getelementptrs and sums that are followed

# cuts.compare
COMPARE_GUESSES: Final = 8  # of which phi of the source one of the target is
COMPARE_TRIES: Final = 3  # of instructions that one with other operands may be
COMPARE_BLOCKS: Final = 1000

# cuts.looks
LOOKS_WAYS: Final = 4  # in which looks are chosen

# cuts.packing
PACKING_MOST: Final = 1 << 14  # bytes of a slot of the stack, and passes of a loop

# cuts.relation
RELATION_DEPTH: Final = 100  # instructions above one that was rewritten, looked at one by one
RELATION_PROOFS: Final = 2000  # tried for one function

# function.settled
SETTLED_CONE: Final = 200  # instructions that one value is followed through

# cuts.permute
PERMUTE_PASSES: Final = 1 << 10  # of a loop that another one comes around

# cuts.terms
STRAIGHT_PASSES: Final = 32  # of a loop that is one block
STRAIGHT_INSTRUCTIONS: Final = 1 << 12  # of all passes
TABLES_BYTES: Final = 128  # of an object, of which a load at an index may read any

# meaning.executor
TERMS_INSTRUCTIONS: Final = 2000  # that one value is computed by
TERMS_LANES: Final = 1 << 16

# meaning.bounds
BOUNDS_WIDEN: Final = 8  # times that what phis are given goes up, before they may be anything
BOUNDS_ROUNDS: Final = 64  # looks at a function

# meaning.partial
PARTIAL_MOST: Final = 64  # lanes that a partial reduction adds to one

# meaning.choice
CHOICE_LIMIT: Final = 60_000

# paths.size
SIZE_BLOCKS: Final = 200
SIZE_LANES: Final = 4096
# of an integer: operations such as a bit count are terms of as many parts
SIZE_BITS: Final = 1024
