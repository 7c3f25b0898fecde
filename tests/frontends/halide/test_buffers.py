"""Arrays against parameters: what fits, what is refused, and how strides become Halide's."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from frontends.halide import Parameter, Signature, callable_of, resolve
from frontends.halide.buffers import Argument, Call
from frontends.halide.retarget import retarget
from frontends.llvm.linked import binding
from isel.errors import IselError, UnknownName, UsageProblem

SIGNATURE = Signature(
    "f",
    (
        Parameter("a", "uint8", 2),
        Parameter("k", "int16", 0, scalar=True),
        Parameter("out", "int32", 1, output=True),
    ),
)
IMAGE = np.zeros((4, 8), np.uint8)
OUT = np.zeros(3, np.int32)
READ_ONLY = np.zeros(3, np.int32)
READ_ONLY.setflags(write=False)

REFUSED: dict[str, tuple[tuple[Argument, ...], str]] = {
    "too few": ((IMAGE, 1), "'f' takes 3 arguments (a, k, out), 2 were given"),
    "no array": ((5, 1, OUT), "'a' is a buffer, expected a numpy array"),
    "another type": ((IMAGE.astype(np.int8), 1, OUT), "'a' holds uint8, the array holds int8"),
    "dimensions": ((IMAGE[0], 1, OUT), "'a' has 2 dimensions, the array has 1"),
    "every second": ((IMAGE[:, ::2], 1, OUT), "the last axis of 'a' is not contiguous"),
    "read-only output": ((IMAGE, 1, READ_ONLY), "the array of 'out' is read-only"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    arguments, message = REFUSED[case]
    with pytest.raises(UsageProblem) as caught:
        Call(SIGNATURE, arguments)
    assert caught.value.message() == message


def test_the_structure_halide_reads() -> None:
    """Offsets as in HalideRuntime.h; the last axis is the first dimension."""
    image = np.zeros((6, 10), np.int32)[1:5, 2:9]
    call = Call(Signature("f", (Parameter("a", "int32", 2),)), (image,))
    (buffer,) = (ctypes.c_uint64 * 1).from_address(call.address)
    raw = ctypes.string_at(buffer, 56)
    words = np.frombuffer(raw, np.uint64)
    assert words[2] == image.ctypes.data
    assert raw[32:36] == bytes([0, 32, 1, 0])  # signed, 32 bits, one lane
    assert int.from_bytes(raw[36:40], "little") == 2
    dims = np.frombuffer(ctypes.string_at(int(words[5]), 32), np.int32).reshape(2, 4)
    assert dims.tolist() == [[0, 7, 1, 0], [0, 4, 10, 0]]


@pytest.mark.parametrize(
    ("cpu", "flags"),
    [
        ("skylake", "-sse41-avx-f16c-fma-avx2"),
        ("skylake-avx512", "-sse41-avx-f16c-fma-avx2-avx512-avx512_skylake"),
    ],
)
def test_own_target_follows_the_cpu(cpu: str, flags: str) -> None:
    assert resolve("x86", cpu=cpu).own == f"x86-64-linux{flags}"


def test_registers_follow_cpu_and_wish() -> None:
    assert [
        resolve("x86", cpu=c, vector_bits=b).vector_bits
        for c, b in (("skylake", None), ("sapphirerapids", None), ("sapphirerapids", 256))
    ] == [
        256,
        512,
        256,
    ]


def test_unknown_features_are_errors() -> None:
    with pytest.raises(UnknownName):
        resolve("x86", features="+avx3")


def test_a_machine_refuses_code_it_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "host_features", lambda: frozenset({"sse2"}))
    with pytest.raises(IselError, match=r"this machine has no .*avx2.*, which haswell has"):
        callable_of(b"", SIGNATURE, resolve("x86", cpu="haswell"))


FOREIGN = """\
target datalayout = "e-m:e-i64:64"
target triple = "aarch64--linux-gnu"

@name = private constant [22 x i8] c"arm-64-linux-no_neon-x\\00"
@other = private constant [7 x i8] c"arm-64\\00"

declare void @callee() #1

define void @f() #0 {
  call void @callee() #1
  ret void
}

define void @g() {
  ret void
}

attributes #0 = { nounwind "no-jump-tables"="true" "target-cpu"="generic" "target-features" "tune-cpu"="generic" }
attributes #1 = { "target-cpu"="generic" }
"""


def test_retarget() -> None:
    target = resolve("x86", cpu="skylake", features="-avx2")
    text = retarget(FOREIGN.replace("[22 x", "[23 x"), target, "m.ll")
    assert 'source_filename = "m.ll"' in text
    assert 'target triple = "x86_64-unknown-linux-gnu"' in text
    assert "aarch64" not in text
    assert f'[{len(target.own) + 1} x i8] c"{target.own}\\00"' in text
    assert 'c"arm-64\\00"' in text
    assert text.count('"target-cpu"="skylake" "target-features"="-avx2"') == 2
    assert '"no-jump-tables"="true"' in text
    assert "generic" not in text
