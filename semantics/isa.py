"""What the package asks of an instruction set: its names, and where to find everything else of it.

Each folder here that has a module ``isa`` is one; to add an instruction set is to add a folder.
The module imports nothing that is slow: methods import what they return when they are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from semantics.machine import Machine, Mistake, Usual

if TYPE_CHECKING:
    from isel.cost.code import Dialect
    from isel.cost.prices import Prices
    from isel.spec.instruction import Instruction
    from isel.spec.target import Target
    from semantics.emission.table import Emission
    from semantics.entries import Joined
    from semantics.execution import Executor
    from semantics.importing.run import Import
    from semantics.selection import Printed


class Isa(Protocol):
    """An instruction set, before anything of it is read."""

    @property
    def name(self) -> str:
        """The name of its package, used by ``--target``."""
        ...

    @property
    def machine(self) -> Machine:
        """What its code is compiled for where nobody says more."""
        ...

    @property
    def usual(self) -> Usual:
        """What commands take where nobody names a CPU."""
        ...

    @property
    def tables(self) -> tuple[str, ...]:
        """The files beside its ``.sem`` texts that decide what an instruction is."""
        ...

    @property
    def counted(self) -> str:
        """Which entries of the vendor's list are counted."""
        ...

    def handles(self, triple: str) -> bool:
        """Tell whether modules of this triple are its."""
        ...

    def target(self) -> Target:
        """Return the target, with the user's own instructions."""
        ...

    def shipped(self) -> Target:
        """Return the target without the user's own instructions."""
        ...

    def feature_names(self) -> frozenset[str]:
        """Return the features that it knows."""
        ...

    def joined(self, i: Instruction) -> Joined:
        """Yield a vendor's instruction with its emission; see :func:`semantics.entries.read`."""
        ...

    def emission(self, name: str) -> Emission | None:
        """Return the emission that was learned for an entry of the vendor's list."""
        from semantics.emission.table import emissions

        return emissions(self.name).get((name, ()))

    def entry_name(self, name: str) -> str:
        """Return the entry of the vendor's list that an instruction's name is of: several are of
        one where numbers among its operands make an instruction each.
        """
        return name

    def printed(self) -> Printed:
        """Return how it prints what LLVM selects."""
        ...

    def plain_name(self, mnemonic: str) -> str:
        """Return what a mnemonic is called in all its encodings."""
        return mnemonic.lower()

    def group(self, i: Instruction) -> str:
        """Return the group of extensions that an instruction belongs to."""
        ...

    def priced(self) -> Sequence[str]:
        """Return the CPUs that it has tables of prices for, by name."""
        ...

    def prices(self, cpu: str) -> Prices:
        """Return the prices for a CPU: its own table, or the nearest."""
        ...

    def cpus_of_level(self, cpu: str) -> Sequence[str]:
        """Return CPUs with tables that run what is made for a level, as ``x86-64-v3``, too."""
        return ()

    def mistaken(self) -> Mapping[str, Mistake]:
        """Return the forms that the linked LLVM selects where they compute something else."""
        return {}

    def dialect(self) -> Dialect:
        """Return how its assembly is written."""
        ...

    def corrections(self) -> Mapping[str, str]:
        """Return the reason of each named correction of the vendor's text."""
        ...

    def imported(
        self, data: bytes, file: str, jobs: int, progress: Callable[[int, int], None]
    ) -> Import:
        """Import the vendor's specification."""
        ...

    def executor(self) -> Executor:
        """Return what executes its instructions on this machine."""
        ...
