"""The gate weighs loops by how often they run."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from semantics.x86.target import target


@pytest.fixture(scope="module")
def gate() -> Iterator[Gate]:
    with LlvmWorker() as worker:
        yield Gate(worker, target(), "haswell", "", "x86_64-pc-linux-gnu")


FIVE = 5


def rows(body: str, *, unrolled: bool) -> str:
    """Return five rows of a picture, each in a loop of its own, or in one loop that runs as often
    as there are rows.
    """

    def row(k: str, at: str, behind: str) -> str:
        own = re.sub("%[a-z]+", lambda m: m[0] + k, body)
        return f"""
row{k}:
  %base{k} = mul i64 {at}, 4096
  br label %loop{k}
loop{k}:
  %i{k} = phi i64 [ 0, %row{k} ], [ %j{k}, %loop{k} ]
  %at{k} = add i64 %base{k}, %i{k}
  %pa{k} = getelementptr i16, ptr %a, i64 %at{k}
  %po{k} = getelementptr i16, ptr %o, i64 %at{k}
  %x{k} = load <16 x i16>, ptr %pa{k}, align 32
  %y{k} = load <16 x i16>, ptr %pa{k}, align 32
{own}
  store <16 x i16> %r{k}, ptr %po{k}, align 32
  %j{k} = add i64 %i{k}, 16
  %c{k} = icmp ult i64 %j{k}, %n
  br i1 %c{k}, label %loop{k}, label %{behind}
"""

    head = "define void @f(ptr noalias %a, ptr noalias %o, i64 %n) {\nentry:\n  br label %"
    if unrolled:
        ways = [*(f"row{k}" for k in range(1, FIVE)), "end"]
        every = "".join(row(str(k), str(k), ways[k]) for k in range(FIVE))
        return f"{head}row0\n{every}end:\n  ret void\n}}\n"
    inner = row("", "%k", "next").replace(
        "row:", "row:\n  %k = phi i64 [ 0, %entry ], [ %l, %next ]"
    )
    return f"""{head}row
{inner}
next:
  %l = add i64 %k, 1
  %d = icmp eq i64 %l, {FIVE}
  br i1 %d, label %end, label %row
end:
  ret void
}}
"""


def test_loops_are_weighed_by_how_often_they_run(gate: Gate) -> None:
    """Five loops against one that runs five times: like is compared with like."""
    slow = "\n".join(
        [
            "  %sx = sext <16 x i16> %x to <16 x i32>",
            "  %sy = sext <16 x i16> %y to <16 x i32>",
            "  %m = mul <16 x i32> %sx, %sy",
            "  %s = ashr <16 x i32> %m, splat (i32 7)",
            "  %r = trunc <16 x i32> %s to <16 x i16>",
        ]
    )
    fast = "  %r = add <16 x i16> %x, %y"
    apart = gate.judge(rows(slow, unrolled=True), rows(slow, unrolled=False), "f")
    assert apart.before == pytest.approx(apart.after, rel=0.1)
    found = gate.judge(rows(slow, unrolled=True), rows(fast, unrolled=False), "f")
    alike = gate.judge(rows(slow, unrolled=False), rows(fast, unrolled=False), "f")
    assert found.accept and alike.accept
    assert found.before / found.after == pytest.approx(alike.before / alike.after, rel=0.2)
    assert not gate.judge(rows(fast, unrolled=True), rows(slow, unrolled=False), "f").accept
    assert not gate.judge(rows(fast, unrolled=False), rows(slow, unrolled=True), "f").accept


def sums(main: str, rest: str) -> str:
    """Return a sum of products whose first loop takes 64 values in a pass, and the one behind it
    16 of what is left.
    """

    def of(kind: str, name: str, step: int, start: str, before: str, bound: str, out: str) -> str:
        return f"""
{name}:
  %i.{name} = phi i64 [ {start}, %{before} ], [ %j.{name}, %{name} ]
  %s.{name} = phi <16 x i32> [ zeroinitializer, %{before} ], [ %t.{name}, %{name} ]
  %p.{name} = getelementptr i16, ptr %a, i64 %i.{name}
  %x.{name} = load <16 x i16>, ptr %p.{name}, align 2
{kind.replace("?", name)}
  %j.{name} = add nuw i64 %i.{name}, {step}
  %c.{name} = icmp eq i64 %j.{name}, {bound}
  br i1 %c.{name}, label %{out}, label %{name}
"""

    return f"""
define void @f(ptr noalias %a, ptr noalias %o, i64 %n) {{
entry:
  %most = and i64 %n, -64
  %all = and i64 %n, -16
  br label %main
{of(main, "main", 64, "0", "entry", "%most", "between")}
between:
  store <16 x i32> %t.main, ptr %o, align 4
  %done = icmp eq i64 %most, %all
  br i1 %done, label %end, label %rest
{of(rest, "rest", 16, "%most", "between", "%all", "last")}
last:
  %q = getelementptr i32, ptr %o, i64 16
  store <16 x i32> %t.rest, ptr %q, align 4
  br label %end
end:
  ret void
}}
"""


SQUARES = """
  %e.? = sext <16 x i16> %x.? to <16 x i32>
  %m.? = mul <16 x i32> %e.?, %e.?
  %t.? = add <16 x i32> %s.?, %m.?"""
TWICE = (
    SQUARES.replace("%t.? = add", "%u.? = add")
    + """
  %v.? = mul <16 x i32> %u.?, %u.?
  %t.? = sub <16 x i32> %v.?, %e.?"""
)


CHAINED = """
  %e.? = sext <16 x i16> %x.? to <16 x i32>
  %m.? = add <16 x i32> %e.?, %e.?
  %t.? = mul <16 x i32> %s.?, %m.?"""


def test_a_loop_for_the_rest_may_be_slower_where_the_one_before_it_gains(gate: Gate) -> None:
    found = gate.judge(sums(TWICE, SQUARES), sums(SQUARES, CHAINED), "f")
    assert found.accept and found.after < found.before
    # not if it is the longer one that loses, nor if nothing gains
    assert not gate.judge(sums(SQUARES, CHAINED), sums(TWICE, SQUARES), "f").accept
    assert not gate.judge(sums(SQUARES, SQUARES), sums(SQUARES, CHAINED), "f").accept


def test_a_loop_for_the_rest_may_not_be_more_work(gate: Gate) -> None:
    """A short input runs no other loop: `vpx_int_pro_col_c` lost 6 % of its speed."""
    found = gate.judge(sums(TWICE, SQUARES), sums(SQUARES, TWICE), "f")
    assert found.after < found.before and found.slower
