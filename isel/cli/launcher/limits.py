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

# journal
JOURNAL_LARGEST: Final = 1 << 27  # bytes of all entries
JOURNAL_MODULE: Final = 1 << 28  # bytes of a module: what is compressed may be anything
JOURNAL_FAST: Final = 1  # the level of compression

# portion
PORTION_STEPS: Final = 15_000  # of searches, for a file
PORTION_LINES: Final = 2_000  # of functions' bodies: a larger module is left as a whole
PORTION_EFFORT: Final = 0  # of such a search
