"""Lines of x86 assembly: forms, registers read and written, hidden traffic, control."""

from __future__ import annotations

import pytest

from isel.cost.code import Traffic
from semantics.x86.asm import read_line, read_operation


@pytest.mark.parametrize(
    ("line", "form", "reads", "writes", "addresses"),
    [
        ("vpaddw\t(%rdi), %zmm1, %zmm2", "vpaddw zmm,zmm,mem", "v1", "v2", "rdi"),
        ("vpaddw %zmm0, %zmm1, %zmm2 {%k1}", "vpaddw zmm{k},zmm,zmm", "v0 v1 k1 v2", "v2", ""),
        ("vpaddw %zmm0, %zmm1, %zmm2 {%k1} {z}", "vpaddw zmm{k}{z},zmm,zmm", "v0 v1 k1", "v2", ""),
        ("vpminud .LCPI0_0(%rip){1to8}, %ymm0, %ymm1", "vpminud ymm,ymm,mem{1to8}", "v0", "v1", ""),
        ("vmovdqu64 %zmm0, 64(%rax,%rcx,4)", "vmovdqu64 mem,zmm", "v0", "", "rax rcx"),
        ("vpcmpgtb %zmm1, %zmm2, %k3 {%k1}", "vpcmpgtb k{k},zmm,zmm", "v1 v2 k1", "k3", ""),
        ("vpdpwssd %zmm1, %zmm2, %zmm3", "vpdpwssd zmm,zmm,zmm", "v1 v2 v3", "v3", ""),
        (
            "{vex}\tvpdpwssd\t%xmm2, %xmm0, %xmm3",
            "{vex} vpdpwssd xmm,xmm,xmm",
            "v2 v0 v3",
            "v3",
            "",
        ),
        ("{evex} vpaddd %xmm2, %xmm0, %xmm3", "vpaddd xmm,xmm,xmm", "v2 v0", "v3", ""),
        ("vpxor %xmm0, %xmm0, %xmm1", "vpxor xmm,xmm,xmm same", "", "v1", ""),
        ("pxor %xmm0, %xmm0", "pxor xmm,xmm same", "", "v0", ""),
        ("xorl %eax, %eax", "xorl r32,r32 same", "", "rax flags", ""),
        ("paddw %xmm1, %xmm0", "paddw xmm,xmm", "v1 v0", "v0", ""),
        ("pshufd $27, %xmm1, %xmm0", "pshufd xmm,xmm,imm", "v1", "v0", ""),
        ("movsd %xmm1, %xmm0", "movsd xmm,xmm", "v1 v0", "v0", ""),
        ("addq $64, %r8", "addq r64,imm", "r8", "r8 flags", ""),
        ("addl %eax, (%rdi)", "addl mem,r32", "rax", "flags", "rdi"),
        ("cmpb %al, %r9b", "cmpb r8,r8", "rax r9", "flags", ""),
        ("imulq %rcx", "imulq r64", "rax rcx", "rax rdx flags", ""),
        ("imulq $3, %rcx, %rdx", "imulq r64,r64,imm", "rcx", "rdx flags", ""),
        ("cmovbl %edi, %eax", "cmovbl r32,r32", "flags rdi rax", "rax", ""),
        ("leaq 8(%rdi,%rsi,4), %rax", "leaq r64,address(bisd)", "", "rax", "rdi rsi"),
        ("leaq (%rdi), %rax", "leaq r64,address(b)", "", "rax", "rdi"),
        (
            "vpgatherdd (%rdi,%zmm5,4), %zmm1 {%k1}",
            "vpgatherdd zmm{k},mem(zmm)",
            "v5 k1 v1",
            "v1",
            "rdi",
        ),
        ("kortestw %k0, %k1", "kortestw k,k", "k0 k1", "flags", ""),
        ("vpmovm2b %k1, %zmm0", "vpmovm2b zmm,k", "k1 v0", "v0", ""),  # waits for what it was
        ("vpmovm2d %k1, %zmm0", "vpmovm2d zmm,k", "k1", "v0", ""),
        ("vrndscaleps $8, {sae}, %zmm0, %zmm1", "vrndscaleps zmm,zmm,{sae},imm", "v0", "v1", ""),
        ("rep movsb", "rep movsb", "", "", ""),
    ],
)
def test_operation(line: str, form: str, reads: str, writes: str, addresses: str) -> None:
    o = read_operation(line)
    assert (o.form, set(o.reads), set(o.writes), set(o.addresses)) == (
        form,
        set(reads.split()),
        set(writes.split()),
        set(addresses.split()),
    )


@pytest.mark.parametrize(
    ("line", "traffic"),
    [
        ("vmovups %zmm0, -64(%rsp)", Traffic.SPILL),
        ("vpaddd 32(%rsp), %ymm0, %ymm0", Traffic.SPILL),
        ("movq -8(%rbp), %rax", Traffic.SPILL),
        ("movq 8(%rbp), %rax", Traffic.NONE),
        ("vpshufb .LCPI3_12(%rip), %ymm0, %ymm0", Traffic.CONSTANT),
        ("movq table(%rip), %rax", Traffic.NONE),
        ("leaq .LCPI0_0(%rip), %rax", Traffic.NONE),
        ("vmovdqu (%rdi), %ymm0", Traffic.NONE),
    ],
)
def test_traffic(line: str, traffic: Traffic) -> None:
    assert read_operation(line).traffic is traffic


def test_loaded_operand_in_a_register() -> None:
    assert read_operation("vpaddw (%rdi), %zmm1, %zmm2").register_form == "vpaddw zmm,zmm,zmm"
    assert read_operation("vmovdqu (%rdi), %ymm1").register_form == ""
    assert read_operation("vmovdqu %ymm1, (%rdi)").register_form == ""


def test_control() -> None:
    jump, branch, leave = read_line("jmp .LBB0_1"), read_line("jne .LBB0_2"), read_line("retq")
    assert (jump.target, jump.branches, jump.falls_through) == (".LBB0_1", True, False)
    assert (branch.target, branch.branches, branch.falls_through) == (".LBB0_2", True, True)
    assert leave.returns and leave.branches and not leave.falls_through
    assert read_line("jmpq *%rax").target == ""
    assert read_line("callq memcpy@PLT").operation.form == "callq memcpy@PLT"


def test_unreadable_lines_have_a_form_without_price() -> None:
    assert read_operation("frobnicate %what, (((").form.startswith("frobnicate")
