"""What the search of a window may cost: one table.

Limits count goals, terms and steps, never seconds.  What a mechanism is worth that has limits here
is in ``docs/ablation.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# A window (isel.synth.loop, isel.synth.problem, isel.synth.sources)
ROUNDS: Final = 6  # programs that are proved or refuted before a simpler graph is tried
GOALS: Final = 400  # opened by one search of goals at effort 1
LOOKUP_SLACK: Final = 2  # of that price, for lookups, which use a port that little else does
ALTERNATIVE_SHARE: Final = 5  # other programs cost at most this part of the best one's price more
PRICE_SLACK: Final = 16  # programs cost at most this part of the present code's price more
VARIANT_SHARE: Final = 4  # programs by rules alone cost at most this part more
MOST_ASKED: Final = 3  # lanes of the roots that CEGIS is asked about, at effort 1
MOST_SQUARES: Final = 1500  # ways of one size to hold the elements of some registers in others
AT_ONCE: Final = 2  # registers that one instruction reads
MOST_ROWS_SQUARE: Final = 16  # registers of one size that are made together
SOURCE_STEPS: Final = 100_000_000  # of one source at effort 1
PROPOSAL_STEPS: Final = 1_000_000  # that a proposed program counts as, which is proved
FEW_OPERATIONS: Final = 2  # of the programs that CEGIS finds at effort 1

# Lanes as what they are (isel.synth.lift)
MOST_LIFTED_NODES: Final = 160  # of a lane
MOST_LIFTED_LEAVES: Final = 16  # of a lane; sums of more have their own search
MOST_MEMBERS: Final = 4  # other terms of a value
MEMBER_SHARE: Final = 1  # part of a price by which these may be dearer
DEAR_OPERATION: Final = 3  # times the cheapest operation, of one that no instruction has
DEAR_EXPANSION: Final = 6  # times that, of the operations by which another is written out
REGISTER: Final = 128  # bits of the register in which operations are compared
LACK_SHARE: Final = 2  # part of its price that a dear or deep search of a term must save
LEAST_GAIN: Final = 16  # hundredths of a cycle by which what a lane is must be cheaper
MOST_SAID: Final = 4  # lanes of a window that are said in words
KEPT_LIFTS: Final = 4096

# What CEGIS is asked (isel.synth.requests)
DEPTH_BEYOND_EFFORT: Final = 1  # operations of a program, beyond the effort
QUICK_GRAMMARS: Final = 1  # of a lane at effort 1, or for programs of few operations
FEW_STEPS: Final = 1500  # of these, a question
LEAST_STEPS: Final = 500  # with which a grammar is begun
LEAST_ALLOWANCE: Final = 7000  # steps of all grammars, whatever the rest of the search took
GRAPH_STEPS: Final = 150  # of the lane graph, for a step of CEGIS: a third of the time at most
LONG_SUM: Final = 3  # leaves of a sum of products that is left to the edges of such sums
MAX_LEAVES: Final = 4  # of a question
MAX_NODES: Final = 14
MAX_PRODUCT: Final = 32  # bits of its products together

# Grammars (isel.synth.cegis.screen, isel.synth.cegis.grammar)
BIT_PICKS: Final = 4  # bits picked by instructions that count as picking bits
MOST_CHOICES: Final = 64  # settings of an instruction with immediates
FEW_VALUES: Final = 4  # of an immediate, which are all tried

# One grammar (isel.synth.cegis.search, .scaled, .scale, .encode, .slots)
DEFAULT_EFFORT: Final = 8000
FIRST_EXAMPLES: Final = 2
MOST_UNDECIDED: Final = 2  # candidates that solvers leave open
CHEAPER_STEPS: Final = 1  # times the steps of the first program that a cheaper one may take
READINGS: Final = 16  # programs of the real lane that are tried for one of the scaled lane
SCALE_NEAR: Final = 2  # of a quarter of the width, for numbers that move with it
LEAST_SCALED_LEAF: Final = 4  # bits
SYMMETRY_STEPS: Final = 4000  # of a solver for a fact about a component
TERMS_A_STEP: Final = 10  # built in the time of a step
AREA_BUILT_A_STEP: Final = 16  # square bits of multipliers built
AREA_A_STEP: Final = 4096  # that make each step as long as another

# The lane graph (isel.synth.lanes.graph, isel.synth.lanes.analysis)
DEFAULT_STEPS: Final = 2_000_000  # beyond which only edges of one level are looked for
MAX_ANALYSED: Final = 100  # classes
MAX_TERMINALS: Final = 14  # terms that instructions are tried on
NEAR_TERMINALS: Final = 8  # of these, for two levels
FEW_LEAVES: Final = 4  # which are all terminals
MOST_ANALYSED_NODES: Final = 160  # of a term that is looked at in depth
SHIFTS_A_PRODUCT: Final = 2  # whose sum is no dearer than a product
BYTE: Final = 8  # bits of the least element, and of what a matrix of bits multiplies
WORD: Final = 64  # bits of the greatest element, and of such a matrix
LEAST_LOOKUP: Final = 3  # operations of a function of a byte that is looked up
LEAST_TABLE: Final = 5  # leaves of a choice that is a lookup among them
LONG_CHOICE: Final = 60  # terms of a choice that is a lookup if it can be one
MOST_TABLE: Final = 127  # of these, without the index
MOST_INDICES: Final = 8  # bytes on the way to a term that tables are looked up at
LEAST_PRODUCTS: Final = 2  # that are summed in half the width of their sum
LEAST_WIDER: Final = 3  # products of a sum that is also taken in a greater width than its own
MOST_HALVED: Final = 9  # terms of a long sum that is also tried by halves
MAX_PER_FUNCTION: Final = 6  # edges of one function
MAX_POOL: Final = 1500  # values of one level
MAX_KEPT: Final = 4096  # answers of a process
FEW_KEPT: Final = 256  # of these, with the values on samples
MOST_HOLES: Final = 3  # of functions that are tried on all leaves in every order
FREE_SAMPLES: Final = 99  # the number of the samples of what may be anything
EQUAL_SAMPLES: Final = 0.3  # of samples, in which two values are equal that are compared
SIGNS_MORE: Final = 300  # that signs of lanes as an integer may cost beside the best, in hundredths


@dataclass(frozen=True, slots=True)
class Budget:
    """How many goals a search may open, and the most a register may cost.

    A search that is not ``thorough`` looks for a first plan near the lower bound only, one that is
    not ``restoring`` puts no result back in order.
    """

    goals: int
    price: int
    thorough: bool = True
    restoring: bool = True


# What is moved (isel.synth.layout.moving)
FROM_MEMORY: Final = 3  # part of the price of a join, where the second part is loaded

# Bit fields (isel.synth.goals.fields, isel.synth.values.moved)
UNITS: Final = (8, 16, 32, 64)  # bits of what holds them
BIT_SAMPLES: Final = 8  # of functions that may only move bits
MOST_FIELDS: Final = 4  # ways to move what is gathered that are tried

# Goals that are solved together (isel.synth.goals.joint).
MOST_ROWS: Final = 600  # of goals that are looked at
MANY_FUNCTIONS: Final = 16  # that are looked at for a row
FEW_FUNCTIONS: Final = 5  # of these, which are tried
DEEPEST_ROW: Final = 40
