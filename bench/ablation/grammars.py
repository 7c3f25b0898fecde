"""HYDRIDE's Table 5 (ASPLOS'24, x86 column) over ten terms and two targets: each setting of the
grammar search adds or swaps a heuristic.  And the last setting without one heuristic each, at two
widths and on HVX.

One lane is searched, with all instructions of the CPU as components, and stopped after so many
steps: calls of the solver's terminator, so that the answers are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
PLACES: Final = (("x86", 32), ("hvx", 16), ("hvx", 32))  # beside those of the table
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
    """One search: of a term of elements of so many bits, for a target, under a setting."""

    term: Term
    target: str
    setting: Setting
    limit: int
    width: int = WIDTH


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
_SCORED: Final = SETTINGS[-2].options
HEURISTICS: Final = (
    Setting("all", "", _SCORED),
    Setting("without scaling", "", replace(_SCORED, scaled=False)),
    Setting("without lane-wise examples", "", replace(_SCORED, lanes=_LANES)),
)


def lane_of(term: Term, width: int) -> Expr:
    """Return the lane that is searched."""
    return canonical(term.lane(width))[0]


@cache
def library_for(target: str) -> Library:
    """Return the operations of a target's usual CPU."""
    isa, cpu = target_named(target), isa_named(target).usual
    features = isa.features(cpu.cpu, cpu.features)
    return library_of(Machine(isa, cpu.cpu, features, isa.vector_bits(features, {})))


def grammar_of(search: Search) -> Grammar:
    """Return the one grammar of a search."""
    lane = lane_of(search.term, search.width)
    components = library_for(search.target).catalogue.components(lane)
    (grammar,) = grammars_for(lane, components, search.setting.options)
    return grammar


def run(search: Search) -> Answer:
    """Search, in this process."""
    grammar, options = grammar_of(search), search.setting.options
    lane = lane_of(search.term, search.width)
    outcome = run_task(
        Task(lane, const(1, 1), grammar, search.limit, options.scaled, options.lanes)
    )
    program = tuple(name for name, _ in outcome.steps) if isinstance(outcome, Found) else ()
    return Answer(len(grammar.components), outcome.effort, program)


def searches(terms: Sequence[Term] = TERMS, limit: int = LIMIT) -> tuple[Search, ...]:
    """Return all searches, settings innermost."""
    return (
        *(Search(t, isa, s, limit) for isa in TARGETS for t in terms for s in SETTINGS),
        *(Search(t, isa, s, limit, w) for isa, w in PLACES for t in terms for s in HEURISTICS),
    )


def measure(asked: Sequence[Search], jobs: int) -> list[Timed[Answer]]:
    """Run searches, each in a process of its own."""
    for target, term, width in dict.fromkeys((s.target, s.term, s.width) for s in asked):
        library_for(target).catalogue.components(lane_of(term, width))
    return timed_all(run, asked, jobs)
