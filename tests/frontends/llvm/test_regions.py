"""Loads that overlap: what is one region and what is not, and the one thing that a program may
not do with it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.layout import sizes_of
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import places
from frontends.llvm.windows.regions import Regions, scalar_of
from frontends.llvm.windows.scene import Limits, Scene, Site
from isel.cache.window_text import read_window
from isel.ir.build import add, band, concat, zext
from isel.ir.expr import const, elem, postorder
from isel.model.verdict import Proved, Refuted, Unknown
from isel.model.window import Leaf, Root, TwoReads, Window
from isel.verify.windows import prove_window
from semantics import target_named

SUM = """
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %s = add <16 x i16> %x, %y
  store <16 x i16> %s, ptr %o, align 1
  ret void
"""


def shared(body: str) -> Window:
    """Return the window over its regions, whether or not there is anything to be made of them."""
    text = f"@t = external global [64 x i8]\ndeclare void @g()\n\ndefine void @f(ptr %p, ptr %q, ptr %o) {{\n{body}{SUM}}}\n"
    module = parse_module(normalise(text))
    scene = Scene(module, module.functions[0], target_named("x86"))
    (place,) = places(scene, Limits())
    s = place.sites[0]
    inputs = scene.regions.shared(s.inputs, 128)
    return replace(s.window, leaves=tuple(x.leaf for x in inputs if x.made is None))


def loads(first: str, second: str, between: str = "") -> str:
    return f"  %g = getelementptr i8, {second}\n  %a = load <16 x i8>, ptr {first}, align 1\n{between}  %b = load <16 x i8>, ptr %g, align 1\n"


def sources(w: Window) -> set[str]:
    return {
        e.source
        for e in postorder([x for r in w.in_regions().roots for x in r.lanes if x is not None])
        if e.is_leaf
    }


def test_overlapping_loads_are_one_region() -> None:
    found = shared(loads("%p", "ptr %p, i64 1"))
    assert [(x.region, x.first) for x in found.leaves] == [("m0", 0), ("m0", 8)]
    assert sources(found) == {"m0"}
    lane = found.in_regions().roots[0].lanes[3]
    assert lane is add(zext(elem("m0", 24, 8), 16), zext(elem("m0", 32, 8), 16))


def test_an_address_may_go_back_and_over_several_steps() -> None:
    body = "  %h = getelementptr i32, ptr %p, i64 4\n  %g = getelementptr i8, ptr %h, i64 -9\n"
    body += "  %a = load <16 x i8>, ptr %p, align 1\n  %b = load <16 x i8>, ptr %g, align 1\n"
    assert [(x.region, x.first) for x in shared(body).leaves] == [("m0", 0), ("m0", 56)]


_INDEX = "  %n = load i64, ptr %q, align 8\n  %m = {}\n"


def indexed(further: str) -> str:
    head = _INDEX.format(further) + "  %h = getelementptr i8, ptr %p, i64 %n\n"
    return head + loads("%h", "ptr %p, i64 %m")


@pytest.mark.parametrize(
    ("further", "first"),
    [("add i64 %n, 2", 16), ("add i64 %n, -3", -24), ("sub i64 %n, 1", -8)],
)
def test_loads_at_an_index_and_behind_it_are_one_region(further: str, first: int) -> None:
    found = [x.first for x in shared(indexed(further)).leaves if x.region == "m0"]
    assert found == [max(-first, 0), max(first, 0)]


def test_a_table_at_an_index_is_a_region() -> None:
    body = "  %n = load i64, ptr %q, align 8\n  %h = getelementptr [2 x i8], ptr @t, i64 %n\n"
    found = shared(body + loads("%h", "ptr %h, i64 1"))
    assert [(x.region, x.first) for x in found.leaves] == [("m0", 0), ("m0", 8)]


def test_two_indices_behind_a_table_are_a_region() -> None:
    body = _INDEX.format("add i64 %n, 1") + "  %t = getelementptr [2 x i8], ptr @t, i64 %n\n"
    body += "  %h = getelementptr i8, ptr %t, i64 %n\n"
    found = shared(body + loads("%h", "ptr %t, i64 %m"))
    assert [(x.region, x.first) for x in found.leaves] == [("m0", 0), ("m0", 8)]


@pytest.mark.parametrize(
    "further", ["add i64 %n, 17", "sub i64 1, %n", "mul i64 %n, 3", "or i64 %n, 1"]
)
def test_loads_at_other_indices_are_not(further: str) -> None:
    assert not any(x.region for x in shared(indexed(further)).leaves)


@pytest.mark.parametrize(
    "body",
    [
        loads("%p", "ptr %p, i64 16"),
        loads("%p", "ptr %q, i64 1"),
        loads("%p", "ptr %p, i64 1", "  store i8 1, ptr %q, align 1\n"),
        loads("%p", "ptr %p, i64 1", "  call void @g()\n"),
        loads("%p", "ptr %p, i64 1").replace("%a = load", "%a = load volatile"),
        "  %n = load i64, ptr %q, align 8\n" + loads("%p", "ptr %p, i64 %n"),
        loads("@t", "ptr @t, i64 1"),
    ],
    ids=[
        "apart",
        "another pointer",
        "a store between",
        "a call between",
        "volatile",
        "unknown offset",
        "a global",
    ],
)
def test_other_loads_are_not(body: str) -> None:
    assert not any(x.region for x in shared(body).leaves)


_COMPUTING = """
call <16 x i8> @llvm.masked.load.v16i8.p0(ptr align 1 %q, <16 x i1> splat (i1 true), <16 x i8> %a)
call <16 x i8> @llvm.umax.v16i8(<16 x i8> %a, <16 x i8> %a)
load i8, ptr %q | getelementptr i8, ptr %q, i64 1 | icmp eq i8 1, 2 | fcmp oeq float 1.0, 2.0 | select i1 true, i8 1, i8 2 | freeze i8 1 | alloca i8
ptrtoint ptr %q to i64 | inttoptr i64 1 to ptr | bitcast <2 x i8> zeroinitializer to i16 | zext i8 1 to i16 | sext i8 1 to i16 | trunc i16 1 to i8
shufflevector <2 x i8> zeroinitializer, <2 x i8> zeroinitializer, <2 x i32> <i32 0, i32 1> | insertelement <2 x i8> zeroinitializer, i8 1, i64 0
extractelement <2 x i8> zeroinitializer, i64 0 | add i8 1, 2 | sub i8 1, 2 | mul i8 1, 2 | and i8 1, 2 | or i8 1, 2 | xor i8 1, 2 | shl i8 1, 2
lshr i8 1, 2 | ashr i8 1, 2 | udiv i8 1, 2 | sdiv i8 1, 2 | urem i8 1, 2 | srem i8 1, 2
"""


@pytest.mark.parametrize(
    "between", [x.strip() for line in _COMPUTING.strip().splitlines() for x in line.split("|")]
)
def test_what_only_computes_does_not_keep_loads_apart(between: str) -> None:
    assert all(x.region for x in shared(loads("%p", "ptr %p, i64 1", f"  %n = {between}\n")).leaves)


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        ("<2 x i8>", 16),
        ("i24", 24),
        ("<4 x i4>", 0),
        ("<2 x i12>", 0),
        ("float", 0),
        ("<2 x ptr>", 0),
    ],
)
def test_loads_of_whole_bytes_may_be_shared(kind: str, read: int) -> None:
    module = parse_module(
        normalise(
            f"define void @f(ptr %p) {{\n  %a = load {kind}, ptr %p, align 1\n  ret void\n}}\n"
        )
    )
    found = Regions(module.functions[0], lambda i: True, sizes_of("", module.lines)).read("a")
    assert (found.bits if found is not None else 0) == read


def splat(
    source: str = "insertelement <4 x i8> poison, i8 %x, i64 0",
    mask: str = "i32 0, i32 0, i32 0, i32 0",
    of: str = "%i",
) -> str:
    return f"  %i = {source}\n  %s = shufflevector <4 x i8> {of}, <4 x i8> poison, <4 x i32> <{mask}>\n"


@pytest.mark.parametrize(
    ("body", "scalar"),
    [
        (splat(), "x"),
        (splat(mask="i32 0, i32 1, i32 0, i32 0"), ""),
        (splat(mask="i32 0, i32 poison, i32 0, i32 0"), ""),
        (splat(of="zeroinitializer"), ""),
        (splat(of="%v"), ""),
        (splat("insertelement <4 x i8> poison, i8 %x, i64 1"), ""),
        (splat("insertelement <4 x i8> poison, i8 %x, i8 %x"), ""),
        (splat("insertelement <4 x i8> poison, i8 7, i64 0"), ""),
        (splat("add <4 x i8> %v, %v"), ""),
        (splat("select i1 %k, <4 x i8> %v, <4 x i8> zeroinitializer"), ""),
        ("  %s = add <4 x i8> %v, %v\n", ""),
        ("  %i = insertelement <4 x i8> poison, i8 %x, i64 0\n  %s = add <4 x i8> %i, %i\n", ""),
    ],
)
def test_which_scalar_is_in_all_lanes(body: str, scalar: str) -> None:
    text = f"define void @f(<4 x i8> %v, i8 %x, i1 %k) {{\n{body}  ret void\n}}\n"
    defs = {i.name: i for i in parse_module(normalise(text)).functions[0].blocks[0].instrs}
    found = scalar_of(defs["s"], defs.get)
    assert (found.name if found is not None else "") == scalar


def window() -> Window:
    leaves = (Leaf("a", 8, 16, "m0", 0), Leaf("b", 8, 16, "m0", 8))
    lanes = tuple(band(elem("a", 8 * i, 8), elem("b", 8 * i, 8)) for i in range(16))
    return Window(leaves, (Root(8, lanes, (const(1, 1),) * 16),))


def test_the_text_of_a_window_keeps_its_regions() -> None:
    assert read_window(window().text()) == window()
    assert "leaf b 16x8 m0 8 0" in window().text()


def test_a_lane_of_either_load_is_the_same_byte() -> None:
    w = window()
    first, second = elem("a", 16, 8), elem("b", 8, 8)
    assert w.placed(first) is w.placed(second) is elem("m0", 16, 8)


def test_a_byte_that_two_loads_read_for_one_lane_is_refused() -> None:
    """Undefined memory need not be the same in both (REFINEMENT R6); each by itself is fine."""
    w = window()
    with pytest.raises(TwoReads):
        w.placed(add(elem("a", 16, 8), elem("b", 8, 8)))
    own = tuple(band(elem("a", 8 * i, 8), elem("b", 8 * i, 8)) for i in range(16))
    assert isinstance(prove_window(w, [own]), Proved)
    twice = tuple(
        band(e, band(elem("a", 8 * min(i + 1, 15), 8), elem("b", 8 * i, 8)))
        for i, e in enumerate(own)
    )
    verdict = prove_window(w, [twice])
    assert isinstance(verdict, Unknown) and "in two places" in verdict.reason


def test_one_load_may_serve_for_another() -> None:
    """The program reads its operand's neighbours out of the first load where they are there."""
    w = window()
    lanes = tuple(
        band(elem("a", 8 * i, 8), elem("a", 8 * i + 8, 8))
        if i < 15
        else band(elem("a", 120, 8), elem("b", 120, 8))
        for i in range(16)
    )
    assert isinstance(prove_window(w, [lanes]), Proved)


def scalars(*offsets: int, lanes: int = 16, width: int = 16) -> str:
    """Broadcast scalars at byte offsets and add their products with vectors up."""
    kind, body, total = f"<{lanes} x i{width}>", "", "zeroinitializer"
    for k, offset in enumerate(offsets):
        body += f"  %p{k} = getelementptr i8, ptr %p, i64 {offset}\n  %x{k} = load i{width}, ptr %p{k}, align 1\n"
        body += f"  %i{k} = insertelement {kind} poison, i{width} %x{k}, i64 0\n"
        body += f"  %s{k} = shufflevector {kind} %i{k}, {kind} poison, <{lanes} x i32> zeroinitializer\n"
        body += f"  %q{k} = getelementptr i8, ptr %q, i64 {1000 * k}\n  %v{k} = load {kind}, ptr %q{k}, align 1\n"
        body += f"  %m{k} = mul {kind} %s{k}, %v{k}\n  %t{k} = add {kind} {total}, %m{k}\n"
        total = f"%t{k}"
    return body + f"  store {kind} {total}, ptr %o, align 1\n  ret void\n"


def window_of(body: str, register: int = 512) -> Site:
    module = parse_module(normalise(f"define void @f(ptr %p, ptr %q, ptr %o) {{\n{body}}}\n"))
    scene = Scene(module, module.functions[0], target_named("x86"))
    (place,) = places(scene, Limits(register=register))
    return place.sites[0]


def test_a_scalar_in_all_lanes_is_one_value() -> None:
    s = window_of(scalars(0, 2))
    leaf = next(x for x in s.window.leaves if x.period)
    assert (leaf.period, leaf.element(0, 16), leaf.element(48, 16)) == (
        16,
        leaf.element(16, 16),
        leaf.element(0, 16),
    )
    assert (
        len(
            {
                e
                for e in postorder(
                    [x for x in s.window.in_regions().roots[0].lanes if x is not None]
                )
                if e.is_leaf and e.source == leaf.source
            }
        )
        == 2
    )  # one for each of the two scalars


@pytest.mark.parametrize(
    ("offsets", "made"),
    [
        ((0, 2), [(0, 32)]),
        ((2, 0), [(0, 32)]),
        ((0, 4), []),
        ((0, 2, 4), [(0, 32), (16, 32)]),
        ((0, 2, 4, 6), [(0, 64), (0, 32), (16, 32), (32, 32)]),
        ((0, 2, 6, 8), [(0, 32), (0, 32)]),  # two regions
        (tuple(range(0, 16, 2)), [(0, 128), *((16 * k, 32) for k in range(7))]),
    ],
)
def test_neighbouring_scalars_are_repeated_together(
    offsets: tuple[int, ...], made: list[tuple[int, int]]
) -> None:
    added = [x for x in window_of(scalars(*offsets)).inputs if x.made is not None]
    assert [(x.leaf.first, x.leaf.period) for x in added] == made
    assert all(x.leaf.lanes == 32 and not x.fixed for x in added)


def test_neighbouring_vectors_are_one_where_a_register_holds_them() -> None:
    body = loads("%p", "ptr %p, i64 16") + SUM
    added = [x for x in window_of(body, 256).inputs if x.made is not None]
    assert [
        (x.made.count, x.leaf.lanes, x.leaf.period, x.fixed) for x in added if x.made is not None
    ] == [(32, 32, 0, False)]
    assert not any(x.made for x in window_of(body, 128).inputs)


def test_an_element_of_a_repeated_leaf_has_its_place_in_the_period() -> None:
    leaf = Leaf("b", 8, 16, "m0", 8, 16)
    assert leaf.element(16, 8) is elem("m0", 8, 8)
    assert leaf.element(24, 8) is elem("m0", 16, 8)
    assert leaf.element(8, 16) is concat(elem("m0", 8, 8), elem("m0", 16, 8))


def test_two_places_of_a_repeated_leaf_are_two_reads() -> None:
    w = Window((Leaf("b", 8, 16, "m0", 0, 8),), ())
    assert w.placed(elem("b", 40, 8)) is elem("m0", 0, 8)
    with pytest.raises(TwoReads):
        w.placed(add(elem("b", 0, 8), elem("b", 8, 8)))


def test_a_lane_that_reads_a_byte_twice_is_proved_where_that_does_not_matter() -> None:
    """As in the source, which reads it by both loads too: whatever they hold, the lanes are
    equal.
    """
    leaves = (Leaf("a", 8, 16, "m0", 0), Leaf("b", 8, 16, "m0", 0))
    w = Window(
        leaves,
        (
            Root(
                8,
                tuple(add(elem("a", 8 * i, 8), elem("b", 8 * i, 8)) for i in range(16)),
                (const(1, 1),) * 16,
            ),
        ),
    )
    assert isinstance(
        prove_window(w, [tuple(add(elem("b", 8 * i, 8), elem("a", 8 * i, 8)) for i in range(16))]),
        Proved,
    )
    assert isinstance(
        prove_window(w, [tuple(add(elem("a", 8 * i, 8), elem("a", 8 * i, 8)) for i in range(16))]),
        Proved,
    )
    assert isinstance(
        prove_window(
            w,
            [
                tuple(
                    add(add(elem("a", 8 * i, 8), elem("a", 8 * i, 8)), const(i, 8))
                    for i in range(16)
                )
            ],
        ),
        Refuted,
    )


def test_leaves_may_be_taken_apart() -> None:
    w = window_of(scalars(0, 2)).window
    assert any(x.region for x in w.leaves)
    assert not any(x.region for x in w.apart().leaves)
    assert (
        len(w.apart().leaves) == len(w.leaves) - 1
    )  # the two scalars as one is no leaf of the source


def test_a_scalar_in_some_lanes_only_is_not_one_value() -> None:
    """A poison lane of a shuffle's mask is no copy of the scalar."""
    whole = scalars(0, 2)
    some = whole.replace(
        "<16 x i32> zeroinitializer\n",
        f"<16 x i32> <{', '.join('i32 0' if k != 3 else 'i32 poison' for k in range(16))}>\n",
    )
    assert some != whole
    assert any(x.period for x in window_of(whole).window.leaves)
    assert not any(x.period for x in window_of(some).window.leaves)


@pytest.mark.parametrize("word", ["volatile", "atomic"])
def test_nothing_is_shared_across_a_load_that_others_may_see(word: str) -> None:
    between = (
        "  %n = load volatile i32, ptr %q, align 4\n"
        if word == "volatile"
        else "  %n = load atomic i32, ptr %q acquire, align 4\n"
    )
    assert not any(x.region for x in shared(loads("%p", "ptr %p, i64 1", between)).leaves)
