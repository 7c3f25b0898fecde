"""Rewrite a module: transforms, windows, and what is taken back of them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from frontends.llvm.deadline import clock_of
from frontends.llvm.linked import binding
from frontends.llvm.opt.decided import Recent, Stale
from frontends.llvm.opt.layers import Layering
from frontends.llvm.opt.options import Options, Rewritten, Tools
from frontends.llvm.opt.rungs import Known, Rounds
from frontends.llvm.opt.session import Session
from frontends.llvm.opt.stages import PARSE
from frontends.llvm.opt.writer import Text, Writer, with_layout
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Ledger
from isel.collector import rarely
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
    forgotten: frozenset[str] = frozenset()
    ledger, layering = Ledger(), Layering(module, options, tools, file, clock.loads)
    answers: Known = {}
    if tools.memory is None:  # functions of which nothing is taken back are decided once a run
        tools = replace(tools, memory=Recent())
    with ExitStack() as stack:
        stack.enter_context(rarely())
        pool = stack.enter_context(Pool(options.jobs)) if options.jobs > 1 else None
        while True:
            layers = layering.run(ledger)
            after, left = writer.after(layers.edits), layers.limit(options)
            try:
                rounds = Rounds(left, tools, pool, clock.search, answers)
                session = Session(
                    layers.module, left, tools, file, rounds, clock, forgotten, after, ledger
                )
                done: Text | str | None = session.run()
            except Stale as stale:
                forgotten |= stale.functions
                continue
            if done is None and layers.edits:
                done = after.attempt(dict, {})
            if ledger.take_back(layering.find_lost(layers, done)):
                continue
            report = layers.report(session.report())
            if not isinstance(done, Text):
                return Rewritten(source, source, report, unchanged)
            return Rewritten(source, done.printed.text, report, done.written, done.reprinted)
