"""Sliced vectors put together again: what becomes of a text, that it means the same, and what
must stay.
"""

from __future__ import annotations

import pytest

from bench.jit import execute
from frontends.halide.merge import merge_once, merge_slices
from frontends.llvm.linked import binding
from frontends.llvm.text.build import said_of
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved
from tests.frontends.halide.accesses import parts
from tests.verdicts import verify_function

JOIN8 = "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>"
LOADS = f"""\
define <8 x i32> @f(ptr %p) {{
  %a = load <4 x i32>, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %b = load <4 x i32>, ptr %q, align 4
  %r = shufflevector <4 x i32> %a, <4 x i32> %b, <8 x i32> {JOIN8}
  ret <8 x i32> %r
}}
"""
OUT_OF_ORDER = f"""\
define <8 x i32> @f(ptr %p) {{
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %b = load <4 x i32>, ptr %q, align 4
  %a = load <4 x i32>, ptr %p, align 4
  %r = shufflevector <4 x i32> %a, <4 x i32> %b, <8 x i32> {JOIN8}
  ret <8 x i32> %r
}}
"""
THROUGH_SUMS = f"""\
define <8 x i32> @f(ptr %p, i64 %i) {{
  %j = add i64 %i, 4
  %pa = getelementptr i32, ptr %p, i64 %i
  %pb = getelementptr i32, ptr %p, i64 %j
  %a = load <4 x i32>, ptr %pa, align 4
  %b = load <4 x i32>, ptr %pb, align 4
  %r = shufflevector <4 x i32> %a, <4 x i32> %b, <8 x i32> {JOIN8}
  ret <8 x i32> %r
}}
"""
EVEN = """\
define <4 x i32> @f(ptr %p) {
  %a = load <4 x i32>, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %b = load <4 x i32>, ptr %q, align 4
  %r = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  ret <4 x i32> %r
}
"""
INTERLEAVED = """\
define <8 x i32> @f(ptr %p, ptr %o) {
  %a = load <2 x i32>, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %b = load <2 x i32>, ptr %q, align 4
  %c = load <2 x i32>, ptr %o, align 4
  %r = getelementptr inbounds i8, ptr %o, i64 8
  %d = load <2 x i32>, ptr %r, align 4
  %x = shufflevector <2 x i32> %a, <2 x i32> %b, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>
  %y = shufflevector <2 x i32> %c, <2 x i32> %d, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>
  %z = shufflevector <8 x i32> %x, <8 x i32> %y, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  ret <8 x i32> %z
}
"""
STORES = """\
define void @f(<8 x i32> %v, ptr %p) {
  %a = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %b = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x i32> %a, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 16
  store <4 x i32> %b, ptr %q, align 4
  ret void
}
"""
ARITHMETIC = f"""\
define <8 x i32> @f(<8 x i32> %v, ptr %p) {{
  %a = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %b = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c = load <4 x i32>, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %d = load <4 x i32>, ptr %q, align 4
  %e = add nsw <4 x i32> %a, %c
  %g = add nsw <4 x i32> %b, %d
  %h = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %e, <4 x i32> splat (i32 7))
  %i = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %g, <4 x i32> splat (i32 7))
  %r = shufflevector <4 x i32> %h, <4 x i32> %i, <8 x i32> {JOIN8}
  ret <8 x i32> %r
}}

declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>)
"""
LOOP = f"""\
define void @f(ptr %p, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = phi <4 x i32> [ zeroinitializer, %entry ], [ %c, %loop ]
  %b = phi <4 x i32> [ zeroinitializer, %entry ], [ %d, %loop ]
  %x = shufflevector <4 x i32> %a, <4 x i32> %b, <8 x i32> {JOIN8}
  %q = getelementptr <8 x i32>, ptr %p, i64 %i
  %v = load <8 x i32>, ptr %q, align 4
  %y = add <8 x i32> %x, %v
  %c = shufflevector <8 x i32> %y, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %d = shufflevector <8 x i32> %y, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %j = add nuw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done
done:
  store <4 x i32> %c, ptr %p, align 4
  %behind = getelementptr inbounds i8, ptr %p, i64 16
  store <4 x i32> %d, ptr %behind, align 4
  ret void
}}
"""

MERGED = {
    "loads": (LOADS, [(1, "load <8 x i32>")]),
    "loads out of order": (OUT_OF_ORDER, [(1, "load <8 x i32>")]),
    "addresses through sums": (THROUGH_SUMS, [(1, "load <8 x i32>")]),
    "every second lane of slices": (EVEN, [(1, "load <8 x i32>")]),
    "two rows interleaved": (INTERLEAVED, [(2, "load <4 x i32>")]),
    "stores": (STORES, [(1, "store <8 x i32>")]),
    "arithmetic in pieces": (ARITHMETIC, [(1, "load <8 x i32>")]),
    "values kept across a loop": (
        LOOP,
        [(1, "load <8 x i32>"), (1, "phi <8 x i32>"), (1, "store <8 x i32>")],
    ),
}


def whole(text: str) -> str:
    return merge_slices(f'target triple = "{binding.host_triple()}"\n{text}')


@pytest.mark.parametrize("case", MERGED)
def test_merged(case: str) -> None:
    text, wanted = MERGED[case]
    assert list(parts(whole(text))) == wanted


def test_merged_arithmetic_is_one_operation() -> None:
    (function,) = parse_module(whole(ARITHMETIC)).functions
    opcodes = [i.opcode for i in function.blocks[0].instrs]
    assert opcodes == ["load", "add", "call", "ret"]
    assert "nsw" in function.blocks[0].instrs[1].flags


RUN: dict[str, list[bytes | int]] = {
    "values kept across a loop": [bytes(k * 37 % 256 for k in range(32 * 5)), 5],
    "addresses through sums": [bytes(range(64)), 5],
}


@pytest.mark.parametrize("case", [c for c in MERGED if c not in RUN])
def test_what_is_merged_is_refined(case: str) -> None:
    text = binding.normalise(MERGED[case][0])
    merged = merge_once(text)
    assert merged != text
    modules = parse_module(text), parse_module(binding.normalise(merged))
    assert isinstance(
        verify_function(modules[0].functions[0], modules[1].functions[0], None, modules), Proved
    )


@pytest.mark.parametrize("case", RUN)
def test_what_is_merged_computes_the_same(case: str) -> None:
    before, after = (
        execute(text, "f", [RUN[case]])[0] for text in (MERGED[case][0], whole(MERGED[case][0]))
    )
    assert before == after
    assert before.result or before.buffers[0] != RUN[case][0]


SUMS32 = f"""\
target datalayout = "e-m:e-p:32:32:32-a:0-n16:32"

define <8 x i32> @f(ptr %p, i32 %i) {{
  %j = add i32 %i, -4
  %pa = getelementptr i32, ptr %p, i32 %j
  %pb = getelementptr i32, ptr %p, i32 %i
  %a = load <4 x i32>, ptr %pa, align 4
  %b = load <4 x i32>, ptr %pb, align 4
  %r = shufflevector <4 x i32> %a, <4 x i32> %b, <8 x i32> {JOIN8}
  ret <8 x i32> %r
}}
"""


def test_sums_are_followed_only_where_they_are_as_wide_as_pointers() -> None:
    """With 64-bit pointers the narrow sum may wrap on its way."""
    narrow, wide = (
        binding.normalise(SUMS32.replace("p:32:32:32", p)) for p in ("p:32:32:32", "p:64:64:64")
    )
    assert (1, "load <8 x i32>") in list(parts(merge_once(narrow)))
    assert merge_once(wide) == wide


def kept(between: str, *, second: str = "%q", offset: int = 16, flags: str = "") -> str:
    return f"""\
define <8 x i32> @f(ptr %p, ptr %o) {{
  %q = getelementptr inbounds i8, ptr %p, i64 {offset}
  %a = load {flags} <4 x i32>, ptr %p, align 4
  {between}
  %b = load {flags} <4 x i32>, ptr {second}, align 4
  %r = shufflevector <4 x i32> %a, <4 x i32> %b, <8 x i32> {JOIN8}
  ret <8 x i32> %r
}}

declare void @g()
"""


KEPT = {
    "a store that may alias": kept("store i32 1, ptr %o, align 4"),
    "a call": kept("call void @g()"),
    "a gap": kept("", offset=20),
    "an overlap": kept("", offset=12),
    "another base": kept("", second="%o"),
    "volatile": kept("", flags="volatile"),
}


@pytest.mark.parametrize("case", KEPT)
def test_kept(case: str) -> None:
    text = binding.normalise(KEPT[case])
    assert merge_once(text) == text


def test_a_store_beside_the_loads_is_no_obstacle() -> None:
    text = kept(
        "%s = getelementptr inbounds i8, ptr %p, i64 32\n  store <4 x i32> zeroinitializer, ptr %s, align 4"
    )
    assert (1, "load <8 x i32>") in list(parts(whole(text)))
    text = kept(
        "%s = getelementptr inbounds i8, ptr %p, i64 28\n  store <4 x i32> zeroinitializer, ptr %s, align 4"
    )
    assert (2, "load <4 x i32>") in list(parts(whole(text)))


def test_stores_with_a_load_between_them_stay() -> None:
    text = STORES.replace(
        "  store <4 x i32> %b", "  %x = load volatile i32, ptr %q, align 4\n  store <4 x i32> %b"
    )
    assert list(parts(whole(text))) == [(2, "store <4 x i32>")]


def test_two_stored_vectors_stay_two() -> None:
    """A run of pieces is cut where one vector ends and the next begins."""
    slices = [
        f"  %{v}{k} = shufflevector <8 x i32> %{v}, <8 x i32> poison, <4 x i32> <{', '.join(f'i32 {4 * k + i}' for i in range(4))}>"
        for v in "vw"
        for k in (0, 1)
    ]
    stores = [
        f"  %p{n} = getelementptr inbounds i8, ptr %p, i64 {16 * n}\n  store <4 x i32> %{x}, ptr %p{n}, align 4"
        for n, x in enumerate(("v0", "v1", "w0", "w1"))
    ]
    text = "\n".join(
        [
            "define void @f(<8 x i32> %v, <8 x i32> %w, ptr %p) {",
            *slices,
            *stores,
            "  ret void",
            "}",
        ]
    )
    assert list(parts(whole(text))) == [(2, "store <8 x i32>")]


def test_unlike_operations_stay() -> None:
    text = ARITHMETIC.replace("%g = add nsw", "%g = sub nsw")
    assert "x i32> @llvm.smin.v8i32" not in whole(text)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%r = add nuw nsw <4 x i8> %a, %a", "add nuw nsw"),
        ("%r = lshr exact <4 x i8> %a, %a", "lshr exact"),
        ("%r = icmp ult <4 x i8> %a, %a", "icmp ult"),
    ],
)
def test_flags_belong_to_what_is_written_again(line: str, said: str) -> None:
    module = parse_module(f"define void @f(<4 x i8> %a) {{\n  {line}\n  ret void\n}}\n")
    assert said_of(module.functions[0].blocks[0].instrs[0]) == said
