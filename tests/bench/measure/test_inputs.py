"""Which functions can be run alone, and what they are given."""

from __future__ import annotations

import pytest

from bench.measure.inputs import given, made, tries, why_not
from bench.measure.memory import BEFORE, SIZE
from tests.bench.measure.texts import function, module

TABLE = '@t = internal constant [4 x i8] c"\\01\\02\\03\\04"'
COUNT = "@c = global i32 0"


@pytest.mark.parametrize(
    ("body", "more", "why"),
    [
        ("call void @g(ptr %p)", "declare void @g(ptr)", "it calls g"),
        ("call void @llvm.assume(i1 true)", "declare void @llvm.assume(i1)", ""),
        ("call void %p()", "", "it calls what it is given"),
        ('call void asm sideeffect "nop", ""()', "", "it has assembly in it"),
        ("store i32 1, ptr @c, align 4", COUNT, "it uses the global c"),
        ("%v = load i8, ptr @t, align 1", TABLE, ""),
        ("%q = load ptr, ptr %p, align 8", "", "it follows pointers in memory"),
        ("%q = inttoptr i64 %n to ptr", "", "it follows pointers in memory"),
        ("%v = load i8, ptr %p, align 1, !tbaa !7", "", ""),
        ("%v = load i8, ptr %p, align 1 ; @c", "", ""),
    ],
)
def test_a_function_that_cannot_be_run_alone(body: str, more: str, why: str) -> None:
    assert why_not(*function(body, more=more), "x86_64") == why


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("ptr byval(i64) %p", "an argument is passed in a way of its own (byval)"),
        ("{ i64, i64 } %p", "it takes a { i64, i64 }"),
        ("<4 x i32> %p, float %x, i1 %b", ""),
        ("ptr %p, ...", "it takes any number of arguments"),
    ],
)
def test_arguments_that_cannot_be_made(arguments: str, why: str) -> None:
    assert why_not(*function("br label %1\n1:", arguments), "x86_64") == why


def test_code_of_another_machine_or_convention() -> None:
    arm = module('target triple = "aarch64-linux-gnu"\ndefine void @f() {\n  ret void\n}\n')
    why = why_not(arm, arm.functions[0], "x86_64")
    assert why == "it is for aarch64, and this machine is x86_64"
    assert why_not(arm, arm.functions[0], "aarch64") == ""
    fast = module("define internal fastcc void @f() {\n  ret void\n}\n")
    assert why_not(fast, fast.functions[0], "x86_64") == "it is called in a way of its own"


def test_what_is_made() -> None:
    """One integer is a length, several are sides; narrow ones are small, ranges are kept."""
    _, one = function("ret void", "ptr %p, i64 %n, i8 %k, i1 %b")
    memory, *numbers = made(one, 1, 0)
    assert isinstance(memory, bytes) and len(memory) == SIZE
    assert numbers == [1003, 3, 1] and made(one, 1, 1)[1:] == [16, 3, 1]
    assert made(one, 1, 0) == made(one, 1, 0) != made(one, 2, 0)
    _, several = function("ret void", "i32 %w, i32 noundef range(i32 1, 9) %h")
    assert made(several, 1, 0) == [64, 8]
    assert list(tries()) == [0, 1]


def test_data_that_somebody_has_lies_where_pointers_point() -> None:
    data, count = given([b"abc", 7])
    assert isinstance(data, bytes) and data[BEFORE : BEFORE + 3] == b"abc" and count == 7
