"""All guesses of what two functions look like."""

from typing import TYPE_CHECKING, Final

from frontends.llvm.passes.guess import guess, guess_frozen
from frontends.llvm.passes.orders import guess_exchange
from frontends.llvm.passes.slots import slots_of
from frontends.llvm.passes.states import states_of
from frontends.llvm.passes.sums import sums_of
from frontends.llvm.passes.witness import Guesses
from isel.deferred import deferred
from isel.model.steps import Hints
from isel.verify.saturated import steps_of

if TYPE_CHECKING:
    from isel.verify import invert, near
else:
    invert, near = deferred("isel.verify.invert"), deferred("isel.verify.near")

HINTS: Final = Hints(
    steps_of, lambda bit: near.near_model(bit), lambda *about: invert.solve(*about)
)
GUESSES: Final = Guesses(guess, guess_frozen, slots_of, states_of, sums_of, guess_exchange, HINTS)
