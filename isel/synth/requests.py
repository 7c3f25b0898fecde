"""What CEGIS is asked about the lanes of a window, and the edges that its answers are.

A question is a lane's term or, for programs of few operations, its upper part over an inner value:
what computes that is another question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from isel.ir.build import all_of, make
from isel.ir.canon import canonical, formal, rename
from isel.ir.expr import Expr, const, leaves, postorder, substitute, var
from isel.ir.ops import natural
from isel.model.answer import Options
from isel.model.mechanisms import enabled
from isel.model.memory import Memory
from isel.synth import limits
from isel.synth.cegis.run import Mapper, run_tasks
from isel.synth.cegis.types import Found, Grammar, Outcome, Task
from isel.synth.edges.relevant import is_polynomial
from isel.synth.instructions.library import Library
from isel.synth.lanes.graph import LaneClass, LaneGraph
from isel.synth.values.lanefn import lane_fn
from isel.synth.values.questions import Edge


@dataclass(frozen=True, slots=True)
class Request:
    """``term``, over its formals, which stand for ``parts``: terms over those of ``owner``."""

    owner: LaneClass
    term: Expr
    premise: Expr
    parts: tuple[Expr, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the term is the lane's own."""
        return self.term is self.owner.term

    def within(self, graph: LaneGraph) -> Request:
        """Return the same question about the same lane in another graph."""
        c = self.owner
        return replace(self, owner=graph.classify(c.term, c.facts, c.order, wanted=True)[0])


def request_of(c: LaneClass) -> Request | None:
    """Return the question about a class: its term if solvers can answer for that; None for a sum of
    products, which has edges of its own.
    """
    if _is_long_sum(c.term) or not is_searchable(c.term):
        return None
    return Request(c, c.term, all_of(*c.facts), leaves(c.term))


def upper_of(c: LaneClass) -> Request | None:
    """Return the question what a class is of its deepest inner value that all leaves go through, a
    whole sum where it is one; None where there is none, or it is too large.
    """
    nodes = list(postorder([c.term]))
    summed = {a for e in nodes if e.op in ("add", "sub") for a in e.args}
    for e in nodes[:-1]:
        if e.args and e not in summed and e.width == natural(e.width) > 1:
            cut = var("cut0", e.width)
            term = substitute(c.term, {e: cut}, make, choose=False)
            if leaves(term) == (cut,):
                upper = canonical(term)[0]
                return Request(c, upper, const(1, 1), (e,)) if is_searchable(upper) else None
    return None


def is_searchable(lane: Expr) -> bool:
    """Tell whether solvers can answer for a lane: it is small, and has one product at most, which
    is not wide.
    """
    nodes = [e for e in postorder([lane]) if e.args]
    return (
        0 < len(nodes) <= limits.MAX_NODES
        and len(leaves(lane)) <= limits.MAX_LEAVES
        and sum(e.width for e in nodes if e.op == "mul") <= limits.MAX_PRODUCT
    )


def _is_long_sum(term: Expr) -> bool:
    return is_polynomial(term) and len(leaves(term)) >= limits.LONG_SUM


@dataclass
class GrammarSearch:
    """CEGIS on the lanes of one window: what it was asked, and the steps that it took.

    One for ``few`` operations takes few steps, and a class that it has a program for has no other
    edges.
    """

    library: Library
    options: Options
    pool: Mapper | None
    memory: Memory | None = None
    few: bool = False
    spent: int = 0
    outcomes: list[tuple[Grammar, Outcome]] = field(default_factory=list)  # where lanes are alike
    _found: list[tuple[Request, Found, Grammar]] = field(default_factory=list)

    def of_few(self) -> GrammarSearch:
        """Return a search of the same window for programs of few operations."""
        return GrammarSearch(self.library, self.options, self.pool, self.memory, few=True)

    @property
    def is_on(self) -> bool:
        """Whether anything is asked for."""
        return bool(self.options.effort) and enabled(self.options.disabled, "cegis")

    def requests(self, classes: Iterable[LaneClass], most: int) -> list[Request]:
        """Return the questions about the first classes that can be asked for."""
        requests = (request_of(c) for c in classes)
        return list(islice((a for a in requests if a is not None), most))

    def small(self, classes: Iterable[LaneClass]) -> list[Request]:
        """Return the questions about classes, and about their upper parts."""
        both = (r for c in classes for r in (request_of(c), upper_of(c)))
        return [r for r in both if r is not None]

    def search(
        self, graph: LaneGraph, requests: Sequence[Request], own: Sequence[LaneClass]
    ) -> bool:
        """Run grammars; programs become edges of the graph.  Tell whether any is new.

        Together they take a share of the steps that the graph took.
        """
        if not requests:
            return False
        steps = max(limits.LEAST_ALLOWANCE, graph.steps // limits.GRAPH_STEPS) * max(
            self.options.effort, 1
        )
        if self.few:
            steps = min(steps, limits.FEW_STEPS * len(requests))
        new, answers = False, self._answers(requests, steps - self.spent)
        for request, found in zip(requests, answers, strict=True):
            self.spent += sum(outcome.effort for _, outcome in found)
            if request.is_whole and list(own) == [request.owner]:
                self.outcomes += found
            for grammar, outcome in found:
                if isinstance(outcome, Found):
                    self._found.append((request, outcome, grammar))
                    request.owner.settled |= self.few
                    new |= _add_found(graph, *self._found[-1])
        return new

    def add_to(self, graph: LaneGraph) -> None:
        """Add what was found so far to another graph of the window."""
        for request, found, grammar in self._found:
            within = request.within(graph)
            within.owner.settled |= self.few
            _add_found(graph, within, found, grammar)

    def _answers(
        self, requests: Sequence[Request], steps: int
    ) -> list[list[tuple[Grammar, Outcome]]]:
        """Return what grammars make of each question, with so many steps for all: smaller grammars
        of all questions side by side, larger ones of those that the smaller ones did not answer.
        """
        from isel.synth.cegis.screen import grammars_for  # where something is asked at all

        thorough = self.options.effort > 1 and not self.few
        beyond = limits.DEPTH_BEYOND_EFFORT + max(self.options.effort, 1)
        o, deepest = self.options.grammars, limits.FEW_OPERATIONS if self.few else beyond
        o = replace(o, depth=min(o.depth, deepest), scaled=o.scaled and not self.few)
        components = self.library.catalogue.components
        grammars = [grammars_for(a.term, components(a.term), o) for a in requests]
        found: list[list[tuple[Grammar, Outcome]]] = [[] for _ in requests]
        last = max(map(len, grammars), default=0)
        for rank in range(last if thorough else min(last, limits.QUICK_GRAMMARS)):
            left = (k for k, gs in enumerate(grammars) if rank < len(gs))
            open_ = [k for k in left if not any(isinstance(x, Found) for _, x in found[k])]
            share = steps // max(len(open_), 1)
            if share < limits.LEAST_STEPS:
                break
            tasks = [
                Task(r.term, r.premise, grammars[k][rank], share, o.scaled, o.lanes, thorough)
                for k in open_
                for r in [requests[k]]
            ]
            outcomes = _outcomes(self.library, tasks, self.pool, self.memory)
            for k, task, outcome in zip(open_, tasks, outcomes, strict=True):
                found[k].append((task.grammar, outcome))
                steps -= outcome.effort
        return found


def _outcomes(
    library: Library, tasks: Sequence[Task], pool: Mapper | None, memory: Memory | None
) -> list[Outcome]:
    """Run tasks, each once a process, and once at all where there is a memory."""
    from isel.smt.versions import solver_versions
    from isel.synth.cegis.kept import key_of, write

    known, salt = library.outcomes, f"{library.machine.target.digest} {solver_versions()}"
    new = [t for t in dict.fromkeys(tasks) if t not in known]
    if memory is not None:
        known.update(_recall(memory, new, salt))
        new = [t for t in new if t not in known]
    for task, outcome in zip(new, run_tasks(new, pool), strict=True):
        known[task] = outcome
        if memory is not None:
            memory.keep(key_of(task, salt), write(outcome))
    return [known[t] for t in tasks]


def _recall(memory: Memory, tasks: Sequence[Task], salt: str) -> Iterator[tuple[Task, Outcome]]:
    from isel.synth.cegis.kept import key_of, read

    for t in tasks:
        text = memory.recall(key_of(t, salt))
        outcome = None if text is None else read(text, t)
        if outcome is not None:
            yield t, outcome


def _add_found(graph: LaneGraph, request: Request, found: Found, grammar: Grammar) -> bool:
    """Add the programs for a class to the graph, an edge a step; tell whether any edge is new."""
    new = [_add_program(graph, request, one, grammar) for one in (found, *found.others)]
    return any(new)


def _add_program(graph: LaneGraph, request: Request, found: Found, grammar: Grammar) -> bool:
    c, known = request.owner, grammar.by_name
    parts = {formal(k, e.width): e for k, e in enumerate(request.parts)}
    lines = [
        (known[name].fn, tuple(substitute(found.operand(k), parts, make) for k in operands))
        for name, operands in found.steps
    ]
    inner = (substitute(v, parts, make) for v in found.values[:-1])
    new = [_add_inner(graph, c, v, *line) for v, line in zip(inner, lines, strict=False)]
    fn, args = lines[-1]
    new.append(graph.add_edge(c, Edge(lane_fn(fn), args)))
    c.parts.update(a for a in args if a.args)
    return any(new)


def _add_inner(
    graph: LaneGraph, c: LaneClass, value: Expr, fn: Expr, args: tuple[Expr, ...]
) -> bool:
    """Add the edge of a value inside a program for a class, over that value's own formals."""
    inner, holes = graph.part(c, value, wanted=False)
    inner.settled |= c.settled
    mapping = {x: formal(k, x.width) for k, x in enumerate(holes)}
    if not all(x in mapping for a in args for x in leaves(a)):
        return False
    return graph.add_edge(inner, Edge(lane_fn(fn), tuple(rename(a, mapping) for a in args)))
