"""Rewrite a module: transforms, windows, and what is taken back of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from frontends.llvm.linked import binding
from frontends.llvm.linked.layouts import with_layout
from frontends.llvm.opt.decided import Recent, Stale
from frontends.llvm.opt.judge import Refusal
from frontends.llvm.opt.layers import Layering, Layers
from frontends.llvm.opt.options import Options, Rewritten, Tools
from frontends.llvm.opt.planned import Planned
from frontends.llvm.opt.rungs import Known, Rounds
from frontends.llvm.opt.session import Session
from frontends.llvm.opt.stages import PARSE
from frontends.llvm.opt.writer import Text, Writer
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Entry, Ledger
from isel.collector import rarely
from isel.deadline import Clock, clock_of
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
    ledger, layering = Ledger(), Layering(module, options, tools, file, clock.loads)
    if tools.memory is None:  # functions of which nothing is taken back are decided once a run
        tools = replace(tools, memory=Recent())
    with ExitStack() as stack:
        stack.enter_context(rarely())
        pool = stack.enter_context(Pool(options.jobs)) if options.jobs > 1 else None
        run = _Run(layering, options, tools, file, clock, writer, pool)
        report, done = run.best(ledger)
    if not isinstance(done, Text):
        return Rewritten(source, source, report, unchanged)
    return Rewritten(source, done.printed.text, report, done.written, done.reprinted)


@dataclass(slots=True)
class _Run:
    """What a run of the rewriter is made of, and what it knows by now."""

    layering: Layering
    options: Options
    tools: Tools
    file: str
    clock: Clock
    writer: Writer
    pool: Pool | None
    forgotten: frozenset[str] = frozenset()
    answers: Known = field(default_factory=dict)

    def best(self, ledger: Ledger) -> tuple[ModuleReport, Text | str | None]:
        """Rewrite all functions, until nothing is taken back; return the report and what came of
        it.
        """
        rivals = set[Entry]()
        while True:
            layers, session, done = self.once(ledger)
            new = [p for p in layers.kept if p.row.rival and p.entry not in rivals]
            if ledger.take_back(self.layering.find_lost(layers, done)):
                continue
            rivals.update(p.entry for p in new)
            if not ledger.take_back(self._find_beaten(new, done, ledger)):
                return layers.report(session.report()), done

    def _find_beaten(
        self, rivals: Sequence[Planned], done: Text | str | None, ledger: Ledger
    ) -> Iterator[tuple[Entry, Refusal]]:
        """Rewrite all functions without transforms, and yield those that are no gain over that."""
        if rivals and isinstance(done, Text):
            *_, other = self.once(ledger.without(p.entry for p in rivals))
            yield from self.layering.find_beaten(rivals, done, other)

    def once(self, ledger: Ledger) -> tuple[Layers, Session, Text | str | None]:
        """Transform and rewrite all functions but for what was taken back; return what was done and
        what came of it: a text, why there is none, or None where nothing is changed.
        """
        while True:
            layers = self.layering.run(ledger)
            after, left = replace(self.writer, first=layers.edits), layers.limit(self.options)
            rounds = Rounds(left, self.tools, self.pool, self.clock.search, self.answers)
            about = (rounds, self.clock, self.forgotten, after, ledger)
            session = Session(layers.module, left, self.tools, self.file, *about)
            try:
                done: Text | str | None = session.run()
            except Stale as stale:
                self.forgotten |= stale.functions
                continue
            if done is None and layers.edits:
                done = after.attempt(dict, {})
            return layers, session, done
