"""What the package asks of an instruction set: its names, and where to find everything else of it.

Each folder here that has a module ``isa`` is one; to add an instruction set is to add a folder.
The module imports nothing that is slow: methods import what they return when they are asked, from
modules that have the same names in each folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, cast

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

    def part(self, module: str) -> ModuleType:
        """Return a module of its folder."""
        return import_module(f"semantics.{self.name}.{module}")

    def handles(self, triple: str) -> bool:
        """Tell whether modules of this triple are its."""
        ...

    def target(self) -> Target:
        """Return the target, with the user's own instructions."""
        return cast("Target", self.part("target").target())

    def shipped(self) -> Target:
        """Return the target without the user's own instructions."""
        ...

    def feature_names(self) -> frozenset[str]:
        """Return the features that it knows."""
        return frozenset(self.part("target").cpus().implies)

    def joined(self, i: Instruction) -> Joined:
        """Yield a vendor's instruction with its emission; see :func:`semantics.entries.read`."""
        return cast("Joined", self.part("joined").joined(i))

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
        return cast("Printed", self.part("selection").PRINTED)

    def plain_name(self, mnemonic: str) -> str:
        """Return what a mnemonic is called in all its encodings."""
        return mnemonic.lower()

    def group(self, i: Instruction) -> str:
        """Return the group of extensions that an instruction belongs to."""
        ...

    def priced(self) -> Sequence[str]:
        """Return the CPUs that it has tables of prices for, by name."""
        return cast("Sequence[str]", self.part("costs").TABLES)

    def prices(self, cpu: str) -> Prices:
        """Return the prices for a CPU: its own table, or the nearest."""
        return cast("Prices", self.part("costs").prices_for(cpu))

    def cpus_of_level(self, cpu: str) -> Sequence[str]:
        """Return CPUs with tables that run what is made for a level, as ``x86-64-v3``, too."""
        return ()

    def mistaken(self) -> Mapping[str, Mistake]:
        """Return the forms that the linked LLVM selects where they compute something else."""
        return {}

    def dialect(self) -> Dialect:
        """Return how its assembly is written."""
        return cast("Dialect", self.part("asm").DIALECT)

    def corrections(self) -> Mapping[str, str]:
        """Return the reason of each named correction of the vendor's text."""
        from semantics.importing.patches import read_patches, reasons_of

        return reasons_of(read_patches(str(self.part("importer.patches").__file__)))

    def imported(
        self, data: bytes, file: str, jobs: int, progress: Callable[[int, int], None]
    ) -> Import:
        """Import the vendor's specification."""
        return cast("Import", self.part("importer.run").import_list(data, file, jobs, progress))

    def executor(self) -> Executor:
        """Return what executes its instructions on this machine."""
        ...
