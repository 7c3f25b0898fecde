"""Does one function refine another, of which nobody has said how it was made?  It is guessed, and
shown by :mod:`frontends.llvm.refine.functions`, which does not know who guesses.
"""

from __future__ import annotations

from dataclasses import replace

from frontends.llvm.passes.guesses import GUESSES
from frontends.llvm.refine import functions
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.functions import Judged
from frontends.llvm.refine.options import Options
from frontends.llvm.text.ast import Function, Module
from isel.spec.target import Target


def judge(
    source: Function,
    target: Function,
    isa: Target | None,
    frames: Frames,
    options: Options | None = None,
    *,
    by_blocks: bool = False,
) -> Judged:
    """Decide as :func:`functions.judge` does."""
    told = replace(options or Options(), guesses=GUESSES)
    return functions.judge(source, target, isa, frames, told, by_blocks=by_blocks)


def judge_modules(
    a: Module, b: Module | None, isa: Target | None, options: Options | None = None
) -> list[tuple[str, Judged]]:
    """Decide as :func:`functions.judge_modules` does."""
    return functions.judge_modules(a, b, isa, replace(options or Options(), guesses=GUESSES))
