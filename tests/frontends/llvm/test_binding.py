from __future__ import annotations

import os
import time
from functools import partial

import pytest

from frontends.llvm.linked import binding
from frontends.llvm.linked.jit import execute, time_pair
from frontends.llvm.linked.names import check_names, known_cpu, known_feature, target_names
from frontends.llvm.linked.signatures import Signature, accepts, signature
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.errors import BadModule, IselError, UnknownName

X86 = "x86_64-pc-linux-gnu"

ADD = """
define void @f(ptr %p, ptr %q, ptr %o) {
  %a = load <16 x i8>, ptr %p, align 16
  %b = load <16 x i8>, ptr %q, align 16
  %c = add <16 x i8> %a, %b
  store <16 x i8> %c, ptr %o, align 16
  ret void
}
"""

# An instruction of AVX-512 that Haswell has not: LLVM ends the process.
UNSELECTABLE = """
define <16 x i32> @f(<16 x i32> %a, <32 x i16> %b) {
  %r = call <16 x i32> @llvm.x86.avx512.vpdpwssd.512(<16 x i32> %a, <32 x i16> %b, <32 x i16> %b)
  ret <16 x i32> %r
}
declare <16 x i32> @llvm.x86.avx512.vpdpwssd.512(<16 x i32>, <32 x i16>, <32 x i16>)
"""


def test_printing_is_a_fixpoint() -> None:
    once = binding.normalise(ADD, 'odd "name".ll')
    assert binding.normalise(once, 'odd "name".ll') == once
    assert once.startswith("; ModuleID = 'odd \"name\".ll'\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "define i32 @f() {\n  ret i16 0\n}",
            "f.ll:2:7: error: value doesn't match function result type 'i32'\n  ret i16 0\n      ^",
        ),
        ("hello", "f.ll:1:1: error: expected top-level entity\nhello\n^"),
        ("; x\na\0b", "f.ll:2:2: error: a byte that is not text, expected LLVM IR text or bitcode"),
        (
            b"\xff".decode(errors="surrogateescape"),
            "f.ll:1:1: error: a byte that is not text, expected LLVM IR text or bitcode",
        ),
    ],
)
def test_bad_text_says_where(text: str, message: str) -> None:
    with pytest.raises(BadModule) as caught:
        binding.normalise(text, "f.ll")
    assert caught.value.message() == message


def test_a_module_that_does_not_verify_says_where() -> None:
    text = "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n  br label %b\nb:\n  ret i32 %x\n}\n"
    with pytest.raises(BadModule) as caught:
        binding.normalise(text, "f.ll")
    assert caught.value.message().startswith(
        "f.ll:4:3: error: Instruction does not dominate all uses!"
    )


def test_bitcode_round_trip_and_garbage() -> None:
    data = binding.text_to_bitcode(ADD, "f.ll")
    assert binding.is_bitcode(data)
    assert binding.bitcode_to_text(data, "f.ll") == binding.normalise(ADD, "f.ll").replace(
        'source_filename = "f.ll"', 'source_filename = "<string>"'
    )
    for bad in (b"", data[: len(data) // 2], b"BC\xc0\xde garbage"):
        with pytest.raises(BadModule, match=r"f\.bc"):
            binding.bitcode_to_text(bad, "f.bc")


def test_unknown_names() -> None:
    assert known_cpu(X86, "sapphirerapids") and known_cpu(X86, "")
    assert not known_cpu(X86, "sapphirerapid") and not known_cpu(X86, "help")
    assert known_feature(X86, "avx512vnni") and not known_feature(X86, "avx513")
    assert known_cpu("hexagon-unknown-linux-musl", "hexagonv66") and known_cpu(
        "aarch64-linux-gnu", "neoverse-v1"
    )
    assert "znver4" in target_names(X86).cpus
    check_names(X86, "haswell", "+avx2,-avx")
    for arguments, message in (
        ((X86, "saphirerapids", ""), "unknown CPU 'saphirerapids', did you mean 'sapphirerapids'?"),
        ((X86, "haswell", "+avx2,-avx513f"), "unknown feature 'avx513f', did you mean 'avx512f'?"),
        (("nonsense-x-y", "", ""), "unknown target triple 'nonsense-x-y'"),
    ):
        with pytest.raises(UnknownName) as caught:
            check_names(*arguments)
        assert caught.value.message() == message


def test_assembly_for_each_back_end() -> None:
    plain = binding.normalise(ADD)
    for triple, cpu, mnemonic in (
        (X86, "haswell", "vpaddb"),
        ("aarch64-linux-gnu", "neoverse-v1", "16b"),
        ("hexagon-unknown-linux-musl", "hexagonv66", "vaddub"),
    ):
        better = binding.optimise(plain, triple=triple, cpu=cpu, features="")
        assert mnemonic in binding.assembly(better, triple=triple, cpu=cpu, features="")


def test_loops_are_vectorised_as_clang_does() -> None:
    loop = """
define void @f(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %j, %l ]
  %a = getelementptr inbounds i8, ptr %p, i64 %i
  %b = getelementptr inbounds i8, ptr %q, i64 %i
  %x = load i8, ptr %a
  %y = xor i8 %x, 3
  store i8 %y, ptr %b
  %j = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %x1
x1:
  ret void
}
"""
    assert "<32 x i8>" in binding.optimise(loop, triple=X86, cpu="haswell", features="")


def test_signatures_are_asked_of_llvm() -> None:
    assert accepts("llvm.umin.v8i16", "<8 x i16>", ["<8 x i16>", "<8 x i16>"])
    assert not accepts("llvm.umin.v8i16", "<8 x i16>", ["<8 x i16>", "<8 x i32>"])
    assert not accepts("llvm.x86.no.such", "<8 x i16>", ["<8 x i16>"])
    assert accepts(
        "llvm.x86.avx512.vpdpwssd.512", "<16 x i32>", ["<16 x i32>", "<32 x i16>", "<32 x i16>"]
    )
    with LlvmWorker() as worker:
        assert signature(worker, "llvm.x86.avx2.mpsadbw", 256, [256, 256, 8]) == Signature(
            "<16 x i16>", ("<32 x i8>", "<32 x i8>", "i8")
        )
        assert signature(worker, "llvm.x86.avx2.mpsadbw", 256, [256]) is None


def test_a_module_that_kills_its_reader_is_an_error() -> None:
    wrong = "declare <64 x i8> @llvm.x86.avx512.vpdpwssd.512(<64 x i8>, <64 x i8>, <64 x i8>)\n"
    call = "%r = call <64 x i8> @llvm.x86.avx512.vpdpwssd.512(<64 x i8> %a, <64 x i8> %a, <64 x i8> %a)"
    text = f"define <64 x i8> @f(<64 x i8> %a) {{\n  {call}\n  ret <64 x i8> %r\n}}\n{wrong}"
    with LlvmWorker() as worker:
        with pytest.raises(BadModule, match=r"LLVM fails to read the module"):
            worker.read(text.encode(), "f.ll")
        assert worker.read(ADD.encode(), "f.ll") == binding.normalise(ADD, "f.ll")
        assert worker.read(binding.text_to_bitcode(ADD), "f.bc").startswith("; ModuleID = 'f.bc'")
        with pytest.raises(BadModule, match="not text"):
            worker.read(b"\xff\xfe", "f.ll")


def test_host_features_are_plain_names() -> None:
    features = binding.host_features()
    assert "sse2" in features
    assert not any(name.startswith(("+", "-")) for name in features)
    assert binding.llvm_version().split(".")[0] == "22"


def test_the_worker_survives_what_llvm_aborts_on() -> None:
    with LlvmWorker() as worker:
        failed = worker.assembly(UNSELECTABLE, triple=X86, cpu="haswell", features="")
        assert isinstance(failed, WorkerFailed)
        assert "LLVM ERROR" in failed.reason and "SIGABRT" in failed.reason
        good = worker.assembly(UNSELECTABLE, triple=X86, cpu="sapphirerapids", features="")
        assert isinstance(good, str) and "vpdpwssd" in good


def test_the_worker_reports_every_way_to_fail() -> None:
    with LlvmWorker() as worker:
        assert worker.run(partial(os._exit, 3)) == WorkerFailed("exit status 3")
        assert worker.run(partial(time.sleep, 30), seconds=0.05) == WorkerFailed(
            "no answer within 0.05 s", late=True
        )
        assert worker.run(partial(int, "x")) == WorkerFailed(
            "ValueError: invalid literal for int() with base 10: 'x'"
        )
        assert worker.run(partial(int, "7")) == 7
        with pytest.raises(IselError, match="expected top-level entity"):
            worker.assembly("garbage", triple=X86, cpu="", features="")
        assert worker.run(partial(int, "8")) == 8


def test_the_worker_leaves_no_child_behind() -> None:
    worker = LlvmWorker()
    child = worker.run(os.getpid)
    assert isinstance(child, int) and child != os.getpid()
    worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    assert isinstance(worker.run(os.getpid), int)
    worker.close()


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
