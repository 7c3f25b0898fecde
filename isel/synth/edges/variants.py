"""Variants of a lane: other terms of the same value, whose edges are edges of the lane."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from isel.ir.canon import canonical, formal, rename
from isel.ir.expr import Expr, leaves, nodes, term
from isel.synth.values.lanefn import lane_fn
from isel.synth.values.questions import Answer, Edge, Question


def but_plain(
    edges: Mapping[Expr, Sequence[Edge]], others: Mapping[Expr, Sequence[Expr]]
) -> frozenset[tuple[Expr, Edge]]:
    """Return, of terms that have ``others`` of the same value, all edges but the operations at the
    roots of all of these.
    """
    found = set()
    for e, every in edges.items():
        kept = {_plain(v) for v in (e, *others[e])} if others.get(e) else None
        if kept:
            found |= {(e, edge) for edge in every if edge not in kept}
    return frozenset(found)


def but_signs(edges: Mapping[Expr, Sequence[Edge]]) -> frozenset[tuple[Expr, Edge]]:
    """Return all edges but those that are the sign of a lane."""
    return frozenset((e, x) for e, every in edges.items() for x in every if not x.fn.is_sign)


def _plain(e: Expr) -> Edge:
    holes = tuple(formal(i, a.width) for i, a in enumerate(e.args))
    return Edge(lane_fn(canonical(term(e.op, *holes, attr=e.attr))[0]), e.args)


def with_variants(question: Question, analyse: Callable[[Question], Answer]) -> Answer:
    """Return what ``analyse`` answers, with the edges of other terms of the same value that are of
    one level beside the term's own.  What these are made of are parts of the term.
    """
    found = analyse(question)
    for other in question.others:
        found = _joined(found, _answered(question, other, analyse), other)
    return found


def _question_of(question: Question, form: Expr, holes: Sequence[Expr]) -> Question:
    """Return the question about a variant, whose formals stand for ``holes``."""
    order = {x: i for i, x in enumerate(leaves(question.term))}
    at = [order[x] for x in holes]
    inside = {x: formal(i, x.width) for i, x in enumerate(holes)}
    facts = _renamed([f for f in question.facts if inside.keys() >= {*leaves(f)}], inside)
    places = tuple(question.places[i] for i in at)
    rows = tuple(tuple(row[i] for i in at) for row in question.rows)
    own = replace(question, term=form, facts=facts, places=places, rows=rows)
    return replace(own, deep=False, others=())


def _answered(question: Question, other: Expr, analyse: Callable[[Question], Answer]) -> Answer:
    """Return the answer for a variant, over the formals of the term."""
    form, holes = canonical(other)
    answer = analyse(_question_of(question, form, holes))
    back = {formal(i, x.width): x for i, x in enumerate(holes)}
    return Answer(
        tuple(Edge(e.fn, _renamed(e.args, back)) for e in answer.edges),
        _renamed(answer.parts, back),
        tuple((rename(e, back), ways) for e, ways in answer.made),
        answer.steps,
    )


def _renamed(terms: Sequence[Expr], mapping: dict[Expr, Expr]) -> tuple[Expr, ...]:
    return tuple(rename(e, mapping) for e in terms)


def _joined(own: Answer, more: Answer, other: Expr) -> Answer:
    edges = (_plain(other), *more.edges)
    known = {e for e in nodes(other) if e.args}
    used = (a for e in edges for a in e.args if a in known)
    return Answer(
        tuple(dict.fromkeys([*own.edges, *edges])),
        tuple(dict.fromkeys([*own.parts, *more.parts, *used])),
        (*own.made, *more.made),
        own.steps + more.steps,
    )
