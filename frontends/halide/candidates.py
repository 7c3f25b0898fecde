"""Ways to a pipeline's code, and the choice between them: Halide's own object, its IR through
``isel``, generic IR through ``isel``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from frontends.halide.build import Built
from frontends.halide.model import Compiled, Model
from frontends.halide.targets import HalideTarget
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.report.tried import ModuleReport
from isel.timing import Times, ratio

PLAIN: Final = "generic"
OWN: Final = "own"
OWN_ISEL: Final = "own + isel"
GENERIC_ISEL: Final = "generic + isel"
GAIN: Final = 0.02  # what another candidate must win over Halide's own
_ROUNDS: Final = 2 / 3  # in how many rounds it must be faster


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to a pipeline's code; ``barred`` says why the model does not compare it with Halide's
    own, empty where it does; ``report`` is what ``isel`` did.
    """

    name: str
    code: Compiled
    barred: str = ""
    report: ModuleReport | None = None


def candidates_of(built: Built, target: HalideTarget) -> tuple[Candidate, ...]:
    """Return the candidates of a pipeline that was built with ``compare``, Halide's own first;
    its code is as Halide has generated it.  Where there is none, generic IR through ``isel`` is
    the only one.
    """
    with LlvmWorker() as worker:
        model = Model(target, worker)
        if built.own is None or built.own_ir is None:
            only = model.best(built.generic.text, built.generic.before)
            return (Candidate(GENERIC_ISEL, only, report=built.generic.report),)
        own = model.of_assembly(built.own.text, built.own.object, built.own.assembly)
        found = [Candidate(OWN, own)]
        for name, done in ((OWN_ISEL, built.own_ir), (GENERIC_ISEL, built.generic)):
            code = model.best(done.text, done.before)
            found.append(Candidate(name, code, code.why_not(own), done.report))
    return tuple(found)


def plain_code(built: Built, target: HalideTarget) -> Candidate:
    """Return what LLVM alone makes of the generic IR, in the better of its ways: what ``isel``
    is compared with.
    """
    with LlvmWorker() as worker:
        return Candidate(PLAIN, Model(target, worker).best(built.plain_ll))


def by_model(candidates: Sequence[Candidate]) -> Candidate:
    """Return the cheapest candidate of those that the model compares, the first of equal ones."""
    return min((c for c in candidates if not c.barred), key=lambda c: round(c.code.total, 6))


def by_time(
    candidates: Sequence[Candidate], times: Sequence[Times], different: Sequence[str] = ()
) -> Candidate:
    """Return the candidate that :func:`fastest` names."""
    name = fastest(times, different)
    return next(c for c in candidates if c.name == name)


def fastest(times: Sequence[Times], different: Sequence[str] = ()) -> str:
    """Return the name of the fastest version that computes the same, the first where no other is
    faster than it by :data:`GAIN`, and faster in two rounds of three.

    How much faster is the median of paired rounds; two runs of one code differ in it by more than
    :data:`GAIN` on a busy machine, but seldom in one direction.
    """
    first = times[0]
    ratios = {
        t.version: ratio(first.rounds, t.rounds) or 0.0
        for t in times[1:]
        if t.version not in different and _mostly(first, t)
    }
    best = max(ratios, key=lambda v: ratios[v], default=first.version)
    return best if ratios.get(best, 0.0) >= 1 + GAIN else first.version


def _mostly(first: Times, other: Times) -> bool:
    faster = sum(a > b for a, b in zip(first.rounds, other.rounds, strict=True))
    return faster >= _ROUNDS * len(first.rounds)
