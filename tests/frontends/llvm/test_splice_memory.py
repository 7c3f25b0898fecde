"""What the last proof knows of memory: what a load reads, what fills a vector, which loads it adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.splicing.loads import (
    Memory,
    Reach,
    _rename,
    added_loads,
    check_regions,
)
from frontends.llvm.text.ast import IntType, Local, VectorType
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.regions import Input, Made, Read
from isel.model.window import Leaf

LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
HEAD = f"""target datalayout = "{LAYOUT}"
%pair = type {{ i8, i32 }}
@t = external global [64 x i8]
declare void @g()
declare i8 @llvm.umax.i8(i8, i8)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i8 @named() memory(none)
declare <2 x i8> @llvm.masked.load.v2i8.p0(ptr, <2 x i1>, <2 x i8>)
declare void @llvm.masked.store.v2i8.p0(<2 x i8>, ptr, <2 x i1>)
"""
SPLAT = "<4 x i32> zeroinitializer"
_MASKED = "ptr align 1 %q, <2 x i1> <i1 true, i1 false>"


def memory(body: str) -> Memory:
    text = f"{HEAD}\ndefine void @f(ptr %p, ptr %q, ptr addrspace(270) %n, i8 %x, i64 %k, i64 %j, <4 x i8> %v) {{\n{body}\n  ret void\n}}\n"
    module = parse_module(normalise(text))
    return Memory(module, module.functions[0], LAYOUT)


def reach(body: str) -> Reach | None:
    m = memory(body)
    return m.reach(m.defs["a"])


@pytest.mark.parametrize(
    ("body", "base", "offset", "size"),
    [
        ("%a = load i8, ptr %p", "p", 0, 1),
        ("%a = load <4 x i16>, ptr %p", "p", 0, 8),
        (
            '%"g, i64 4" = getelementptr i8, ptr %p, i64 2\n%a = load i8, ptr %"g, i64 4"',
            "p",
            2,
            1,
        ),
        ("%g = getelementptr i8, ptr %p, i64 -3\n%a = load i24, ptr %g", "p", -3, 3),
        (
            "%g = getelementptr i48, ptr %p, i64 2\n%h = getelementptr i8, ptr %g, i64 1\n%a = load i8, ptr %h",
            "p",
            17,
            1,
        ),
        (
            "%g = getelementptr inbounds nuw %pair, ptr %p, i64 1, i32 1\n%a = load i8, ptr %g",
            "p",
            12,
            1,
        ),
        (
            "%g = getelementptr i8, ptr %p, i64 %k\n%h = getelementptr i8, ptr %g, i64 4\n%a = load i8, ptr %h",
            "p 1 k",
            4,
            1,
        ),
        (
            "%s = add i64 %k, -3\n%m = or disjoint i64 %j, 1\n%g = getelementptr i32, ptr %p, i64 %s\n%h = getelementptr i16, ptr %g, i64 %m\n%a = load i8, ptr %h",
            "p 2 j 4 k",
            -10,
            1,
        ),
        (
            "%g = getelementptr [2 x i8], ptr @t, i64 %k\n%h = getelementptr i8, ptr %g, i64 1\n%a = load i8, ptr %h",
            " symbol @t 2 k",
            1,
            1,
        ),
        (
            "%s = sub i64 %k, 1\n%m = shl i64 %s, 3\n%u = mul i64 %m, 5\n%g = getelementptr i16, ptr %p, i64 %u\n%a = load i8, ptr %g",
            "p 80 k",
            -80,
            1,
        ),
        (
            "%m = or i64 %j, 1\n%g = getelementptr i8, ptr %p, i64 %m\n%a = load i8, ptr %g",
            "p 1 m",
            0,
            1,
        ),
        (
            "%w = trunc i64 %k to i32\n%m = add i32 %w, 1\n%g = getelementptr i8, ptr %p, i32 %m\n%a = load i8, ptr %g",
            "g",
            0,
            1,
        ),
        (
            "%s = add i64 %k, 1\n%g = getelementptr [4 x i8], ptr %p, i64 0, i64 %s\n%a = load i8, ptr %g",
            "g",
            0,
            1,
        ),
        (  # whose addresses have 32 bits
            "%g = getelementptr i8, ptr addrspace(270) %n, i64 %k\n%a = load i8, ptr addrspace(270) %g",
            "g",
            0,
            1,
        ),
        (
            "%g = getelementptr i8, ptr addrspace(270) %n, i32 5\n%a = load i8, ptr addrspace(270) %g",
            "n",
            5,
            1,
        ),
        ("%l = load ptr, ptr %q\n%a = load i8, ptr %l", "l", 0, 1),
    ],
)
def test_what_a_load_reads(body: str, base: str, offset: int, size: int) -> None:
    found = reach(body)
    assert found is not None and (found.offset, found.size) == (offset, size)
    assert " ".join(found.base) == base


def test_an_index_that_is_not_as_wide_as_an_address_is_not_followed() -> None:
    text = "define void @f(ptr %p, i64 %k) {\n%g = getelementptr i8, ptr %p, i64 %k\n%a = load i8, ptr %g\nret void\n}\n"
    for layout, base in (("e", ("p", "1", "k")), ("e-p:32:32", ("g",))):
        module = parse_module(normalise(f'target datalayout = "{layout}"\n{text}'))
        m = Memory(module, module.functions[0], layout)
        assert m.reach(m.defs["a"]) == Reach(base, 0, 1, (0, 0))


@pytest.mark.parametrize(
    "body",
    [
        "%a = add i8 %x, 1",
        "%a = load i4, ptr %p",
        "%a = load volatile i8, ptr %p",
        "%a = load ptr, ptr %p",
        "%a = load <2 x float>, ptr %p",
    ],
)
def test_other_values_are_no_loads_of_whole_bytes(body: str) -> None:
    assert reach(body) is None


@pytest.mark.parametrize(
    ("between", "state"),
    [
        ("", (0, 0)),
        ("%b = load i8, ptr %q", (0, 0)),
        ("%b = call i8 @llvm.umax.i8(i8 %x, i8 1)", (0, 0)),
        ("%b = call i8 @named()", (0, 1)),  # LLVM's own functions alone are believed
        (f"%b = call <2 x i8> @llvm.masked.load.v2i8.p0({_MASKED}, <2 x i8> poison)", (0, 0)),
        (f"call void @llvm.masked.store.v2i8.p0(<2 x i8> zeroinitializer, {_MASKED})", (0, 1)),
        ("store i8 0, ptr %q", (0, 1)),
        ("store i8 0, ptr %q\nfence acquire", (0, 2)),
        ("call void @g()", (0, 1)),
        ("call void @llvm.memset.p0.i64(ptr %q, i8 0, i64 4, i1 false)", (0, 1)),
        ("%b = load volatile i8, ptr %q", (0, 1)),
        ("%b = load atomic i8, ptr %q acquire, align 1", (0, 1)),
        ("%b = atomicrmw add ptr %q, i8 1 acquire", (0, 1)),
        ("%b = cmpxchg ptr %q, i8 1, i8 2 acquire acquire", (0, 1)),
        ("%b = va_arg ptr %q, i32", (0, 1)),
        ("store i8 0, ptr %q\nbr label %next\nnext:", (1, 0)),
    ],
)
def test_in_which_state_a_load_reads(between: str, state: tuple[int, int]) -> None:
    found = reach(f"{between}\n%a = load i8, ptr %p")
    assert found is not None and found.state == state


def splat(scalar: str = "i8 %l", lane: str = "0", mask: str = SPLAT, source: str = "%i") -> str:
    body = f"%l = load i8, ptr %p\n%i = insertelement <4 x i8> poison, {scalar}, i64 {lane}\n"
    return body + f"%s = shufflevector <4 x i8> {source}, <4 x i8> poison, {mask}"


@pytest.mark.parametrize(
    ("body", "load"),
    [
        (splat(), "l"),
        (splat(scalar="i8 7"), None),
        (splat(lane="1"), None),
        (splat(lane="%k"), None),
        (splat(mask="<4 x i32> <i32 0, i32 1, i32 0, i32 0>"), None),
        (splat(mask="<4 x i32> <i32 0, i32 poison, i32 0, i32 0>"), None),
        (splat(source="%v"), None),
        (splat(source="zeroinitializer"), None),
        (splat(scalar="i8 %x"), None),
        ("%s = add <4 x i8> %v, %v", None),
        (
            "%w = add <4 x i8> %v, %v\n%s = shufflevector <4 x i8> %w, <4 x i8> poison, <4 x i32> zeroinitializer",
            None,
        ),
        ("", None),
    ],
)
def test_which_load_fills_a_vector(body: str, load: str | None) -> None:
    found = memory(body).broadcast("s")
    assert (found.name if found is not None else None) == load


def leaf(
    name: str, region: str, first: int = 0, period: int = 0, width: int = 8, lanes: int = 4
) -> Input:
    kind = VectorType(lanes, IntType(width)) if lanes > 1 else IntType(width)
    return Input(Leaf(name, width, lanes, region, first, period), Local(name, kind), True)


TWO = (
    "%a = load <4 x i8>, ptr %p\n%g = getelementptr i8, ptr %p, i64 2\n%b = load <4 x i8>, ptr %g\n"
)
BOTH = [leaf("a", "m0"), leaf("b", "m0", 16)]


def test_where_regions_begin() -> None:
    assert check_regions(BOTH, memory(TWO)) == {"m0": (("p",), 0, 8, (0, 0))}
    assert check_regions([leaf("b", "m0"), leaf("a", "m0", -16)], memory(TWO)) == {
        "m0": (("p",), 2, 8, (0, 0))
    }
    assert check_regions([leaf("s", "m1", period=8), leaf("x", "")], memory(splat())) == {
        "m1": (("p",), 0, 8, (0, 0))
    }
    assert check_regions([leaf("s", "s0", period=8)], memory(splat(scalar="i8 %x"))) == {}


@pytest.mark.parametrize(
    ("inputs", "body"),
    [
        ([leaf("a", "m0"), leaf("b", "m0", 8)], TWO),
        ([leaf("a", "m0"), leaf("b", "m0", 16)], TWO.replace("ptr %g", "ptr %q")),
        ([leaf("a", "m0"), leaf("b", "m0", 16)], TWO.replace("%g =", "store i8 0, ptr %q\n%g =")),
        ([leaf("a", "m0"), leaf("b", "m0", 20)], TWO),
        ([leaf("a", "m0", lanes=2)], TWO),
        ([leaf("a", "m0"), leaf("b", "m0", 16, width=16, lanes=2)], TWO),
        ([leaf("a", "m0", period=8)], TWO),
        ([leaf("v", "m0")], TWO),
        ([leaf("s", "m0", period=16)], splat()),
        ([leaf("s", "s0", period=8), leaf("t", "s0", period=8)], splat()),
        ([leaf("s", "s0", 8, period=8)], splat()),
        ([leaf("s", "s0", period=16)], splat()),
        ([leaf("s", "s0", period=8)], splat(mask="<4 x i32> <i32 0, i32 1, i32 0, i32 0>")),
        ([leaf("i", "s0", period=8)], splat()),
        ([leaf("none", "s0", period=8)], splat()),
    ],
    ids=["offset", "base", "a store between", "no whole byte", "size", "another grid", "no splat", "an argument", "period of a load"]
    + ["two of a scalar", "first of a scalar", "period of a scalar", "some lanes", "no shuffle", "nothing"],
)  # fmt: skip
def test_regions_that_do_not_lie_as_they_say(inputs: Sequence[Input], body: str) -> None:
    with pytest.raises(Cannot):
        check_regions(inputs, memory(body))


_FURTHER = "%s = add i64 {}, 2\n%g = getelementptr i8, ptr %p, i64 %s"
INDEXED = (
    "%f = getelementptr i8, ptr %p, i64 %k\n%a = load <4 x i8>, ptr %f\n"
    f"{_FURTHER.format('%k')}\n%b = load <4 x i8>, ptr %g\n"
)


def test_an_index_may_be_in_both_addresses() -> None:
    assert check_regions(BOTH, memory(INDEXED)) == {"m0": (("p", "1", "k"), 0, 8, (0, 0))}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("add i64 %k", "add i64 %j"),
        ("add i64 %k", "sub i64 %k"),
        ("i64 %k, 2", "i64 %k, 3"),
        ("i8, ptr %p, i64 %s", "i16, ptr %p, i64 %s"),
        ("i8, ptr %p, i64 %s", "i8, ptr %q, i64 %s"),
    ],
)
def test_another_index_is_another_place(old: str, new: str) -> None:
    assert old in INDEXED
    with pytest.raises(Cannot):
        check_regions(BOTH, memory(INDEXED.replace(old, new)))


def made(first: int = 0, count: int = 6, period: int = 0, lanes: int = 6) -> Input:
    plain = leaf("w", "m0", first, period, lanes=lanes)
    return replace(
        plain,
        made=Made(
            Local("p", plain.operand.type), count, 0, Read((0, 0, "p", 8), 8, first, 8 * count)
        ),
    )


def added(written: str, *more: Input, source: str = TWO) -> list[str]:
    """Return which values of the written code are taken for the leaf that was made."""
    return [
        name
        for name, _ in added_loads(
            [*BOTH, *more], memory(source), memory(source + written), {"p": "p"}
        )
    ]


@pytest.mark.parametrize(
    ("written", "made_of"),
    [
        ("%w = load <6 x i8>, ptr %p, align 1", made()),
        (
            "%h = getelementptr i8, ptr %p, i64 1\n%w = load <5 x i8>, ptr %h, align 1",
            made(8, 5, lanes=5),
        ),
        (
            "%l = load <2 x i8>, ptr %p, align 1\n%w = shufflevector <2 x i8> %l, <2 x i8> poison, <4 x i32> <i32 0, i32 1, i32 0, i32 1>",
            made(0, 2, 16, 4),
        ),
    ],
)
def test_loads_that_were_added(written: str, made_of: Input) -> None:
    assert added(written, made_of) == ["%w"]


@pytest.mark.parametrize(
    ("written", "made_of"),
    [
        ("%w = load <6 x i8>, ptr %g, align 1", made()),
        ("%w = load <6 x i8>, ptr %q, align 1", made()),
        ("store i8 0, ptr %q\n%w = load <6 x i8>, ptr %p, align 1", made()),
        ("%w = load <3 x i16>, ptr %p, align 1", made()),
        ("%w = load i48, ptr %p, align 1", made()),
        (
            "%l = load <2 x i8>, ptr %p, align 1\n%w = shufflevector <2 x i8> %l, <2 x i8> poison, <4 x i32> <i32 0, i32 1, i32 0, i32 0>",
            made(0, 2, 16, 4),
        ),
        ("%w = load <6 x i8>, ptr %p, align 1", made(period=24)),
    ],
    ids=["offset", "base", "state", "width", "scalar", "order", "period"],
)
def test_other_loads_are_not_taken_for_them(written: str, made_of: Input) -> None:
    assert added(written, made_of) == []


@pytest.mark.parametrize(
    ("written", "made_of", "reason"),
    [
        (
            "%w = load <7 x i8>, ptr %p, align 1",
            made(0, 7, lanes=7),
            "bytes that the source does not",
        ),
        (
            "%h = getelementptr i8, ptr %p, i64 -1\n%w = load <6 x i8>, ptr %h, align 1",
            made(-8),
            "bytes that the source does not",
        ),
        ("%w = load <6 x i8>, ptr %p, align 8", made(), "an alignment"),
        (
            "%h = getelementptr i8, ptr %p, i64 1\n%w = load <4 x i8>, ptr %h, align 2",
            made(8, 4, lanes=4),
            "an alignment",
        ),
        ("%w = load <6 x i8>, ptr %p, align 1, !noundef !{}", made(), "promises something"),
    ],
)
def test_loads_that_may_not_be_added(written: str, made_of: Input, reason: str) -> None:
    with pytest.raises(Cannot, match=reason):
        added(written, made_of, source=TWO.replace("ptr %p\n", "ptr %p, align 4\n"))


def test_an_alignment_that_a_load_of_the_source_has() -> None:
    """The load at byte 4 stands at a multiple of 4 behind one that is aligned to 4."""
    source = "%a = load <4 x i8>, ptr %p, align 4\n%g = getelementptr i8, ptr %p, i64 2\n%b = load <4 x i8>, ptr %g, align 1\n"
    assert added(
        "%h = getelementptr i8, ptr %p, i64 4\n%w = load <2 x i8>, ptr %h, align 4",
        made(32, 2, lanes=2),
        source=source,
    ) == ["%w"]
    assert added("%w = load <6 x i8>, ptr %p, align 2", made(), source=source) == ["%w"]


def test_pairs_of_states_are_of_one_block() -> None:
    m = memory("%a = load i8, ptr %p\nbr label %next\nnext:\n%b = load i8, ptr %p")
    assert [m.reach(m.defs[n]) for n in "ab"] == [
        Reach(("p",), 0, 1, (0, 0)),
        Reach(("p",), 0, 1, (1, 0)),
    ]


def test_values_of_a_base_are_renamed_and_types_are_not() -> None:
    new = {"q": "p", "i8": "i16", "k": "j"}
    assert _rename(("q", "i8", "k"), memory(""), new) == ("p", "i8", "j")
