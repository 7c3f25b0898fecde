"""A user's own instructions: read with every check, and admitted only with a proof that the
emission refines the formula.

An instruction says what a lane is and how LLVM IR says it.  The shipped ones are held against a
vendor's text and a CPU; here nothing but LLVM's own operations and intrinsics that the shipped
semantics know are believed, so a formula cannot lie about what is emitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, assert_never

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.errors import BadModule, SyntaxProblem
from isel.model.verdict import Proved, Refuted, Unknown
from isel.spec.instruction import Instruction
from isel.spec.lanes import LaneFunction
from isel.spec.sem import read_sem
from isel.spec.target import Target
from semantics import proofs
from semantics.samples import immediate_choices

_IMMEDIATES: Final = (
    16  # values for which an emission is proved, as those of the shipped instructions are
)
_EFFORT: Final = 4


class Refused(SyntaxProblem):
    """An instruction of a user's file that may not be used."""


def admitted(
    sources: Sequence[tuple[str, str]], shipped: Target, features: frozenset[str]
) -> tuple[Instruction, ...]:
    """Return the instructions of some files, proved; raises :class:`isel.spec.sem.SemProblems` and
    :class:`Refused`.

    ``features`` are the names that a target knows.
    """
    taken = {i.name for i in shipped.instructions()}
    found: list[Instruction] = []
    with LlvmWorker() as worker:
        for file, text in sources:
            for i in read_sem(text, file):
                why = "is the name of another instruction"
                if i.name not in taken:
                    why = next(_objections(i, shipped, features, worker), "")
                if why:
                    raise Refused(f"'{i.name}' {why}", text, _position(i), file)
                taken.add(i.name)
                found.append(
                    replace(i, call="")
                )  # its emission is what is proved; no call stands for it
    return tuple(found)


def _objections(
    i: Instruction, shipped: Target, features: frozenset[str], worker: LlvmWorker
) -> Iterator[str]:
    if i.features - features:
        yield f"needs '{min(i.features - features)}', which is no feature of {shipped.name}"
    for immediates in immediate_choices(i.immediates, _IMMEDIATES, 0):
        problem = _problem(i, immediates, shipped, worker)
        if problem:
            said = ", ".join(f"{n} is {v}" for n, v in immediates.items())
            at = f" where {said}" if said else ""
            yield f"is refused: its emission is not proved to refine its lanes{at} ({problem})"


def _problem(
    i: Instruction, immediates: Mapping[str, int], shipped: Target, worker: LlvmWorker
) -> str:
    """Return why an emission is not proved, or nothing; LLVM reads a user's text in a process
    of its own first.
    """
    try:
        read = worker.run(partial(binding.normalise, proofs.emission_function(i, immediates)))
        if isinstance(read, WorkerFailed):
            return f"LLVM cannot read it: {read.reason}"
        verdict = proofs.prove_emission(i, immediates, shipped, _EFFORT)
    except BadModule as problem:
        return f"LLVM cannot read it: {problem.what}"
    except ValueError as problem:  # no lines of it hold for these immediates
        return str(problem)
    match verdict:
        case Proved():
            return ""
        case Refuted(_, where):
            return f"refuted: {where}"
        case Unknown(reason):
            return reason
        case _:
            assert_never(verdict)


def _position(i: Instruction) -> int:
    return i.lane.family.name.at if isinstance(i.lane, LaneFunction) else 0
