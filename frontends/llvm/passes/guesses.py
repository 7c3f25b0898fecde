"""All guesses of what two functions look like."""

from typing import Final

from frontends.llvm.passes.guess import guess, guess_frozen
from frontends.llvm.passes.orders import guess_exchange
from frontends.llvm.passes.slots import slots_of
from frontends.llvm.passes.states import states_of
from frontends.llvm.passes.sums import sums_of
from frontends.llvm.passes.witness import Guesses
from isel.verify.hinted import HINTS

GUESSES: Final = Guesses(guess, guess_frozen, slots_of, states_of, sums_of, guess_exchange, HINTS)
