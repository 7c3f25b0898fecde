from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import cast

import pytest

from frontends.llvm.linked import binding
from frontends.llvm.text.parse import parse_module
from isel.ir.build import add, sext, trunc
from isel.ir.expr import Expr, elem
from isel.spec.instruction import Instruction, Operand
from isel.spec.target import Target
from tests.frontends.llvm.interpreted import function, memory_of
from tests.reference.interpreter import Settings, run, settings_for
from tests.reference.values import (
    POISON,
    Lane,
    Memory,
    NotInterpreted,
    Pointer,
    StepLimit,
    UndefinedBehaviour,
    Value,
)

P = POISON


def evaluate(
    line: str,
    kind: str,
    arguments: Mapping[str, tuple[str, Value]],
    settings: Settings | None = None,
) -> Value:
    """Run ``%r = line`` of type ``kind`` on named, typed arguments."""
    parameters = ", ".join(f"{t} %{name}" for name, (t, _) in arguments.items())
    text = f"define {kind} @f({parameters}) {{\n  %r = {line}\n  ret {kind} %r\n}}"
    return run(function(text), [value for _, value in arguments.values()], Memory(), settings)


@pytest.mark.parametrize(
    ("operation", "a", "b", "want"),
    [
        ("add", (255, 1, P, 7), (1, 1, 0, P), (0, 2, P, P)),
        ("add nuw", (255, 254, 1, 0), (1, 1, 1, 0), (P, 255, 2, 0)),
        ("add nsw", (127, 128, 1, 255), (1, 255, 1, 1), (P, P, 2, 0)),
        ("sub nuw", (0, 1, 5, 9), (1, 1, 6, 0), (P, 0, P, 9)),
        ("sub nsw", (128, 0, 5, 0), (1, 128, 6, 1), (P, P, 255, 255)),
        ("mul nsw", (16, 128, 255, 2), (8, 255, 255, 3), (P, P, 1, 6)),
        ("mul", (16, 128, 255, P), (16, 255, 255, 0), (0, 128, 1, P)),
        ("udiv", (255, 7, P, 0), (2, 7, 1, 3), (127, 1, P, 0)),
        ("udiv exact", (4, 5, 6, 0), (2, 2, 3, 3), (2, P, 2, 0)),
        ("sdiv", (249, 7, 128, 0), (2, 254, 1, 3), (253, 253, 128, 0)),
        ("srem", (249, 7, 128, 1), (2, 254, 3, 3), (255, 1, 254, 1)),
        ("urem", (249, 7, 128, 1), (2, 254, 3, 3), (1, 7, 2, 1)),
        ("shl", (1, 255, 1, 3), (7, 1, 8, 255), (128, 254, P, P)),
        ("shl nuw", (1, 128, 1, 3), (7, 1, 0, 1), (128, P, 1, 6)),
        ("shl nsw", (1, 64, 255, 3), (7, 1, 7, 1), (P, P, 128, 6)),
        ("lshr exact", (1, 128, 2, 3), (1, 7, 1, 8), (P, 1, 1, P)),
        ("ashr", (128, 127, 255, 3), (7, 6, 3, 8), (255, 1, 255, P)),
        ("and", (0, 255, P, 12), (P, 15, 0, 10), (P, 15, P, 8)),
        ("or disjoint", (1, 3, 0, 240), (2, 2, 0, 15), (3, P, 0, 255)),
        ("xor", (1, 3, 0, 240), (2, 2, 0, 255), (3, 1, 0, 15)),
    ],
)
def test_binary_operations(operation: str, a: Value, b: Value, want: Value) -> None:
    kind = "<4 x i8>"
    assert evaluate(f"{operation} {kind} %a, %b", kind, {"a": (kind, a), "b": (kind, b)}) == want


def test_division_is_undefined_where_llvm_says_so() -> None:
    kind = "<2 x i8>"
    for operation, a, b in (
        ("udiv", (1, 1), (1, 0)),
        ("sdiv", (128, 1), (255, 1)),
        ("srem", (128, 1), (255, 1)),
        ("urem", (1, 1), (1, P)),
    ):
        with pytest.raises(UndefinedBehaviour):
            evaluate(f"{operation} {kind} %a, %b", kind, {"a": (kind, a), "b": (kind, b)})


@pytest.mark.parametrize(
    ("predicate", "want"),
    [
        ("eq", (0, 1, 0)),
        ("ne", (1, 0, 1)),
        ("ult", (1, 0, 0)),
        ("uge", (0, 1, 1)),
        ("slt", (0, 0, 1)),
        ("sge", (1, 1, 0)),
        ("samesign slt", (P, 0, P)),
    ],
)
def test_compare(predicate: str, want: Value) -> None:
    kind = "<3 x i8>"
    assert (
        evaluate(
            f"icmp {predicate} {kind} %a, %b",
            "<3 x i1>",
            {"a": (kind, (1, 5, 200)), "b": (kind, (255, 5, 7))},
        )
        == want
    )


def test_select_stops_the_poison_of_the_other_arm_only() -> None:
    k, c = "<4 x i8>", "<4 x i1>"
    got = evaluate(
        f"select {c} %c, {k} %a, {k} %b",
        k,
        {"c": (c, (1, 0, P, 1)), "a": (k, (1, P, 1, P)), "b": (k, (P, 2, 1, 2))},
    )
    assert got == (1, 2, P, P)


def test_casts() -> None:
    a: Value = (255, 127, P, 0)
    assert evaluate("sext <4 x i8> %a to <4 x i16>", "<4 x i16>", {"a": ("<4 x i8>", a)}) == (
        65535,
        127,
        P,
        0,
    )
    assert evaluate("zext nneg <4 x i8> %a to <4 x i16>", "<4 x i16>", {"a": ("<4 x i8>", a)}) == (
        P,
        127,
        P,
        0,
    )
    wide: Value = (255, 256, 65535, 128)
    assert evaluate("trunc <4 x i16> %a to <4 x i8>", "<4 x i8>", {"a": ("<4 x i16>", wide)}) == (
        255,
        0,
        255,
        128,
    )
    assert evaluate(
        "trunc nuw <4 x i16> %a to <4 x i8>", "<4 x i8>", {"a": ("<4 x i16>", wide)}
    ) == (255, P, P, 128)
    assert evaluate(
        "trunc nsw <4 x i16> %a to <4 x i8>", "<4 x i8>", {"a": ("<4 x i16>", wide)}
    ) == (P, P, 255, P)


def test_bitcast_is_little_endian_and_any_poison_part_poisons() -> None:
    narrow: Value = (1, 2, P, 4)
    assert evaluate(
        "bitcast <4 x i8> %a to <2 x i16>", "<2 x i16>", {"a": ("<4 x i8>", narrow)}
    ) == (0x0201, P)
    assert evaluate(
        "bitcast <2 x i16> %a to <4 x i8>", "<4 x i8>", {"a": ("<2 x i16>", (0x0201, P))}
    ) == (1, 2, P, P)


def test_lanes_move() -> None:
    a: Value = (1, 2, 3, P)
    k = "<4 x i8>"
    mask = "<4 x i32> <i32 3, i32 0, i32 poison, i32 4>"
    assert evaluate(
        f"shufflevector {k} %a, {k} <i8 9, i8 8, i8 7, i8 6>, {mask}", k, {"a": (k, a)}
    ) == (P, 1, P, 9)
    assert evaluate(f"extractelement {k} %a, i64 2", "i8", {"a": (k, a)}) == (3,)
    assert evaluate(f"extractelement {k} %a, i64 4", "i8", {"a": (k, a)}) == (P,)
    assert evaluate(f"insertelement {k} %a, i8 7, i64 3", k, {"a": (k, a)}) == (1, 2, 3, 7)
    assert evaluate(f"insertelement {k} %a, i8 7, i64 9", k, {"a": (k, a)}) == (P,) * 4
    assert evaluate(f"freeze {k} %a", k, {"a": (k, a)}, Settings(undef=0xEE)) == (1, 2, 3, 0xEE)


def intrinsic(name: str, width: int, *arguments: Lane, extra: str = "") -> Lane:
    kind = f"<1 x i{width}>"
    names = [f"a{i}" for i in range(len(arguments))]
    passed = ", ".join(f"{kind} %{n}" for n in names) + extra
    (lane,) = evaluate(
        f"call {kind} @llvm.{name}.v1i{width}({passed})",
        kind,
        {n: (kind, (a,)) for n, a in zip(names, arguments, strict=True)},
    )
    return lane


@pytest.mark.parametrize(
    ("name", "arguments", "extra", "want"),
    [
        ("umin", (200, 7), "", 7),
        ("umax", (200, 7), "", 200),
        ("smin", (200, 7), "", 200),
        ("smax", (200, P), "", P),
        ("uadd.sat", (200, 100), "", 255),
        ("usub.sat", (7, 9), "", 0),
        ("sadd.sat", (100, 100), "", 127),
        ("ssub.sat", (128, 1), "", 128),
        ("sshl.sat", (64, 1), "", 127),
        ("sshl.sat", (192, 2), "", 128),
        ("ushl.sat", (64, 2), "", 255),
        ("ushl.sat", (64, 8), "", P),
        ("fshl", (0x81, 0xC0, 9), "", 0x03),
        ("fshr", (0x81, 0xC0, 1), "", 0xE0),
        ("abs", (128,), ", i1 false", 128),
        ("abs", (128,), ", i1 true", P),
        ("ctlz", (0,), ", i1 false", 8),
        ("ctlz", (0,), ", i1 true", P),
        ("cttz", (8,), ", i1 true", 3),
        ("ctpop", (0xF1,), "", 5),
        ("bitreverse", (0x81 + 2,), "", 0xC1),
        ("smul.fix.sat", (128, 128), ", i32 7", 127),
        ("smul.fix", (128, 64), ", i32 7", 192),
        ("umul.fix.sat", (255, 255), ", i32 4", 255),
        ("umul.fix", (255, 16), ", i32 4", 255),
    ],
)
def test_intrinsics(name: str, arguments: tuple[Lane, ...], extra: str, want: Lane) -> None:
    assert intrinsic(name, 8, *arguments, extra=extra) == want


def test_byte_swap_and_reductions() -> None:
    assert intrinsic("bswap", 32, 0x01020304) == 0x04030201
    k = "<4 x i8>"
    values: Value = (0xF0, 0x02, 0x2B, 0x11)
    for name, want in (
        ("add", 0x2E),
        ("mul", 0xA0),
        ("and", 0),
        ("or", 0xFB),
        ("xor", 0xC8),
        ("umin", 2),
        ("umax", 0xF0),
        ("smin", 0xF0),
        ("smax", 0x2B),
    ):
        assert evaluate(
            f"call i8 @llvm.vector.reduce.{name}.v4i8({k} %a)", "i8", {"a": (k, values)}
        ) == (want,)
    assert evaluate(
        f"call i8 @llvm.vector.reduce.add.v4i8({k} %a)", "i8", {"a": (k, (1, P, 2, 3))}
    ) == (P,)


def test_fixed_point_products_that_do_not_fit_are_undefined() -> None:
    with pytest.raises(UndefinedBehaviour):
        intrinsic("smul.fix", 8, 128, 128, extra=", i32 7")


LOOP = """
define i32 @f(ptr %p, i32 %n) {
entry:
  %slot = alloca [2 x i32], align 4
  %second = getelementptr inbounds [2 x i32], ptr %slot, i64 0, i64 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %w = sext i32 %i to i64
  %a = getelementptr inbounds i32, ptr %p, i64 %w
  %x = load i32, ptr %a, align 4
  %more = add i32 %sum, %x
  store i32 %more, ptr %second, align 4
  %j = add nsw i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  %y = load i32, ptr %second, align 4
  switch i32 %y, label %other [
    i32 6, label %six
  ]
six:
  ret i32 66
other:
  ret i32 %y
}
"""


def test_control_flow() -> None:
    data = b"".join(i.to_bytes(4, "little") for i in (1, 2, 3, 4))
    f = function(LOOP)
    assert run(f, [(Pointer(0, 0),), (3,)], memory_of(data)) == (66,)
    assert run(f, [(Pointer(0, 0),), (4,)], memory_of(data)) == (10,)
    with pytest.raises(StepLimit):
        run(f, [(Pointer(0, 0),), (4,)], memory_of(data), Settings(steps=20))
    with pytest.raises(UndefinedBehaviour):
        run(f, [(Pointer(0, 0),), (5,)], memory_of(data))


def test_branches_on_poison_and_noundef_are_undefined() -> None:
    f = function(
        "define i8 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  ret i8 1\nb:\n  ret i8 2\n}"
    )
    assert run(f, [(0,)], Memory()) == (2,)
    with pytest.raises(UndefinedBehaviour):
        run(f, [(P,)], Memory())
    with pytest.raises(UndefinedBehaviour):
        run(function("define void @f(<2 x i8> noundef %a) {\n  ret void\n}"), [(1, P)], Memory())


def test_functions_call_each_other() -> None:
    text = "define i8 @f(i8 %a) {\n  %r = call i8 @g(i8 %a)\n  ret i8 %r\n}\ndefine i8 @g(i8 %b) {\n  %s = add i8 %b, 1\n  ret i8 %s\n}"
    module = parse_module(binding.normalise(text))
    assert run(module.functions[0], [(4,)], Memory(), settings_for(module)) == (5,)


def test_what_has_no_meaning_is_said() -> None:
    with pytest.raises(NotInterpreted, match="fadd"):
        run(
            function("define float @f(float %a) {\n  %r = fadd float %a, %a\n  ret float %r\n}"),
            [(0,)],
            Memory(),
        )
    with pytest.raises(NotInterpreted, match="unknown"):
        run(
            function(
                "declare void @unknown()\ndefine void @f() {\n  call void @unknown()\n  ret void\n}"
            ),
            [],
            Memory(),
        )


def _pair_sum(i: int, immediates: Mapping[str, int]) -> Expr:
    """Lane i of a made-up instruction: the sum of the neighbours 2i and 2i+1 plus an immediate
    that it drops.
    """
    left, right = (sext(elem("a", 8 * (2 * i + k), 8), 16) for k in (0, 1))
    return trunc(add(left, right), 16)


def test_target_intrinsics_are_evaluated_by_their_semantics() -> None:
    pairs = Instruction(
        "pairs",
        "pairs",
        (Operand("a", 8, 8),),
        (),
        16,
        4,
        frozenset(),
        ("%r = call <4 x i16> @llvm.toy.pairs(<8 x i8> %a)",),
        "llvm.toy.pairs",
        _pair_sum,
    )
    target = cast(
        Target, SimpleNamespace(by_call=lambda name: pairs if name == pairs.call else None)
    )
    body = "define <4 x i16> @f(<2 x i32> %a) {\n  %r = call <4 x i16> @llvm.toy.pairs(<2 x i32> %a)\n  ret <4 x i16> %r\n}\n"
    text = f"{body}declare <4 x i16> @llvm.toy.pairs(<2 x i32>)\n"
    assert run(function(text), [(0x04FF0201, P)], Memory(), Settings(target)) == (3, 3, P, P)
