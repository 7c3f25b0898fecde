"""Memory of the reference interpreter: poison by bit, what is undefined, masked accesses."""

from __future__ import annotations

import pytest

from tests.frontends.llvm.interpreted import function, memory_of
from tests.reference.interpreter import run
from tests.reference.values import POISON, Pointer, UndefinedBehaviour


def test_memory_keeps_poison_by_bit() -> None:
    f = function(
        "define <2 x i16> @f(ptr %p, <4 x i8> %a) {\n  store <4 x i8> %a, ptr %p, align 4\n  %r = load <2 x i16>, ptr %p, align 2\n  ret <2 x i16> %r\n}"
    )
    memory = memory_of(bytes(8))
    assert run(f, [(Pointer(0, 0),), (1, 2, POISON, 4)], memory) == (0x0201, POISON)
    assert memory.regions[0].poison == bytes([0, 0, 255, 0, 0, 0, 0, 0])


def test_sub_byte_lanes_are_packed() -> None:
    f = function(
        "define void @f(ptr %p, <9 x i1> %m) {\n  store <9 x i1> %m, ptr %p, align 1\n  ret void\n}"
    )
    memory = memory_of(b"\xff\xff\xff")
    run(f, [(Pointer(0, 0),), (1, 0, 0, 0, 0, 0, 0, 1, 1)], memory)
    assert memory.regions[0].data == bytes([0x81, 0x01, 0xFF])


@pytest.mark.parametrize(
    "line",
    [
        "%r = load <4 x i8>, ptr %q, align 1",  # one byte beyond
        "store <4 x i8> zeroinitializer, ptr %q, align 1",
        "%r = load i8, ptr %q, align 2",  # misaligned
        "%r = load i8, ptr poison, align 1",
        "%r = load i8, ptr null, align 1",
        "call void @llvm.assume(i1 false)",
    ],
)
def test_undefined_memory_accesses(line: str) -> None:
    f = function(
        f"define void @f(ptr %p) {{\n  %q = getelementptr i8, ptr %p, i64 5\n  {line}\n  ret void\n}}\n"
    )
    with pytest.raises(UndefinedBehaviour):
        run(f, [(Pointer(0, 0),)], memory_of(bytes(8)))


def test_masked_accesses_touch_only_their_lanes() -> None:
    k = "<4 x i16>"
    text = f"""
define {k} @f(ptr %p, <4 x i1> %m, {k} %v) {{
  %r = call {k} @llvm.masked.load.v4i16.p0(ptr align 2 %p, <4 x i1> %m, {k} splat (i16 9))
  call void @llvm.masked.store.v4i16.p0({k} %v, ptr align 2 %p, <4 x i1> %m)
  ret {k} %r
}}"""
    memory = memory_of(bytes(range(6)))
    assert run(function(text), [(Pointer(0, 0),), (1, 0, 1, 0), (1, 2, 3, 4)], memory) == (
        0x0100,
        9,
        0x0504,
        9,
    )
    assert memory.regions[0].data == bytes([1, 0, 2, 3, 3, 0])
    with pytest.raises(UndefinedBehaviour):
        run(function(text), [(Pointer(0, 0),), (1, 0, 1, 1), (1, 2, 3, 4)], memory)
