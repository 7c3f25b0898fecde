"""Constants that machine code loads, as LLVM prints them and in words."""

from __future__ import annotations

import pytest

from frontends.llvm.linked import binding
from frontends.llvm.machine.constants import constants, note


def made(kind: str, value: str) -> list[str]:
    text = f"define {kind} @f({kind} %a) {{\n  %r = add {kind} %a, {value}\n  ret {kind} %r\n}}\n"
    return list(
        constants(
            binding.assembly(text, triple="x86_64-unknown-linux-gnu", cpu="haswell", features="")
        ).values()
    )


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        (
            "<16 x i8>",
            "<i8 1, i8 2, i8 3, i8 3, i8 3, i8 3, i8 3, i8 3, i8 3, i8 3, i8 3, i8 3, i8 3, i8 3, i8 0, i8 -1>",
            "i8 1, 2, 3 x12, 0, 255",
        ),
        ("<16 x i8>", "splat (i8 7)", "i8 7 x16"),
        (
            "<8 x i16>",
            "<i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7, i16 -8>",
            "i16 1, 2, 3, 4, 5, 6, 7, 65528",
        ),
        ("<4 x i64>", "<i64 1, i64 2, i64 poison, i64 4>", "i64 1, 2, 0, 4"),
        ("<4 x i32>", "<i32 0, i32 0, i32 0, i32 77>", "i32 0 x3, 77"),
    ],
)
def test_what_llvm_prints(kind: str, value: str, told: str) -> None:
    assert made(kind, value) == [told]


def test_what_is_not_understood_is_left_out() -> None:
    text = '.LCPI0_0:\n\t.byte\t1\n\t.quad\t2\n.LCPI0_1:\n\t.ascii\t"x"\n.LCPI0_2:\n\t.zero\t3\n\t.short\t1\n.LCPI0_3:\n\t.byte\t3\n\t.text\n\t.byte\t4\n'
    assert constants(text) == {".LCPI0_3": "i8 3"}


def test_lines_name_the_constants_that_they_read() -> None:
    known = {".LCPI0_1": "i8 7 x16", ".LCPI0_10": "i8 9 x16"}
    lines = ["vpaddb .LCPI0_1(%rip), %xmm0, %xmm0", "vpaddb .LCPI0_10(%rip), %xmm0, %xmm0", "ret"]
    assert [line.partition("  # ")[2] for line in note(lines, known)] == [
        "i8 7 x16",
        "i8 9 x16",
        "",
    ]
