"""The loop of a search: sources are asked one by one, every program that they propose is
proved, and the best come first.

Effort is counted in goals and solver steps, never in seconds, so the answer is the same on every
machine and for any number of workers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from isel.deadline import OutOfTime
from isel.failures import failure_of
from isel.model.answer import Candidate, Options, Result
from isel.model.machine import Machine
from isel.model.memory import Memory
from isel.model.program import Program, outputs
from isel.model.verdict import Proved, Refuted, Verdict
from isel.model.window import Window
from isel.smt.portfolio import default_portfolio, first_turns
from isel.synth import claims, limits
from isel.synth.cegis.run import Mapper
from isel.synth.goals.search import OutOfSteps
from isel.synth.instructions.library import Library, library_of
from isel.synth.layout.bounds import NEVER
from isel.synth.problem import Problem, Proposal, Proposals
from isel.synth.requests import GrammarSearch
from isel.verify.windows import prove_window
from isel.workers import LOG

_LOG: Final = logging.getLogger(LOG)


@dataclass(frozen=True, slots=True)
class Source:
    """A row: ``promise`` is what a program of it costs at least, in hundredths of a cycle;
    ``steps`` are those that it may take at effort 1, where a program that it proposes is
    :data:`isel.synth.limits.PROPOSAL_STEPS`.  No row behind one that ``ends`` is asked as well.
    """

    name: str
    says: str
    promise: Callable[[WindowSearch], int]
    proposals: Callable[[WindowSearch], Proposals]
    steps: int = limits.SOURCE_STEPS
    ends: bool = False


@dataclass(frozen=True)
class SearchSynthesizer:
    """The search itself; ``pool`` runs grammars side by side, ``memory`` keeps what they gave, and
    ``sources`` are asked in their order.
    """

    machine: Machine
    options: Options
    pool: Mapper | None = None
    memory: Memory | None = None
    sources: tuple[Source, ...] = ()

    @property
    def library(self) -> Library:
        """The machine's instructions as the search sees them, read at the first window."""
        return library_of(self.machine)

    def prepare(self, windows: Sequence[Window]) -> None:
        """See :class:`isel.model.answer.Synthesizer`: the library, and the solvers."""
        assert self.library is not None
        default_portfolio()

    def search(self, window: Window) -> Result:
        """See :class:`isel.model.answer.Synthesizer`."""
        return WindowSearch(self, window).run()


class WindowSearch:
    """The search of one window: what sources found and what was refuted is noted here, and the
    steps of all are counted.

    ``problem`` is the window as it is spelled; ``said`` what its lanes are, in words, ``unknown``
    why nothing was found.
    """

    def __init__(self, owner: SearchSynthesizer, window: Window) -> None:
        self._owner, self._window, self._library = owner, window, owner.library
        self._cegis = GrammarSearch(owner.library, owner.options, owner.pool, owner.memory)
        self.problem = Problem(owner.library, owner.options, window, self._cegis, self._part)
        self.said: tuple[str, ...] = ()
        self.unknown = ""
        self._candidates: dict[str, Candidate] = {}
        self._spent = self._left = 0
        self._error: Exception | None = None

    @property
    def programs(self) -> list[Program]:
        """The programs that were proved so far."""
        return [c.program for c in self._candidates.values()]

    @property
    def least(self) -> int:
        """The price of the cheapest of these, of the present code where there is none."""
        return min((p.cost for p in self.programs), default=self._window.price or NEVER)

    def run(self) -> Result:
        """Ask the sources, each where it promises less than what is known."""
        price, p = self._window.price, self.problem
        if claims.is_least(price, p.roots, p.new_bits, self._library):
            return Result((), True, claims.why_none(p.graph, 0, price), 0)
        for source in self._owner.sources:
            if source.promise(self) < max(self.least, 1):
                self._ask(source)
                if source.ends:
                    break
        if self._error is not None and not self._candidates:
            raise self._error
        return self._result()

    def _ask(self, source: Source) -> None:
        """Note what a source proposes and is proved, until it has used its steps; one that fails
        costs what it would have found.
        """
        self._left = source.steps * self.problem.effort
        proposals = source.proposals(self)
        try:
            proposal = next(proposals)
            while True:
                self._left -= limits.PROPOSAL_STEPS
                self.spend(0)
                verdict = self._judge(proposal)
                if isinstance(verdict, Proved):
                    found = Candidate(proposal.program, verdict)
                    self._candidates.setdefault(proposal.program.text(), found)
                proposal = proposals.send(verdict)
        except StopIteration:
            return
        except OutOfSteps:
            self.unknown = f"{source.name} ended at its limit of steps"
        except OutOfTime:
            raise
        except Exception as error:
            _LOG.debug("%s: %s", source.name, failure_of(error).reason)
            self._error = self._error or error
        finally:
            proposals.close()

    def spend(self, steps: int) -> None:
        """Count steps of the source that is asked; raise ``OutOfSteps`` beyond those it has."""
        self._spent += steps
        self._left -= steps
        if self._left < 0:
            raise OutOfSteps

    def _judge(self, proposal: Proposal) -> Verdict:
        """Prove a program, once: what it was refuted by is learnt by the problem it is of."""
        judged = self.problem.judged
        known = judged.get(proposal.program)
        if known is None:
            known = self._verdict(proposal.program, turns=int(proposal.briefly))
            if not isinstance(known, Refuted):
                judged[proposal.program] = known
        return known

    def _verdict(self, program: Program, window: Window | None = None, turns: int = 0) -> Verdict:
        window, checker = window or self._window, first_turns(turns) if turns else None
        lanes = outputs(program, self._library.machine.by_name, [r.lanes for r in window.roots])
        return prove_window(window, lanes, self.problem.effort, checker)

    def _result(self) -> Result:
        """Return what was found, the best first."""
        p, best = self.problem, sorted(self._candidates.values(), key=lambda c: c.program.rank)
        goals = limits.GOALS * p.effort if p.stopped else 0
        why = self.unknown or p.unknown or claims.why_none(p.graph, goals, self._window.price)
        found = tuple(map(self._annotated, best))
        steps = self._spent + p.steps
        return Result(found, True, "" if best else why, steps, self.said, self._error)

    def _annotated(self, c: Candidate) -> Candidate:
        """Add what is known of a program beside its proof."""
        claim = claims.optimality(
            self._operations(c.program),
            self._cegis.outcomes,
            computed=self.problem.new_bits() > 0,
            cheapest=self.is_cheapest(c.program),
        )
        facts = claims.needed_facts(self._window, lambda w: self._verdict(c.program, w))
        return replace(c, claim=claim, facts=facts)

    def is_least(self) -> bool:
        """Tell whether no program costs less than one of these, or has fewer operations a lane."""
        return len(self.problem.classes) == 1 and any(
            self.is_cheapest(p) or self._operations(p) == 1 for p in self.programs
        )

    def is_cheapest(self, program: Program) -> bool:
        """Tell whether no program of the target's instructions costs less than one."""
        p = self.problem
        return program.cost <= claims.least_cost(p.roots, p.new_bits(), self._library.machine)

    def _operations(self, p: Program) -> int | None:
        """Return the operations a lane, None where lanes are of several classes."""
        if len(self.problem.classes) != 1:
            return None
        return claims.operations(p, self._library.machine.by_name, self._library.moves)

    def apart(self) -> tuple[list[Program], str, tuple[str, ...]]:
        """Return the programs for leaves apart, why there is none, and what the lanes are."""
        other = self._within(self._owner.sources, self._window.apart())
        self.spend(other.steps)
        return [c.program for c in other.candidates], other.reason, other.lifted

    def _part(self, window: Window) -> Program | None:
        """Return the program of what is computed once; its leaves may not be set apart."""
        sources = tuple(s for s in self._owner.sources if not s.ends)
        found = self._within(sources, window)
        return found.candidates[0].program if found.candidates else None

    def _within(self, sources: tuple[Source, ...], window: Window) -> Result:
        """Search another window; what fails in that is told of as what fails in this one."""
        found = WindowSearch(replace(self._owner, sources=sources), window).run()
        self._error = self._error or found.error
        return found
