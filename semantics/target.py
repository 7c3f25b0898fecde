"""What targets have in common: instructions of a library, and CPUs of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from isel.spec.index_rows import Sources
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from semantics import isa_named
from semantics.cpus import Cpus
from semantics.forms import instruction_cost
from semantics.library import Library

if TYPE_CHECKING:
    from semantics.isa import Isa


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A feature that, switched off, bounds the bits of registers in some versions of LLVM."""

    feature: str
    bits: int
    versions: range


class LibraryTarget:
    """The part of :class:`isel.spec.target.Target` that the instruction set of its ``name`` (what
    ``--target`` says) and its ``cpus`` say; ``own`` are the names and texts of the user's ``.sem``
    files.
    """

    name: ClassVar[str]
    cpus: ClassVar[Callable[[], Cpus]]
    narrowing: ClassVar[tuple[Narrowing, ...]] = ()

    def __init__(self, own: Sources = ()) -> None:
        self._library = Library(self.isa, tuple(own))

    @property
    def isa(self) -> Isa:
        """The instruction set."""
        return isa_named(self.name)

    @property
    def digest(self) -> str:
        """A hash of the semantics; part of every cache key."""
        return self._library.digest

    @property
    def by_name(self) -> Mapping[str, Instruction]:
        """The instructions by name."""
        return self._library.by_name

    @property
    def calls(self) -> Mapping[str, Instruction]:
        """Every known target intrinsic and the instruction it stands for."""
        return self._library.entries.calls

    def instructions(self) -> Sequence[Instruction]:
        """Return every instruction, in a fixed order."""
        return self._library.entries.instructions

    def by_call(self, intrinsic: str) -> Instruction | None:
        """Return the instruction that a target intrinsic stands for, if known; a call of AutoLLVM
        is what its class says, on every target.
        """
        found = self.calls.get(intrinsic)
        if found is not None or not intrinsic.startswith("autollvm."):
            return found
        from equiv_classes.calls import instruction_of

        return instruction_of(intrinsic)

    def handles(self, triple: str) -> bool:
        """Tell whether modules of this triple are the target's."""
        return self.isa.handles(triple)

    def operation_cost(self, instruction: Instruction, cpu: str) -> int:
        """Return the price of one execution in hundredths of a cycle of reciprocal throughput."""
        return instruction_cost(instruction, self.isa, cpu)

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        """Return the features of ``cpu`` changed by ``attributes``; raise :class:`UnknownName`."""
        return type(self).cpus().changed(type(self).cpus().of(cpu), attributes)


@dataclass(frozen=True)
class ChangedTarget:
    """Implements :class:`isel.spec.target.Target`: another ``target``, but for what a kind of it
    says otherwise.
    """

    target: Target

    @property
    def name(self) -> str:
        """The name used by ``--target``."""
        return self.target.name

    @property
    def digest(self) -> str:
        """A hash of the semantics; part of every cache key."""
        return self.target.digest

    @property
    def planes(self) -> int:
        """See :class:`isel.spec.target.Target`."""
        return self.target.planes

    def instructions(self) -> Sequence[Instruction]:
        """Return every instruction, in a fixed order."""
        return self.target.instructions()

    def by_call(self, intrinsic: str) -> Instruction | None:
        """Return the instruction that a target intrinsic stands for."""
        return self.target.by_call(intrinsic)

    def handles(self, triple: str) -> bool:
        """Tell whether modules of this triple are this target's."""
        return self.target.handles(triple)

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        """See :class:`isel.spec.target.Target`."""
        return self.target.features(cpu, attributes)

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """See :class:`isel.spec.target.Target`."""
        return self.target.vector_bits(features, attributes)

    def operation_cost(self, instruction: Instruction, cpu: str) -> int:
        """See :class:`isel.spec.target.Target`."""
        return self.target.operation_cost(instruction, cpu)

    def halves_cost(self, cpu: str) -> tuple[int, int]:
        """See :class:`isel.spec.target.Target`."""
        return self.target.halves_cost(cpu)

    def register_of(self, instruction: Instruction) -> str:
        """See :class:`isel.spec.target.Target`."""
        return self.target.register_of(instruction)
