"""Verdicts on modules, without what shows refutations."""

from __future__ import annotations

from dataclasses import replace

from frontends.llvm.linked.layouts import with_own_layout
from frontends.llvm.passes.guesses import GUESSES
from frontends.llvm.refine.decide import decide, judge_modules
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.options import Options
from frontends.llvm.text.ast import Function, Module
from isel.model.verdict import Verdict
from isel.spec.target import Target


def verify_function(
    source: Function,
    target: Function,
    isa: Target | None,
    modules: tuple[Module, Module],
    options: Options | None = None,
) -> Verdict:
    """Decide whether ``target`` refines ``source``; ``modules`` are those in which they stand."""
    options = replace(options or Options(), guesses=GUESSES)
    return decide(source, target, isa, Frames.of(*map(with_own_layout, modules)), options).verdict


def verify_modules(
    a: Module, b: Module | None, isa: Target | None, options: Options | None = None
) -> list[tuple[str, Verdict]]:
    """Return a verdict a function: pairs ``@src``/``@tgt`` (with the same number) of one
    module, or equally named functions of two.
    """
    options = replace(options or Options(), guesses=GUESSES)
    other = None if b is None else with_own_layout(b)
    return [(name, j.verdict) for name, j in judge_modules(with_own_layout(a), other, isa, options)]
