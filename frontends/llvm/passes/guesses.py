"""All guesses of what two functions look like (:class:`frontends.llvm.passes.witness.Guesses`)."""

from frontends.llvm.passes.guess import guess as stands
from frontends.llvm.passes.guess import guess_frozen as frozen
from frontends.llvm.passes.slots import slots_of as slots
from frontends.llvm.passes.states import states_of as states
from frontends.llvm.passes.sums import sums_of as sums

__all__ = ("frozen", "slots", "stands", "states", "sums")
