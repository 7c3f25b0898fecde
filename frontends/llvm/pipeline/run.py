"""What one run of the rewriter is given, and what follows from it, read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from frontends.llvm.linked import binding
from frontends.llvm.pipeline.aim import Aim, aim_of, why_skip
from frontends.llvm.pipeline.budget import Budget
from frontends.llvm.pipeline.judge import Judge
from frontends.llvm.pipeline.options import Options, Tools
from frontends.llvm.pipeline.search import MachineRecipe, Outcome, Recipe
from frontends.llvm.splicing.write import Rewrite
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.transform.ledger import Ledger
from frontends.llvm.windows.scene import Scene
from isel.deadline import Clock
from isel.errors import UnknownName
from isel.failures import Net
from isel.spec.instruction import Instructions
from isel.spec.target import Target
from isel.workers import Pool


@dataclass(eq=False)
class Run:
    """A module as LLVM printed it, and what it is rewritten with; ``answers`` are those of windows
    that were searched, the same every time, and of ``forgotten`` functions nothing is recalled.
    """

    module: Module
    options: Options
    tools: Tools
    file: str
    clock: Clock
    pool: Pool | None = None
    answers: dict[tuple[Recipe, str], Outcome] = field(init=False, default_factory=dict)
    forgotten: set[str] = field(init=False, default_factory=set)
    _aims: dict[frozenset[tuple[str, str]], Aim | str] = field(init=False, default_factory=dict)
    _gates: dict[tuple[str, str], Judge] = field(init=False, default_factory=dict)

    @cached_property
    def triple(self) -> str:
        """The triple that functions are rewritten for."""
        return self.options.triple or self.module.triple or binding.host_triple()

    @cached_property
    def target(self) -> Target | None:
        """The target of the triple, None where the module's has none.

        Raises :class:`isel.errors.UnknownName` for a triple of the options.
        """
        try:
            return self.tools.target_of(self.triple)
        except UnknownName:
            if self.options.triple:
                raise
            return None

    @cached_property
    def instructions(self) -> Instructions:
        """The target's instructions by name."""
        return {} if self.target is None else {i.name: i for i in self.target.instructions()}

    def aim(self, function: Function) -> Aim | str:
        """Return what a function is rewritten for, or why it is left alone."""
        if self.target is None:
            return f"no target for the triple '{self.triple}'"
        if skip := why_skip(self.module, function, self.options):
            return skip
        said = frozenset(function.attributes.items())  # all that it depends on of a function
        if said not in self._aims:
            self._aims[said] = aim_of(function, self.target, self.options)
        return self._aims[said]

    def gate(self, aim: Aim) -> Judge:
        """Return what judges functions that are rewritten for the same, one a run."""
        key = aim.cpu, aim.named
        if key not in self._gates:
            assert self.target is not None
            self._gates[key] = self.tools.make_judge(self.target, *key, self.triple)
        return self._gates[key]

    def scene(self, module: Module, function: Function) -> Scene:
        """Return what windows are cut out of; raises :class:`isel.deadline.OutOfTime`."""
        defined, until = self.options.assume_no_undef, self.clock.search
        assert self.target is not None
        return Scene(module, function, self.target, assume_defined=defined, deadline=until)

    def about(self, aim: Aim) -> tuple[object, ...]:
        """Return everything that decisions depend on beside a function's module."""
        assert self.target is not None
        machine = self.target.digest, self.triple, aim.cpu, aim.priced
        o, can = self.options, (sorted(aim.features), aim.bits)
        return *machine, *can, o.effort, o.assume_no_undef, o.disabled, o.limits, o.llvm_version

    def recipe(self, aim: Aim) -> Recipe:
        """Return how windows of a function are searched first."""
        tools, of = self.tools, (self.triple, aim.priced, aim.features, aim.bits)
        machine = MachineRecipe(tools.target_of, *of)
        return Recipe(machine, tools.make, min(self.options.effort, 1))


@dataclass(frozen=True, slots=True)
class Shared:
    """What all forms of a function have in common: what they are rewritten for, what prints them,
    what was taken back, and what they may spend.
    """

    run: Run
    aim: Aim
    vet: Callable[[Module, str, Sequence[Rewrite]], str]
    net: Net
    ledger: Ledger
    budget: Budget
