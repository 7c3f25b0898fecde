"""Which vectors of a function are aligned, and what the gate makes of it."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.aligned import unalign
from frontends.llvm.machine.gate import Gate
from semantics.x86.target import target

TRIPLE = "x86_64-pc-linux-gnu"


def body(*lines: str) -> str:
    other = "define void @g(ptr %p) {\n  %x = load <64 x i8>, ptr %p, align 1\n  ret void\n}\n"
    inside = "".join(f"  {x}\n" for x in lines)
    return f"{other}define void @f(ptr %p, ptr %q) #0 {{\n{inside}  ret void\n}}\n"


@pytest.mark.parametrize(
    ("lines", "shares"),
    [
        ((), {16: 1.0, 64: 1.0}),
        (("%a = load <64 x i8>, ptr %p, align 64",), {16: 0.0, 32: 0.0, 64: 0.0}),
        (("%a = load <64 x i8>, ptr %p, align 32",), {16: 0.0, 32: 0.0, 64: 1.0}),
        (("%a = load <16 x i8>, ptr %p, align 16",), {16: 0.0, 32: 1.0}),
        (
            (
                "%a = load volatile <8 x float>, ptr %p, align 4, !tbaa !1",
                "store <8 x float> %a, ptr %q, align 32",
            ),
            {16: 0.5, 32: 0.5, 64: 1.0},
        ),
        (
            ("%a = call <16 x i32> @llvm.masked.load.v16i32.p0(ptr align 4 %p, <16 x i1> %m, ",),
            {64: 1.0},
        ),
        (("%a = load i64, ptr %p, align 1",), {16: 1.0}),
    ],
)
def test_share_that_is_not_aligned(lines: tuple[str, ...], shares: dict[int, float]) -> None:
    found = unalign(body(*lines), "f")
    assert {size: found(size) for size in shares} == shares


def loop(align: int, loads: int) -> str:
    """Return a sum of neighbours, 64 bytes at a time."""
    rows = "".join(
        f"  %p{k} = getelementptr i8, ptr %p, i64 {64 * k}\n"
        f"  %q{k} = getelementptr i8, ptr %p{k}, i64 %i\n"
        f"  %x{k} = load <64 x i8>, ptr %q{k}, align {align}\n"
        f"  %s{k} = add <64 x i8> %{f's{k - 1}' if k else 'x0'}, %x{k}\n"
        for k in range(loads)
    )
    return f"""
define void @f(ptr noalias %p, ptr noalias %o, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
{rows}  %r = getelementptr i8, ptr %o, i64 %i
  store <64 x i8> %s{loads - 1}, ptr %r, align 64
  %j = add i64 %i, 64
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}}
"""


def test_a_row_more_at_an_address_of_no_alignment_is_not_free() -> None:
    with LlvmWorker() as worker:
        gate = Gate(worker, target(), "znver5", "", TRIPLE)

        def cycles(align: int, loads: int) -> float:
            return max(cost.cycles for _, cost in gate.blocks(loop(align, loads), "f"))

        aligned, crossing = (cycles(64, 8) - cycles(64, 4), cycles(1, 8) - cycles(1, 4))
        assert aligned < 2.5 and crossing == pytest.approx(4.0, abs=0.1)
