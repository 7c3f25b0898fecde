"""Calls whose meaning is more than an operation a lane: partial reductions in any of their
groupings, and carry-less products.  What is written does what LLVM's own code does.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from itertools import count

import pytest

import isel
from bench.jit import execute
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.meaning.partial import groupings, readings, write_out
from frontends.llvm.text.ast import Function
from frontends.llvm.text.parse import parse_instruction, parse_module

_NEEDED = {
    "haswell": frozenset({"avx2", "pclmul", "bmi2"}),
    "znver4": frozenset({"avx512vnni", "avx512vbmi", "vpclmulqdq", "gfni"}),
}
_NATIVE = 'attributes #0 = { "target-cpu"="%s" }'


def _reduced(lanes: int, more: int, a: str, b: str, bits: int = 8) -> str:
    """Return a function that stores the sum of all lanes of products that are added to lanes."""
    return f"""target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr noalias %p, ptr noalias %q, ptr noalias %s, ptr noalias %out) #0 {{
  %x = load <{more} x i{bits}>, ptr %p, align 1
  %y = load <{more} x i{bits}>, ptr %q, align 1
  %acc = load <{lanes} x i32>, ptr %s, align 1
  %u = {a} <{more} x i{bits}> %x to <{more} x i32>
  %v = {b} <{more} x i{bits}> %y to <{more} x i32>
  %m = mul nsw <{more} x i32> %u, %v
  %r = call <{lanes} x i32> @llvm.vector.partial.reduce.add.v{lanes}i32.v{more}i32(<{lanes} x i32> %acc, <{more} x i32> %m)
  %t = call i32 @llvm.vector.reduce.add.v{lanes}i32(<{lanes} x i32> %r)
  store i32 %t, ptr %out, align 4
  ret void
}}
declare <{lanes} x i32> @llvm.vector.partial.reduce.add.v{lanes}i32.v{more}i32(<{lanes} x i32>, <{more} x i32>)
declare i32 @llvm.vector.reduce.add.v{lanes}i32(<{lanes} x i32>)
"""


def _product(lanes: int, bits: int) -> str:
    kind = f"<{lanes} x i{bits}>"
    return f"""target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr noalias %p, ptr noalias %q, ptr noalias %s, ptr noalias %out) #0 {{
  %x = load {kind}, ptr %p, align 1
  %y = load {kind}, ptr %q, align 1
  %r = call {kind} @llvm.clmul.v{lanes}i{bits}({kind} %x, {kind} %y)
  store {kind} %r, ptr %out, align 1
  ret void
}}
declare {kind} @llvm.clmul.v{lanes}i{bits}({kind}, {kind})
"""


def _function(lanes: int, more: int) -> Function:
    return parse_module(binding.normalise(_reduced(lanes, more, "zext", "sext"))).functions[0]


@pytest.mark.parametrize(
    ("lanes", "more", "ways"),
    [(4, 16, (4, 2, 1)), (8, 16, (2, 1)), (4, 4, (1,)), (4, 24, (6, 3, 2, 1)), (2, 256, ())],
)
def test_each_lane_is_added_once_in_every_grouping(
    lanes: int, more: int, ways: tuple[int, ...]
) -> None:
    function = _function(lanes, more)
    assert groupings(function) == ways
    assert len(list(readings(function))) == len(ways)
    call = function.view.defs["r"]
    for near in ways:
        lines = write_out(call, near, (f"n{k}" for k in count()))
        masks = [parse_instruction(x, 0).mask for x in lines[::2]]
        assert Counter(k for mask in masks for k in mask) == Counter(range(more))
        assert lines[-1].startswith("%r = add ")


@pytest.mark.parametrize(("more", "near"), [(16, 3), (8, 4), (24, 4), (12, 2)])
def test_each_lane_is_added_once_where_another_call_has_more(more: int, near: int) -> None:
    lines = write_out(_function(4, more).view.defs["r"], near, (f"n{k}" for k in count()))
    masks = [parse_instruction(x, 0).mask for x in lines[::2]]
    assert Counter(k for mask in masks for k in mask) == Counter(range(more))


def _same(text: str, cpu: str, wanted: dict[str, int], sizes: tuple[int, ...]) -> None:
    """Rewrite a module; compare what is called with what is wanted, and both by execution."""
    before = f"{text}{_NATIVE % cpu}\n"
    after = isel.optimize(before, cache=False, time_limit=None).module
    body = after.partition("declare")[0].split(" @llvm.")[1:]
    calls = Counter(x.split("(")[0] for x in body)
    assert {name: calls[name] for name in wanted} == wanted
    if not _NEEDED[cpu] <= binding.host_features():
        return
    rng = random.Random(0)
    inputs = [[rng.randbytes(n) for n in (*sizes, 64)] for _ in range(40)]
    with LlvmWorker() as worker:
        sides = [worker.run(partial(execute, x, "f", inputs, cpu=cpu)) for x in (before, after)]
    assert not any(isinstance(x, WorkerFailed) for x in sides)
    assert sides[0] == sides[1]


@pytest.mark.parametrize(
    ("text", "cpu", "wanted"),
    [
        (_reduced(4, 16, "zext", "sext"), "znver4", {"x86.avx512.vpdpbusd.128": 1}),
        (_reduced(8, 32, "sext", "sext"), "haswell", {"x86.avx2.pmadd.wd": 2}),
        (
            _reduced(4, 8, "sext", "sext", 16),
            "haswell",
            {"vector.partial.reduce.add.v4i32.v8i32": 0},
        ),
    ],
)
def test_partial_reductions(text: str, cpu: str, wanted: dict[str, int]) -> None:
    _same(text, cpu, wanted, (64, 64, 64))


@pytest.mark.parametrize(
    ("lanes", "cpu", "call"),
    [(2, "haswell", "x86.pclmulqdq"), (8, "znver4", "x86.pclmulqdq.512")],
)
def test_products_without_carries(lanes: int, cpu: str, call: str) -> None:
    _same(_product(lanes, 64), cpu, {call: 2}, (64, 64, 64))


_LOOP = """target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr noalias %p, ptr noalias %q, ptr noalias %s, ptr noalias %out) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %acc = phi KIND [ zeroinitializer, %entry ], [ %r, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  %b = getelementptr i8, ptr %q, i64 %i
  STEP
  %j = add nuw i64 %i, 64
  %more = icmp ult i64 %j, 512
  br i1 %more, label %loop, label %done
done:
  LAST
  ret void
}
"""
_DOT = """%x = load <64 x i8>, ptr %a, align 1
  %y = load <64 x i8>, ptr %b, align 1
  %u = zext <64 x i8> %x to <64 x i32>
  %v = sext <64 x i8> %y to <64 x i32>
  %m = mul nsw <64 x i32> %u, %v
  %r = call KIND @llvm.vector.partial.reduce.add.v16i32.v64i32(KIND %acc, <64 x i32> %m)"""
_SUM = """%t = call i32 @llvm.vector.reduce.add.v16i32(KIND %r)
  store i32 %t, ptr %out, align 4"""
# 64 bits of each lane are folded into the next 64 by two constants of a polynomial of 32 bits
_FOLD = """%x = load KIND, ptr %a, align 1
  %low = and KIND %acc, splat (i64 4294967295)
  %high = lshr KIND %acc, splat (i64 32)
  %u = call KIND @llvm.clmul.v8i64(KIND %low, KIND splat (i64 2976653877))
  %v = call KIND @llvm.clmul.v8i64(KIND %high, KIND splat (i64 3433693342))
  %t = xor KIND %u, %v
  %r = xor KIND %t, %x"""


@pytest.mark.parametrize(
    ("kind", "step", "last", "wanted"),
    [
        ("<16 x i32>", _DOT, _SUM, {"x86.avx512.vpdpbusd.512": 1}),
        ("<8 x i64>", _FOLD, "store KIND %r, ptr %out, align 1", {"x86.pclmulqdq.512": 4}),
    ],
)
def test_loops(kind: str, step: str, last: str, wanted: dict[str, int]) -> None:
    """A dot product, and the folding of a checksum."""
    text = _LOOP.replace("STEP", step).replace("LAST", last).replace("KIND", kind)
    _same(text, "znver4", wanted, (512, 512, 64))
