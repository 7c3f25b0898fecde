"""Packets of Hexagon assembly: what is in them as forms with registers, loops, returns, and what
cannot be read.
"""

from __future__ import annotations

import pytest

from isel.cost.block import block_cost
from semantics.assembly import read_functions
from semantics.hvx.asm import DIALECT, PACKET, lines, read_line, register_bits, result_kind
from semantics.hvx.costs import SHIPPED

PRICES = SHIPPED.prices_for("hexagonv66")


@pytest.mark.parametrize(
    ("line", "form", "reads", "writes"),
    [
        ("v0.ub = vavg(v1.ub,v2.ub):rnd", "vavg:rnd v.ub=v.ub,v.ub", "v1 v2", "v0"),
        ("v1:0.uh = vmpy(v2.ub,v3.ub)", "vmpy w.uh=v.ub,v.ub", "v2 v3", "v1 v0"),
        ("v0.w += vrmpy(v1.ub,v2.b)", "vrmpy v.w+=v.ub,v.b", "v1 v2 v0", "v0"),
        ("v0 = vmux(q1,v2,v3)", "vmux v=q,v,v", "q1 v2 v3", "v0"),
        ("q0 = vcmp.gt(v1.ub,v2.ub)", "vcmp.gt q=v.ub,v.ub", "v1 v2", "q0"),
        ("q0 ^= vcmp.gt(v1.h,v2.h)", "vcmp.gt q^=v.h,v.h", "v1 v2 q0", "q0"),
        ("if (q0) v1.h += v2.h", "move v.h+=v.h,q", "q0 v2 v1", "v1"),
        ("v0.ub = vasr(v1.h,v2.h,r3):sat", "vasr:sat v.ub=v.h,v.h,r", "v1 v2 r3", "v0"),
        ("v0 = valign(v1,v2,#3)", "valign v=v,v,#", "v1 v2", "v0"),
        ("v0 = vmem(r0+#0)", "vmem v=mem", "r0", "v0"),
        ("vmem(r0+#1) = v2", "vmem mem=v", "r0 v2", ""),
        ("vmemu(r0++#1) = v2", "vmemu mem=v", "r0 v2", ""),
        ("if (q2) vmem(r0+#0) = v1", "vmem mem=v,q", "q2 r0 v1", ""),
        ("vmem(r0+#0) = v0.new", "vmem mem=v", "r0 v0", ""),
        ("r0 = memw(r1+#4)", "load -", "r1", "r0"),
        ("memw(r0+#4) = r1", "store -", "r0 r1", ""),
        ("r0 = add(r1,#2)", "scalar -", "r1", "r0"),
        ("loop0(.LBB0_1,#4)", "scalar -", "", ""),
        ("nop", "scalar -", "", ""),
        ("call memcpy", "call memcpy", "", ""),
    ],
)
def test_line(line: str, form: str, reads: str, writes: str) -> None:
    read = read_line(line)
    assert read.operation.form == form
    assert read.operation.reads == tuple(reads.split())
    assert read.operation.writes == tuple(writes.split())
    assert read.falls_through and not read.branches
    assert PRICES.of(form) is not None or form.startswith("call ")


@pytest.mark.parametrize(
    ("line", "target", "through", "returns"),
    [
        ("jump .LBB0_2", ".LBB0_2", False, False),
        ("if (p0) jump:nt .LBB0_2", ".LBB0_2", True, False),
        ("if (!cmp.gt(r0.new,#3)) jump:t .LBB0_1", ".LBB0_1", True, False),
        ("endloop .LBB0_1", ".LBB0_1", True, False),
        ("jumpr r31", "", False, True),
        ("r31:30 = dealloc_return(r30)", "", False, True),
    ],
)
def test_jump(line: str, target: str, through: bool, returns: bool) -> None:
    read = read_line(line)
    assert (read.target, read.falls_through, read.returns) == (target, through, returns)
    assert read.branches and read.operation.form == "jump -"


def test_packets_and_a_return_alone() -> None:
    raw = [
        "\t{",
        "\t\tv0 = vmem(r0+#0)",
        "\t\tv1 = vmem(r1+#0)",
        "\t}",
        "\t{",
        "\t\tjumpr r31",
        "\t}",
    ]
    assert list(lines(raw)) == ["\t{", "\tv0 = vmem(r0+#0)", "\tv1 = vmem(r1+#0)", "\tjumpr r31"]
    joined = ["\t{", "\t\tjumpr r31", "\t\tvmem(r0+#0) = v0", "\t}"]
    assert list(lines(joined)) == ["\t{", "\tvmem(r0+#0) = v0", "\tjumpr r31"]


LOOP = """	.type	f,@function
f:
	{
		loop0(.LBB0_1,#8)
		r2 = #0
	}
.LBB0_1:
	{
		v0 = vmem(r0++#1)
	}
	{
		v0.ub = vavg(v0.ub,v1.ub)
		vmem(r1++#1) = v0.new
	}	:endloop0
.LBB0_2:
	{
		jumpr r31
	}
.Lfunc_end0:
"""


def test_hardware_loop() -> None:
    code = read_functions(LOOP, DIALECT)["f"]
    assert [(b.label, b.depth) for b in code.blocks if b.operations] == [("", 0), (".LBB0_1", 1)]
    packets = [sum(o.form == PACKET for o in b.operations) for b in code.blocks]
    assert packets[:2] == [1, 2] and sum(packets) == 3


def test_what_cannot_be_read_has_no_price() -> None:
    code = read_functions(LOOP.replace("vavg(v0.ub,v1.ub)", "vnever(v0.ub,v1.ub)"), DIALECT)["f"]
    missing = [name for b in code.blocks for name, _ in block_cost(b, PRICES).missing]
    assert missing == ["vnever v.ub=v.ub,v.ub"]
    code = read_functions(LOOP.replace("r2 = #0", "r2 := ?"), DIALECT)["f"]
    assert [name for b in code.blocks for name, _ in block_cost(b, PRICES).missing] == ["r2 := ?"]


@pytest.mark.parametrize(
    ("form", "kind", "bits"),
    [
        ("vavg:rnd v.ub=v.ub,v.ub", "v", 1024),
        ("vmpy w.uh=v.ub,v.ub", "w", 2048),
        ("vcmp.gt q^=v.h,v.h", "q", 128),
        ("scalar -", "r", 0),
        ("vmem mem=v", "r", 0),
    ],
)
def test_what_a_form_writes(form: str, kind: str, bits: int) -> None:
    assert (result_kind(form), register_bits(form)) == (kind, bits)
