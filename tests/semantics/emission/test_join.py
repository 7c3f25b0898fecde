"""Semantics with learned emissions: sections become conditions, operands are cast and renamed,
what does not fit is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from isel.model.verdict import Proved
from isel.spec.emission import emitted
from isel.spec.instruction import Instruction, Operand, Role
from isel.spec.sem import read_sem
from semantics.emission.join import condition, intrinsic_of
from semantics.emission.table import emissions
from semantics.fuzz import fuzz
from semantics.proofs import prove_emission
from semantics.x86.joined import INTRINSICS, emission_for, emitting
from semantics.x86.target import X86, target

SEM = """
instruction _mm_slli_epi16
  in a: 8 x 16
  imm imm8: 32 in 0..255
  result 8 x 16
  lane imm8 < 16 ? a[i] << imm8 : a[i] ^ a[i]
  features sse2
  emit %r = add <8 x i16> %a, %a

instruction _mm_mask_cmpeq_epi32_mask
  mask k: 4 x 1
  in a, b: 4 x 32
  result 4 x 1
  lane k[i] & eq(a[i], b[i])
  features avx512f avx512vl
  emit %r = icmp eq <4 x i32> %a, %b

instruction _mm_and_si128
  in a, b: 16 x 8
  result 16 x 8
  lane a[i] & b[i]
  features sse2
  emit %r = add <16 x i8> %a, %b

instruction _mm_madd_epi16
  in a, b: 8 x 16
  result 4 x 32
  lane fold(+, k < 2, sext(a[2 * i + k], 32) * sext(b[2 * i + k], 32))
  features sse2
  emit %r = bitcast <8 x i16> %a to <4 x i32>
"""


@dataclass(frozen=True)
class Only(X86):
    """The target with other instructions."""

    changed: tuple[Instruction, ...] = ()

    def instructions(self) -> Sequence[Instruction]:
        return self.changed


def joined() -> tuple[Instruction, ...]:
    found = []
    for i in read_sem(SEM):
        emission = emission_for(i.name, emissions("x86"))
        assert emission is not None
        found.append(emitting(i, emission))
    return tuple(found)


def test_sections_become_conditions() -> None:
    shift = joined()[0]
    assert emitted(shift.emission, {"imm8": 3}) == ("%r = shl <8 x i16> %a, splat (i16 3)",)
    assert emitted(shift.emission, {"imm8": 200}) == (
        "%r = bitcast <8 x i16> zeroinitializer to <8 x i16>",
    )
    with pytest.raises(ValueError, match="no lines of the emission hold"):
        emitted(("when m < 3", "%r = x"), {"m": 3})


def test_operands_are_renamed_and_cast() -> None:
    _, compare, both, dot = joined()
    assert compare.emission == ("%t0 = icmp eq <4 x i32> %a, %b", "%r = and <4 x i1> %k, %t0")
    assert both.emission[0] == "%a.e = bitcast <16 x i8> %a to <2 x i64>" and both.call == ""
    assert dot.call == "llvm.x86.sse2.pmadd.wd"


def test_they_refine_the_semantics_and_run() -> None:
    for i in joined():
        if not i.call:
            for value in (0, 7, 15, 16, 255) if i.immediates else (0,):
                assert isinstance(
                    prove_emission(i, {m.name: value for m in i.immediates}, target()), Proved
                ), i.name
    report = fuzz(Only(joined()), 100, seed=1, least=4)
    assert not report.disagreements and set(report.agree) | {
        u.name for u in report.untestable if "host lacks" in u.reason
    } == {i.name for i in joined()}


def test_calls_of_the_intrinsic_mean_the_instruction() -> None:
    text = "instruction _mm_sad_epu8\n  in a, b: 16 x 8\n  result 4 x 32\n  lane zext(a[i], 32)\n  features sse2\n  emit %r = x"
    (i,) = read_sem(text)
    emission = emission_for(i.name, emissions("x86"))
    assert emission is not None
    assert emitting(i, emission).call == ""  # the result is cast
    called = intrinsic_of(i, emission, INTRINSICS)
    assert (
        called is not None
        and called.call == "llvm.x86.sse2.psad.bw"
        and called.operands == i.operands
    )
    assert called.emission == (
        "%r = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %a, <16 x i8> %b)",
    )
    assert (
        intrinsic_of(
            joined()[2], emission_for("_mm_and_si128", emissions("x86")) or emission, INTRINSICS
        )
        is None
    )


def test_twins_are_told_apart_by_their_features() -> None:
    evex, vex = (
        emission_for("_mm_dpbusd_epi32", emissions("x86")),
        emission_for("_mm_dpbusd_epi32.avxvnni", emissions("x86")),
    )
    assert evex is not None and evex.key[1] == ("AVX512VL", "AVX512_VNNI")
    assert vex is not None and vex.key[1] == ("AVX_VNNI",)
    assert emission_for("_mm_no_such_thing", emissions("x86")) is None


def test_what_does_not_fit_is_refused() -> None:
    plain = joined()[2]
    emission = emission_for("_mm_and_si128", emissions("x86"))
    assert emission is not None
    with pytest.raises(
        ValueError, match="operand a is <32 x i8>, expected as many bits as <2 x i64>"
    ):
        emitting(
            replace(plain, operands=(Operand("a", 8, 32, Role.IN), plain.operands[1])), emission
        )
    with pytest.raises(ValueError, match="has operands a, expected a, b"):
        emitting(replace(plain, operands=plain.operands[:1]), emission)


@pytest.mark.parametrize(
    ("legal", "period", "values"),
    [(256, 256, (0, 1, 2, 9)), (256, 8, (3, 7)), (16, 16, (15,)), (4, 2, (0,))],
)
def test_conditions_hold_at_their_values_only(
    legal: int, period: int, values: tuple[int, ...]
) -> None:
    lines = (f"when {condition('m', legal, period, values)}", "yes", "when 1", "no")
    assert [v for v in range(legal) if emitted(lines, {"m": v}) == ("yes",)] == [
        v for v in range(legal) if v % period in values
    ]
