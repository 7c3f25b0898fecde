"""``isel opt --emit=autollvm``, ``isel lower`` and what is refused; ``isel port`` where clang is."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.autollvm import known_target, triple_of
from isel.cli.grammar.moving import lower_parser
from isel.cli.lower import place_of
from tests.across.compile import KERNELS
from tests.cli.modules import Run, written
from tests.frontends.autollvm.modules import AVERAGE

ARM = "-mtriple=aarch64-unknown-linux-gnu"


def emitted(isel: Run, folder: Path, text: str = AVERAGE) -> Path:
    """Write a module's AutoLLVM beside it, and return its path."""
    out = folder / "auto.ll"
    ran = isel("opt", str(written(folder / "in.ll", text)), "--emit=autollvm", "-o", str(out))
    assert ran.code == 0, ran.err
    return out


def test_there_and_on(isel: Run, tmp_path: Path) -> None:
    """What was emitted is read by verify, and lowered for both machines."""
    auto = emitted(isel, tmp_path)
    assert "@autollvm.uavg.v16i8" in auto.read_text()
    assert isel("verify", str(tmp_path / "in.ll"), str(auto)).code == 0
    for flags, call in (([ARM], "neon.urhadd"), (["-mcpu=haswell"], "sse2.pavg.b")):
        out = tmp_path / "out.ll"
        ran = isel("lower", str(auto), *flags, "-o", str(out))
        assert ran.code == 0, ran.err
        assert f"{call}" in out.read_text() and "1 calls: a member of the class" in ran.err
        assert isel("verify", str(tmp_path / "in.ll"), str(out)).code == 0


def test_vectors_shorter_than_a_register_are_lowered(isel: Run, tmp_path: Path) -> None:
    """A machine whose registers have 1,024 bits takes calls of 128: as the first of a register, or
    as plain IR where that is cheaper.
    """
    lines = emitted(isel, tmp_path).read_text().splitlines()
    given = "\n".join(
        x for x in lines if not x.startswith("target ")
    )  # pointers of 32 bits are other
    auto, out = written(tmp_path / "given.ll", given), tmp_path / "out.ll"
    hvx = ["-mtriple=hexagon-unknown-elf", "-mcpu=hexagonv66", "-mattr=+hvxv66,+hvx-length128b"]
    ran = isel("lower", str(auto), *hvx, "-o", str(out))
    assert ran.code == 0, ran.err
    assert "call <16 x i8> @autollvm" not in out.read_text()


def test_intrinsics_go_by_way_of_their_classes(isel: Run, tmp_path: Path) -> None:
    ran = isel("lower", str(written(tmp_path / "in.ll", AVERAGE)), ARM)
    assert ran.code == 0 and "urhadd" in ran.out


@pytest.mark.parametrize(
    ("old", "new", "why", "code"),
    [
        ("autollvm.uavg.v", "autollvm.uavgs.v", "is no class of the dictionary", 1),
        ("i32 8, i32 16, i32 9", "i32 8, i32 17, i32 9", "which no member has, expected 16", 1),
        ("i32 8, i32 16, i32 9", "i32 8, i32 32, i32 9", "constants that do not fit", 1),
    ],
)
def test_calls_that_are_none(
    isel: Run, tmp_path: Path, old: str, new: str, why: str, code: int
) -> None:
    """Named with their place; comments are left out, or these would be refused before."""
    text = "\n".join(x for x in emitted(isel, tmp_path).read_text().splitlines() if x[:1] != ";")
    bad = written(tmp_path / "bad.ll", text.replace(old, new))
    out = tmp_path / "out.ll"
    ran = isel("lower", str(bad), ARM, "-o", str(out))
    assert ran.code == code and why in ran.err
    assert "bad.ll:5:" in ran.err and not out.exists()


def test_a_comment_of_another_formula_is_refused(isel: Run, tmp_path: Path) -> None:
    text = emitted(isel, tmp_path).read_text()
    bad = written(tmp_path / "bad.ll", text.replace("= (extract 1 w (add", "= (extract 2 w (add"))
    out = tmp_path / "out.ll"
    ran = isel("lower", str(bad), ARM, "-o", str(out))
    assert ran.code == 1 and "bad.ll:" in ran.err and "expected" in ran.err
    assert not out.exists()


OTHERS = """\
target triple = "x86_64-unknown-linux-gnu"
define <4 x float> @f(<4 x float> %a) {
  %r = call <4 x float> @llvm.x86.sse.max.ps(<4 x float> %a, <4 x float> %a)
  ret <4 x float> %r
}
define <8 x i1> @k(<8 x i1> %a) {
  %r = call <8 x i1> @llvm.x86.avx512.kadd.b(<8 x i1> %a, <8 x i1> %a)
  ret <8 x i1> %r
}
define i32 @m(<16 x i8> %a) {
  %r = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %a)
  ret i32 %r
}
define void @p() {
  call void @llvm.x86.sse2.pause()
  ret void
}
declare <4 x float> @llvm.x86.sse.max.ps(<4 x float>, <4 x float>)
declare <8 x i1> @llvm.x86.avx512.kadd.b(<8 x i1>, <8 x i1>)
declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
declare void @llvm.x86.sse2.pause()
"""


def test_floating_point_masks_and_effects_are_named_and_left(isel: Run, tmp_path: Path) -> None:
    given, out = written(tmp_path / "in.ll", OTHERS), tmp_path / "out.ll"
    ran = isel("lower", str(given), ARM, "-o", str(out))
    assert ran.code == 1
    for name, place in (
        ("x86.sse.max.ps", "in.ll:3:"),
        ("x86.avx512.kadd.b", "in.ll:7:"),
        ("x86.sse2.pause", "in.ll:15:"),
    ):
        (line,) = [x for x in ran.err.splitlines() if f"'@llvm.{name}' is not lowered" in x]
        assert place in line and f"@llvm.{name}(" in out.read_text()
    assert "@m: '@autollvm.move.i32.v16i8' is not lowered" in ran.err
    ran = isel("opt", str(given), "-S", "--emit=autollvm")
    assert ran.code == 0 and "max.ps' stays" in ran.err and "kadd.b' stays" in ran.err


def test_no_command_reads_a_call_by_its_name_alone(isel: Run, tmp_path: Path) -> None:
    """Another dictionary may have meant something else by a name: its comment says what."""
    text = emitted(isel, tmp_path).read_text()
    term = "(add (add (zext p a[i0*w]:w) (zext p b[i0*w]:w)) bit(0):p)"
    floor = text.replace(term, "(add (zext p a[i0*w]:w) (zext p b[i0*w]:w))")
    wrong = written(tmp_path / "w.ll", floor)
    for command in (["opt", str(wrong), "-S"], ["verify", str(tmp_path / "in.ll"), str(wrong)]):
        ran = isel(*command)
        assert ran.code == 1 and "w.ll:" in ran.err and "expected" in ran.err
    same = text.replace(term, "(sub (add (zext p a[i0*w]:w) (zext p b[i0*w]:w)) -1:p)")
    ran = isel("verify", str(tmp_path / "in.ll"), str(written(tmp_path / "r.ll", same)))
    assert ran.code == 0 and floor != text != same, ran.err


def test_another_dictionary_is_read_by_its_comments(isel: Run, tmp_path: Path) -> None:
    """A class by the name that it had, with a formula in other words."""
    text = emitted(isel, tmp_path).read_text().replace("uavg", "rounded_average")
    other = written(tmp_path / "other.ll", text.replace("bit(0):p))", "1:p))"))
    ran = isel("lower", str(other), ARM)
    assert ran.code == 0 and "urhadd" in ran.out, ran.err


def test_a_triple_without_semantics_is_left_alone(isel: Run, tmp_path: Path) -> None:
    auto = emitted(isel, tmp_path)
    ran = isel("lower", str(auto), "-mtriple=riscv64-unknown-linux-gnu")
    assert ran.code == 0 and "remark" in ran.err and ran.out == auto.read_text()
    other = written(
        tmp_path / "r.ll", AVERAGE.replace("x86_64-unknown-linux", "riscv64-unknown-linux")
    )
    ran = isel("opt", str(other), "-S", "--emit=autollvm")
    assert ran.code == 0 and "autollvm." not in ran.out


def test_only_text_is_emitted(isel: Run, tmp_path: Path) -> None:
    given = str(written(tmp_path / "in.ll", AVERAGE))
    ran = isel("opt", given, "--emit=autollvm", "-o", str(tmp_path / "x.o"))
    assert ran.code == 1 and "writes text" in ran.err


@pytest.mark.tools
def test_a_port_is_proved(isel: Run, tmp_path: Path) -> None:
    """The example of docs/porting.md."""
    code = """\
#include <immintrin.h>
#include <stdint.h>
void mix(uint8_t *restrict d, const uint8_t *restrict a, const uint8_t *restrict b)
{
    __m128i x = _mm_loadu_si128((const __m128i *)a);
    __m128i y = _mm_loadu_si128((const __m128i *)b);
    _mm_storeu_si128((__m128i *)d, _mm_avg_epu8(x, _mm_min_epu8(x, y)));
}
"""
    path = written(tmp_path / "mix.c", code)
    out = tmp_path / "mix.ll"
    ran = isel("port", str(path), "--to", "aarch64", "-o", str(out), "--clang", "clang-19")
    assert ran.code == 0 and "@mix: proved" in ran.err, ran.err
    assert "neon.urhadd" in out.read_text()
    ran = isel("port", str(path), "--to", "x86", "-o", str(out))
    assert ran.code == 1 and "arm_neon.h" in ran.err


@pytest.mark.tools
@pytest.mark.parametrize("name", ["max_byte", "attenuate", "interpolate_row"])
def test_a_port_from_neon_is_proved(isel: Run, tmp_path: Path, name: str) -> None:
    """SIMDe moves halves as doubles, lacks an intrinsic, and fills lanes in a loop."""
    out = tmp_path / "port.ll"
    given = [str(KERNELS / f"{name}.c"), "--to", "x86", "-o", str(out)]
    ran = isel("port", *given, "--clang", "clang-19", "--flag=-DNEON")
    assert ran.code == 0 and "@kernel: proved" in ran.err, ran.err
    assert "double" not in out.read_text()


def test_what_a_module_is_for() -> None:
    assert triple_of(AVERAGE) == "x86_64-unknown-linux-gnu" and triple_of("") == ""
    assert known_target("riscv64-unknown-linux-gnu") is None
    parser = lower_parser()
    place = place_of(parser.parse_args(["in.ll", ARM]), AVERAGE)
    assert place is not None and place.machine.vector_bits == 128
