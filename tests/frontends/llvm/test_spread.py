"""Which lanes of an instruction depend on which of an operand: held against terms."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning.lanes import Value
from frontends.llvm.meaning.lower import literal_value
from frontends.llvm.meaning.spread import spread
from frontends.llvm.text.ast import Literal, Local
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.windows.leaves import leaf_value
from frontends.llvm.windows.scene import lower
from isel.ir.expr import leaves
from semantics import target_named

LINES = (
    "%r = add <4 x i16> %a, %b",
    "%r = select <4 x i1> %c, <4 x i16> %a, <4 x i16> %b",
    "%r = zext <4 x i16> %a to <4 x i32>",
    "%r = icmp ult <4 x i16> %b, %a",
    "%r = bitcast <4 x i16> %a to <8 x i8>",
    "%r = bitcast <4 x i16> %a to <2 x i32>",
    "%r = bitcast <4 x i16> %a to i64",
    "%r = shufflevector <4 x i16> %a, <4 x i16> %b, <3 x i32> <i32 1, i32 poison, i32 6>",
    "%r = shufflevector <4 x i16> %b, <4 x i16> %a, <5 x i32> <i32 1, i32 7, i32 6, i32 5, i32 0>",
    "%r = shufflevector <4 x i16> %a, <4 x i16> %a, <2 x i32> <i32 7, i32 2>",
    "%r = extractelement <4 x i16> %a, i64 2",
    "%r = insertelement <4 x i16> %a, i16 7, i64 2",
    "%r = call <4 x i16> @llvm.umin.v4i16(<4 x i16> %a, <4 x i16> %b)",
    "%r = call i16 @llvm.vector.reduce.add.v4i16(<4 x i16> %a)",
)


@pytest.mark.parametrize("line", LINES)
def test_no_lane_that_depends_is_left_out(line: str) -> None:
    head = "define void @f(<4 x i16> noundef %a, <4 x i16> noundef %b, <4 x i1> noundef %c) {\n"
    (function,) = parse_module(normalise(f"{head}  {line}\n  ret void\n}}\n")).functions
    i = function.blocks[0].instrs[0]
    values = []
    for o in i.operands:
        shape = integer_shape(o.type)
        assert shape is not None
        assert isinstance(o, Local | Literal)
        values.append(leaf_value(o.name, shape) if isinstance(o, Local) else literal_value(o))
    result = lower(i, values, target_named("x86"))
    assert isinstance(result, Value)
    for lane in range(4):
        reached = spread(i, "a", frozenset((lane,)))
        needs = {
            k
            for k, e in enumerate(result.lanes)
            if any((x.source, x.offset // 16) == ("a", lane) for x in leaves(e))
        }
        assert needs <= reached
        if i.opcode not in ("extractelement", "insertelement"):
            assert needs == reached
