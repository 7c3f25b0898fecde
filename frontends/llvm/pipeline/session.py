"""What was decided of the functions of a module, written and proved as LLVM reads it: what cannot
be written, is not proved or is no gain after all is taken back, and its function decided again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from frontends.llvm.pipeline.changes import new_lines, replaced_lines
from frontends.llvm.pipeline.decided import print_of
from frontends.llvm.pipeline.decisions import Decisions
from frontends.llvm.pipeline.function import FunctionWork
from frontends.llvm.pipeline.judge import Choice, Refusal
from frontends.llvm.pipeline.planned import NOTHING, Planned
from frontends.llvm.pipeline.proofs import Chosen, Lost
from frontends.llvm.pipeline.run import Run
from frontends.llvm.pipeline.stages import PROVE, SPLICE
from frontends.llvm.pipeline.writer import Text, Writer
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.splicing.write import Edits, Rewrite, compose, edits
from frontends.llvm.text.ast import Function
from frontends.llvm.text.identity import Pairing, contents
from frontends.llvm.transform.ledger import Entry, Ledger, Reason
from isel.cost.gain import is_gain
from isel.cost.limits import FUNCTION
from isel.failures import Failure, Net

_OTHER: Final = "what was written is not what was proved"


@dataclass(eq=False)
class Session:
    """One run over a module that LLVM printed, and what writes it."""

    run: Run
    writer: Writer

    def __post_init__(self) -> None:
        self.net, self.ledger = Net(strict=self.run.options.strict), Ledger()
        self.decisions = Decisions(self.run, self.net, self.ledger)

    def rewrite(self) -> tuple[ModuleReport, Text | None]:
        """Decide every function, then write and prove the module; return the report and the text,
        None where nothing is changed.
        """
        self.decisions.decide(self.run.module.functions)
        text = self._write()
        self.decisions.keep(text)
        return self.decisions.report(), text

    def _write(self) -> Text | None:
        """Write what was decided, and prove it on the printed text, until nothing is taken back."""
        while True:
            chosen, old = self._limit(), self._old()
            if not (chosen or old or any(w.variant.kept for w in self.decisions.ordered())):
                return None
            write = partial(self._text, [c.rewrite for _, c in chosen], old)
            text = self.net.run("the rewritten module", write)
            if stale := self._stale(old, text):
                self.decisions.forget(stale)
                continue
            lost = self._lose(chosen, text)
            if isinstance(text, Text) and not lost:
                self.run.tools.watch(PROVE, partial(str, text.written))
                return text
            if not self.ledger.take_back(lost):
                raise AssertionError(f"nothing can be taken back: {text}")
            self.decisions.decide_again([entry for entry, _ in lost])

    def _limit(self) -> list[tuple[FunctionWork, Choice]]:
        """Return the rewrites of windows, without what is beyond the limit of rewrites."""
        limit = self.run.options.bisect_limit
        if limit is None:
            return [(w, c) for w in self.decisions.ordered() for c in w.chosen()]
        beyond, left = Refusal(f"beyond --bisect-limit {limit}"), limit
        found: list[tuple[FunctionWork, Choice]] = []
        for work in self.decisions.ordered():
            within = self._within(work, left, beyond)
            left -= len(within.variant.kept)
            chosen = within.chosen()
            for choice in chosen[left:]:
                within.withdraw(choice, beyond.reason)
            found += [(within, c) for c in chosen[:left]]
            left -= len(chosen[:left])
        return found

    def _within(self, work: FunctionWork, left: int, beyond: Refusal) -> FunctionWork:
        """Return a function with at most so many changes by transforms."""
        while over := [p.entry for p in work.variant.kept[left:]]:
            self.ledger.take_back((entry, beyond) for entry in over)
            self.decisions.decide_again(over)
            work = self.decisions.works.get(work.function.name, work)
        return work

    def _old(self) -> dict[str, Edits]:
        """Return what is known of functions that were not decided in this run."""
        return {name: d.edits for name, d in self.decisions.known.items() if d.edits.lines}

    def _text(self, rewrites: Sequence[Rewrite], old: Mapping[str, Edits]) -> Text | str:
        """Return the module with rewrites and with what is known of other functions, or why it
        is not accepted.
        """

        def new() -> dict[str, Edits]:
            found = {w.function.name: self._edits(w, rewrites) for w in self.decisions.ordered()}
            return {name: e for name, e in found.items() if e.lines}

        return self.writer.attempt(new, old)

    def _edits(self, work: FunctionWork, rewrites: Iterable[Rewrite]) -> Edits:
        """Return what becomes of the lines of a function; raise
        :class:`frontends.llvm.splicing.emit.EmissionError`.
        """
        v = work.variant
        return compose(v.edits, self._own(work, rewrites), len(v.before.span))

    def _own(self, work: FunctionWork, rewrites: Iterable[Rewrite]) -> Edits:
        """Return what rewrites make of the lines that transforms left of a function."""
        name = work.function.name
        own = [r for r in rewrites if r.site.function == name]
        return edits(work.module, own, self.run.instructions).get(name, NOTHING)

    # What is taken back.

    def _stale(self, old: Mapping[str, Edits], text: Text | str | Failure) -> set[str]:
        """Return the functions of which what is known is not what was proved of them."""
        if isinstance(text, Failure) and old:
            self.net.caught.pop()  # it may be what is known that fails
        if not isinstance(text, Text):
            return set(old)
        known = self.decisions.known
        return {n for n in old if print_of(text.printed, n) != known[n].printed}

    def _lose(self, chosen: Chosen, text: Text | str | Failure) -> list[tuple[Entry, Reason]]:
        """Return what cannot be written of a text, is not proved, or is no gain, each with the
        reason.
        """
        if not isinstance(text, Text):
            return list(self._blame(chosen, text))
        self.run.tools.watch(SPLICE, partial(str, text.written))
        works = self.decisions.ordered()
        lost = list(self.decisions.proofs.unproved(chosen, text))
        lost = lost or [x for w in works for x in self._doubtful(w, text)]
        return lost or [x for w in works for x in self._without_proof(w)]

    def _doubtful(self, work: FunctionWork, text: Text) -> Lost:
        """Yield transforms that were written otherwise than they were proved, and the last one of
        those that alone are no gain where windows make none of it.
        """
        v, name = work.variant, work.function.name
        if not v.kept:
            return
        from frontends.llvm.splicing.printed import as_written

        own = self._own(work, [c.rewrite for c in work.chosen()])
        lines = new_lines(v.edits, v.before, v.function)
        lines -= replaced_lines(own, v.module, v.function)
        texts = v.function, text.spliced.function(name), text.printed.function(name)
        if not as_written(*texts, lines, Pairing(contents(v.module), contents(text.printed))):
            yield from ((p.entry, Refusal(_OTHER)) for p in v.kept)
            return
        doubtful = [p for p in v.kept if p.judgement and not p.judgement.accept]
        if doubtful and (why := self._why_lost(v.before, text)):
            yield doubtful[-1].entry, Refusal(why)

    def _why_lost(self, before: Function, text: Text) -> str:
        """Return why a transform that is no gain alone goes; empty if it stays."""
        layering, module = self.decisions.layering, self.run.module
        j = layering.judge(before, module.text, text.spliced.text)
        if not j.accept:
            return j.reason
        return "" if is_gain(j.before, j.after, FUNCTION) else "too little is saved"

    def _without_proof(self, work: FunctionWork) -> Lost:
        """Prove what waited until it was known to stay, rivals and ways; yield what is not."""
        prove, before = self.decisions.layering.prove, work.variant.planned
        planned = tuple(p if p.proof or not p.kept else prove(p) for p in before)
        lost = [p for p, q in zip(planned, before, strict=True) if q.kept and not p.kept]
        yield from ((p.entry, Refusal(p.why)) for p in lost)
        if not lost:
            work.variant = replace(work.variant, planned=planned)

    def _blame(self, chosen: Chosen, why: str | Failure) -> Lost:
        """Yield what is to blame for a text that cannot be written: rewrites of windows, or where
        there are none what transforms did.
        """
        if not chosen:
            reason = Refusal(why) if isinstance(why, str) else why
            yield from ((p.entry, reason) for p in self._changes())
        elif isinstance(why, str):
            yield from ((c.entry, c.refusal(why)) for _, c in chosen)
        else:
            yield from ((c.entry, why) for _, c in self._culprits(chosen) or chosen)

    def _changes(self) -> Iterator[Planned]:
        """Yield what transforms did: ways to write functions if there are some, else all of it."""
        variants = [w.variant for w in self.decisions.ordered()]
        ways = [v.way for v in variants if v.way is not None]
        yield from ways or (p for v in variants for p in v.kept)

    def _culprits(self, chosen: Chosen) -> list[tuple[FunctionWork, Choice]]:
        """Return the rewrites on which writing fails by itself too."""
        alone = chosen if len(chosen) > 1 else ()
        jobs = [(x, partial(self._text, [x[1].rewrite], {})) for x in alone]
        return [x for x, job in jobs if isinstance(self.net.run(x[1].place, job), Failure)]
