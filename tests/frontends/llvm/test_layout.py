"""Sizes and offsets under data layouts, held against LLVM's own on random types."""

from __future__ import annotations

import random
from typing import Final

import pytest

from frontends.llvm.linked import binding
from frontends.llvm.text.ast import OtherType, PtrType
from frontends.llvm.text.layout import (
    NotSized,
    Sizes,
    is_big_endian,
    read_layout,
    sizes_of,
    to_signed,
    type_names,
)
from frontends.llvm.text.operands import read_type
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.tokens import Cursor

_X86: Final = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
_LAYOUTS: Final = (
    "e", "e-i16:32", "e-p:32:32", _X86, "e-i8:8-i24:32-i64:64-a:0:64-v96:256", "e-a:0:64-p1:32:32", "e-f64:32-i32:16-v64:128", "e-a:32:64-p:16:16",
    "e-p:64:64-p1:64:128:128-i128:64-f80:16", "e-f128:64-v128:64", "e-p:32:8-p1:64:16"
)  # fmt: skip
_SCALARS: Final = [
    "i1",
    "i7",
    "i8",
    "i16",
    "i24",
    "i32",
    "i48",
    "i64",
    "i65",
    "i128",
    "i200",
    "half",
    "bfloat",
    "float",
    "double",
    "x86_fp80",
    "fp128",
    "ptr",
]
_NAMED: Final = (
    "%A = type { i8, i24, [3 x i16] }",
    "%B = type <{ i8, %A, i64 }>",
    "%C = type { %B, <3 x i24>, ptr addrspace(270) }",
)


def _type(rng: random.Random, depth: int = 0) -> str:
    kind = rng.random()
    if kind < 0.5 or depth > 2:
        return rng.choice((*_SCALARS, "ptr addrspace(1)"))
    if kind < 0.65:
        return f"[{rng.randrange(4)} x {_type(rng, depth + 1)}]"
    if kind < 0.8:
        return f"<{rng.randrange(1, 9)} x {rng.choice(('i1', 'i8', 'i24', 'i16', 'i64', 'float', 'ptr'))}>"
    members = ", ".join(_type(rng, depth + 1) for _ in range(rng.randrange(1, 4)))
    return f"{{ {members} }}" if rng.random() < 0.7 else f"<{{ {members} }}>"


def test_strides_are_llvms() -> None:
    rng = random.Random(20261123)
    for layout in _LAYOUTS:
        kinds = [_type(rng) for _ in range(60)]
        steps = [(kind, "", ", i64 1") for kind in kinds]
        mine = [Sizes(read_layout(layout), {}).stride(read_type(Cursor(kind))) for kind in kinds]
        assert mine == binding.constant_offsets(layout, (), steps), layout


def test_offsets_are_llvms() -> None:
    """Structures by their definition, indices narrower and wider than a pointer, sums that
    wrap, other address spaces.
    """
    rng = random.Random(20261124)
    for layout in _LAYOUTS:
        steps: list[tuple[str, str, str]] = []
        for _ in range(60):
            kind, bits = rng.choice((_type(rng), "%A", "%B", "%C")), rng.choice((8, 32, 64, 128))
            value = rng.choice(
                [
                    v
                    for v in (1, -1, 5, 100, -77, 1 << 31, 1 << 32, 1 << 40, 1 << 64)
                    if abs(v) < 1 << (bits - 1)
                ]
            )
            inner = f", i32 {rng.randrange(3)}" if kind[0] == "%" else ""
            steps.append(
                (
                    kind,
                    rng.choice(("", " addrspace(1)", " addrspace(270)")),
                    f", i{bits} {value}{inner}",
                )
            )
        found = binding.constant_offsets(layout, _NAMED, steps)
        for step, theirs in zip(steps, found, strict=True):
            assert _offset(layout, step) == theirs, (layout, step)


def _offset(layout: str, step: tuple[str, str, str]) -> int:
    kind, space, indices = step
    text = [
        f'target datalayout = "{layout}"',
        *_NAMED,
        f"define void @f(ptr{space} %p) {{",
        f"  %q = getelementptr {kind}, ptr{space} %p{indices}",
    ]
    module = parse_module("\n".join([*text, "  ret void", "}"]))
    (instr, _) = module.functions[0].blocks[0].instrs
    pointer = instr.operands[1].type
    assert isinstance(pointer, PtrType)
    sizes = Sizes(read_layout(layout), type_names(module.lines))
    total = sum(sizes.walk(instr, pointer.space)[0])
    return to_signed(total, sizes.layout.space(pointer.space).index_bits)


@pytest.mark.parametrize("layout", ["E", "p:64:64-E-i64:64", "e-i64:64"])
def test_big_endian_is_a_token(layout: str) -> None:
    assert is_big_endian(layout) == ("E" in layout.split("-")) == read_layout(layout).big_endian


@pytest.mark.parametrize("layout", ["e-z:3", "e-i16", "e-p:64"])
def test_what_is_not_understood_is_refused(layout: str) -> None:
    with pytest.raises(NotSized):
        read_layout(layout)


@pytest.mark.parametrize(
    "kind",
    [
        "{}",
        "[3 x {}]",
        "{ {}, i8 }",
        "<{ {}, i24 }>",
        "[0 x i64]",
        "{ [0 x i64], i8 }",
        "ppc_fp128",
        "{ i8, ppc_fp128 }",
        "<33 x float>",
        "{ i64, <4 x float> }",
        "{ i8, ptr }",
    ],
)
def test_types_of_no_bytes_and_rare_ones(kind: str) -> None:
    for layout in _LAYOUTS:
        assert [
            Sizes(read_layout(layout), {}).stride(read_type(Cursor(kind)))
        ] == binding.constant_offsets(layout, (), [(kind, "", ", i64 1")])


@pytest.mark.parametrize("kind", ["<vscale x 4 x i32>", 'target("x")', "%unknown", "x86_amx"])
def test_types_of_unknown_size_are_refused(kind: str) -> None:
    with pytest.raises(NotSized):
        Sizes(read_layout("e"), {}).stride(read_type(Cursor(kind)))


@pytest.mark.parametrize(
    ("kind", "index"),
    [
        ("i8", 0),
        ("ptr", 0),
        ("<2 x i8>", 0),
        ("{ i8, i16 }", 2),
        ("{ i8, i16 }", -1),
        ("%unknown", 0),
        ("{ i8", 0),
        ("{ i8 i8 }", 0),
        ("<{ i8, i16 }", 0),
    ],
)
def test_members_that_there_are_not(kind: str, index: int) -> None:
    with pytest.raises(NotSized):
        Sizes(read_layout("e"), {}).member(
            OtherType(kind) if kind[:2] in ("{ ", "%u", "<{") else read_type(Cursor(kind)), index
        )


@pytest.mark.parametrize(
    ("kind", "pointers", "inner", "bytes_"),
    [
        ("[4 x [3 x i16]]", "ptr %p", "i64 %n, i64 1", [0, 6, 2]),
        ("[4 x [3 x i16]]", "ptr %p", "i64 1, i64 %n", [0, 6, 2]),
        ("{ i8, i16 }", "<2 x ptr> %v", "<2 x i32> splat (i32 1)", []),
    ],
)
def test_what_an_open_index_adds(kind: str, pointers: str, inner: str, bytes_: list[int]) -> None:
    """Of an array its elements are as far apart; a member has to be known."""
    text = f"define void @f(ptr %p, <2 x ptr> %v, i64 %n) {{\n%q = getelementptr {kind}, {pointers}, i64 0, {inner}\nret void\n}}"
    steps = Sizes(read_layout("e"), {}).steps(
        parse_module(text).functions[0].blocks[0].instrs[0], 64
    )
    if bytes_:
        assert [step for _, _, step in steps] == bytes_
    else:
        with pytest.raises(NotSized):
            list(steps)


def test_sizes_under_a_layout_that_is_not_understood() -> None:
    assert sizes_of("e-z:3", []) is None
    found = sizes_of("e", ["%A = type { i8 }", "@A = global i8 0", "%r = add i8 %x, 1"])
    assert found is not None and found.names == {"%A": "{ i8 }"}


@pytest.mark.parametrize(
    ("value", "bits", "number"),
    [
        (127, 8, 127),
        (128, 8, -128),
        (255, 8, -1),
        (256, 8, 0),
        (-129, 8, 127),
        (1, 1, -1),
        (0, 1, 0),
    ],
)
def test_numbers_in_twos_complement(value: int, bits: int, number: int) -> None:
    assert to_signed(value, bits) == number


def test_pointers_of_more_than_64_bits_are_not_asked_about() -> None:
    """LLVM ends the process on such an offset."""
    steps = [("i8", " addrspace(1)", ", i128 18446744073709551616"), ("i8", "", ", i64 3")]
    assert binding.constant_offsets("e-p1:128:128", (), steps) == [None, 3]
