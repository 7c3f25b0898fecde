"""Does one function refine another, block by block?  What is the same on both sides is one thing
here, so a function that was rewritten in places is quickly done; nothing is refuted.
"""

from __future__ import annotations

from frontends.llvm.cuts.compare import compare_by_cuts
from frontends.llvm.paths.heads import Compared, compare
from frontends.llvm.paths.size import too_large
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.machines import why_not_across
from frontends.llvm.refine.options import Options
from frontends.llvm.text.ast import Function
from frontends.llvm.text.identity import Pairing, identical, tokens
from isel.errors import UnknownName
from isel.model.verdict import Proved, Unknown
from isel.spec.target import Target
from isel.verify.prove import conjoined


def compare_blocks(
    source: Function, target: Function, isa: Target | None, frames: Frames, options: Options
) -> tuple[Proved | Unknown, Compared | None]:
    """Decide block by block, which proves or leaves open; return as well how what surrounds the
    functions compares, None where nothing else can be said of them.
    """
    alike = _same_types(source, target, frames.pairing)
    unlike = (
        frames.problem
        or ("" if alike else "the functions have different types")
        or why_not_across((source, target), frames.target.contents, options)
        or (frames.foreign if options.across else "")
    )
    if unlike:
        return Unknown(unlike), None
    if identical(source, target, frames.pairing):
        return conjoined(()), None
    around = compare(source, target, frames.pairing)
    problem = frames.foreign or around.problem or too_large(source) or too_large(target)
    if problem:
        return Unknown(problem), None
    isas = options.isas or (isa, isa)
    sides = frames.sides(source, target, isas, options)
    found = compare_by_cuts(sides)
    if isinstance(found, Unknown):
        from frontends.llvm.cuts.ways import compare_changed

        found = compare_changed(sides, found)
    if isinstance(found, Proved) and (illegal := why_illegal(target, isas[1], sides.called)):
        return Unknown(illegal), around
    return found, around


def _same_types(source: Function, target: Function, pairing: Pairing) -> bool:
    mine, theirs = ([f.type, *(a.type for a in f.arguments)] for f in (source, target))
    return len(mine) == len(theirs) and all(
        a == b and pairing.same(tokens(str(a)), tokens(str(b)))
        for a, b in zip(mine, theirs, strict=True)
    )


def why_illegal(function: Function, isa: Target | None, new: set[str]) -> str:
    """Return which instruction, that the target alone has, its function's features lack (R11);
    those of a function that names none are not known.
    """
    attributes = function.attributes
    if isa is None or not new or not {"target-features", "target-cpu"} & set(attributes):
        return ""
    try:
        features = isa.features(
            attributes.get("target-cpu", ""), attributes.get("target-features", "")
        )
    except UnknownName as problem:
        return problem.message()
    lacking = [i for i in isa.instructions() if i.name in new and not i.features <= features]
    # One intrinsic may be instructions of several features, as vpermd is of AVX2 and AVX-512.
    calls = {i.call for i in isa.instructions() if lacking and i.features <= features}
    return next(
        (f"the target's features lack '{i.name}'" for i in lacking if i.call not in calls - {""}),
        "",
    )
