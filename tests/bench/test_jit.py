"""Functions run and are timed on buffers of bytes, guard bytes around them."""

from __future__ import annotations

from functools import partial

import pytest

from bench.jit import execute, time_pair
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed

ADD = """
define void @f(ptr %p, ptr %q, ptr %o) {
  %a = load <16 x i8>, ptr %p, align 16
  %b = load <16 x i8>, ptr %q, align 16
  %c = add <16 x i8> %a, %b
  store <16 x i8> %c, ptr %o, align 16
  ret void
}
"""


def test_native_execution_on_buffers() -> None:
    arguments = [bytes(range(16)), bytes([250]) * 16, bytes(16)]
    with LlvmWorker() as worker:
        outcomes = worker.run(partial(execute, ADD, "f", [arguments]))
    assert not isinstance(outcomes, WorkerFailed)
    assert outcomes[0].buffers[2] == bytes((i + 250) % 256 for i in range(16))


def test_native_execution_of_vector_arguments_and_results() -> None:
    text = "define <4 x i16> @f(<4 x i16> %a, i32 %n) {\n  %x = trunc i32 %n to i16\n  %y = insertelement <4 x i16> %a, i16 %x, i64 3\n  ret <4 x i16> %y\n}\n"
    with LlvmWorker() as worker:
        outcomes = worker.run(partial(execute, text, "f", [[bytes(range(8)), -2]]))
    assert not isinstance(outcomes, WorkerFailed)
    assert outcomes[0].result == bytes([0, 1, 2, 3, 4, 5, 254, 255])


def test_a_write_outside_the_buffers_is_noticed() -> None:
    text = "define void @f(ptr %p) {\n  %q = getelementptr i8, ptr %p, i64 8\n  store i8 0, ptr %q, align 1\n  ret void\n}\n"
    with LlvmWorker() as worker:
        assert worker.run(partial(execute, text, "f", [[bytes(8)]])) == WorkerFailed(
            "OutOfBounds: a function wrote outside its buffers"
        )


@pytest.mark.parametrize("inline", [True, False])
def test_timing_does_not_lose_the_work(inline: bool) -> None:
    chain = "\n".join(f"  %x{i + 1} = urem i64 %x{i}, %d" for i in range(20))
    slow = f"define void @f(ptr %p) {{\n  %x0 = load i64, ptr %p, align 8\n  %d = or i64 %x0, 1\n{chain}\n  store i64 %x20, ptr %p, align 8\n  ret void\n}}\n"
    quick = "define void @f(ptr %p) {\n  %x0 = load i64, ptr %p, align 8\n  store i64 %x0, ptr %p, align 8\n  ret void\n}\n"
    with LlvmWorker() as worker:
        job = partial(
            time_pair,
            slow,
            quick,
            "f",
            [bytes([255]) * 8],
            rounds=3,
            round_ns=100_000,
            inline=inline,
        )
        timing = worker.run(job)
    assert not isinstance(timing, WorkerFailed)
    assert timing.before > 3 * timing.after > 0
