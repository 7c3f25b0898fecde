"""What forms do to memory as vectors."""

from __future__ import annotations

import pytest

from isel.cost.code import Access
from semantics.arm import asm as arm
from semantics.x86 import asm as x86
from semantics.x86.costs import prices_of


@pytest.mark.parametrize(
    ("line", "size", "stores"),
    [
        ("vmovdqu64 (%rdi), %zmm0", 64, False),
        ("vmovdqu64 (%rdi), %zmm0 {%k1} {z}", 64, False),
        ("vmovdqu8 %zmm0, (%rdi) {%k1}", 64, True),
        ("vmovups %ymm0, 32(%rdi,%rax)", 32, True),
        ("vpaddb (%rdi), %zmm1, %zmm2", 64, False),
        ("vpmovzxbw (%rdi), %zmm0", 32, False),
        ("vpmovzxbd (%rdi), %zmm0", 16, False),
        ("vpmovzxbw (%rdi), %xmm0", 0, False),
        ("vpmovwb %zmm0, (%rdi)", 32, True),
        ("vpmovusdb %zmm0, (%rdi)", 16, True),
        ("vbroadcasti64x2 (%rdi), %zmm0", 16, False),
        ("vbroadcasti32x8 (%rdi), %zmm0", 32, False),
        ("vinserti128 $1, (%rdi), %ymm0, %ymm0", 16, False),
        ("vextracti32x4 $1, %zmm0, (%rdi)", 16, True),
        ("vpbroadcastd (%rdi), %zmm0", 0, False),
        ("vpaddd (%rdi){1to16}, %zmm0, %zmm0", 0, False),
        ("vpgatherdd (%rdi,%zmm1,4), %zmm0 {%k1}", 0, False),
        ("vmovdqa64 (%rdi), %zmm0", 0, False),
        ("vmovaps %ymm0, (%rdi)", 0, False),
        ("vmovntdq %ymm0, (%rdi)", 0, False),
        ("vmovq (%rdi), %xmm0", 0, False),
        ("vmovsd %xmm0, (%rdi)", 0, False),
        ("vpinsrw $1, (%rdi), %xmm0, %xmm0", 0, False),
        ("vpaddb %zmm0, %zmm1, %zmm2", 0, False),
        ("movdqu (%rdi), %xmm0", 16, False),
        ("movups %xmm0, (%rdi)", 16, True),
        ("movdqa (%rdi), %xmm0", 0, False),
        ("paddb (%rdi), %xmm0", 0, False),  # must be aligned
        ("pmovzxbw (%rdi), %xmm0", 0, False),
        ("addq (%rdi), %rax", 0, False),
        ("leaq (%rdi), %rax", 0, False),
    ],
)
def test_x86(line: str, size: int, stores: bool) -> None:
    found = x86.DIALECT.accessed(x86.read_operation(line).form)
    assert found.bytes == size and (not size or found == Access(size, stores))


@pytest.mark.parametrize(
    ("line", "size", "stores"),
    [
        ("ldr q0, [x0]", 16, False),
        ("ldr q0, [x0, x1, lsl #4]", 16, False),
        ("stur q0, [x0, #-16]", 16, True),
        ("ldp q0, q1, [x0], #32", 32, False),
        ("stp d0, d1, [x0]", 16, True),
        ("ldr d0, [x0]", 0, False),
        ("ldr x0, [x0]", 0, False),
        ("ld1 { v0.16b, v1.16b }, [x0]", 32, False),
        ("ld4 { v0.8b, v1.8b, v2.8b, v3.8b }, [x0]", 32, False),
        ("st2 { v0.8h, v1.8h }, [x0]", 32, True),
        ("ld1 { v0.b }[3], [x0]", 0, False),
        ("add v0.16b, v1.16b, v2.16b", 0, False),
    ],
)
def test_arm(line: str, size: int, stores: bool) -> None:
    found = arm.DIALECT.accessed(arm.read_operation(line).form)
    assert found.bytes == size and (not size or found == Access(size, stores))


@pytest.mark.parametrize(
    ("line", "register"),
    [
        ("sdot v0.4s, v1.16b, v2.16b", "v0"),
        ("smlal2 v0.4s, v1.8h, v2.8h", "v0"),
        ("uadalp v0.8h, v1.16b", "v0"),
        ("sdot v0.4s, v0.16b, v2.16b", ""),  # a factor too
        ("add v0.4s, v0.4s, v1.4s", ""),
        ("st1 { v0.16b }, [x0]", ""),
    ],
)
def test_accumulators(line: str, register: str) -> None:
    assert arm.read_operation(line).accumulator == register


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("movw %ax, (%rdi)", 2),
        ("movswl (%rdi), %eax", 2),
        ("addq $1, (%rdi)", 8),
        ("vmovss (%rdi), %xmm0", 4),
        ("vmovsd (%rdi), %xmm0", 8),
        ("vmovhps %xmm0, (%rdi)", 8),
        ("vmovddup (%rdi), %xmm0", 8),
        ("vmovddup (%rdi), %ymm0", 32),
        ("vmovq %xmm0, (%rdi)", 8),
        ("vbroadcastss (%rdi), %ymm0", 4),
        ("vpbroadcastw (%rdi), %ymm0", 2),
        ("vinsertps $16, (%rdi), %xmm0, %xmm0", 4),
        ("vaddss (%rdi), %xmm0, %xmm0", 4),
        ("vfmadd231sd (%rdi), %xmm0, %xmm1", 8),
        ("vpabsd (%rdi), %xmm0", 16),
        ("vpdpbusd (%rdi), %ymm0, %ymm1", 32),
        ("vpsllw (%rdi), %ymm0, %ymm1", 16),
        ("vpaddd (%rdi){1to8}, %ymm0, %ymm1", 4),
        ("vcvtdq2pd (%rdi), %xmm0", 0),
        ("vmovdqu8 (%rdi), %ymm0 {%k1} {z}", 0),
    ],
)
def test_bytes_of_memory(line: str, size: int) -> None:
    place = x86.read_operation(line).place
    assert (0 if place is None else place.bytes) == size


@pytest.mark.parametrize(
    ("line", "register", "stored"),
    [
        ("vpmovzxbw (%rdi), %zmm0", "vpmovzxbw zmm,ymm", ""),
        ("vpmovzxbd (%rdi), %zmm0", "vpmovzxbd zmm,xmm", ""),
        ("vpmovzxbw (%rdi), %xmm0", "vpmovzxbw xmm,xmm", ""),
        ("vpbroadcastd (%rdi), %ymm0", "vpbroadcastd ymm,xmm", ""),
        ("vpaddd (%rdi), %ymm0, %ymm1", "vpaddd ymm,ymm,ymm", ""),
        ("vpmovwb %zmm0, (%rdi)", "", "vpmovwb ymm,zmm"),
        ("vpmovusdb %ymm0, (%rdi)", "", "vpmovusdb xmm,ymm"),
        ("vmovdqu %ymm0, (%rdi)", "", ""),
    ],
)
def test_forms_between_registers(line: str, register: str, stored: str) -> None:
    found = x86.read_operation(line)
    assert (found.register_form, found.stored_form) == (register, stored)
    assert all(x == "" or prices_of("znver4").of(x) is not None for x in (register, stored))
