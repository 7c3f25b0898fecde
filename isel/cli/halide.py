"""``isel halide``: a pipeline of the ``halide`` package to an object, a C header and LLVM IR."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from frontends.halide import Built, HalideTarget, Rewriter, assembly_of, build, load_pipeline, object_of, resolve, runtime_object
from frontends.llvm.opt import Options, Rewritten, rewrite_module
from frontends.llvm.report import table
from frontends.llvm.worker import LlvmWorker
from isel.cli.failures import tell_failures
from isel.cli.files import Outputs, check_writable
from isel.cli.tools import make_tools
from isel.errors import UsageProblem
from isel.workers import processors


@contextmanager
def rewriter(
    target: HalideTarget, *, effort: int = 1, jobs: int | None = None, cache: str | None = None, time_limit: float | None = None, strict: bool = True
) -> Iterator[Rewriter]:
    """Yield ``isel opt`` for a target as a function of a module's text and its file name.

    ``jobs`` are processes (default: one a processor), ``time_limit`` is in seconds, ``cache`` is a
    folder, a file, ``off`` or None for the usual place; what fails ends the run where it is ``strict``.
    """
    options = Options(
        triple=target.triple,
        cpu=target.cpu,
        features=target.features,
        effort=effort,
        jobs=jobs or processors(),
        time_limit=time_limit,
        vector_width=target.vector_bits,
        strict=strict,
    )
    with LlvmWorker() as worker, make_tools(worker, options, cache) as tools:

        def rewrite(text: str, file: str) -> Rewritten:
            return rewrite_module(text, options, tools, file)

        yield rewrite


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel halide``."""
    stem = _stem(arguments.output)
    names = {kind: f"{stem}.{kind}" for kind in ("o", "h", "ll")}
    if arguments.compare:
        names |= {kind: f"{stem}.{kind}" for kind in ("s", "plain.o", "plain.ll", "plain.s", "own.o", "own.ll", "own.s")}
    if arguments.runtime:
        names["runtime.o"] = f"{stem}.runtime.o"
    for path in names.values():
        check_writable(path)
    target = resolve(arguments.target, cpu=arguments.mcpu or "", features=arguments.mattr or "", vector_bits=arguments.vector_width)
    name, pipeline = load_pipeline(arguments.pipeline)
    flags = tuple(f for f in (arguments.halide_features or "").split("-") if f)
    settings = {"jobs": arguments.jobs, "time_limit": arguments.time_limit, "cache": arguments.cache, "strict": arguments.strict}
    with rewriter(target, effort=1 if arguments.effort is None else arguments.effort, **settings) as rewrite:
        built = build(pipeline, target, rewrite, name=name, flags=flags, compare=arguments.compare)
    with Outputs() as outputs:
        for kind, data in _files(built, target).items():
            outputs.add(names[kind], data)
        if arguments.runtime:
            outputs.add(names["runtime.o"], runtime_object(target.own))
        outputs.commit()
    report = built.report
    reproduced = tell_failures(report, arguments.words)
    sys.stdout.write(f"{name}: {len(report.windows)} windows, {len(report.rewritten)} rewritten; {', '.join(names.values())}\n")
    if arguments.report:
        sys.stderr.write(table(report, reproduced))
    return 0


def _stem(output: str) -> str:
    """Return what the names of all written files begin with."""
    root, kind = os.path.splitext(output)
    stem = root if kind in (".o", ".h", ".ll") else output
    if not os.path.basename(stem):
        raise UsageProblem(f"-o {output} names no file, expected the stem of the files to write")
    return stem


def _files(built: Built, target: HalideTarget) -> dict[str, bytes]:
    found = {"o": object_of(built.isel_ll, target), "h": built.header.encode(), "ll": built.isel_ll.encode()}
    if built.own is not None:
        found |= {
            "s": assembly_of(built.isel_ll, target).encode(),
            "plain.o": object_of(built.plain_ll, target),
            "plain.ll": built.plain_ll.encode(),
            "plain.s": assembly_of(built.plain_ll, target).encode(),
            "own.o": built.own.object,
            "own.ll": built.own.text.encode(),
            "own.s": built.own.assembly.encode(),
        }
    return found
