from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

import pytest

from frontends.llvm.linked import binding
from frontends.llvm.linked.names import check_names, target_names
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.cli.files import read_module
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
    assert binding.bitcode_to_text(data, "f.ll") == binding.normalise(ADD, "f.ll").replace(
        'source_filename = "f.ll"', 'source_filename = "<string>"'
    )
    for bad in (b"", data[: len(data) // 2], b"BC\xc0\xde garbage"):
        with pytest.raises(BadModule, match=r"f\.bc"):
            binding.bitcode_to_text(bad, "f.bc")


def test_unknown_names() -> None:
    x86 = target_names(X86)
    assert {"sapphirerapids", "znver4"} <= set(x86.cpus)
    assert not {"sapphirerapid", "help"} & set(x86.cpus)
    assert "avx512vnni" in x86.features and "avx513" not in x86.features
    assert "hexagonv66" in target_names("hexagon-unknown-linux-musl").cpus
    assert "neoverse-v1" in target_names("aarch64-linux-gnu").cpus
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


def test_a_module_that_kills_its_reader_is_an_error(tmp_path: Path) -> None:
    wrong = "declare <64 x i8> @llvm.x86.avx512.vpdpwssd.512(<64 x i8>, <64 x i8>, <64 x i8>)\n"
    call = "%r = call <64 x i8> @llvm.x86.avx512.vpdpwssd.512(<64 x i8> %a, <64 x i8> %a, <64 x i8> %a)"
    text = f"define <64 x i8> @f(<64 x i8> %a) {{\n  {call}\n  ret <64 x i8> %r\n}}\n{wrong}"
    for data, what in (
        (text.encode(), "LLVM cannot read this module: "),
        (b"\xff\xfe", "a byte that is not text"),
    ):
        (tmp_path / "f.ll").write_bytes(data)
        with pytest.raises(BadModule, match=what):
            read_module(str(tmp_path / "f.ll"))


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
