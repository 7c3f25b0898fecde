"""Functions of two modules, run: places, results, and what cannot be run."""

from __future__ import annotations

import ctypes

import pytest

from bench.jit import Jit
from bench.measure.changed import changed, measured, verdict
from bench.measure.inputs import NotRun
from bench.measure.timing import SHIFTS, Once, Task, once, placed
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from tests.bench.measure.texts import QUICK, SLOW, module

SAID = "the sizes it needs are unknown: it left the memory that it was given"


@pytest.mark.parametrize("shift", SHIFTS)
def test_functions_begin_where_they_are_asked_to(shift: int) -> None:
    text = binding.normalise(QUICK.replace("i64 %n) {", "i64 %n) local_unnamed_addr align 16 {"))
    native = binding.NativeModule(placed(text, "f", shift))
    assert native.address("f") % 64 == shift
    assert Jit(placed(text, "f", shift), ["f"]).call("f", [bytes(16), 1]).buffers == (b"\1" * 16,)


def test_which_functions_changed() -> None:
    other = "define i32 @g() {\n  ret i32 %d\n}\n"
    a, b = (module(binding.normalise(t + other.replace("%d", "1"))) for t in (QUICK, SLOW))
    assert changed(a, b) == ["f"] and changed(a, a) == []


def test_attribute_groups_are_numbered_by_module() -> None:
    """A group that one module has more moves the numbers of all behind it."""
    call = (
        'define i32 @g(i32 %x) {\n  %y = call i32 asm "", "=r,0"(i32 %x) #7, !srcloc !0\n'
        "  ret i32 %y\n}\nattributes #7 = { nounwind }\n!0 = !{i32 1}\n"
    )
    more = "declare void @h() #0\nattributes #0 = { cold }\n"
    a, b = (module(binding.normalise(call + x)) for x in ("", more))
    assert changed(a, b) == []


def test_a_run_at_every_place() -> None:
    found = once(Task(SLOW, QUICK, "f"), 0, 1)
    assert isinstance(found, Once) and found.ratio > 0 and found.control > 0


def test_results_that_differ_are_not_timed() -> None:
    wrong = QUICK.replace("i8 1", "i8 2")
    found = once(Task(QUICK, wrong, "f"), 0, 3)
    assert isinstance(found, NotRun) and found.why.startswith("the results differ")


def test_sizes_that_are_unknown() -> None:
    """Smaller ones are tried first; what leaves its memory with any is said, the rest goes on."""
    far = QUICK.replace(
        "  %v =", "  %far = getelementptr i8, ptr %p, i64 1000000\n  store i8 1, ptr %far\n  %v ="
    )
    two = "\n".join((far, QUICK.replace("@f", "@g")))
    slow = "\n".join((far.replace("i8 1)", "i8 3)"), QUICK.replace("@f", "@g")))
    with LlvmWorker() as worker:
        assert list(measured(two, slow, worker)) == [("f", NotRun(SAID))]
        assert list(measured(two, two, worker)) == []
        large = QUICK.replace(
            "  %v =",
            "  %q = mul i64 %n, 1000\n  %far = getelementptr i8, ptr %p, i64 %q\n"
            "  store i8 1, ptr %far\n  %v =",
        )
        found = verdict(Task(large, large.replace("i8 1)", "i8 3)"), "f"), worker)
    assert isinstance(found, NotRun) and found.why.startswith("the results differ")


def test_what_cannot_be_run_is_said_before_it_is_run() -> None:
    calls = QUICK.replace("  ret", "  call void @g()\n  ret") + "declare void @g()\n"
    with LlvmWorker() as worker:
        found = list(measured(calls, calls.replace("i8 1)", "i8 2)"), worker))
    assert found == [("f", NotRun("it calls g"))]


def test_data_of_the_task_is_used() -> None:
    """The byte behind the pointer says how far to write: made inputs would go elsewhere."""
    text = """\
define void @f(ptr %p) {
  %v = load i32, ptr %p
  %q = getelementptr i8, ptr %p, i32 %v
  store i8 1, ptr %q
  ret void
}
"""
    data = (bytes(ctypes.c_int32(100)) + bytes(200),)
    assert isinstance(once(Task(text, text, "f", data=data), 0, 1), Once)
