"""What became of one place of a function, for the report."""

from __future__ import annotations

from dataclasses import dataclass, replace

from frontends.llvm.pipeline.judge import Choice, Refusal
from frontends.llvm.pipeline.track import Track
from frontends.llvm.pipeline.variants import Variant
from frontends.llvm.report.detail import detail_of
from frontends.llvm.report.phrases import count_up
from frontends.llvm.report.tried import Outcome, WindowReport
from frontends.llvm.splicing.write import emitted_lines
from frontends.llvm.windows.scene import MOVES, Scene
from isel.cost.judgement import Judgement
from isel.failures import Failure
from isel.model.program import Program
from isel.spec.instruction import Instructions


@dataclass(frozen=True, slots=True)
class Shower:
    """Reports places of one variant of a function; ``whole`` is the judgement of all that was
    written of that, where it is one of several ways.
    """

    scene: Scene
    cpu: str
    instructions: Instructions
    variant: Variant
    detailed: bool
    whole: Judgement | None = None

    def report(self, t: Track) -> WindowReport:
        """Return what was tried for a place and what came of it."""
        where = self.variant.place(t.place.root)
        answer = t.answer
        sites = (answer.rewrite.site,) if isinstance(answer, Choice) else t.place.sites
        nodes = sites[0].nodes if sites else (t.place.root,)
        kinds = {Choice: Outcome.REWRITTEN, Failure: Outcome.FAILED}
        verb = kinds.get(type(answer), Outcome.KEPT)
        shown = WindowReport(
            where,
            verb,
            tuple(i.text.strip() for i in nodes),
            attempts=t.attempts,
            steps=t.steps,
            operations=sum(i.opcode not in MOVES for i in nodes),
            selected=t.selected.get(len(nodes), ""),
            depth=self.scene.view.depths[t.place.block],
            seconds=t.seconds,
            lifted=t.lifted,
        )
        if isinstance(answer, Choice):
            return self._show(answer, replace(shown, proof=t.proof))
        shown = replace(shown, reason=answer.reason if answer is not None else "not searched")
        if not isinstance(answer, Refusal) or answer.judgement is None:
            return shown
        return self._refuse(answer, answer.judgement, t.place.block, shown)

    def _refuse(
        self, answer: Refusal, j: Judgement, block: int, shown: WindowReport
    ) -> WindowReport:
        """Return the report of a window that stays, with the cycles that its reason is about."""
        chosen = "" if answer.program is None else self._name(answer.program)
        if not (figures := j.told or j.cycles(block)):
            return replace(shown, chosen=chosen)
        before, after = figures
        why = answer.reason
        if after < before and why.endswith("not faster"):
            why = "too little is saved"
        return replace(shown, chosen=chosen, reason=why, cost_before=before, cost_after=after)

    def _show(self, choice: Choice, shown: WindowReport) -> WindowReport:
        """Return the report of a window that was rewritten."""
        c, j = choice.candidate, self.whole or choice.judgement
        before, after = j.cycles(choice.rewrite.site.block) or (None, None)
        return replace(
            shown,
            after=emitted_lines(self.scene.module, choice.rewrite, self.instructions),
            reason=j.reason if j.reason.startswith("correctness") else "",
            claim=c.claim,
            facts=c.facts,
            chosen=self._name(c.program),
            window=choice.rewrite.site.window.digest,
            detail=detail_of(self.scene, choice.rewrite, self.instructions, self.cpu)
            if self.detailed
            else None,
            cost_before=before,
            cost_after=after,
            beside=choice.beside,
        )

    def _name(self, program: Program) -> str:
        """Name the instructions of a program."""
        applied = [self.instructions[s.name] for s in program.steps if s.kind == "apply"]
        return count_up((i.mnemonic, self.scene.target.register_of(i)) for i in applied)
