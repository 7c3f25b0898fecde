"""From a pipeline to modules and objects: generic IR, the same rewritten, and what Halide makes
itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias, TypeVar

from frontends.halide.align import align_stack
from frontends.halide.forked import forked
from frontends.halide.merge import merge_slices
from frontends.halide.model import Model
from frontends.halide.package import (
    LEAN,
    Compiled,
    HalideProblem,
    PipelineFunction,
    Signature,
    compile_pipeline,
    halide,
)
from frontends.halide.realise import Recipe, realise
from frontends.halide.retarget import retarget
from frontends.halide.targets import HalideTarget
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.pipeline.options import Rewritten
from frontends.llvm.report.tried import ModuleReport
from semantics import isa_named

T = TypeVar("T")
Rewriter: TypeAlias = Callable[[str, str], Rewritten]  # text and file name of a module


@dataclass(frozen=True, slots=True)
class Generic:
    """A pipeline as LLVM IR without any target's intrinsics, vectors whole; ``sliced`` is how
    Halide gave it.
    """

    signature: Signature
    header: str
    text: str
    sliced: str
    seconds: dict[str, float] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Built:
    """A pipeline rewritten, with what it can be compared to.

    ``generic`` is the module without target's intrinsics before and after ``isel``; neither has
    been through LLVM's pipeline for the target.  If that was asked for, ``own`` is what Halide's
    own back end makes, ``own_ir`` its module before and after ``isel``, and ``checked`` its object,
    with run-time checks and bounds queries if they were asked for; ``lacks`` says why there is
    none where that back end fails.
    """

    signature: Signature
    header: str
    generic: Rewritten
    own: Compiled | None
    own_ir: Rewritten | None
    checked: bytes
    seconds: dict[str, float] = field(compare=False)
    lacks: str = ""

    @property
    def plain_ll(self) -> str:
        """The generic module; the baseline's input."""
        return self.generic.before

    @property
    def isel_ll(self) -> str:
        """The generic module after ``isel``."""
        return self.generic.text

    @property
    def report(self) -> ModuleReport:
        """What was done to the generic module."""
        return self.generic.report


def generic(
    pipeline: PipelineFunction, target: HalideTarget, *, name: str = "", flags: Sequence[str] = LEAN
) -> Generic:
    """Return the generic IR of a pipeline; ``flags`` are Halide features (default: no run-time
    checks).

    Raises :class:`HalideProblem` for a pipeline that Halide does not compile.
    """
    return _merged(_by_halide(recipe(pipeline, target, name), target, flags), target)


def recipe(
    pipeline: PipelineFunction,
    target: HalideTarget,
    name: str = "",
    parameters: Sequence[tuple[str, str]] = (),
    autoscheduler: str = "",
) -> Recipe:
    """Return a pipeline for a target under a name (default: the function's)."""
    name = name or getattr(pipeline, "__name__", "pipeline")
    return Recipe(pipeline, name, target.own, tuple(parameters), autoscheduler)


@dataclass(frozen=True, slots=True)
class _ByHalide:
    """What Halide makes of a pipeline, and how long that took."""

    signature: Signature
    generic: Compiled
    own: Compiled | None
    checked: bytes
    seconds: dict[str, float]
    lacks: str = ""


def _by_halide(
    wanted: Recipe,
    target: HalideTarget,
    flags: Sequence[str],
    *,
    compare: bool = False,
    checked: bool = False,
    seconds: int | None = None,
) -> _ByHalide:
    halide()  # once, for every child
    what = f"'{wanted.name}'"
    try:
        return forked(lambda: _compiled(wanted, target, flags, compare, checked), what, seconds)
    except HalideProblem as problem:
        if not compare:
            raise
        found = forked(lambda: _compiled(wanted, target, flags, False, False), what, seconds)
        return replace(found, lacks=problem.message())


def _compiled(
    wanted: Recipe, target: HalideTarget, flags: Sequence[str], compare: bool, checked: bool
) -> _ByHalide:
    start = time.perf_counter()
    made = realise(wanted)
    found = compile_pipeline(made, target.generic, flags, code=False)
    seconds = {"halide": time.perf_counter() - start}
    if not compare:
        return _ByHalide(made.signature, found, None, b"", seconds)
    start = time.perf_counter()
    own = compile_pipeline(made, target.own, flags)
    seconds["own"] = time.perf_counter() - start
    checks, code = [f for f in flags if f not in LEAN], own.object
    if checked and len(checks) < len(flags):
        code = compile_pipeline(made, target.own, checks).object
    return _ByHalide(made.signature, found, own, code, seconds)


def _merged(base: _ByHalide, target: HalideTarget) -> Generic:
    start = time.perf_counter()
    name = base.signature.name
    job = partial(_whole, base.generic.text, target, name)
    sliced, whole = _in_worker(job, f"LLVM cannot read what Halide made of '{name}'")
    seconds = {**base.seconds, "merge": time.perf_counter() - start}
    return Generic(base.signature, base.generic.header, whole, sliced, seconds)


def _whole(text: str, target: HalideTarget, name: str) -> tuple[str, str]:
    sliced = retarget(text, target, f"{name}.ll")
    return sliced, align_stack(merge_slices(sliced, f"{name}.ll"), target.vector_bits // 8)


def build(
    wanted: PipelineFunction | Recipe,
    target: HalideTarget,
    rewrite: Rewriter,
    *,
    flags: Sequence[str] = LEAN,
    compare: bool = False,
    checked: bool = False,
    limit: int | None = None,
) -> Built:
    """Build a pipeline for a target; ``compare`` adds Halide's own code, and that rewritten,
    ``checked`` the same with run-time checks; ``limit`` are seconds of processor time that Halide
    may take for all of that.

    ``rewrite`` is ``isel opt`` on a module (:func:`isel.cli.halide.rewriter`), ``flags`` are Halide
    features (default: no run-time checks).  Raises :class:`HalideProblem` for a pipeline that
    Halide does not compile; of one that only its back end for the target fails on there is no own
    code.
    """
    wanted = wanted if isinstance(wanted, Recipe) else recipe(wanted, target)
    base = _by_halide(wanted, target, flags, compare=compare, checked=checked, seconds=limit)
    merged = _merged(base, target)
    start = time.perf_counter()
    file = f"{base.signature.name}.ll"
    done = rewrite(_unrolled(merged.text, target), file)
    own_ir = None
    if base.own is not None:
        job = partial(retarget, base.own.text, target, file)
        own = _in_worker(job, f"LLVM cannot read what Halide made of '{file}'")
        own_ir = rewrite(own, file)
    seconds = {**merged.seconds, "isel": time.perf_counter() - start}
    made = (done, base.own, own_ir, base.checked)
    return Built(base.signature, merged.header, *made, seconds, base.lacks)


def _unrolled(text: str, target: HalideTarget) -> str:
    """Return generic IR after -O3, where unrolled loops cost nothing and the model says so: then
    values are searched that lie in memory before.
    """
    if not isa_named(target.name).machine.in_order:
        return text
    with LlvmWorker() as worker:
        return Model(target, worker).better(text).text


def _in_worker(job: Callable[[], T], failure: str) -> T:
    """Return what a job does in a worker; raise :class:`HalideProblem` where that dies."""
    with LlvmWorker() as worker:
        found = worker.run(job)
    if isinstance(found, WorkerFailed):
        raise HalideProblem(f"{failure}: {found.reason}")
    return found


def object_of(text: str, target: HalideTarget, *, optimise: bool = True) -> bytes:
    """Return a module as an object file, after LLVM's pipeline unless ``optimise`` is off;
    raises :class:`HalideProblem`.
    """
    return _in_worker(partial(_object, text, target, optimise), "LLVM generates no code")


def assembly_of(text: str, target: HalideTarget) -> str:
    """Return the assembly of what :func:`object_of` makes an object of."""
    return _in_worker(partial(_assembly, text, target), "LLVM generates no code")


def _optimised(text: str, target: HalideTarget) -> str:
    return binding.optimise(text, triple=target.triple, cpu=target.cpu, features=target.features)


def _object(text: str, target: HalideTarget, optimise: bool) -> bytes:
    text = _optimised(text, target) if optimise else text
    return binding.object_code(text, triple=target.triple, cpu=target.cpu, features=target.features)


def _assembly(text: str, target: HalideTarget) -> str:
    text = _optimised(text, target)
    return binding.assembly(text, triple=target.triple, cpu=target.cpu, features=target.features)
