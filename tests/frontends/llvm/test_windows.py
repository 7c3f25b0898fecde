"""Windows of parsed functions: what is in them, what their leaves are, what they compute."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.leaves import operand_key
from frontends.llvm.windows.places import Place, places, smaller_places
from frontends.llvm.windows.scene import Limits, Scene
from semantics import target_named
from tests.frontends.llvm.toy import Toy

HEADER = 'target triple = "x86_64-pc-linux-gnu"\n'


def scene(body: str) -> Scene:
    module = parse_module(normalise(HEADER + body))
    return Scene(module, module.functions[0], Toy())


def found(body: str, limits: Limits | None = None) -> list[Place]:
    return list(places(scene(body), limits or Limits()))


def nodes(place: Place) -> list[list[str]]:
    return [[i.name for i in s.nodes] for s in place.sites]


def test_the_text_of_a_window() -> None:
    (place,) = found(
        """
define void @f(ptr %p, <2 x i8> noundef %b, ptr %o) {
  %a = load <2 x i8>, ptr %p, align 2
  %x = zext <2 x i8> %a to <2 x i16>
  %y = zext <2 x i8> %b to <2 x i16>
  %s = add <2 x i16> %x, %y
  %m = mul <2 x i16> %s, splat (i16 3)
  store <2 x i16> %m, ptr %o, align 4
  ret void
}
"""
    )
    (site,) = place.sites
    assert [(x.leaf.name, str(x.operand.type), x.fixed) for x in site.inputs] == [
        ("a0", "<2 x i8>", False),
        ("a1", "<2 x i8>", True),
    ]
    assert site.window.text().startswith(
        "leaf a0 2x8\nleaf a1 2x8\nroot 2x16\n  (mul (add (zext 16 a0[0]:8) (zext 16 a1[0]:8)) 3:16)\n"
    )
    assert [r.name for r in site.roots] == ["m"]


def test_values_of_other_blocks_are_leaves_and_roots() -> None:
    found_places = found(
        """
define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b, i1 %c) {
entry:
  %m = mul <4 x i32> %a, %b
  br i1 %c, label %left, label %right

left:
  %x = mul <4 x i32> %m, %a
  br label %right

right:
  %p = phi <4 x i32> [ %x, %left ], [ %m, %entry ]
  %y = mul <4 x i32> %p, %m
  ret <4 x i32> %y
}
"""
    )
    assert [(p.root.name, nodes(p)) for p in found_places] == [
        ("m", [["m"]]),
        ("x", [["x"]]),
        ("y", [["y"]]),
    ]


def test_an_intermediate_root_is_tried_inside_and_as_a_leaf() -> None:
    inner, outer = found(
        """
define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b, ptr %o) {
  %m = mul <4 x i32> %a, %b
  store <4 x i32> %m, ptr %o, align 16
  %s = mul <4 x i32> %m, %b
  %t = add <4 x i32> %s, %a
  ret <4 x i32> %t
}
"""
    )
    assert nodes(inner) == [["m"]]
    assert nodes(outer) == [["m", "s", "t"], ["s", "t"]]


def test_a_freeze_that_may_matter_cuts() -> None:
    (place,) = [
        p
        for p in found(
            """
define <4 x i32> @f(<4 x i32> %a, <4 x i32> noundef %b) {
  %m = mul nsw <4 x i32> %a, %b
  %f = freeze <4 x i32> %m
  %n = mul <4 x i32> %b, %b
  %g = freeze <4 x i32> %n
  %s = mul <4 x i32> %f, %g
  ret <4 x i32> %s
}
"""
        )
        if p.root.name == "s"
    ]
    assert nodes(place) == [["n", "g", "s"]]
    assert [x.fixed for x in place.sites[0].inputs] == [True, True]


def test_debug_records_keep_nothing() -> None:
    (place,) = found(
        """
define <4 x i32> @f(<4 x i32> %a) !dbg !5 {
  %m = mul <4 x i32> %a, %a
    #dbg_value(<4 x i32> %m, !9, !DIExpression(), !8)
  %s = mul <4 x i32> %m, %a
  ret <4 x i32> %s
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 3, column: 9, scope: !5)
!9 = !DILocalVariable(name: "v", scope: !5, file: !1, line: 2)
"""
    )
    assert nodes(place) == [["m", "s"]]


def test_an_undef_operand_is_one_value() -> None:
    (place,) = found(
        "define <2 x i8> @f(<2 x i8> %a) {\n  %m = mul <2 x i8> %a, <i8 undef, i8 3>\n  ret <2 x i8> %m\n}\n"
    )
    assert "root 2x8\n  0:8\n  (mul a0[8]:8 3:8)\n" in place.sites[0].window.text()


def test_a_poison_lane_may_be_anything() -> None:
    body = "  %s = shufflevector <2 x i8> %a, <2 x i8> poison, <2 x i32> <i32 1, i32 poison>\n  %m = mul <2 x i8> %s, %s\n"
    (place,) = found(f"define <2 x i8> @f(<2 x i8> %a) {{\n{body}  ret <2 x i8> %m\n}}\n")
    assert place.sites[0].window.text().splitlines()[2:] == [
        "  (mul a0[8]:8 a0[8]:8)",
        "  - if 0:1",
    ]


def test_a_violated_flag_is_not_defined() -> None:
    (place,) = found(
        "define <2 x i8> @f(<2 x i8> %a, <2 x i8> %b) {\n  %m = mul nuw <2 x i8> %a, %b\n  ret <2 x i8> %m\n}\n"
    )
    assert all(not d.is_const for d in place.sites[0].window.roots[0].defined)


def test_target_intrinsics_are_inside_and_give_no_poison() -> None:
    body = """
define <16 x i8> @f(<16 x i8> %a, <16 x i8> %b) {
  %s = add nuw <16 x i8> %a, %b
  %t = add <16 x i8> %a, %b
  %m = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %s, <16 x i8> %t)
  %r = mul <16 x i8> %m, %m
  ret <16 x i8> %r
}
"""
    (place,) = found(body)
    assert nodes(place) == [["s", "t", "m", "r"]]
    assert all(d.is_const and d.value for d in place.sites[0].window.roots[0].defined)


@pytest.mark.parametrize(
    ("attribute", "expected"), [("", [["r"]]), ("noundef", [["m", "r"], ["r"]])]
)
def test_target_intrinsics_of_values_that_may_be_poison_are_not_computed_twice(
    attribute: str, expected: list[list[str]]
) -> None:
    body = f"""
define <16 x i8> @f(<16 x i8> {attribute} %a, ptr %o) {{
  %m = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %a, <16 x i8> %a)
  store <16 x i8> %m, ptr %o
  %r = mul <16 x i8> %m, %m
  ret <16 x i8> %r
}}
"""
    assert nodes(found(body)[-1]) == expected


@pytest.mark.parametrize(
    ("attribute", "expected"), [("", [["s", "r"], ["r"]]), ("noundef", [["m", "s", "r"], ["r"]])]
)
def test_nor_are_they_by_way_of_a_value_that_others_see(
    attribute: str, expected: list[list[str]]
) -> None:
    """Two windows would freeze %a twice, and %s and %r could rest on two values of it."""
    body = f"""
define <16 x i8> @f(<16 x i8> {attribute} %a, ptr %o) {{
  %m = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %a, <16 x i8> %a)
  %s = mul <16 x i8> %m, %m
  store <16 x i8> %s, ptr %o
  %r = mul <16 x i8> %s, %s
  ret <16 x i8> %r
}}
"""
    assert nodes(found(body)[-1]) == expected


@pytest.mark.parametrize(
    ("attribute", "expected"), [("", ["e", "s", "r"]), ("noundef", ["m", "e", "s", "r"])]
)
def test_nor_are_they_in_another_block(attribute: str, expected: list[str]) -> None:
    """There %a is frozen once for all passes of both loops, in a window once a pass of one."""
    body = f"""
define void @f(<8 x i16> {attribute} %a, ptr noalias %p, ptr noalias %q, i64 %n) {{
entry:
  %m = call <8 x i16> @llvm.x86.sse2.psrli.w(<8 x i16> %a, i32 8)
  %e = zext <8 x i16> %m to <8 x i32>
  br label %outer

outer:
  %j = phi i64 [ 0, %entry ], [ %j1, %latch ]
  br label %loop

loop:
  %i = phi i64 [ 0, %outer ], [ %i1, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %x = load <8 x i8>, ptr %at, align 1
  %w = zext <8 x i8> %x to <8 x i32>
  %s = mul <8 x i32> %w, %e
  %r = lshr <8 x i32> %s, splat (i32 8)
  %to = getelementptr i32, ptr %q, i64 %i
  store <8 x i32> %r, ptr %to, align 2
  %i1 = add i64 %i, 8
  %more = icmp slt i64 %i1, %n
  br i1 %more, label %loop, label %latch

latch:
  %j1 = add i64 %j, 1
  %again = icmp slt i64 %j1, %n
  br i1 %again, label %outer, label %done

done:
  ret void
}}
"""
    module = parse_module(normalise(body))
    made = places(Scene(module, module.functions[0], target_named("x86")), Limits())
    held = nodes(next(p for p in made if p.root.name == "r"))[0]
    assert [n for n in held if n in ("m", "e", "s", "r")] == expected


@pytest.mark.parametrize(
    ("low", "expected"), [(0, ["m", "w", "v", "r"]), (1, ["k", "w", "v", "r"])]
)
def test_which_lanes_others_see_matters(low: int, expected: list[str]) -> None:
    """Of %w others see the half that %r does not see, which is %k, or the same half, %m."""
    halves = [", ".join(f"i32 {16 * k + n}" for n in range(16)) for k in range(2)]
    body = f"""
define <16 x i8> @f(<16 x i8> %a, <16 x i8> %b, ptr %o) {{
  %m = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %a, <16 x i8> %b)
  %k = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %b, <16 x i8> %b)
  %w = shufflevector <16 x i8> %m, <16 x i8> %k, <32 x i32> <{", ".join(halves)}>
  %v = mul <32 x i8> %w, splat (i8 3)
  %r = shufflevector <32 x i8> %v, <32 x i8> poison, <16 x i32> <{halves[0]}>
  %s = shufflevector <32 x i8> %v, <32 x i8> poison, <16 x i32> <{halves[1 - low]}>
  store <16 x i8> %s, ptr %o
  ret <16 x i8> %r
}}
"""
    made = found(body, Limits(register=128))
    assert expected in nodes(next(p for p in made if p.root.name == "r"))


@pytest.mark.parametrize(
    "body",
    [
        "  %s = add <4 x i32> %a, %b\n  ret <4 x i32> %s\n",
        "  %s = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 4, i32 1, i32 5>\n  ret <4 x i32> %s\n",
        "  %s = mul <4 x i32> %a, %b\n  ret <4 x i32> %a\n",
    ],
)
def test_nothing_to_gain_is_no_window(body: str) -> None:
    assert found(f"define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b) {{\n{body}}}\n") == []


def chain(n: int) -> str:
    lines = [f"  %v{k + 1} = mul <4 x i32> %v{k}, %v{k}" for k in range(n)]
    return (
        "define <4 x i32> @f(<4 x i32> %v0) {\n"
        + "\n".join(lines)
        + f"\n  ret <4 x i32> %v{n}\n}}\n"
    )


def test_windows_stop_growing_at_the_limits() -> None:
    (place,) = found(chain(30), Limits(nodes=10))
    assert nodes(place) == [[f"v{k}" for k in range(21, 31)]]
    (place,) = found(chain(30), Limits(lanes=8))
    assert nodes(place) == [["v29", "v30"]]


def test_windows_that_sum_products_grow_further() -> None:
    lines = ["  %s0 = mul <4 x i32> %a, %b"]
    for k in range(12):
        lines.append(f"  %p{k} = mul <4 x i32> %a, splat (i32 {k + 3})")
        lines.append(f"  %s{k + 1} = add <4 x i32> %s{k}, %p{k}")
    head = "define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b) {\n"
    text = head + "\n".join(lines) + "\n  ret <4 x i32> %s12\n}\n"
    sizes = {sums: len(nodes(found(text, Limits(nodes=10, sums=sums))[0])[0]) for sums in (2, 3)}
    assert sizes == {2: 10, 3: 25}  # not a part of it that is larger


def test_operands_of_a_root_are_smaller_windows() -> None:
    s = scene(chain(4))
    (place,) = places(s, Limits())
    (inner,) = smaller_places(s, place, Limits())
    assert nodes(inner) == [["v1", "v2", "v3"]]


def test_every_instruction_left_out_has_a_reason() -> None:
    s = scene(
        """
define i32 @f(<4 x float> %x, <4 x i32> %a, ptr %p, i32 %n) {
  %d = udiv <4 x i32> %a, %a
  %c = bitcast <4 x float> %x to <4 x i32>
  %m = add i32 %n, 1
  %e = extractelement <4 x i32> %a, i32 %n
  %l = load <4 x i32>, ptr %p, align 16
  ret i32 %m
}
"""
    )
    reasons = {i.name: s.reasons.get(i.line, "") for i in s.view.defs.values()}
    assert reasons["d"] == "'udiv' may have undefined behaviour"
    assert reasons["c"] == "'bitcast' with operands other than integers"
    assert reasons["m"] == "scalar code"
    assert reasons["l"] == "'load' is outside of windows"


def test_a_scalar_in_all_lanes_is_a_leaf() -> None:
    text = """
define <8 x i16> @f(<8 x i16> %x, i16 %s) {
  %one = insertelement <8 x i16> poison, i16 %s, i64 0
  %all = shufflevector <8 x i16> %one, <8 x i16> poison, <8 x i32> zeroinitializer
  %sum = add <8 x i16> %x, %all
  %r = mul <8 x i16> %sum, %all
  ret <8 x i16> %r
}
"""
    module = parse_module(normalise(text))
    (place,) = places(Scene(module, module.functions[0], Toy()), Limits())
    assert [i.name for i in place.sites[0].nodes] == ["sum", "r"]
    assert {operand_key(x.operand) for x in place.sites[0].inputs} == {"%x", "%all"}


def test_an_extension_that_was_hoisted_belongs_to_the_window() -> None:
    """It tells that a factor of 32 bits has 16; other values of other blocks stay leaves."""
    text = """
define void @f(ptr %p, <8 x i16> %w, <8 x i32> %b) {
entry:
  %wide = sext <8 x i16> %w to <8 x i32>
  %bias = mul <8 x i32> %b, %wide
  br label %loop

loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %x = load <8 x i32>, ptr %at, align 4
  %product = mul <8 x i32> %x, %wide
  %sum = add <8 x i32> %product, %bias
  store <8 x i32> %sum, ptr %at, align 4
  %next = getelementptr i8, ptr %at, i64 32
  br label %loop
}
"""
    place = found(text)[-1]
    assert nodes(place) == [["wide", "product", "sum"]]
    assert {operand_key(x.operand) for x in place.sites[0].inputs} == {"%w", "%x", "%bias"}
