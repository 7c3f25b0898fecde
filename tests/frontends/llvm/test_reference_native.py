"""The reference interpreter against the host."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

import pytest

from bench.jit import execute
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.text.parse import parse_module
from tests.reference.interpreter import settings_for
from tests.reference.memory import run_on_bytes


def same_as_native(text: str, inputs: Sequence[Sequence[bytes | int]], worker: LlvmWorker) -> None:
    module = parse_module(binding.normalise(text))
    outcomes = worker.run(partial(execute, text, module.functions[0].name, inputs))
    assert not isinstance(outcomes, WorkerFailed)
    for arguments, outcome in zip(inputs, outcomes, strict=True):
        buffers, poison, _ = run_on_bytes(module.functions[0], arguments, settings_for(module))
        assert not any(any(mask) for mask in poison)
        assert buffers == outcome.buffers


@pytest.mark.parametrize(
    "kind", ["<16 x i8>", "<8 x i16>", "<4 x i32>", "<2 x i64>", "<5 x i8>", "<3 x i24>"]
)
def test_every_operation_agrees_with_the_host(kind: str) -> None:
    count, width = (int(part) for part in kind[1:-1].split(" x i"))
    suffix = f"v{count}i{width}"
    pairs = [f"{op} {kind} %a, %b" for op in ("add", "sub", "mul", "and", "or", "xor")]
    pairs += [f"{op} {kind} %a, %amount" for op in ("shl", "lshr", "ashr")]
    pairs += [f"{op} {kind} %a, %odd" for op in ("udiv", "urem", "sdiv", "srem")]
    pairs += [
        f"call {kind} @llvm.{n}.{suffix}({kind} %a, {kind} %b)"
        for n in ("umin", "umax", "smin", "smax", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat")
    ]
    pairs += [
        f"call {kind} @llvm.{n}.{suffix}({kind} %a, {kind} %b, {kind} %a)" for n in ("fshl", "fshr")
    ]
    pairs += [
        f"call {kind} @llvm.{n}.{suffix}({kind} %a, i1 false)" for n in ("abs", "ctlz", "cttz")
    ]
    pairs += [f"call {kind} @llvm.{n}.{suffix}({kind} %a)" for n in ("ctpop", "bitreverse")]
    pairs += [
        f"call {kind} @llvm.{n}.fix.sat.{suffix}({kind} %a, {kind} %b, i32 {width - 1})"
        for n in ("smul", "umul")
    ]
    body = [
        f"  %a = load {kind}, ptr %p, align 1",
        f"  %b = load {kind}, ptr %q, align 1",
        f"  %amount = urem {kind} %b, splat (i{width} {width})",
    ]
    body += [
        f"  %o = or {kind} %b, splat (i{width} 1)",
        f"  %odd = and {kind} %o, splat (i{width} {(1 << (width - 1)) - 1})",
    ]
    for i, operation in enumerate(pairs):
        body += [
            f"  %r{i} = {operation}",
            f"  %s{i} = getelementptr i8, ptr %out, i64 {32 * i}",
            f"  store {kind} %r{i}, ptr %s{i}, align 1",
        ]
    text = "define void @f(ptr %p, ptr %q, ptr %out) {\n" + "\n".join(body) + "\n  ret void\n}\n"
    rng = random.Random(kind)
    inputs = [
        [
            rng.randbytes(32),
            rng.choice((rng.randbytes(32), b"\x80\x7f\xff\x00" * 8)),
            bytes(32 * len(pairs)),
        ]
        for _ in range(10)
    ]
    with LlvmWorker() as worker:
        same_as_native(text, inputs, worker)
