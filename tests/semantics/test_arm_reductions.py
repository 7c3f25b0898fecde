"""Reductions that LLVM 19 says by an intrinsic with a wider result."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.expr import elem
from isel.model.verdict import Proved
from semantics import target_named
from semantics.arm.reductions import plain_reductions, reduction
from tests.verdicts import verify_modules


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("llvm.aarch64.neon.uaddlv.i32.v16i8", 16 * 255),
        ("llvm.aarch64.neon.uaddv.i32.v8i8", (8 * 255) % 256),
        ("llvm.aarch64.neon.saddv.i32.v8i8", 2**32 - 8),
        ("llvm.aarch64.neon.smaxv.i32.v4i16", 2**32 - 1),
        ("llvm.aarch64.neon.saddlv.i32.v16i8", 2**32 - 16),
    ],
)
def test_all_ones(call: str, wanted: int) -> None:
    found = reduction(call, {i.name: i for i in target_named("arm").instructions()})
    assert found is not None and found is not None
    (o,) = found.operands
    ones = {elem(o.name, k * o.width, o.width): (1 << o.width) - 1 for k in range(o.lanes)}
    term = found.lane(0, {})
    assert evaluate_all([term], ones, Integer())[term] == wanted
    assert target_named("arm").by_call(call) is not None


def test_others_are_none_of_its_business() -> None:
    assert reduction("llvm.aarch64.neon.uaddv.i32.v3i8", {}) is None
    assert reduction("llvm.x86.sse2.pavg.b", {}) is None


@pytest.mark.parametrize("what", ["smax", "smin", "umax", "umin"])
@pytest.mark.parametrize("kind", ["v8i8", "v16i8", "v4i16", "v8i16", "v4i32"])
def test_what_is_proposed_for_another_machine_is_the_reduction(what: str, kind: str) -> None:
    call = f"@llvm.aarch64.neon.{what}v.i32.{kind}"
    vector = f"<{kind[1:].replace('i', ' x i')}>"
    text = normalise(
        f"define i32 @f({vector} noundef %0) {{\n"
        f"  %2 = tail call i32 {call}({vector} %0)\n  ret i32 %2\n}}\n"
        f"declare i32 {call}({vector})\n"
    )
    plain = normalise(plain_reductions(text))
    assert "call i32 @llvm.aarch64" not in plain
    a, b = parse_module(text), parse_module(plain)
    ((_, verdict),) = verify_modules(a, b, target_named("arm"))
    assert isinstance(verdict, Proved), verdict
