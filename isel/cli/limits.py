"""How much is looked at, tried and waited for: every limit of :mod:`isel.cli`, by module."""

from __future__ import annotations

from typing import Final

# batch.cluster
CLUSTER_CONNECT: Final = 30.0  # seconds in which a scheduler and a worker must be there
CLUSTER_LOOK: Final = 5.0  # seconds between two looks at whether there are workers
CLUSTER_ALONE: Final = 30.0  # seconds without a worker after which none is waited for
CLUSTER_AHEAD: Final = 2  # tasks under way for each thread of a worker

# batch.command
# seconds beyond twice the time limit after which a module is given up
COMMAND_PATIENCE: Final = 60.0
# a tenth of a second apart: workers of a batch that was killed just now are about to end
COMMAND_LOCK_ATTEMPTS: Final = 40

# batch.journal
JOURNAL_OLD: Final = 1  # seconds after 1970: older than any source, which make and Ninja look at

# batch.summary
SUMMARY_SHOWN: Final = 20  # rows of a table on a terminal

# cache
CACHE_PORT: Final = 8787

# opt_page
OPT_PAGE_PLOTTED: Final = 24  # functions

# port
PORT_ROUNDS: Final = 8  # of clang's errors that name what intrinsics need
PORT_STEPS: Final = 120_000  # that the functions of a file may spend in `isel opt` together

# progress
PROGRESS_PATIENCE: Final = 1.0  # seconds without a line
PROGRESS_BEAT: Final = 0.2  # seconds between two looks of it
PROGRESS_LINE: Final = 10.0  # seconds between two lines without a terminal
PROGRESS_TOLD: Final = 512  # bytes of a message, fewer than a pipe takes as one

# remarks
REMARKS_LEAST: Final = 1e-6  # cycles in SARIF that are not 0
REMARKS_MOST: Final = 1e12
REMARKS_LINES: Final = 2**31 - 1  # of a file, and columns of a line
REMARKS_LOOPS: Final = 99  # around a window
REMARKS_SAID: Final = 80  # characters of what is no SARIF of ours
REMARKS_RESULTS: Final = 5_000  # of a log: more is refused by those who show it
REMARKS_PLOTTED: Final = 24  # functions
REMARKS_SHOWN: Final = 300  # rows of a page

# results
KEY_DIGITS: Final = 12  # digits of a key that lists show
RESULTS_EFFORT: Final = 4

# select
SELECT_EPSILON: Final = 1e-9

# semantics
SEMANTICS_SAMPLES: Final = 10_000

# serve
SERVE_PORT: Final = 8731
SERVE_LETTERS: Final = 200_000  # of code
SERVE_BYTES: Final = 1 << 20  # of a request, in which a letter may be nine of them
SERVE_DISCARDED: Final = 1 << 22  # bytes of a body that is refused and read nevertheless
SERVE_OPEN: Final = 3  # parts of the first window that are unfolded: term, lanes, assembly
SERVE_EFFORTS: Final = 4
SERVE_LIMIT: Final = 60.0  # seconds of a search
SERVE_LADDER: Final = 200.0  # seconds of all searches of a request
SERVE_SECONDS: Final = 240  # after which an answer is given up
SERVE_PATIENCE: Final = 2.0  # seconds without a byte of a request
SERVE_BEAT: Final = 0.5  # seconds between two lines of progress

# user_names
USER_NAMES_STEPS: Final = 8  # from an address to what it is made of

# why.fits
WHY_SAMPLES: Final = 1024  # on which values of a lane are held against an instruction
WHY_NEAR: Final = 0.3  # of the samples must agree with what is called near
WHY_ALMOST: Final = 0.9  # of the samples: the largest value that is so near is looked at
WHY_HOLES: Final = 4  # inputs of a lane of an instruction that is looked at
WHY_VALUES: Final = 10  # of a lane that are looked at, and that a hole is filled with
WHY_FILLINGS: Final = 4_000  # ways to fill the holes

# why.words
WHY_LONG: Final = 160  # letters of a formula that are shown

# why.command
WHY_LINES: Final = 5  # of windows that are named where none is
