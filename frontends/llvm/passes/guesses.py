"""All guesses of what two functions look like (:class:`frontends.llvm.passes.witness.Guesses`)."""

from frontends.llvm.passes.guess import guess as stands
from frontends.llvm.passes.guess import guess_frozen as frozen
from frontends.llvm.passes.orders import guess_exchange as exchange
from frontends.llvm.passes.states import states_of as states
from frontends.llvm.passes.sums import sums_of as sums

__all__ = ("exchange", "frozen", "stands", "states", "sums")
