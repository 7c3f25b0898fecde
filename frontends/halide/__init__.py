"""The Halide front end: pipelines of the ``halide`` package through ``isel``, and back into numpy.

The package is an optional extra (``pip install 'isel[halide]'``) and is imported only when a
pipeline is compiled; everything else here works without it.

Building (:mod:`frontends.halide.build`)::

    target = resolve("x86", cpu="sapphirerapids")                 # or cpu="native"
    with isel.cli.halide.rewriter(target, effort=1, jobs=2, cache="off") as rewrite:
        built = build(pipeline, target, rewrite, compare=True)
        # pipeline: a function that returns (Func, [ImageParam, Param, ...])

    built.signature       name, inputs, scalars and outputs with numpy types and dimensions
    built.plain_ll        generic LLVM IR with whole vectors, retargeted; the baseline's input
    built.isel_ll         the same after ``isel opt``
    built.report          ModuleReport: windows, .rewritten, and why others were kept
    built.own             Halide's own back end (object, assembly, text); None without ``compare``
    built.header          the C header
    built.seconds         wall-clock seconds by phase: "halide", "merge", "isel", "own"

``merged = generic(pipeline, target)`` alone gives signature, header and merged IR without a
rewriter.

Running (:mod:`frontends.halide.native`; this machine only)::

    plain = callable_of(built.plain_ll, built.signature, target)  # -O3 and code, in a worker
    isel = callable_of(built.isel_ll, built.signature, target)
    own = callable_of(built.own.object, built.signature, target)  # object code as it is

    isel(image, out)             # arguments in the order of the pipeline's list, then the outputs
    isel.bind(image, out)(1000)  # nanoseconds of 1000 calls; bind once, call the result in turns

Arrays are numpy's: the last axis is Halide's first dimension, and every dimension starts at 0.
Inputs must hold all that the pipeline reads: by default code is built without Halide's run-time
checks.
"""

from frontends.halide.build import (
    Built,
    Generic,
    Rewriter,
    assembly_of,
    build,
    generic,
    object_of,
    recipe,
)
from frontends.halide.load import load_pipeline
from frontends.halide.native import Filter, callable_of
from frontends.halide.package import (
    Compiled,
    HalideProblem,
    Parameter,
    PipelineFunction,
    Signature,
    natural_bytes,
    runtime_object,
)
from frontends.halide.targets import HalideTarget, resolve

__all__ = [
    "Built", "Compiled", "Filter", "Generic", "HalideProblem", "HalideTarget", "Parameter",
    "PipelineFunction", "Rewriter", "Signature", "assembly_of", "build", "callable_of", "generic",
    "load_pipeline", "natural_bytes", "object_of", "recipe", "resolve", "runtime_object",
]  # fmt: skip
