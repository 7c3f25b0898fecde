"""HYDRIDE's Table 5 (ASPLOS'24, x86 column) over ten terms and two targets: each setting of the
grammar search adds or swaps a heuristic.

One lane is searched, with all instructions of the CPU as components, and stopped after so many
steps: calls of the solver's terminator, so that the answers are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from bench.ablation.forks import Timed, timed_all
from bench.ablation.lanes import TERMS, Term
from isel.ir.canon import canonical
from isel.ir.expr import Expr, const
from isel.model.answer import GrammarOptions
from isel.model.machine import Machine
from isel.synth.cegis.run import run_task
from isel.synth.cegis.screen import grammars_for
from isel.synth.cegis.types import Found, Grammar, Task
from isel.synth.instructions.library import Library, library_of
from semantics import isa_named, target_named

TARGETS: Final = ("x86", "arm")
WIDTH: Final = 16  # of an element of a term
LIMIT: Final = 20_000  # steps of a search
_LANES: Final = 16  # of an example that constrains a register
_ALL: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Setting:
    """A row, and the seconds that HYDRIDE's Table 5 has for it (a dot product on its machine)."""

    name: str
    published: str
    options: GrammarOptions


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found (the names of its operations, none if nothing) within its steps."""

    components: int
    steps: int
    program: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """One search: of a term, for a target, under a setting."""

    term: Term
    target: str
    setting: Setting
    limit: int


def _options(
    *,
    screening: bool,
    scoring: bool = False,
    most: int = _ALL,
    lanes: int = _LANES,
    scaled: bool = False,
) -> GrammarOptions:
    return GrammarOptions(
        screening=screening,
        screened=not scoring,
        scored=scoring,
        literals=False,
        scaled=scaled,
        lanes=lanes,
        most=most,
    )


SETTINGS: Final = (
    Setting("all instructions", "intractable", _options(screening=False)),
    Setting("the 50 best by score", "> 14400", _options(screening=False, most=50)),
    Setting("screening", "236", _options(screening=True)),
    Setting("screening, lane-wise", "118", _options(screening=True, lanes=1)),
    Setting("screening, scaling", "142", _options(screening=True, scaled=True)),
    Setting("screening, lane-wise, scaling", "115", _options(screening=True, lanes=1, scaled=True)),
    Setting(
        "screening, lane-wise, scaling, score",
        "86",
        _options(screening=True, scoring=True, lanes=1, scaled=True),
    ),
    Setting("screening, lane-wise, score", "", _options(screening=True, scoring=True, lanes=1)),
)


def lane_of(term: Term) -> Expr:
    """Return the lane that is searched."""
    return canonical(term.lane(WIDTH))[0]


@cache
def library_for(target: str) -> Library:
    """Return the operations of a target's usual CPU."""
    isa, cpu = target_named(target), isa_named(target).usual
    features = isa.features(cpu.cpu, cpu.features)
    return library_of(Machine(isa, cpu.cpu, features, isa.vector_bits(features, {})))


def grammar_of(search: Search) -> Grammar:
    """Return the one grammar of a search."""
    lane = lane_of(search.term)
    components = library_for(search.target).catalogue.components(lane)
    (grammar,) = grammars_for(lane, components, search.setting.options)
    return grammar


def run(search: Search) -> Answer:
    """Search, in this process."""
    grammar, options = grammar_of(search), search.setting.options
    lane = lane_of(search.term)
    outcome = run_task(
        Task(lane, const(1, 1), grammar, search.limit, options.scaled, options.lanes)
    )
    program = tuple(name for name, _ in outcome.steps) if isinstance(outcome, Found) else ()
    return Answer(len(grammar.components), outcome.effort, program)


def searches(
    terms: Sequence[Term] = TERMS, limit: int = LIMIT, targets: Sequence[str] = TARGETS
) -> tuple[Search, ...]:
    """Return all searches, settings innermost."""
    return tuple(Search(t, isa, s, limit) for isa in targets for t in terms for s in SETTINGS)


def measure(asked: Sequence[Search], jobs: int) -> list[Timed[Answer]]:
    """Run searches, each in a process of its own."""
    for target in dict.fromkeys(s.target for s in asked):
        for term in dict.fromkeys(s.term for s in asked):
            library_for(target).catalogue.components(lane_of(term))
    return timed_all(run, asked, jobs)
