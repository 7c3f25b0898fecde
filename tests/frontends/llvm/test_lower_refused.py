"""What has no meaning, and what attributes of a call and poison operands mean; results are held
against the reference in test_lower.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning.choice import Chooser
from frontends.llvm.meaning.executor import Executor
from frontends.llvm.meaning.lanes import Cannot, Meaning, Side, Value, recast
from frontends.llvm.meaning.lower import meaning_of, out_of_ranges
from frontends.llvm.text.ast import Instr
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.scene import lower
from isel.ir.expr import const

_HEAD = """
declare i8 @llvm.ctpop.i8(i8)
declare i8 @llvm.smul.fix.i8(i8, i8, i32)
declare i8 @llvm.smax.i8(i8, i8)
declare void @llvm.assume(i1)
define void @f(i8 %x, i8 %y, i1 %c, float %z, <2 x i8> %v, ptr %p) {
"""


def instr(line: str) -> Instr:
    return (
        parse_module(normalise(f"{_HEAD}  {line}\n  ret void\n}}\n"))
        .functions[0]
        .blocks[0]
        .instrs[0]
    )


def scalar(value: int, width: int = 8, poison: int = 0) -> Value:
    return Value(width, (const(value, width),), (const(poison, 1),))


def meant(line: str, *operands: Value, role: Side = "source") -> tuple[int, int, int]:
    """Return value, poison and undefined behaviour of an instruction of one lane."""
    found = meaning_of(instr(line), operands, None, role)
    assert isinstance(found, Meaning), found
    return found.value.lanes[0].value, found.value.poison[0].value, found.undefined.value


@pytest.mark.parametrize(
    ("line", "count", "role", "reason"),
    [
        ("%r = load volatile i8, ptr %p", 1, "source", "a form that is not understood"),
        ("%r = fadd float %z, 1.0", 2, "source", "a result of type float"),
        ("%r = add i8 %x, %y", 1, "source", "operands that are no integers"),
        ("%r = load i8, ptr %p", 1, "source", "the instruction 'load'"),
        ("call void @llvm.assume(i1 %c)", 1, "source", "a result of type void"),
        (
            "%r = call i8 @llvm.smul.fix.i8(i8 %x, i8 %y, i32 3)",
            3,
            "target",
            "the rounding of 'llvm.smul.fix.i8'",
        ),
        ("%r = call i8 @llvm.ctpop.i8(i8 noundef %x)", 1, "target", "an attribute of an operand"),
        (
            "%r = call i8 @llvm.ctpop.i8(i8 range(i8 0, 3) %x)",
            1,
            "target",
            "an attribute of an operand",
        ),
    ],
)
def test_what_has_no_meaning(line: str, count: int, role: Side, reason: str) -> None:
    operands = [scalar(1), scalar(1), scalar(3, 32)][:count]
    with pytest.raises(Cannot, match=re.escape(reason)):
        meaning_of(instr(line), operands, None, role)


def test_a_call_that_computes_nothing_has_no_meaning() -> None:
    line = replace(instr("%r = call i8 @llvm.ctpop.i8(i8 %x)"), callee="llvm.assume")
    with pytest.raises(Cannot, match=r"^a call of 'llvm\.assume'$"):
        meaning_of(line, [scalar(1)], None)


def test_undefined_behaviour_of_one_instruction() -> None:
    """A division is in no window by itself; a fixed-point product out of range is poison in one,
    and cannot be read where it was written.
    """
    with pytest.raises(Cannot):
        lower(instr("%r = udiv i8 %x, %y"), [scalar(1), scalar(0)], None)
    assert isinstance(lower(instr("%r = udiv i8 %x, %y"), [scalar(6), scalar(3)], None), Value)
    fix = instr("%r = call i8 @llvm.smul.fix.i8(i8 %x, i8 %y, i32 0)")
    high, low = ([scalar(v), scalar(2), scalar(0, 32)] for v in (100, 3))
    assert lower(fix, high, None) == Value(8, (const(200, 8),), (const(1, 1),))
    assert lower(fix, low, None) == Value(8, (const(6, 8),), (const(0, 1),))
    with pytest.raises(Cannot):
        Executor("target", None, Chooser("T"), {"x": high[0], "y": high[1]}).execute(fix)


@pytest.mark.parametrize(
    ("attributes", "x", "wanted"),
    [
        ("", 0xFF, (8, 0, 0)),
        ("range(i8 0, 9)", 0xFF, (8, 0, 0)),
        ("range(i8 0, 8)", 0xFF, (8, 1, 0)),
        ("range(i8 8, 0)", 0xFF, (8, 0, 0)),
        ("range(i8 -3, 2)", 0x01, (1, 0, 0)),
        ("range(i8 -3, 1)", 0x01, (1, 1, 0)),
        ("noundef", 0xFF, (8, 0, 0)),
        ("noundef range(i8 0, 8)", 0xFF, (8, 1, 1)),
    ],
)
def test_attributes_of_a_result(attributes: str, x: int, wanted: tuple[int, int, int]) -> None:
    assert meant(f"%r = call {attributes} i8 @llvm.ctpop.i8(i8 %x)", scalar(x)) == wanted


def test_the_range_of_an_operand_is_not_that_of_the_result() -> None:
    assert meant("%r = call i8 @llvm.ctpop.i8(i8 range(i8 0, 3) %x)", scalar(0xFF)) == (8, 0, 0)


@pytest.mark.parametrize(
    "attribute",
    ["range(i16 0, 5)", "range(i8 5, 5)", "range(i8 0, 256)", "noundef", "range(i8 0, 5) @0"],
)
def test_what_is_no_range(attribute: str) -> None:
    assert out_of_ranges([attribute], 8) == []


@pytest.mark.parametrize(
    ("op", "x", "y", "poison", "source", "target"),
    [
        ("sdiv", 0x80, 0xFF, (0, 0), 1, 1),
        ("srem", 0x80, 0xFF, (0, 0), 1, 1),
        ("udiv", 0x80, 0xFF, (0, 0), 0, 0),
        ("sdiv", 0x80, 0xFE, (0, 0), 0, 0),
        ("sdiv", 0x81, 0xFF, (0, 0), 0, 0),
        ("sdiv", 0x81, 0xFF, (1, 0), 0, 1),
        ("srem", 0x81, 0xFF, (1, 0), 0, 1),
        ("sdiv", 0x80, 0xFF, (1, 0), 0, 1),
        ("sdiv", 0x81, 0xFE, (1, 0), 0, 0),
        ("udiv", 0x81, 0xFF, (1, 0), 0, 0),
        ("urem", 0x81, 0xFF, (1, 0), 0, 0),
        ("srem", 0x81, 0x00, (1, 0), 1, 1),
        ("urem", 0x81, 0x01, (0, 1), 1, 1),
    ],
)
def test_a_poison_dividend_may_overflow_in_the_target_alone(
    op: str, x: int, y: int, poison: tuple[int, int], source: int, target: int
) -> None:
    operands = scalar(x, poison=poison[0]), scalar(y, poison=poison[1])
    assert [
        meant(f"%r = {op} i8 %x, %y", *operands, role=role)[2] for role in ("source", "target")
    ] == [source, target]


def test_views_at_other_widths() -> None:
    """Lane 0 is the lowest; a poison part poisons a wide lane, a poison lane all its parts; 3 x
    16 bits are 2 x 24.
    """
    wide = Value(
        16,
        (const(0x2211, 16), const(0x4433, 16), const(0x6655, 16)),
        (const(0, 1), const(1, 1), const(0, 1)),
    )
    narrow = Value(
        8,
        tuple(const(v, 8) for v in (0x11, 0x22, 0x33, 0x44, 0x55, 0x66)),
        tuple(const(v, 1) for v in (0, 0, 1, 1, 0, 0)),
    )
    uneven = Value(24, (const(0x332211, 24), const(0x665544, 24)), (const(1, 1), const(1, 1)))
    assert recast(wide, 16) is wide
    assert recast(wide, 8) == narrow and recast(narrow, 16) == wide
    assert recast(wide, 24) == uneven
    with pytest.raises(Cannot, match=r"^a view of 3 x 16 bits as lanes of 32 bits$"):
        recast(wide, 32)
