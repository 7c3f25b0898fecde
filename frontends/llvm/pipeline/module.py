"""Rewrite a module."""

from __future__ import annotations

from contextlib import ExitStack

from frontends.llvm.linked import binding
from frontends.llvm.linked.layouts import with_layout
from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from frontends.llvm.pipeline.run import Run
from frontends.llvm.pipeline.session import Session
from frontends.llvm.pipeline.stages import PARSE
from frontends.llvm.pipeline.writer import Writer
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.text.parse import parse_module
from isel.collector import rarely
from isel.deadline import clock_of
from isel.workers import Pool


def rewrite_module(text: str, options: Options, tools: Tools, file: str = "<stdin>") -> Rewritten:
    """Rewrite a module given as LLVM text; raise :class:`isel.errors.IselError` for a module
    that is not one.
    """
    clock = clock_of(options.time_limit)
    printed = parse_module(source := binding.normalise(text, file))
    writer = Writer(text, printed, options.llvm_version, file)
    unchanged = writer.unchanged()
    module = with_layout(printed, options.triple)
    tools.watch(PARSE, lambda: source)
    if options.bisect_limit == 0:
        return Rewritten(source, source, ModuleReport(file), unchanged)
    with ExitStack() as stack:
        stack.enter_context(rarely())
        pool = stack.enter_context(Pool(options.jobs)) if options.jobs > 1 else None
        run = Run(module, options, tools, file, clock, pool)
        report, done = Session(run, writer).rewrite()
    if done is None:
        return Rewritten(source, source, report, unchanged)
    return Rewritten(source, done.printed.text, report, done.written, done.reprinted)
