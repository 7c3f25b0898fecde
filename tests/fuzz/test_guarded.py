"""Planted faults: what a wrong rewrite does to loops, memory and overlapping buffers is seen."""

from __future__ import annotations

import pytest

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from tests.fuzz.case import Batch, Call, Case, Pointer, call_from_json, call_to_json
from tests.fuzz.check import Opted, check, compare
from tests.fuzz.guarded import PAGE, Code, run

COPY = """
define void @f(ptr %in, ptr %out, i64 %n) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds i8, ptr %in, i64 %i
  %x = load <4 x i8>, ptr %p, align 1
  %y = add <4 x i8> %x, splat (i8 3)
  %q = getelementptr inbounds i8, ptr %out, i64 %i
  store <4 x i8> %y, ptr %q, align 1
  %next = add nuw i64 %i, 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
"""


def _call(size: int, *, high: bool, shift: int | None = None) -> Call:
    data = bytes(range(1, size + 1))
    if shift is None:
        return Call((data, bytes(size)), (Pointer(0), Pointer(1), size), high)
    return Call((data + bytes(shift),), (Pointer(0), Pointer(0, shift), size), high)


def _case(*calls: Call) -> Case:
    return Case("f", calls)


def _compared(after: str, case: Case) -> str:
    assert after != COPY
    with LlvmWorker() as worker:
        (found,) = compare(
            worker, binding.normalise(COPY), binding.normalise(after), [case], Code()
        )
    assert not isinstance(found, WorkerFailed)
    return found.what if found is not None else ""


def test_the_same_code_does_the_same() -> None:
    case = _case(
        _call(32, high=True),
        _call(32, high=False),
        _call(0, high=True),
        _call(32, high=True, shift=8),
    )
    assert _compared(COPY.replace("%y", "%z"), case) == ""


def test_a_loop_that_goes_wrong_late_is_seen() -> None:
    wrong = COPY.replace("add <4 x i8> %x, splat (i8 3)", "add <4 x i8> %x, %d").replace(
        "  %y =",
        "  %late = icmp ugt i64 %i, 20\n  %d = select i1 %late, <4 x i8> splat (i8 4), <4 x i8> splat (i8 3)\n  %y =",
    )
    assert _compared(wrong, _case(_call(32, high=True))) == "difference"
    assert _compared(wrong, _case(_call(16, high=True))) == ""


@pytest.mark.parametrize(
    ("high", "offset"), [(True, 4), (False, -4), (False, -PAGE), (True, 1), (False, -1)]
)
def test_a_load_beyond_either_end_is_a_fault(high: bool, offset: int) -> None:
    beside = f"  %far = getelementptr i8, ptr %p, i64 {offset}\n  %w = load volatile <4 x i8>, ptr %far, align 1\n"
    assert (
        _compared(COPY.replace("  %y =", f"{beside}  %y ="), _case(_call(32, high=high))) == "fault"
    )


def test_a_store_beside_the_memory_that_faults_nowhere_is_seen() -> None:
    beside = "  %far = getelementptr i8, ptr %p, i64 -4\n  store <4 x i8> zeroinitializer, ptr %far, align 1\n"
    assert (
        _compared(COPY.replace("  %y =", f"{beside}  %y ="), _case(_call(32, high=True))) == "fault"
    )


def test_a_load_moved_over_a_store_differs_where_buffers_overlap() -> None:
    """Reading two rounds at once is right for buffers apart, and wrong for an output four bytes
    on.
    """
    once = COPY.replace(
        "  %y =",
        "  %r = getelementptr i8, ptr %in, i64 4\n  %early = load <4 x i8>, ptr %r, align 1\n  %y =",
    )
    early = once.replace(
        "  br i1 %none",
        "  %s = getelementptr i8, ptr %in, i64 4\n  %first = load <4 x i8>, ptr %s, align 1\n  br i1 %none",
    )
    wrong = early.replace("add <4 x i8> %x, splat (i8 3)", "add <4 x i8> %v, splat (i8 3)").replace(
        "  %y =",
        "  %second = icmp eq i64 %i, 4\n  %v = select i1 %second, <4 x i8> %first, <4 x i8> %x\n  %y =",
    )
    assert _compared(wrong, _case(_call(32, high=True), _call(32, high=False))) == ""
    assert _compared(wrong, _case(_call(32, high=True, shift=4))) == "difference"


def test_one_function_that_dies_does_not_hide_another() -> None:
    other = COPY.replace("@f(", "@g(").replace("i8 3", "i8 5")
    dead = COPY.replace("  %y =", "  store i8 0, ptr null, align 1\n  %y =") + other.replace(
        "i8 5", "i8 6"
    )
    cases = [_case(_call(32, high=True)), Case("g", (_call(32, high=True),))]
    with LlvmWorker() as worker:
        found = compare(
            worker, binding.normalise(COPY + other), binding.normalise(dead), cases, Code()
        )
    assert [f.what for f in found if f is not None and not isinstance(f, WorkerFailed)] == [
        "fault",
        "difference",
    ]


def test_only_what_was_rewritten_and_run_counts() -> None:
    text = COPY + COPY.replace("@f(", "@g(")
    calls = (_call(32, high=True), _call(32, high=False))
    batch = Batch("small", 2, text, (Case("f", calls), Case("g", calls)))

    def same(before: str, cpu: str) -> Opted:
        return Opted(0, "", before, frozenset())

    def one(before: str, cpu: str) -> Opted:
        return Opted(0, "", before.replace("i8 3", "i8 7", 1), frozenset({"f"}))

    def silent(before: str, cpu: str) -> Opted:
        return Opted(
            0,
            "",
            before.replace("splat (i8 3), %x", "%x, splat (i8 3)").replace(
                "add nuw i64 %i, 4", "add i64 %i, 4", 1
            ),
            frozenset(),
        )

    nothing = check(batch, same)
    assert (nothing.functions, nothing.run, nothing.findings) == (2, (), ())
    found = check(batch, one)
    assert ([c.name for c in found.run], found.looped, [f.what for f in found.findings]) == (
        ["f"],
        1,
        ["difference"],
    )
    assert [f.what for f in check(batch, silent).findings] == ["report"]
    assert [
        f.what
        for f in check(
            batch, lambda text, cpu: Opted(70, "isel: bug: x", text, frozenset())
        ).findings
    ] == ["exit"]


def test_memory_is_put_flush_against_either_guard_page() -> None:
    whole = "define void @f(ptr %p, ptr %out) {\n  %n = ptrtoint ptr %p to i64\n  %o = and i64 %n, 4095\n  store i64 %o, ptr %out, align 1\n  ret void\n}\n"
    case = Case(
        "f",
        tuple(
            Call((bytes(24), bytes(8)), (Pointer(0), Pointer(1)), high) for high in (True, False)
        ),
    )
    with LlvmWorker() as worker:
        found = run(worker, whole, [case], Code())
    assert not isinstance(found, WorkerFailed)
    assert [int.from_bytes(after[1], "little") for after in found[0]] == [PAGE - 24, 0]


def test_a_call_survives_a_file() -> None:
    given = Call((b"\x01\x02", b""), (Pointer(0, 1), 7, Pointer(1)), True)
    assert call_from_json(call_to_json(given)) == given
