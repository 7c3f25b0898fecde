"""Programs of more operations than are enumerated, by CEGIS over the same operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from isel.egraph.limits import NEVER
from isel.ir.canon import formal
from isel.ir.expr import Expr, const, term
from isel.learn.known import Candidate
from isel.learn.limits import STEPS_A_TERM
from isel.learn.samples import WIDTHS, Given
from isel.learn.term import Builder, Term, integer, leaf
from isel.learn.vocabulary import LITERALS, Word
from isel.rules.spans import operation
from isel.synth.cegis.run import run_task
from isel.synth.cegis.types import Component, Found, Grammar, Task
from isel.workers import Pool

_WIDTH: Final = WIDTHS[0]  # where programs are looked for; they are proved at the others


def deeper(
    terms: Sequence[Term], words: Sequence[Word], given: Given, depth: int, pool: Pool
) -> Iterator[Candidate]:
    """Yield the terms that programs of at most ``depth`` operations are equal to at one width."""
    usable = [w for w in words if w.prices[0] < NEVER and w.op != "mul"]
    answers = pool.map(partial(_program, words=usable, given=given, depth=depth), terms)
    for t, found in zip(terms, answers, strict=True):
        if isinstance(found, Term):
            yield Candidate(t, (found,) * len(WIDTHS))


def _program(t: Term, words: Sequence[Word], given: Given, depth: int) -> Term | None:
    """Return a program for a term."""
    leaves = given.at(_WIDTH)
    builder = Builder(_WIDTH, leaves)
    premise = const(1, 1)
    for c in given.conditions:
        premise = term("and", premise, builder.condition(c))
    literals = {builder.build(leaf(text)): leaf(text) for text in LITERALS}
    components = tuple(_component(f"w{k:03}", w) for k, w in enumerate(words))
    grammar = Grammar("learn", components, tuple(literals), depth)
    task = Task(builder.build(t), premise, grammar, STEPS_A_TERM, scaled=False)
    found = run_task(task)
    if not isinstance(found, Found):
        return None
    known: dict[Expr, Term] = {x: leaf(n) for n, x in leaves.items()} | literals
    return _term(found, known, {c.name: w for c, w in zip(components, words, strict=True)})


def _component(name: str, word: Word) -> Component:
    args = tuple(_WIDTH for _ in range(word.arity))
    if not word.amount:
        return Component(name, operation(word.op, (), args), word.prices[0])
    amount = const(integer(word.amount, _WIDTH), _WIDTH)
    return Component(name, term(word.op, formal(0, _WIDTH), amount), word.prices[0])


def _term(found: Found, inputs: Mapping[Expr, Term], words: Mapping[str, Word]) -> Term:
    """Return a program as a term."""
    values = [inputs[x] for x in found.inputs]
    for name, operands in found.steps:
        values.append(words[name].of(*(values[k] for k in operands)))
    return values[-1]
