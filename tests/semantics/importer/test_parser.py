"""The operation language: what is read, and what is said of mistakes, with their places."""

from __future__ import annotations

import pytest

from semantics.importing.syntax import Assign, Binary, Conditional, TextMistake
from semantics.x86.importer.parser import parse_operation
from semantics.x86.importer.syntax import Case, Define, For, If, Slice, View, While


def test_statements() -> None:
    text = "FOR j := 0 to 7\n\tIF k[j] // selected\n\t\tx[j] := 1\n\tELSE IF a == 0\n\t\tx[j] := 0\n\tELSE\n\t\tx += 2\n\tFI\nENDFOR\n"
    (loop,) = parse_operation(text)
    assert isinstance(loop, For) and loop.step == 1
    (choice,) = loop.body
    assert isinstance(choice, If) and isinstance(choice.no[0], If)
    (added,) = choice.no[0].no
    assert isinstance(added, Assign) and isinstance(added.value, Binary) and added.value.op == "+"


def test_cases_loops_and_functions() -> None:
    text = "DEFINE f(x[7:0], y) {\n\tRETURN x\n}\nCASE (imm[1:0]) OF\n0: d := 1\n1:\td := 2\n\te := 3\nESAC\n"
    text += "DO WHILE n > 0\n\tn >>= 1\nOD\nFOR i := 3 downto 0\nENDFOR"
    function, case, loop, down = parse_operation(text)
    assert isinstance(function, Define) and function.parameters == ("x", "y")
    assert isinstance(case, Case) and [(label, len(body)) for label, body in case.arms] == [
        (0, 1),
        (1, 2),
    ]
    assert isinstance(loop, While) and isinstance(down, For) and down.step == -1


def test_expressions_bind_as_the_guide_has_them() -> None:
    (assign,) = parse_operation(
        "d := a.m128[i].dword[2*j+1] + \\\n  b[i+7:i] << 2 > 3 AND c ? 0xFF : NOT x"
    )
    assert isinstance(assign, Assign) and isinstance(assign.value, Conditional)
    test = assign.value.test
    assert isinstance(test, Binary) and test.op == "AND"
    compared = test.left
    assert isinstance(compared, Binary) and compared.op == ">"
    shifted = compared.left
    assert isinstance(shifted, Binary) and shifted.op == "<<" and isinstance(shifted.left, Binary)
    view, part = shifted.left.left, shifted.left.right
    assert (
        isinstance(view, View)
        and view.width == 32
        and isinstance(view.base, View)
        and isinstance(part, Slice)
    )


@pytest.mark.parametrize(
    ("text", "what", "at"),
    [
        ("FOR j := 0 to 7\n\tx := j\n", "the operation ends, expected 'ENDFOR'", 24),
        ("IF a\n\tx := 1\nENDFOR", "'ENDFOR', expected a statement", 13),
        ("x := a[7:0\n", "the line ends, expected ']'", 10),
        ("x := a +", "the operation ends, expected an expression", 8),
        ("x := a $ b", "'$' is no part of the operation language", 7),
        ("x y", "'y', expected ':='", 2),
        (
            "x := a.nibble[0]",
            "'.nibble', expected one of .bit .byte .word .fp16 .dword .qword .m128 .m256",
            6,
        ),
        ("CASE a OF\n0: x := 1\n", "the operation ends, expected 'ESAC'", 20),
        ("FI", "'FI', expected a statement", 0),
        ("FOR j := 0 8\nENDFOR", "'8', expected 'to'", 11),
    ],
)
def test_mistakes_are_said_where_they_are(text: str, what: str, at: int) -> None:
    with pytest.raises(TextMistake) as caught:
        parse_operation(text)
    assert (caught.value.what, caught.value.at) == (what, at)
