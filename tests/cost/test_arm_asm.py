"""Lines of AArch64 assembly: forms, registers read and written, hidden traffic, control."""

from __future__ import annotations

import pytest

from isel.cost.code import Traffic
from semantics.arm.asm import read_line, read_operation


@pytest.mark.parametrize(
    ("line", "form", "reads", "writes", "addresses"),
    [
        ("add\tv0.16b, v1.16b, v2.16b", "add 16b,16b,16b", "v1 v2", "v0", ""),
        ("mla v0.4s, v1.4s, v2.s[1]", "mla 4s,4s,s[]", "v0 v1 v2", "v0", ""),
        ("udot v0.4s, v1.16b, v2.4b[3]", "udot 4s,16b,4b[]", "v0 v1 v2", "v0", ""),
        ("uabal v0.8h, v1.8b, v2.8b", "uabal 8h,8b,8b", "v0 v1 v2", "v0", ""),
        ("uabdl v0.8h, v1.8b, v2.8b", "uabdl 8h,8b,8b", "v1 v2", "v0", ""),
        ("xtn v0.8b, v1.8h", "xtn 8b,8h", "v1", "v0", ""),
        ("xtn2 v0.16b, v1.8h", "xtn2 16b,8h", "v0 v1", "v0", ""),
        ("sri v0.4s, v1.4s, #3", "sri 4s,4s,imm", "v0 v1", "v0", ""),
        ("mov v0.s[1], w2", "mov s[],w", "v0 x2", "v0", ""),
        ("mov v0.16b, v1.16b", "mov 16b,16b", "v1", "v0", ""),
        ("umov w0, v1.b[3]", "umov w,b[]", "v1", "x0", ""),
        ("orr v0.4h, #1, lsl #8", "orr 4h,imm,lsl", "v0", "v0", ""),
        ("orr x0, x1, #1", "orr x,x,imm", "x1", "x0", ""),
        ("movi v0.2d, #0000000000000000", "movi 2d,zero", "", "v0", ""),
        ("movi v0.4s, #1, msl #8", "movi 4s,imm,msl", "", "v0", ""),
        ("fmov d0, xzr", "fmov d,zero", "", "v0", ""),
        ("movk w0, #1, lsl #16", "movk w,imm,lsl", "x0", "x0", ""),
        ("tbl v0.16b, { v1.16b, v2.16b }, v3.16b", "tbl 16b,2x16b,16b", "v1 v2 v3", "v0", ""),
        (
            "tbx v0.8b, { v30.16b - v1.16b }, v3.8b",
            "tbx 8b,4x16b,8b",
            "v0 v30 v31 v0 v1 v3",
            "v0",
            "",
        ),
        ("ptrue p0.h, vl8", "ptrue p.h,label", "", "p0", ""),
        ("umulh z0.h, p0/m, z0.h, z1.h", "umulh z.h,p/m,z.h,z.h", "p0 v0 v1", "v0", ""),
        ("mov z2.s, #255", "mov z.s,imm", "", "v2", ""),
        ("movprfx z0, z1", "mov 16b,16b", "v1", "v0", ""),
        ("add x0, x1, x2, lsl #3", "add x,x,x,lsl:4", "x1 x2", "x0", ""),
        ("add x0, x1, x2, lsl #5", "add x,x,x,lsl", "x1 x2", "x0", ""),
        ("add x0, x1, w2, sxtw #2", "add x,x,w,sxtw", "x1 x2", "x0", ""),
        ("add x0, x0, :lo12:table", "add x,x,imm", "x0", "x0", ""),
        ("sub sp, sp, #32", "sub x,x,imm", "sp", "sp", ""),
        ("subs w0, w1, w2", "subs w,w,w", "x1 x2", "flags x0", ""),
        ("cmp x0, #5", "cmp x,imm", "x0", "flags", ""),
        ("ccmp x0, x1, #4, ne", "ccmp x,x,imm,cond", "flags x0 x1", "flags", ""),
        ("csel x0, x1, xzr, lo", "csel x,x,x,cond", "flags x1", "x0", ""),
        ("ldr q0, [x0, #16]", "ldr q,mem", "", "v0", "x0"),
        ("ldr q0, [x0, x1, lsl #4]", "ldr q,mem(x:lsl)", "", "v0", "x0 x1"),
        ("ldr q0, [x0, w1, sxtw #4]", "ldr q,mem(w:sxtw#)", "", "v0", "x0 x1"),
        ("ldp q0, q1, [x0], #32", "ldp q,q,mem,imm", "", "v0 v1", "x0"),
        ("str q0, [x0, #16]!", "str q,mem!", "v0", "", "x0"),
        ("stp x1, xzr, [x0]", "stp x,x,mem", "x1", "", "x0"),
        ("ld2 { v0.8h, v1.8h }, [x0], #32", "ld2 2x8h,mem,imm", "", "v0 v1", "x0"),
        ("ld1 { v0.s }[1], [x0]", "ld1 1xs[],mem", "v0", "v0", "x0"),
        ("ld1r { v0.4s }, [x0]", "ld1r 1x4s,mem", "", "v0", "x0"),
        ("st2 { v0.8h, v1.8h }, [x0]", "st2 2x8h,mem", "v0 v1", "", "x0"),
        ("adrp x8, .LCPI0_0", "adrp x,label", "", "x8", ""),
        ("prfm pldl1keep, [x0]", "prfm prfop,mem", "", "", "x0"),
        ("add v0.16b, v1.16b, v2.16b ; comment", "add 16b,16b,16b", "v1 v2", "v0", ""),
    ],
)
def test_operation(line: str, form: str, reads: str, writes: str, addresses: str) -> None:
    o = read_operation(line)
    assert o.form == form
    assert o.reads == tuple(dict.fromkeys(reads.split()))
    assert o.writes == tuple(writes.split())
    assert o.addresses == tuple(addresses.split())


@pytest.mark.parametrize(
    ("line", "traffic"),
    [
        ("ldr q0, [x8, :lo12:.LCPI0_0]", Traffic.CONSTANT),
        ("ldr q0, [x8, lCPI0_0@PAGEOFF]", Traffic.CONSTANT),
        ("str q0, [sp, #16]", Traffic.SPILL),
        ("ldr q0, [x0, #16]", Traffic.NONE),
        ("add x0, sp, #16", Traffic.NONE),
    ],
)
def test_traffic(line: str, traffic: Traffic) -> None:
    assert read_operation(line).traffic is traffic


@pytest.mark.parametrize(
    ("line", "form", "target", "branches", "falls_through", "returns"),
    [
        ("b .LBB0_1", "b label", ".LBB0_1", True, False, False),
        ("b.ne .LBB0_1", "b.ne label", ".LBB0_1", True, True, False),
        ("cbz x3, .LBB0_2", "cbz x,label", ".LBB0_2", True, True, False),
        ("tbnz w0, #3, .LBB0_2", "tbnz w,imm,label", ".LBB0_2", True, True, False),
        ("br x8", "br x", "", True, False, False),
        ("bl memcpy", "bl memcpy", "", False, True, False),
        ("ret", "ret", "", True, False, True),
        ("brk #0x1", "brk imm", "", True, False, False),
        ("add x0, x0, #1", "add x,x,imm", "", False, True, False),
    ],
)
def test_control(
    line: str, form: str, target: str, branches: bool, falls_through: bool, returns: bool
) -> None:
    x = read_line(line)
    assert (x.operation.form, x.target) == (form, target)
    assert (x.branches, x.falls_through, x.returns) == (branches, falls_through, returns)


@pytest.mark.parametrize("line", ["mla z0.s, p0/m, z1.s, z2.s", "sdot z0.s, z1.b, z2.b"])
def test_registers_of_other_kinds_accumulate_nothing(line: str) -> None:
    """Of a scalable register nobody has said that it is a sum which is ready sooner."""
    operation = read_operation(line)
    assert operation.accumulator == ""
