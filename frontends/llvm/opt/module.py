"""Rewrite a module: transforms, windows, and what is taken back of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

from frontends.llvm.linked import binding
from frontends.llvm.linked.layouts import with_layout
from frontends.llvm.opt.decided import Recent
from frontends.llvm.opt.function import Rival
from frontends.llvm.opt.layers import Layering, Layers
from frontends.llvm.opt.options import Options, Rewritten, Tools
from frontends.llvm.opt.planned import Planned
from frontends.llvm.opt.run import Run
from frontends.llvm.opt.session import Session
from frontends.llvm.opt.stages import PARSE
from frontends.llvm.opt.writer import Text, Writer
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Entry, Ledger
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
    if tools.memory is None:  # functions of which nothing is taken back are decided once a run
        tools = replace(tools, memory=Recent())
    with ExitStack() as stack:
        stack.enter_context(rarely())
        pool = stack.enter_context(Pool(options.jobs)) if options.jobs > 1 else None
        run = Run(module, options, tools, file, clock, pool)
        report, done = _Rewriting(run, writer, Layering(run)).best(Ledger())
    if not isinstance(done, Text):
        return Rewritten(source, source, report, unchanged)
    return Rewritten(source, done.printed.text, report, done.written, done.reprinted)


@dataclass(frozen=True, slots=True)
class _Rewriting:
    """A run, what writes its module, and what applies transforms."""

    run: Run
    writer: Writer
    layering: Layering

    def best(self, ledger: Ledger) -> tuple[ModuleReport, Text | str | None]:
        """Rewrite all functions, until nothing is taken back; return the report and what came of
        it.

        Where a transform has a rival, functions are rewritten without it first: that is what they
        are to be faster than.
        """
        compared = set[Entry]()
        while True:
            layers = self.layering.apply(ledger)
            rivals = [p for p in layers.rivals if p.entry not in compared]
            other = self._without(rivals, ledger)
            session, done = self._once(layers, ledger, other)
            if ledger.take_back(self.layering.find_lost(layers, done, session.beaten)):
                continue
            compared.update(p.entry for p in rivals)
            layers, lost = self.layering.prove(layers)
            if not ledger.take_back(lost):
                return layers.report(session.report()), done

    def _without(self, rivals: Sequence[Planned], ledger: Ledger) -> dict[str, Rival]:
        """Rewrite functions without transforms; return what judges each of them against that."""
        if not rivals:
            return {}
        ledger = ledger.without(p.entry for p in rivals)
        layers = self.layering.apply(ledger)
        _, done = self._once(layers, ledger, {})
        text = done.spliced.text if isinstance(done, Text) else self.layering.module.text
        judge = self.layering.judge
        return {p.function.name: partial(judge, p.function, after=text) for p in rivals}

    def _once(
        self, layers: Layers, ledger: Ledger, rivals: Mapping[str, Rival]
    ) -> tuple[Session, Text | str | None]:
        """Rewrite all functions that transforms left but for what was taken back; return what was
        done and what came of it: a text, why there is none, or None where nothing is changed.
        """
        after, limit = replace(self.writer, first=layers.edits), self.run.options.bisect_limit
        left = None if limit is None else limit - len(layers.kept)
        session = Session(self.run, layers.module, after, ledger, left, rivals)
        done: Text | str | None = session.rewrite()
        if done is None and layers.edits and not session.beaten:
            done = after.attempt(dict, {})
        return session, done
