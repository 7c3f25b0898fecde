"""``isel halide``: a pipeline of the ``halide`` package to an object, a C header and LLVM IR."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from frontends.halide import (
    Built,
    HalideTarget,
    Rewriter,
    build,
    load_pipeline,
    recipe,
    resolve,
    runtime_object,
)
from frontends.halide.candidates import GENERIC_ISEL, OWN, OWN_ISEL, PLAIN, Candidate, plain_code
from frontends.halide.choice import Choice, choose
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten
from frontends.llvm.report.text import table
from isel.api.tools import make_tools
from isel.cli.failures import tell_failures
from isel.cli.files import Outputs, check_writable
from isel.cli.given import note
from isel.cli.progress import progress
from isel.errors import UsageProblem
from isel.model.mechanisms import Disabled
from isel.progress import Tell, silent
from isel.workers import processors

# candidates in names of files
_SHORT: Final = {PLAIN: "plain", OWN: "own", OWN_ISEL: "own-isel", GENERIC_ISEL: "isel"}


@contextmanager
def rewriter(
    target: HalideTarget,
    *,
    effort: int = 1,
    jobs: int | None = None,
    cache: str | None = None,
    time_limit: float | None = None,
    strict: bool = True,
    disabled: Disabled = (),
    tell: Tell = silent,
) -> Iterator[Rewriter]:
    """Yield ``isel opt`` for a target as a function of a module's text and its file name.

    ``jobs`` are processes (default: one a processor), ``time_limit`` is in seconds, ``cache`` is a
    folder, a file, ``off`` or None for the usual place; what fails ends the run where it is
    ``strict``; ``disabled`` names mechanisms that are off.
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
        disabled=disabled,
    )
    with LlvmWorker() as worker, make_tools(worker, options, cache, tell=tell) as tools:

        def rewrite(text: str, file: str) -> Rewritten:
            return rewrite_module(text, options, tools, file)

        yield rewrite


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel halide``."""
    stem = _stem(arguments.output)
    kinds = ["o", "h", "ll"]
    if arguments.compare:
        kinds += ["s", *(f"{short}.{k}" for short in _SHORT.values() for k in ("o", "ll", "s"))]
    names = {kind: f"{stem}.{kind}" for kind in (*kinds, *["runtime.o"] * arguments.runtime)}
    for path in names.values():
        check_writable(path)
    cpu, features = arguments.mcpu or "", arguments.mattr or ""
    width = arguments.vector_width
    target = resolve(arguments.target, cpu=cpu, features=features, vector_bits=width)
    name, pipeline = load_pipeline(arguments.pipeline)
    wanted = recipe(pipeline, target, name, arguments.parameters, arguments.autoscheduler or "")
    flags = tuple(f for f in (arguments.halide_features or "").split("-") if f)
    settings = {
        "jobs": arguments.jobs,
        "time_limit": arguments.time_limit,
        "cache": arguments.cache,
        "strict": arguments.strict,
        "disabled": arguments.disabled or (),
    }
    effort = 1 if arguments.effort is None else arguments.effort
    with progress("compiling the pipeline", always=True) as tell:
        with rewriter(target, effort=effort, tell=tell, **settings) as rewrite:
            checked = not arguments.no_run
            built = build(
                wanted, target, _note(rewrite), flags=flags, compare=True, checked=checked
            )
        tell("comparing candidates", 0, 0)
        choice = choose(built, target, size=arguments.size or (), run=not arguments.no_run)
    with Outputs() as outputs:
        for kind, data in _files(built, choice, target, compare=arguments.compare).items():
            outputs.add(names[kind], data)
        if arguments.runtime:
            outputs.add(names["runtime.o"], runtime_object(target.own))
        outputs.commit()
    failed = (c.report for c in choice.candidates if c.report is not None)
    reproduced = [tell_failures(report, arguments.words) for report in failed]
    sys.stdout.write(f"{name}: {choice.sentence}; {', '.join(names.values())}\n")
    if arguments.report:
        sys.stderr.write(choice.table())
        if choice.chosen.report is not None:
            said = next(filter(None, reproduced), "")
            sys.stderr.write(table(choice.chosen.report.located({}), said))
    return 0


def _note(rewrite: Rewriter) -> Rewriter:
    """Return a rewriter whose modules, which Halide makes, are in a reproducer."""

    def note_and_rewrite(text: str, file: str) -> Rewritten:
        note("module*.ll", text.encode(errors="surrogateescape"))
        return rewrite(text, file)

    return note_and_rewrite


def _stem(output: str) -> str:
    """Return what the names of all written files begin with."""
    root, kind = os.path.splitext(output)
    stem = root if kind in (".o", ".h", ".ll") else output
    if not os.path.basename(stem):
        raise UsageProblem(f"-o {output} names no file, expected the stem of the files to write")
    return stem


def _files(
    built: Built, choice: Choice, target: HalideTarget, *, compare: bool
) -> dict[str, bytes]:
    found = {"h": built.header.encode()} | _kinds("", choice.chosen)
    if not compare:
        del found["s"]
        return found
    plain = plain_code(built, target)
    for candidate in (plain, *choice.candidates):
        found |= _kinds(f"{_SHORT[candidate.name]}.", candidate)
    return found


def _kinds(prefix: str, candidate: Candidate) -> dict[str, bytes]:
    return {
        f"{prefix}o": candidate.code.object,
        f"{prefix}ll": candidate.code.text.encode(),
        f"{prefix}s": candidate.code.assembly.encode(),
    }
