"""Hexagon's hardware loops: where they begin, how often they run, and what that executes."""

from __future__ import annotations

import pytest

from frontends.halide.model import Model
from frontends.halide.targets import resolve
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.trips import runs_of
from isel.cost.code import Loop
from isel.cost.runs import UNKNOWN
from semantics.assembly import read_functions
from semantics.hvx.asm import DIALECT

NEST = """\
	.type	f,@function
f:
	{{
		loop1(.LBB0_1,#4)
	}}
.LBB0_1:                                // %outer
	{{
		loop0({far}.LBB0_2,{count})
	}}
.LBB0_2:                                // %inner
	{{
		v0 = vadd(v0.w,v1.w)
	}} :endloop0
	{{
		v1 = vadd(v0.w,v1.w)
	}} :endloop1
	{{
		jumpr r31
	}}
.Lfunc_end0:
"""
BOTH = NEST.replace(" :endloop0\n\t{{\n\t\tv1 = vadd(v0.w,v1.w)\n\t}} :endloop1", " :endloop01")
TEXT = """\
define void @f() {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  %j.more = icmp eq i32 %j.next, 7
  br i1 %j.more, label %end, label %inner
end:
  %i.next = add i32 %i, 1
  %i.more = icmp eq i32 %i.next, 4
  br i1 %i.more, label %exit, label %outer
exit:
  ret void
}
"""


@pytest.mark.parametrize("far", ["", "##"])
@pytest.mark.parametrize(("count", "inner"), [("#7", 7), ("##300", 300), ("r3", 0)])
def test_a_loop_is_where_its_instruction_says(far: str, count: str, inner: int) -> None:
    code = read_functions(NEST.format(far=far, count=count), DIALECT)["f"]
    assert [b.depth for b in code.blocks] == [0, 1, 2, 1]
    assert code.loops == (Loop((1, 2, 3), 4), Loop((2,), inner))


def test_a_packet_may_end_two_loops() -> None:
    code = read_functions(BOTH.format(far="", count="#7"), DIALECT)["f"]
    assert [loop.passes for loop in code.loops] == [4, 7]
    assert [b.depth for b in code.blocks][:3] == [0, 1, 2]


@pytest.mark.parametrize(("count", "passes"), [("#9", 9), ("r3", 7)])
def test_all_packets_are_counted(count: str, passes: int) -> None:
    with LlvmWorker() as worker:
        model = Model(resolve("hvx"), worker)
        found = model.of_assembly(TEXT, b"", NEST.format(far="", count=count))
        longer = model.of_assembly(TEXT, b"", NEST.format(far="", count="#10"))
    assert found.executed == 1 + 4 * (1 + passes + 1)
    assert found.faster(longer) and not longer.faster(found) and not found.faster(found)


RETURNS = """\
	.type	f,@function
f:
	{
		p0 = cmp.eq(r0,#0)
		if (p0.new) r31:30 = dealloc_return(r30):t:raw
	}
	{
		r0 = add(r0,#1)
		if (!p0) jump:nt .LBB0_2
	}
.LBB0_1:
	{
		r0 = #0
		r31:30 = dealloc_return(r30):raw
	}
.LBB0_2:
	{
		r1 = add(r0,#1)
		if (!p0) jumpr:nt r31
	}
	{
		jump .LBB0_1
	}
.Lfunc_end0:
"""


def test_what_follows_a_return_is_in_no_loop() -> None:
    code = read_functions(RETURNS, DIALECT)["f"]
    assert code.loops == () and len(code.blocks) == 5
    assert {o.form for b in code.blocks for o in b.operations} == {"packet -", "scalar -", "jump -"}


@pytest.mark.parametrize(
    "text",
    ["r0 = +mpyi(r18,##4224)", "r0 = -mpyi(r1,#3)", "p0 = !cmp.eq(r1,#3)", "r0 += mpyi(r1,#3)"],
)
def test_signs_before_an_instruction_are_read(text: str) -> None:
    assert DIALECT.read(text).operation.form == "scalar -"


TWICE = """\
define void @f() {
entry:
  br label %outer
outer:
  %first = phi i1 [ true, %entry ], [ false, %outer ]
  %j = phi i32 [ 0, %entry ], [ 32, %outer ]
  br i1 %first, label %outer, label %exit
exit:
  ret void
}
"""


def test_a_counter_of_two_numbers_is_two_passes() -> None:
    lines = TWICE.splitlines()[1:-1]
    assert runs_of(lines, twice=True)["%outer"].count == 2
    assert runs_of(lines)["%outer"].count == 2  # by its flag
    lines = [x.replace("br i1 %first", "br i1 %more") for x in lines]
    assert runs_of(lines, twice=True)["%outer"].count == 2
    assert runs_of(lines)["%outer"].count == UNKNOWN
    other = [
        x.replace("[ 32,", "[ %first,").replace("[ 0, %entry ]", "[ %first, %entry ]")
        for x in lines
    ]
    assert runs_of(other, twice=True)["%outer"].count == UNKNOWN
