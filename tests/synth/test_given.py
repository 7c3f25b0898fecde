"""What analyses of one term have in common is computed once and depends on nothing else."""

from __future__ import annotations

from dataclasses import replace

from isel.ir.canon import formal
from isel.ir.expr import const
from isel.ir.text import parse
from isel.model.machine import Machine
from isel.synth.instructions.library import library_of
from isel.synth.lanes.analysis import _apply_to_terms, analyse
from isel.synth.lanes.given import functions_for, near_terms, values_of
from isel.synth.values.questions import Answer, Question
from semantics import searched_for

TERM = parse("(add (mul (zext 16 x0:8) 3:16) (add (zext 16 x1:8) (zext 16 x2:8)))")
FIRST = Question(TERM, (), ((0, 0), (0, 8), (0, 16)), (), deep=True)
OTHER = replace(FIRST, places=((0, 0), (1, 0), (2, 0)))


def test_questions_about_one_term_share_values() -> None:
    assert values_of(FIRST) is values_of(OTHER)
    assert values_of(FIRST) is not values_of(replace(FIRST, rows=((1, 2, 3),)))


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    target = searched_for("x86_64-unknown-linux-gnu")
    known = library_of(Machine(target, "znver4", target.features("znver4", ""), 512))

    def fresh(question: Question) -> Answer:
        for cache in (analyse, _apply_to_terms, functions_for):
            cache.cache_clear()
        return analyse(known, question)

    alone = [fresh(FIRST), fresh(OTHER)]
    again = [fresh(OTHER), analyse(known, FIRST)]
    assert again == alone[::-1]


def test_near_terms_come_first_and_casts_are_no_steps() -> None:
    found = near_terms(TERM)
    product = parse("(mul (zext 16 x0:8) 3:16)")
    assert product in found
    assert TERM not in found
    assert const(3, 16) not in found
    assert found.index(product) < found.index(formal(1, 8))
