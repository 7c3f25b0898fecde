"""Runs of the rewriter with a fault in it, each in a child, with and without the last proof."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import _lru_cache_wrapper, cache
from importlib import import_module
from typing import Final

from frontends.llvm.pipeline.judge import Judge
from frontends.llvm.pipeline.layers import Layering
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from frontends.llvm.pipeline.planned import Planned
from frontends.llvm.refine.frames import Frames
from frontends.llvm.report.tried import Outcome
from frontends.llvm.splicing.check import Checker
from frontends.llvm.splicing.write import Rewrite
from frontends.llvm.text.ast import Function
from isel.api.tools import Making
from isel.cost.judgement import Judgement
from isel.cost.work import Work
from isel.model.program import Program
from isel.model.verdict import Certificate, Proved, Verdict
from isel.model.window import Window
from isel.spec.target import Target
from isel.synth import loop
from semantics import target_for
from tests.children import Done, in_children
from tests.planted.faults import Fault
from tests.planted.kernels import SATURATED
from tests.transplant import replaced, transplant

NOT_PROVED: Final = "what was written is not proved"
_OPTIONS: Final = Options(triple="x86_64-pc-linux-gnu", cpu="haswell")


class Net(Enum):
    """What runs: the rewriter as it is, or with a fault and with the last proof on or off."""

    SOUND = "without the fault"
    OFF = "without the last proof"
    ON = "with the last proof"


@dataclass(frozen=True, slots=True)
class Written:
    """A module before and after, and the windows that were kept, with the reason."""

    before: str
    text: str
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Anything:
    """A gate that lets everything through, so that no fault depends on a price; other forms of
    what accumulates sixteen lanes are the cheaper ones.
    """

    def judge(self, before: str, after: str, function: str) -> Judgement:
        return Judgement(True, "", 1.0, 0.5 * ("phi <16 x i32>" in after))

    def work(self, module: str, functions: Sequence[str]) -> list[Work]:
        return [Work()] * len(functions)


def _judge(target: Target, cpu: str, features: str, triple: str) -> Judge:
    return _Anything()


TOOLS: Final = Tools(target_for, Making(None, prove_again=False), _judge)


def rewritten(text: str) -> Rewritten:
    """Return what the rewriter makes of a module, without a cache."""
    return rewrite_module(text, _OPTIONS, TOOLS)


@cache
def _warm() -> None:
    """Read the instructions once, for all children."""
    rewritten(SATURATED)


def written(fault: Fault, net: Net) -> Written:
    """Return what a run writes."""
    _warm()
    ((_, found),) = in_children(_written, [(fault, net)], jobs=1, seconds=120)
    assert isinstance(found, Done), found
    return found.value


def _forget() -> None:
    """Let rules be compiled again, and all that was made by them."""
    kept = ("isel.rules.", "isel.egraph.terms", "isel.synth.", "frontends.llvm.pipeline.search")
    for name, module in list(sys.modules.items()):
        for value in list(vars(module).values()) if name.startswith(kept) else ():
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()


def _written(job: tuple[Fault, Net]) -> Written:
    fault, net = job
    if net is not Net.SOUND:
        module = import_module(fault.module)
        transplant(module, replaced(module, fault.old, fault.new))
        _forget()
        if fault.searched:
            vars(loop)["WindowSearch"]._verdict = _believe_search
    if net is Net.OFF:
        type.__setattr__(Checker, "check", _believe)
        type.__setattr__(Layering, "verdict", _believe_loads)
    done = rewritten(fault.kernel)
    kept = tuple(w.reason for w in done.report.windows if w.outcome is Outcome.KEPT)
    return Written(done.before, done.text, kept)


def _believe(checker: Checker, rewrite: Rewrite, certificate: Certificate | None = None) -> Verdict:
    return Proved(Certificate((), ()))


def _believe_loads(
    layering: Layering, p: Planned, after: Function, target: Target, frames: Frames
) -> Verdict:
    return Proved(Certificate((), ()))


def _believe_search(
    search: object, program: Program, window: Window | None = None, turns: int = 0
) -> Verdict:
    return Proved(Certificate((), ()))
