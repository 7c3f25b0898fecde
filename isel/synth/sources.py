"""Where programs of a window come from: a row each, in the order in which they are asked.

A source is a function from a search to programs, which it yields one by one and hears of each what
came of its proof.  It is asked where it promises less than what is known costs, and ends with its
steps.  ``docs/adding-a-source.md`` has one.
"""

from __future__ import annotations

from typing import Final

from isel.model.mechanisms import enabled
from isel.synth import claims, limits
from isel.synth.edges.variants import but_signs
from isel.synth.layout.bounds import NEVER
from isel.synth.lift import Lifts, least_lifted
from isel.synth.loop import Source
from isel.synth.loop import WindowSearch as Search
from isel.synth.problem import Proposal, Proposals


def _graph(search: Search) -> Proposals:
    problem, before = search.problem, len(search.programs)
    yield from problem.several()
    if len(search.programs) == before and problem.graph.looks_up:
        yield from problem.several()  # with the price of lookups


def _signs_promise(search: Search) -> int:
    p = search.problem
    alike = [r.width for r in p.roots] == [r.width for r in p.window.roots]
    return NEVER if alike else 0


def _signs(search: Search) -> Proposals:
    """Propose a program by signs of lanes for integers of bits: only code shows what masks cost."""
    p = search.problem
    others = but_signs({c.term: p.graph.edges(c) for c in p.classes})
    yield from p.cheapest(others, p.brief(search.least + limits.SIGNS_MORE))


def _few_promise(search: Search) -> int:
    p = search.problem
    spent = p.graph.is_spent or not (p.dear or search.programs)
    return 0 if spent and p.cegis.is_on and len(p.classes) == 1 else NEVER


def _few(search: Search) -> Proposals:
    """Propose programs of few operations for lanes alike where a graph has edges beyond limits, or
    none that give a program.
    """
    p = search.problem
    other = p.again(cegis=p.cegis.of_few())
    other.begin(p.graph.restarted({}, 0, {}))
    if other.cegis.search(other.graph, other.cegis.small(other.classes), ()):
        yield from other.several(most=search.least - 1 if search.programs else NEVER)
    search.spend(other.steps - p.graph.steps + other.cegis.spent * limits.GRAPH_STEPS)


def _lifts_promise(search: Search) -> int:
    p = search.problem
    on = enabled(p.options.disabled, "egraph")
    dear = on and not any(map(search.is_cheapest, search.programs))
    return least_lifted(p.library, p.pieces) if dear else NEVER


def _lifts(search: Search) -> Proposals:
    """Propose programs of what the lanes are, where these cost less than what is known does."""
    p, known, least = search.problem, search.programs, search.least
    lifts = Lifts(p.library, p.ranges, p.pieces)
    search.said = tuple(lifts.said)
    deep = p.options.effort > 1 or lifts.promise(least, apart=not known)
    promising = lifts.helps and deep
    if not promising and not (known and lifts.members):
        return
    other, most = p.again(lifts=lifts), least - 1 if known else NEVER
    if promising:
        yield from other.several(most=most)
        if not other.goals_opened and lifts.saves_much(least):  # two instructions give it
            other.restart({}, limits.DEFAULT_STEPS * p.effort, lifts.members)
            yield from other.several(most=most)
    yield from other.by_rules(search.programs, min(least, search.least))
    search.spend(other.steps)


def _apart_promise(search: Search) -> int:
    p = search.problem
    shared = p.window.shares and not p.dear
    return 0 if shared and not search.programs else NEVER


def _apart(search: Search) -> Proposals:
    """Propose what is right with leaves that have nothing in common: it is right here, but for
    what takes undefined memory for the same in two loads.
    """
    programs, search.unknown, search.said = search.apart()
    for program in programs:
        yield Proposal(program)


def _cegis(search: Search) -> Proposals:
    """Propose programs with the edges that grammars find, where few operations may be cheaper than
    what is known: the graph's own are all that it knows.
    """
    p = search.problem
    few = claims.is_cheap(search.least, p.library, p.roots, p.bounds.prices.constant)
    if few or not p.cegis.is_on or search.is_least():
        return
    if p.cegis.search(
        p.graph, p.cegis.requests(p.classes, limits.MOST_ASKED * p.effort), p.classes
    ):
        p.reprice()
        yield from p.several(min((x.cost for x in search.programs), default=NEVER))
    search.spend(p.cegis.spent * limits.GRAPH_STEPS)


SOURCES: Final = (
    Source("graph", "instructions and moves of lanes as they are spelled", lambda _: 0, _graph),
    Source("signs", "integers of bits by signs of lanes", _signs_promise, _signs),
    Source("few", "few operations, where a graph has edges beyond limits", _few_promise, _few),
    Source("lifted", "lanes as what they are, and by rules", _lifts_promise, _lifts),
    Source("apart", "leaves with nothing in common", _apart_promise, _apart, ends=True),
    Source("cegis", "edges that grammars find, beside the graph's", lambda _: 0, _cegis),
)
