"""The never-slower gate on rewrites whose worth is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.machine.gate import Gate
from isel.cost.chains import Timing
from isel.cost.judgement import Judgement
from semantics import target_named
from semantics.x86.costs import prices_of
from semantics.x86.target import target
from tests.frontends.llvm.miscompiled import rounded_and_plain

TRIPLE = "x86_64-pc-linux-gnu"


def straight(body: str, extra: str = "") -> str:
    return f"""
{extra}
define void @f(ptr %a, ptr %b, ptr %o) {{
  %x = load <16 x i16>, ptr %a, align 32
  %y = load <16 x i16>, ptr %b, align 32
{body}
  store <16 x i16> %r, ptr %o, align 32
  ret void
}}
"""


def loop(body: str, extra: str = "") -> str:
    return f"""
{extra}
define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %o, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %pa = getelementptr i16, ptr %a, i64 %i
  %pb = getelementptr i16, ptr %b, i64 %i
  %po = getelementptr i16, ptr %o, i64 %i
  %x = load <16 x i16>, ptr %pa, align 2
  %y = load <16 x i16>, ptr %pb, align 2
{body}
  store <16 x i16> %r, ptr %po, align 2
  %j = add i64 %i, 16
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}}
"""


# A Q15 product with rounding by hand, and by the instruction that does it.
LONG = """
  %sx = sext <16 x i16> %x to <16 x i32>
  %sy = sext <16 x i16> %y to <16 x i32>
  %m = mul nsw <16 x i32> %sx, %sy
  %s = ashr <16 x i32> %m, splat (i32 14)
  %t = add <16 x i32> %s, splat (i32 1)
  %u = ashr <16 x i32> %t, splat (i32 1)
  %r = trunc <16 x i32> %u to <16 x i16>
"""
SHORT = "  %r = call <16 x i16> @llvm.x86.avx2.pmul.hr.sw(<16 x i16> %x, <16 x i16> %y)"
DECLARE = "declare <16 x i16> @llvm.x86.avx2.pmul.hr.sw(<16 x i16>, <16 x i16>)"


@pytest.fixture(scope="module")
def gate() -> Iterator[Gate]:
    with LlvmWorker() as worker:
        yield Gate(worker, target(), "haswell", "", TRIPLE)


@pytest.mark.parametrize("shape", [straight, loop])
def test_a_gain_is_accepted_and_its_reverse_refused(
    gate: Gate, shape: Callable[[str, str], str]
) -> None:
    slow, fast = shape(LONG, ""), shape(SHORT, DECLARE)
    better, worse = gate.judge(slow, fast, "f"), gate.judge(fast, slow, "f")
    assert better.accept and better.reason == "faster" and better.after < 0.7 * better.before
    assert not worse.accept and (worse.before, worse.after) == (better.after, better.before)


def test_ties_lose(gate: Gate) -> None:
    assert gate.judge(straight(LONG), straight(LONG), "f").reason == "not faster"
    assert gate.judge(loop(SHORT, DECLARE), loop(SHORT, DECLARE), "f").reason == "not faster"


def test_a_slower_loop_is_named(gate: Gate) -> None:
    assert "would be slower" in gate.judge(loop(SHORT, DECLARE), loop(LONG), "f").reason


def test_more_operations_behind_the_same_busy_port_are_slower(gate: Gate) -> None:
    products = """
  %p = bitcast <16 x i16> %x to <8 x i32>
  %q = bitcast <16 x i16> %y to <8 x i32>
  %m = mul <8 x i32> %p, %q
  %t = mul <8 x i32> %m, %p
"""
    once, more = (
        products + f"{extra}  %r = bitcast <8 x i32> %{last} to <16 x i16>"
        for extra, last in [("", "t"), ("  %e = xor <8 x i32> %t, %q\n", "e")]
    )
    found = gate.judge(loop(once), loop(more), "f")
    assert found.before == found.after
    assert found.slower and "more operations" in found.reason


def test_an_opaque_call_cancels_only_against_itself(gate: Gate) -> None:
    call = "  call void @g()\n"
    slow, fast = (
        straight(LONG + call, "declare void @g()"),
        straight(SHORT + "\n" + call, DECLARE + "\ndeclare void @g()"),
    )
    assert gate.judge(slow, fast, "f").accept
    added = gate.judge(straight(LONG), fast, "f")
    assert not added.accept and added.reason.startswith("no price for 'call")


def test_cost(gate: Gate) -> None:
    assert (
        gate.cost(straight(SHORT, DECLARE), "f") == 2.25
    )  # load 1, folded multiply 2, store 2, vzeroupper 4: nine over four
    assert (
        gate.cost(
            straight("  call void @g()\n  %r = add <16 x i16> %x, %y", "declare void @g()"), "f"
        )
        is None
    )
    assert gate.cost(straight(LONG), "nothing") is None


def test_code_that_llvm_cannot_compile_is_refused() -> None:
    wide = """
declare <32 x i16> @llvm.x86.avx512.pmul.hr.sw.512(<32 x i16>, <32 x i16>)
define void @f(ptr %a, ptr %b, ptr %o) {
  %x = load <32 x i16>, ptr %a, align 32
  %y = load <32 x i16>, ptr %b, align 32
  %r = call <32 x i16> @llvm.x86.avx512.pmul.hr.sw.512(<32 x i16> %x, <32 x i16> %y)
  store <32 x i16> %r, ptr %o, align 32
  ret void
}
"""
    with LlvmWorker() as worker:
        found = Gate(worker, target(), "haswell", "", TRIPLE).judge(straight(LONG), wide, "f")
        assert not found.accept and "LLVM failed" in found.reason
        assert (
            not Gate(worker, target(), "haswell", "", TRIPLE)
            .judge(straight(LONG), "nonsense", "f")
            .accept
        )


def test_a_function_on_which_llvm_hangs_is_left_alone() -> None:
    """LLVM 22 needs minutes for some shuffles: a few compiles may run out of time, not every
    candidate's.
    """

    class Hanging(LlvmWorker):
        asked = 0

        def assembly(
            self,
            text: str,
            *,
            triple: str,
            cpu: str,
            features: str,
            level: int = 3,
            verbose: bool = False,
        ) -> WorkerFailed:
            self.asked += 1
            return WorkerFailed("no answer within 60 s", late=True)

    with Hanging() as worker:
        gate = Gate(worker, target(), "haswell", "", TRIPLE)
        found = [
            gate.judge(straight(LONG), straight(SHORT, f"{DECLARE}\n; {k}"), "f") for k in range(9)
        ]
        assert not any(f.accept for f in found)
        assert found[0].reason == "after: LLVM failed: no answer within 60 s"
        assert found[-1].reason == "after: LLVM takes too long on this function"
        assert worker.asked == 3


def test_what_llvm_could_compile_it_must_still_compile() -> None:
    """LLVM 22 never ends on code that its own -O3 makes of some permutes: found by the fuzzer,
    seed 1009844.
    """

    class Failing(LlvmWorker):
        def assembly(
            self,
            text: str,
            *,
            triple: str,
            cpu: str,
            features: str,
            level: int = 3,
            verbose: bool = False,
        ) -> str | WorkerFailed:
            if "pmul.hr.sw" in text:
                return WorkerFailed("no answer within 60 s", late=True)
            return super().assembly(
                text, triple=triple, cpu=cpu, features=features, level=level, verbose=verbose
            )

    with Failing() as worker:
        found = Gate(worker, target(), "haswell", "", TRIPLE).judge(
            straight(LONG), straight(SHORT, DECLARE), "f"
        )
        assert not found.accept and "LLVM failed" in found.reason


def test_verdicts_are_remembered_by_text_and_target() -> None:
    memory: dict[str, Judgement] = {}
    with LlvmWorker() as worker:
        first = Gate(worker, target(), "haswell", "", TRIPLE, memory).judge(
            straight(LONG), straight(SHORT, DECLARE), "f"
        )
        assert len(memory) == 1
        Gate(worker, target(), "znver4", "", TRIPLE, memory).judge(
            straight(LONG), straight(SHORT, DECLARE), "f"
        )
        assert len(memory) == 2
        again = Gate(worker, target(), "haswell", "", TRIPLE, memory).judge(
            straight(LONG), straight(SHORT, DECLARE), "f"
        )
    assert again is first


def test_known_miscompiles_have_no_baseline() -> None:
    before, after = rounded_and_plain()
    features, triple = "+hvxv66,+hvx-length128b", "hexagon-unknown-linux-musl"
    with LlvmWorker() as worker:
        gate = Gate(worker, target_named("hvx"), "hexagonv66", features, triple)
        found = gate.judge(before, after, "f")
        assert found.accept and found.before == 0.0
        assert found.reason == "correctness: LLVM saturates a rounded product that wraps"
        assert not gate.judge(after, after, "f").accept


def test_a_new_spill_in_a_loop_pays_its_price(gate: Gate) -> None:
    spill = "  %slot = alloca <16 x i16>, align 32\n"
    body = "  %q = add <16 x i16> %x, %y\n  store volatile <16 x i16> %q, ptr %slot\n  %r = load volatile <16 x i16>, ptr %slot\n"
    plain = loop("  %r = add <16 x i16> %x, %y")
    spilled = loop(body).replace("entry:\n", "entry:\n" + spill)
    found = gate.judge(plain, spilled, "f")
    assert not found.accept
    cost, again = gate.blocks(spilled, "f"), gate.blocks(plain, "f")
    assert sum(kind == "spill" for _, c in cost for kind, _ in c.hidden) == 2
    assert not any(c.hidden for _, c in again)


def nested(inner: str) -> str:
    return f"""
define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %o, i64 %n) {{
entry:
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %l, %after ]
  %row = getelementptr i16, ptr %b, i64 %k
  %y = load <16 x i16>, ptr %row, align 2
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %j, %inner ]
  %pa = getelementptr i16, ptr %a, i64 %i
  %po = getelementptr i16, ptr %o, i64 %i
  %x = load <16 x i16>, ptr %pa, align 2
{inner}
  store <16 x i16> %r, ptr %po, align 2
  %j = add i64 %i, 16
  %c = icmp ult i64 %j, %n
  br i1 %c, label %inner, label %after
after:
  %l = add i64 %k, 16
  %d = icmp ult i64 %l, %n
  br i1 %d, label %outer, label %end
end:
  ret void
}}
"""


def test_what_leaves_an_inner_loop_may_make_the_outer_one_longer(gate: Gate) -> None:
    """LLVM hoists what depends on the outer loop only; the gain inside pays for it."""
    every = """
  %s = shl <16 x i16> %y, %x
  %m = mul <16 x i16> %s, %x
  %q = mul <16 x i16> %m, %x
  %r = add <16 x i16> %q, %y
"""
    hoisted = """
  %s = mul <16 x i16> %y, splat (i16 3)
  %t = mul <16 x i16> %s, %y
  %u = xor <16 x i16> %t, splat (i16 77)
  %r = add <16 x i16> %u, %x
"""
    assert gate.judge(nested(every), nested(hoisted), "f").accept
    assert not gate.judge(nested(hoisted), nested(every), "f").accept


def test_no_pass_runs_before_code_is_judged(gate: Gate) -> None:
    """What another -O3 would take out is in the code that will be made."""
    more = """
  %p = mul <16 x i16> %x, splat (i16 11)
  %q = mul <16 x i16> %x, splat (i16 10)
  %r = sub <16 x i16> %p, %q
"""
    assert gate.judge(loop(more), loop("  %r = or <16 x i16> %x, zeroinitializer"), "f").accept


@pytest.mark.parametrize(
    ("cpu", "known", "accepted"),
    [("haswell", True, True), ("x86-64-v3", True, False), ("x86-64-v3", False, True)],
)
def test_code_for_a_level_is_slower_on_no_maker_s_cpus(
    cpu: str, known: bool, accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One shuffle and a product in place of two shuffles is a gain where one port shuffles."""
    row = "  %a{k} = load <8 x i8>, ptr %p{k}\n  %b{k} = load <8 x i8>, ptr %q{k}\n"
    before = row + (
        "  %x{k} = zext <8 x i8> %a{k} to <8 x i16>\n  %y{k} = zext <8 x i8> %b{k} to <8 x i16>\n"
        "  %d{k} = sub <8 x i16> %x{k}, %y{k}\n"
    )
    after = row + (
        "  %w{k} = shufflevector <8 x i8> %a{k}, <8 x i8> %b{k}, <16 x i32> <i32 0, i32 8, i32 1,"
        " i32 9, i32 2, i32 10, i32 3, i32 11, i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7,"
        " i32 15>\n"
        "  %d{k} = call <8 x i16> @llvm.x86.ssse3.pmadd.ub.sw.128(<16 x i8> %w{k},"
        " <16 x i8> bitcast (<8 x i16> splat (i16 -255) to <16 x i8>))\n"
    )

    def module(rows: str) -> str:
        lines = [rows.format(k=k) + f"  store <8 x i16> %d{k}, ptr %r{k}\n" for k in range(8)]
        pointers = ", ".join(f"ptr %{x}{k}" for x in "pqr" for k in range(8))
        declared = "declare <8 x i16> @llvm.x86.ssse3.pmadd.ub.sw.128(<16 x i8>, <16 x i8>)\n"
        return f"{declared}define void @f({pointers}) {{\n{''.join(lines)}  ret void\n}}\n"

    with LlvmWorker() as worker:
        gate = Gate(worker, target(), cpu, "", "x86_64-pc-linux-gnu")
        if not known:  # what has no price there says nothing
            other = prices_of("znver3")
            rows = {f: p for f, p in other.rows.items() if not f.startswith("vpsubw")}
            monkeypatch.setattr(gate, "_others", [Timing(replace(other, rows=rows))])
        found = gate.judge(module(before), module(after), "f")
    assert found.accept == accepted, found.reason
    assert accepted or (found.reason == "on znver3 the function would be slower" and found.slower)
