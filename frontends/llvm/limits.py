"""How much is looked at, tried and waited for where functions are rewritten: limits by module."""

from __future__ import annotations

from typing import Final

# transform.extents
SPLIT_BYTES: Final = 1 << 20  # of all that is accessed behind one address
SPLIT_CHECKS: Final = 40  # of two addresses each, or of a number
SPLIT_FACTOR: Final = 1 << 12  # of a number that addresses lie at multiples of
SPLIT_STEP: Final = 1 << 40  # that such a number is below, and above its negation
SPLIT_POINTER: Final = 64  # bits of pointers that are compared
SPLIT_STORED: Final = 16  # bytes that are stored at once, of values that are scalars

# passes.states
STATES_PASSES: Final = 8  # for which something is carried
STATES_MOST: Final = 64  # operations that compute it

# passes.few
FEW_PASSES: Final = 4  # of a loop that stand one after the other
FEW_MOST: Final = 4000  # instructions of all of them

# transform.regrouped
REGROUPED_LANES: Final = 1 << 10  # of all contributions to an accumulator

# transform.regrouped_reductions
REFORMS_MOST: Final = 24  # reductions of a function that are looked at
REGROUP_FOLLOWED: Final = 40  # instructions that a value is followed through
REFORMS_FORMS: Final = 4  # of a function that are tried
REFORMS_SAVE: Final = (
    0.05  # of the cycles, at least, where accumulators go round a loop in other lanes
)

# machine.gate
GATE_LATE: Final = 3  # compiles of a function that run out of time, before it is left alone
GATE_KEPT: Final = 1 << 22  # characters of modules whose texts, or code, are kept for a function

# machine.trips
TRIPS_DEEP: Final = 6  # loops beyond which it counts no more
TRIPS_UNLIKELY: Final = 1 / 16  # of the passes through a block behind a check where that fails
# operations between the start of a loop and what a loop before it has reached
TRIPS_NEAR: Final = 4

# pipeline.budget
BUDGET_LEAST: Final = 8_000  # steps of a function at effort 1
BUDGET_MOST: Final = 60_000
BUDGET_VECTOR: Final = 150  # steps that an instruction adds that gives a vector
BUDGET_SEARCH: Final = 100  # steps of any search, before its own
BUDGET_OWN: Final = 1_000  # steps of the search that are one of these, and the most that count
BUDGET_LINES: Final = 6  # compiled in a step
BUDGET_TOGETHER: Final = 500  # instructions of functions that are searched in one go

# pipeline.function
FUNCTION_SMALLER: Final = 16  # windows inside of windows that are tried, a function and round
# steps of a place's first window, at effort 1, that leave none for its second one
FUNCTION_ENOUGH: Final = 500_000
FUNCTION_SAVES: Final = 0.75  # of a window's price, the most that is hoped for beside a rival
FUNCTION_FASTER: Final = 2  # times, by a form rewritten whole, beside which none is looked into

# pipeline.judge
JUDGE_CANDIDATES: Final = 4  # judged for a window, the cheapest first
JUDGE_PRUNED: Final = 24  # windows of a function that are tried without each other

# pipeline.layers
LAYERS_SITES: Final = 1000  # of a transform in a function

# pipeline.rungs
RUNGS_ROUNDS: Final = 4
RUNGS_AT_ONCE: Final = 16  # windows of a function that are searched before its budget is looked at

# pipeline.variants
VARIANTS_MOST: Final = 8  # of a function, without those that are ways to write one

# report.phrases
WORDS_KINDS: Final = 5  # of instructions that are named
WORDS_LOOP: Final = 10.0  # passes through a loop for one through what is around it

# transform.checked_blocks
CHECKED_BLOCKS_LEAST: Final = 4  # loads of a block behind its first store

# transform.packed_factors
PACKED_FACTORS_ALIGN: Final = 64  # bytes of a cache line

# transform.jammed_loops
JAMMED_TIMES: Final = (8, 4, 2)  # passes of an outer loop at once
JAMMED_REGISTERS: Final = 12  # that sums and what is loaded before them fill, of 16
JAMMED_SMALL: Final = 256  # bits of registers beyond which there are twice as many

# transform.stencils
STENCILS_LEAST: Final = 4  # loads of a stencil
STENCILS_MOST: Final = 256  # values that are looked at for one

# windows.cones
CONES_FEW_PRODUCTS: Final = 8  # in longer sums those of neighbours in memory are taken together
CONES_MOST_OTHERS: Final = 24  # values of other blocks that a window computes

# windows.invariants
INVARIANTS_LONGEST: Final = 8  # instructions of a chain

# windows.regions
REGIONS_SHORT: Final = 64  # bits of vectors that are loaded as one even if they fill no register
REGIONS_PART: Final = 128  # bits of a load that are loaded again, with others, to be moved
REGIONS_MOST_SCALARS: Final = 128  # bits of neighbouring scalars that are repeated as one
REGIONS_FEW_SCALARS: Final = 32  # and those that a lane of a sum of products reads

# windows.scene
SCENE_WIDEST: Final = 64  # bits of a lane that the search can hold samples of
SCENE_MOST: Final = 4096  # lanes of a value that is looked at lane by lane

# windows.squares
SQUARES_MOST: Final = 32  # roots that are looked at together

# windows.webs
WEBS_MOST: Final = 400  # members of a web

# windows.places
PLACES_MOST_LEAVES: Final = 16  # of a lane, beyond which windows end at values with several users

# windows.knowledge
KNOWLEDGE_DEPTH: Final = 8
