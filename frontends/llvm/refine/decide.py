"""Does one function refine another?  The one entry to a proof: identity, then block by block, where
what is the same on both sides is one thing, so that a function that was rewritten in places is
quickly done; then, where that is asked for, executed from end to end, which refutes as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from frontends.llvm.cuts.compare import compare_by_cuts
from frontends.llvm.meaning.partial import readings
from frontends.llvm.paths.heads import compare
from frontends.llvm.paths.size import too_large
from frontends.llvm.refine.frames import Frames, Isas
from frontends.llvm.refine.options import Judged, Options
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.identity import Contents, Pairing, identical, mention, tokens
from isel.model.verdict import Proved, Unknown
from isel.spec.target import Target
from isel.verify.prove import conjoined

_PAIR: Final = re.compile(r"src(\d*)")


def decide(
    source: Function,
    target: Function,
    isa: Target | None,
    frames: Frames,
    options: Options | None = None,
) -> Judged:
    """Decide whether ``target`` refines ``source``; how it was made of that is what the options'
    guesses are told, or guess.  A source that leaves groupings open is refined where one reading of
    it is.
    """
    options = options or Options()
    isas = options.isas or (isa, isa)
    found = _decide(source, target, isas, frames, options)
    for plain in readings(source) if isinstance(found.verdict, Unknown) else ():
        again = _decide(plain, target, isas, frames, options)
        if isinstance(again.verdict, Proved):
            return replace(again, source=source)
    return found


def _decide(
    source: Function, target: Function, isas: Isas, frames: Frames, options: Options
) -> Judged:
    alike = _same_types(source, target, frames.pairing)
    unlike = (
        frames.problem
        or ("" if alike else "the functions have different types")
        or (_why_not_across(source, target, frames, options) if options.across else "")
    )
    if unlike:
        return Judged(Unknown(unlike), source)
    if identical(source, target, frames.pairing):
        return Judged(conjoined(()), source)
    around = compare(source, target, frames.pairing)
    problem = frames.foreign or around.problem or too_large(source) or too_large(target)
    if problem:
        return Judged(Unknown(problem), source)
    found = _by_blocks(source, target, isas, frames, options)
    if isinstance(found, Proved) or not options.whole:
        return Judged(found, source)
    from frontends.llvm.refine.whole import Whole

    whole = Whole(source, target, isas, frames, options, around).judge()
    if isinstance(whole.verdict, Unknown):
        return Judged(Unknown(f"{whole.verdict.reason}; {found.reason}"), source)
    return whole


def _by_blocks(
    source: Function, target: Function, isas: Isas, frames: Frames, options: Options
) -> Proved | Unknown:
    sides = frames.sides(source, target, isas, options)
    found = compare_by_cuts(sides)
    if isinstance(found, Unknown):
        from frontends.llvm.cuts.ways import compare_changed

        found = compare_changed(sides, found)
    if isinstance(found, Proved) and sides.called:
        from frontends.llvm.refine.machines import why_illegal

        illegal = why_illegal(target, isas[1], sides.called)
        return Unknown(illegal) if illegal else found
    return found


def _why_not_across(source: Function, target: Function, frames: Frames, options: Options) -> str:
    from frontends.llvm.refine.machines import why_not_across  # most pairs are of one machine

    return why_not_across((source, target), frames.target.contents, options) or frames.foreign


def _same_types(source: Function, target: Function, pairing: Pairing) -> bool:
    mine, theirs = ([f.type, *(a.type for a in f.arguments)] for f in (source, target))
    return len(mine) == len(theirs) and all(
        a == b and pairing.same(tokens(str(a)), tokens(str(b)))
        for a, b in zip(mine, theirs, strict=True)
    )


def judge_modules(
    a: Module, b: Module | None, isa: Target | None, options: Options | None = None
) -> list[tuple[str, Judged]]:
    """Return what was found of each function: pairs ``@src``/``@tgt`` (with the same number) of
    one module, or equally named functions of two.
    """
    other = a if b is None else b
    tails = {f.name: f for f in other.functions}
    frames = Frames.of(a, other, across=options is not None and options.across)
    pairs = {m[0]: f"tgt{m[1]}" for f in a.functions if (m := _PAIR.fullmatch(f.name))}
    names = {f.name: f.name if b is not None else pairs.get(f.name, "") for f in a.functions}
    found: list[tuple[str, Judged]] = []
    for f in (f for f in a.functions if names[f.name]):
        g = tails.get(names[f.name])
        if g is None:
            found.append((f.name, Judged(Unknown(f"there is no function @{names[f.name]}"), f)))
        else:
            found.append((f.name, decide(f, g, isa, frames, options)))
    alone = [f"@{x}" for x in {**names, **tails} if (x in names) != (x in tails)]
    return found if b is None else _compose(found, alone, frames.source.contents)


def _compose(
    found: list[tuple[str, Judged]], alone: Sequence[str], said: Contents
) -> list[tuple[str, Judged]]:
    """Take a proof back where a function mentions another one that is not proved, itself or by way
    of constants.

    ``alone`` are the functions (``@name``) that one module defines and the other does not.
    """
    open_ = {f"@{name}" for name, j in found if not isinstance(j.verdict, Proved)}
    open_.update(alone)
    mentions = {f"@{name}": mention(j.source, said) - {f"@{name}"} for name, j in found}
    while more := {name for name, used in mentions.items() if name not in open_ and used & open_}:
        open_ |= more
    order = [*mentions, *alone]

    def rests(name: str, j: Judged) -> Judged:
        culprit = min(mentions[f"@{name}"] & open_, key=order.index, default="")
        if not culprit or not isinstance(j.verdict, Proved):
            return j
        return Judged(Unknown(f"it rests on {culprit}, which is not proved"), j.source)

    return [(name, rests(name, j)) for name, j in found]
