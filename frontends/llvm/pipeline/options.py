"""What rewriting a module is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from frontends.llvm.dialect.older import NEWEST
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.budget import Budget, budget_of
from frontends.llvm.pipeline.judge import Judge
from frontends.llvm.pipeline.search import MakeSynthesizer, TargetOf
from frontends.llvm.pipeline.stages import Watch, watch_nothing
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.text.ast import Function
from frontends.llvm.windows.scene import Limits
from isel.errors import IselError
from isel.model.mechanisms import Disabled
from isel.model.memory import Memory
from isel.progress import Tell, silent
from isel.spec.target import Target

MakeJudge: TypeAlias = Callable[[Target, str, str, str], Judge]


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for.

    ``triple``, ``cpu`` and ``features`` (``+a,-b``) hold where the module or a function says
    nothing; ``time_limit`` is in seconds, ``vector_width`` in bits, ``only_function`` a regular
    expression that must match a whole name, ``bisect_limit`` the number of rewrites to apply,
    ``llvm_version`` that of the LLVM which will read the text.  An exception costs the window or
    function that it shows in; ``strict`` lets it pass.  ``detailed`` reports say more of each
    rewritten window.  ``disabled`` names mechanisms that are off.
    """

    triple: str = ""
    cpu: str = ""
    features: str = ""
    effort: int = 1
    jobs: int = 1
    time_limit: float | None = None
    vector_width: int | None = None
    only_function: str = ""
    bisect_limit: int | None = None
    verify_each: bool = False
    assume_no_undef: bool = False
    llvm_version: int = NEWEST
    strict: bool = True
    detailed: bool = False
    disabled: Disabled = ()
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Tools:
    """What the rewriter works with.

    ``target_of`` finds the target of a triple, ``make`` a synthesizer for a machine and an effort
    (both travel to worker processes), ``make_judge`` takes target, CPU, features and triple.
    ``memory`` keeps what was decided about functions, ``tell`` hears how far the rewriting has
    come, ``watch`` when a stage of it ends; ``enough`` ends rounds, ``worker`` runs LLVM's passes,
    and ``budget`` is what a function may spend at an effort.
    """

    target_of: TargetOf
    make: MakeSynthesizer
    make_judge: MakeJudge
    memory: Memory | None = None
    tell: Tell = silent
    watch: Watch = watch_nothing
    enough: Callable[[], bool] = bool  # never
    worker: LlvmWorker | None = None
    budget: Callable[[Function, int], Budget] = budget_of


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The module as LLVM prints it before and after, what was done, and what is to be written.

    ``written`` is in the user's own lines, unless all of it is LLVM's print for the reason
    ``reprinted``; ``text`` is what LLVM reads of it, and what was proved.
    """

    before: str
    text: str
    report: ModuleReport
    written: str
    reprinted: str = ""

    @property
    def changed(self) -> bool:
        """Whether anything was rewritten."""
        return self.text is not self.before


class NotProved(IselError):
    """What was written for a window is not proved."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def message(self) -> str:
        """Return the line to print."""
        return f"what was written is not proved: {self.why}"
