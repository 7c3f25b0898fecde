"""Proofs of what was written: every window on what LLVM printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from frontends.llvm.linked import binding
from frontends.llvm.pipeline.budget import heat
from frontends.llvm.pipeline.function import FunctionWork
from frontends.llvm.pipeline.judge import Choice
from frontends.llvm.pipeline.options import NotProved
from frontends.llvm.pipeline.run import Run
from frontends.llvm.pipeline.writer import Text
from frontends.llvm.splicing.check import Checker
from frontends.llvm.splicing.write import Rewrite
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Entry, Reason
from isel.deadline import REACHED
from isel.failures import Failure, Net
from isel.model.verdict import Proved, Unknown, Verdict

Chosen: TypeAlias = Sequence[tuple[FunctionWork, Choice]]
Lost: TypeAlias = Iterator[tuple[Entry, Reason]]
_NOT_PROVED: Final = "what was written is not proved"


@dataclass
class Proofs:
    """Proves what a session wrote of one module, as often as it writes."""

    run: Run
    net: Net
    _late: bool = field(init=False, default=False)

    def unproved(self, chosen: Chosen, text: Text) -> Lost:
        """Yield rewrites that are not proved, each with the reason."""
        checkers = {
            w.function.name: self.checker(w.module, text.spliced, text.printed) for w, _ in chosen
        }
        self.run.tools.tell("proving what was written", 0, 0)
        verdicts = self._verdicts(chosen, checkers, again=self._late)
        self._late = self.run.clock.proofs.is_over
        for (work, choice), v in zip(chosen, verdicts, strict=True):
            if isinstance(v, Proved):
                work.proved(choice, v)
            elif isinstance(v, Failure):
                yield choice.entry, v
            else:
                yield choice.entry, choice.refusal(f"{_NOT_PROVED}: {why_not(v)}")

    def _verdicts(
        self, chosen: Chosen, checkers: Mapping[str, Checker], *, again: bool
    ) -> list[Verdict | Failure]:
        """Prove rewrites, those in hot code first; what there is no time for is not proved, unless
        all of it was ``again``.
        """
        found: dict[int, Verdict | Failure] = {}
        heats = {w.function.name: heat(w.function) for w, _ in chosen}
        for k in sorted(range(len(chosen)), key=lambda k: heats[chosen[k][0].function.name])[::-1]:
            work, c = chosen[k]
            if self.run.clock.proofs.is_over and not again:
                work.timed_out = True
                found[k] = Unknown(REACHED)
                continue
            check = checkers[work.function.name].check
            job = partial(check, c.rewrite, c.candidate.proof.certificate)
            found[k] = self.net.run(c.place, job)
        return [found[k] for k in range(len(chosen))]

    def vet(self, module: Module, text: str, rewrites: Sequence[Rewrite]) -> str:
        """Return the text as LLVM prints it; raise an error if LLVM or, on request, the
        verifier does not accept it.
        """
        printed = binding.normalise(text, self.run.file)
        if self.run.options.verify_each:
            checker = self.checker(module, parse_module(text), parse_module(printed))
            for v in map(checker.check, rewrites):
                if not isinstance(v, Proved):
                    raise NotProved(why_not(v))
        return printed

    def checker(self, module: Module, spliced: Module, printed: Module) -> Checker:
        """Return what proves rewrites of a module on what LLVM printed."""
        target, o = self.run.target, self.run.options
        assert target is not None
        return Checker(module, spliced, printed, target, o.effort, assume_defined=o.assume_no_undef)


def why_not(verdict: Verdict) -> str:
    """Return why something is not proved."""
    return getattr(verdict, "reason", "") or f"counterexample at {getattr(verdict, 'where', '')}"
