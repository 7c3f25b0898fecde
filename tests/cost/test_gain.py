"""What a gain is: differences that a model cannot know are none, and what code is made of may ask
for more.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from isel.cost.block import BlockCost
from isel.cost.code import Block, Code
from isel.cost.gain import Makeup, cheapest, is_gain, is_slight, is_slower, makeup
from isel.cost.judgement import Priced, compare
from semantics.arm.asm import DIALECT as ARM
from semantics.x86.asm import DIALECT as X86
from semantics.x86.asm import read_operation


def test_less_than_a_thousandth_of_a_cycle_is_no_difference() -> None:
    assert not is_gain(12.8334, 12.8333) and not is_slower(12.8333, 12.8334)
    assert is_gain(12.84, 12.83) and is_slower(12.83, 12.84)
    assert is_gain(100.0, 98.0, 0.02) and not is_gain(100.0, 98.5, 0.02)
    assert is_slight(42.6, 42.5) and not is_slight(42.6, 42.6) and not is_slight(42.6, 42.0)


def test_of_equals_the_first_is_taken() -> None:
    assert cheapest([2.0, 1.0004, 1.0, 1.5], lambda x: x) == 1.0004


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("vmovd %eax, %xmm0", True),
        ("vpinsrw $2, %eax, %xmm0, %xmm1", True),
        ("vpextrw $2, %xmm0, %eax", True),
        ("vpbroadcastb %eax, %zmm0", True),
        ("kmovd %k1, %eax", True),
        ("vpmovmskb %ymm0, %eax", True),
        ("vmovd (%rdi), %xmm0", False),
        ("vpaddd %xmm0, %xmm1, %xmm2", False),
        ("addl %eax, %ecx", False),
    ],
)
def test_what_moves_between_scalars_and_lanes(line: str, moves: bool) -> None:
    assert X86.moves(read_operation(line).form) is moves


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("fmov w8, s0", True),
        ("mov w8, v0.s[1]", True),
        ("dup v0.4s, w8", True),
        ("umov w8, v0.b[3]", True),
        ("mov v0.s[1], w8", True),
        ("add v0.4s, v0.4s, v1.4s", False),
        ("dup v0.4s, v1.s[0]", False),
        ("ldr q0, [x0]", False),
        ("add w8, w8, w9", False),
    ],
)
def test_what_moves_between_scalars_and_lanes_of_neon(line: str, moves: bool) -> None:
    assert ARM.moves(ARM.read(line).operation.form) is moves


def test_a_makeup_is_counted() -> None:
    lines = ("vmovd %eax, %xmm0", "vpaddd %ymm0, %ymm1, %ymm2", "addl %eax, %ecx")
    assert makeup([read_operation(x) for x in lines], X86) == Makeup(1, 256)


def judged(before: Makeup, after: Makeup, cycles: float, depth: int) -> bool:
    def priced(own: Makeup, cost: float) -> Priced:
        code = Code("f", (Block("b", (), depth, depth > 0),))
        costs = (BlockCost(cost, 0, 0, 10, (), ()),)
        return Priced(code, costs, costs, 0, makeup=(own,))

    return compare(priced(before, 100.0), priced(after, cycles)).accept


@pytest.mark.parametrize("depth", [0, 1])
def test_moves_outside_of_loops_have_to_save_more(depth: int) -> None:
    """Rows of two to eight pixels of a codec's chroma were 0.95 of clang for 42.6 -> 42.5."""
    some, more = Makeup(2, 128), Makeup(3, 128)
    assert judged(some, some, 97.0, depth) and judged(more, some, 97.0, depth)
    assert judged(some, more, 97.0, depth) is (depth > 0)
    assert judged(some, more, 94.0, depth)


@pytest.mark.parametrize("depth", [0, 1])
def test_wider_registers_have_to_save_more(depth: int) -> None:
    narrow, wide = Makeup(bits=256), Makeup(bits=512)
    assert not judged(narrow, wide, 97.0, depth) and judged(narrow, wide, 94.0, depth)
    assert judged(wide, narrow, 97.0, depth) and judged(wide, wide, 97.0, depth)
    assert judged(Makeup(), wide, 97.0, depth)  # no vector was narrower
    assert judged(Makeup(bits=64), Makeup(bits=128), 97.0, depth)


def test_code_that_nothing_is_known_of_saves_as_much_as_any() -> None:
    code = Code("f", (Block("b", ()),))
    old, new = (Priced(code, (BlockCost(c, 0, 0, 1, (), ()),), (), 0) for c in (100.0, 97.0))
    assert compare(old, new).accept
    assert compare(replace(old, makeup=(Makeup(),)), new).accept
