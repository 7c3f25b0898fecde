"""AutoLLVM of another dictionary: read by the formulas in its comments, or refused."""

from __future__ import annotations

import pytest

from equiv_classes.calls import formula_class, formula_text, numbers_of, shapes_of
from equiv_classes.dictionary import dictionary
from frontends.autollvm.comments import without_comments
from frontends.autollvm.translate import Disagreement, translate
from frontends.autollvm.write import write_autollvm
from frontends.llvm.linked.binding import normalise
from semantics import target_named
from tests.frontends.autollvm.modules import AVERAGE, called_intrinsics

CALL = "autollvm.uavg.v16i8.v16i8.v16i8"
TERM = "(extract 1 w (add (add (zext p a[i0*w]:w) (zext p b[i0*w]:w)) bit(0):p))"


def written() -> str:
    text = write_autollvm(AVERAGE, target_named("x86"), dictionary()).text
    assert TERM in text
    return text


def test_every_formula_is_read_as_it_was_written() -> None:
    for c in (c for c in dictionary().classes if not c.reason):
        read = formula_class(c.name, formula_text(c))
        assert read is not None and read.formula.kinds == c.formula.kinds
        assert (read.letters, numbers_of(read)) == (c.letters, numbers_of(c))
    assert formula_class("f", "no formula") is formula_class("f", "(a) 1 x 8: r = a") is None
    assert shapes_of(CALL) == ("uavg", [(16, 8)] * 3)


def test_own_text_loses_its_comments_only() -> None:
    assert translate(written(), dictionary()) == without_comments(written())


@pytest.mark.parametrize(
    "term",
    [
        "(extract 1 w (add (zext p a[i0*w]:w) (add bit(0):p (zext p b[i0*w]:w))))",
        "(extract 1 w (sub (add (zext p a[i0*w]:w) (zext p b[i0*w]:w)) -1:p))",
    ],
)
def test_another_spelling_that_proves(term: str) -> None:
    text = translate(written().replace(TERM, term), dictionary())
    assert called_intrinsics(text) == [CALL] and "i32 8, i32 16, i32 9" in text


def test_a_formula_with_other_parameters() -> None:
    """The constants become those of the class here."""
    text = written().replace("(a b | w n p)", "(a b | n w)").replace("zext p", "zext w+1")
    text = text.replace("bit(0):p", "1:w+1").replace("i32 8, i32 16, i32 9", "i32 16, i32 8")
    text = text.replace("<16 x i8>, i32, i32, i32)", "<16 x i8>, i32, i32)")
    assert "i32 8, i32 16, i32 9" in translate(text, dictionary())


def test_a_name_that_is_gone_is_found_by_its_formula() -> None:
    text = translate(written().replace("uavg", "average_up"), dictionary())
    assert called_intrinsics(text) == [CALL] and "average_up" not in text
    assert normalise(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(extract 1 w", "(extract 2 w"),  # another value
        ("= (extract 1 w", "= (extract 1 w (add"),  # no term
        ("(a b | w n p)", "(a b | w n)"),  # fewer constants than the call has
        ("(a b | w n p)", "(a b c | w n p)"),  # more operands
        ("n x w: i0<n", "n x w: i0<2*n"),  # lanes beyond the result
        (" (zext p b[i0*w]:w)", " (zext p b[i0*z]:w)"),  # a name that is none
    ],
)
@pytest.mark.parametrize("name", ["uavg", "average_up"])
def test_a_comment_that_says_something_else_is_refused(old: str, new: str, name: str) -> None:
    text = written()
    assert old in text
    with pytest.raises(Disagreement) as problem:
        translate(text.replace(old, new).replace("uavg", name), dictionary())
    assert problem.value.call == CALL.replace("uavg", name) and problem.value.line > 10


def test_a_class_of_another_formula_is_refused_where_its_name_is_known() -> None:
    """Such a comment is right for another class, not for the one that the call names."""
    text = written().replace(TERM, "(add a[i0*w]:w b[i0*w]:w)")
    with pytest.raises(Disagreement):
        translate(text, dictionary())


def test_a_declaration_without_a_call_is_held_to_its_name() -> None:
    text = "\n".join(x for x in written().splitlines() if "call " not in x)
    text = text.replace("ret <16 x i8> %r", "ret <16 x i8> %a").replace("extract 1", "extract 2")
    with pytest.raises(Disagreement):
        translate(text, dictionary())
