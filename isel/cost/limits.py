"""Numbers of the model of a block: what differs by less is equal, and what is looked at."""

from __future__ import annotations

from typing import Final

# gain
EQUAL: Final = 1e-3  # cycles; sums over ports and weights differ by as much
BLOCK: Final = 0.02  # the share of its cycles that some block has to save
FUNCTION: Final = 0.01  # and all of the function: by less the model may err
# where values move between scalars and lanes outside of loops, or wider registers take the place of
# narrower ones: what a core does about these (bypasses, licences, buffers) no table has
COSTLY: Final = 0.05
NARROWEST: Final = 128  # bits of a register that no core has a narrower one for

LINE: Final = 64  # bytes of a line of the cache
WAYS: Final = 16  # through a loop, at most
COMPUTED: Final = 1  # cycles between the load and the store of one instruction

# judgement
DIGITS: Final = 4  # of cycles, behind the point
# of the longest path of code without loops, beside what else there is to do
SHOWS: Final = 0.1
# of the time of dispatch, what lighter code takes at most that is as fast by the table
LIGHTER: Final = 0.92
