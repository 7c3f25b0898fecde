"""How much the launcher keeps: numbers of :mod:`isel.cli.launcher`, by module.  They are here since
:mod:`isel.cli.limits` imports more than a run that has nothing to rewrite.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# bisect
BISECT_RATIO: Final = 1.1  # times as many seconds as without rewrites are slower
BISECT_RUNS: Final = 3  # after a build, whose median counts

# hot
HOT_DEEPEST: Final = 4  # loops that make code hotter

# journal
JOURNAL_LARGEST: Final = 1 << 27  # bytes of all entries
JOURNAL_MODULE: Final = 1 << 28  # bytes of a module: what is compressed may be anything
JOURNAL_FAST: Final = 1  # the level of compression

# order
ORDER_LARGEST: Final = 1 << 22  # characters of a module that is kept

# portion: what is searched of a file, in about thousandths of a second
PORTION_LEAST: Final = 1_800  # of a file
PORTION_MOST: Final = 2_300  # but for what a run shows to be hot
PORTION_LINES: Final = 6  # of functions for one more
PORTION_HOT: Final = 3_000  # for each function that takes so much of a run:
PORTION_WEIGHT: Final = 2.0  # in hundredths
PORTION_LOOK: Final = 50  # to look at a function
PORTION_READ: Final = 6  # of its lines for one more
PORTION_LIKELY: Final = 22  # that an instruction with vectors in loops takes at least
PORTION_STEP: Final = 2  # that a step of a function's budget takes
PORTION_SEARCH: Final = 250  # steps that a search is likely to take,
PORTION_WINDOW: Final = 80  # and characters of its window for one more
PORTION_DENSE: Final = 8  # lines for such an instruction: with more it is no loop over vectors

# server
SERVER_ANSWER: Final = 60.0  # seconds until a request is taken; loading is a part of that
SERVER_END: Final = 2.0  # seconds until what was asked for has ended with who asked
SERVER_IDLE: Final = 300.0  # seconds without a request
SERVER_MEMORY: Final = 1 << 20  # KiB of the process that forks
SERVER_HEAD: Final = 1 << 14  # bytes of IR that tell its machine
