"""Instructions on the host CPU against their semantics; wrong semantics must be found, missing
features reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from frontends.llvm.linked import binding
from isel.ir.build import add, all_of, band, bxor, eq, ite, lshr, sub, trunc
from isel.ir.expr import Expr, const, elem
from isel.spec.instruction import Instruction, Operand
from semantics.coverage import Explanation, coverage, explain, named, untestable
from semantics.fuzz import FuzzReport, fuzz
from semantics.samples import from_bytes, immediate_choices, operand_values, to_bytes
from semantics.x86.target import X86, target


@dataclass(frozen=True)
class Only(X86):
    """The target with other instructions."""

    changed: tuple[Instruction, ...] = ()

    def instructions(self) -> Sequence[Instruction]:
        return self.changed


def run(instruction: Instruction, count: int = 100) -> FuzzReport:
    return fuzz(Only((instruction,)), count, seed=7, immediates=4)


def wrong(name: str, lane: Callable[[int, Mapping[str, int]], Expr]) -> FuzzReport:
    return run(replace(target().by_name[name], lane=lane))


def report_line(report: FuzzReport) -> str:
    return "\n".join(d.line() for d in report.disagreements)


def test_instructions_agree_on_a_few_operands() -> None:
    some = [i.name for i in target().instructions()][::5]
    report = fuzz(target(), 24, seed=1, only=some, immediates=2)
    assert not report.disagreements, report_line(report)
    lacking = set(untestable(target()))
    assert {u.name for u in report.untestable} == lacking & set(some)
    assert set(report.agree) == set(report.tested) == set(some) - lacking


def test_every_instruction_agrees_on_200_operands() -> None:
    report = fuzz(target(), 200, seed=2026, immediates=6, least=34, jobs=2)
    assert not report.disagreements, report_line(report)
    assert set(report.agree) == {i.name for i in target().instructions()} - set(
        untestable(target())
    )


def test_every_legal_immediate_has_its_share() -> None:
    shuffle, rotate, plain = (
        target().by_name[n] for n in ("_mm_shuffle_epi32", "_mm_bslli_si128", "_mm_add_epi8")
    )
    report = fuzz(Only((shuffle, rotate, plain)), 1000, seed=5)
    n = len(rotate.immediates[0].values)
    assert report.functions == 256 + n + 1 and not report.disagreements
    assert report.vectors == 256 * 64 + n * max(64, -(-1000 // n)) + 1000
    only = wrong(
        "_mm_shuffle_epi32",
        lambda i, m: shuffle.lane(i, {"imm8": m["imm8"] ^ int(m["imm8"] == 255)}),
    )
    assert [dict(d.immediates) for d in only.disagreements] == [{"imm8": 255}]


def test_an_instruction_that_fails_takes_no_other_with_it() -> None:
    good, bad = (
        target().by_name["_mm_add_epi8"],
        replace(target().by_name["_mm_add_epi16"], emission=("%r = add <8 x i16> %a, %nothing",)),
    )
    some = (good, *(replace(good, name=f"vpaddb_{k}") for k in range(6)), bad)
    report = fuzz(Only(some), 100, seed=3)
    assert set(report.agree) == {i.name for i in some} - {bad.name}
    assert [u.name for u in report.untestable] == [bad.name]


def test_the_report_does_not_depend_on_the_number_of_processes() -> None:
    names = ["_mm_add_epi8", "_mm_shuffle_epi32", "_mm_sub_epi16", "_mm_mulhi_epi16"]
    assert fuzz(target(), 64, 3, names, least=8, jobs=1) == fuzz(
        target(), 64, 3, names, least=8, jobs=3
    )


def test_a_disagreement_says_everything() -> None:
    (d,) = wrong("_mm_add_epi32", lambda i, m: elem("a", 32 * i, 32)).disagreements
    found = re.fullmatch(
        r"_mm_add_epi32: a = \[(.*)\], b = \[(.*)\]: semantics \[(.*)\], machine \[(.*)\], which differ in lanes \[(.*)\]",
        d.line(),
    )
    assert found is not None
    a, b, said, ran = (tuple(int(x) for x in found[k].split(", ")) for k in range(1, 5))
    assert said == a and ran == tuple((x + y) & 0xFFFFFFFF for x, y in zip(a, b, strict=True))


def test_wrong_semantics_are_found() -> None:
    padd = target().by_name["_mm_add_epi8"]
    one_off = wrong("_mm_add_epi8", lambda i, m: add(padd.lane(i, m), const(int(i == 15), 8)))
    assert one_off.agree == () and one_off.tested == ("_mm_add_epi8",)
    (d,) = one_off.disagreements
    assert [x - y & 255 for x, y in zip(d.semantics, d.machine, strict=True)] == [0] * 15 + [1]
    assert [(a + b) & 255 for a, b in zip(d.inputs["a"], d.inputs["b"], strict=True)] == list(
        d.machine
    )
    swapped = wrong("_mm_sub_epi16", lambda i, m: sub(elem("b", 16 * i, 16), elem("a", 16 * i, 16)))
    assert swapped.disagreements


def test_corner_cases_are_among_the_operands() -> None:
    def saturates(i: int, m: Mapping[str, int]) -> Expr:
        # right for all operands but (-32768, -32768)
        a, b = elem("a", 16 * i, 16), elem("b", 16 * i, 16)
        return ite(
            all_of(eq(a, const(0x8000, 16)), eq(b, const(0x8000, 16))),
            const(0x7FFF, 16),
            target().by_name["_mm_mulhrs_epi16"].lane(i, m),
        )

    assert wrong("_mm_mulhrs_epi16", saturates).disagreements


def test_wrong_counts_beyond_the_width_are_found() -> None:
    def modulo(i: int, m: Mapping[str, int]) -> Expr:
        return lshr(elem("a", 32 * i, 32), band(trunc(elem("count", 0, 32), 32), const(31, 32)))

    assert wrong("_mm_srl_epi32", modulo).disagreements


def test_wrong_masks_are_found() -> None:
    blend = target().by_name["_mm256_mask_blend_epi32"]
    if blend.features <= binding.host_features():
        assert not run(blend).disagreements
        assert wrong(
            "_mm256_mask_blend_epi32", lambda i, m: bxor(blend.lane(i, m), blend.lane(i ^ 1, m))
        ).disagreements
    else:
        assert run(blend).untestable


def test_what_the_host_lacks_is_reported_and_not_passed() -> None:
    report = run(
        replace(target().by_name["_mm_add_epi8"], features=frozenset({"sse2", "avx10.2", "xop"}))
    )
    assert report.tested == report.agree == ()
    assert [(u.name, u.reason) for u in report.untestable] == [
        ("_mm_add_epi8", "the host lacks avx10.2 xop")
    ]


def test_an_emission_that_llvm_refuses_is_reported_and_not_passed() -> None:
    report = run(
        replace(target().by_name["_mm_add_epi8"], emission=("%r = add <16 x i8> %a, %nothing",))
    )
    assert report.tested == () and report.untestable[0].name == "_mm_add_epi8"


def test_operands_are_the_same_for_the_same_seed() -> None:
    o = Operand("a", 16, 8)
    assert np.array_equal(operand_values(o, 50, 3, "x"), operand_values(o, 50, 3, "x"))
    assert not np.array_equal(operand_values(o, 50, 3, "x"), operand_values(o, 50, 4, "x"))


@pytest.mark.parametrize(
    ("lanes", "width"), [(4, 1), (8, 1), (64, 1), (2, 8), (16, 8), (8, 64), (1, 32)]
)
def test_memory_layout_round_trips(lanes: int, width: int) -> None:
    values = operand_values(Operand("a", width, lanes), 20, 1, "")
    assert (values < (1 << width)).all()
    data = to_bytes(values, width)
    assert len(data) == 20 * max(1, lanes * width // 8)
    assert np.array_equal(from_bytes(data, lanes, width, 20), values)


def test_sampled_immediates_hold_the_ends() -> None:
    (m,) = target().by_name["_mm_shuffle_epi32"].immediates
    chosen = [c["imm8"] for c in immediate_choices((m,), 5, 9)]
    assert (
        len(chosen) == 5 and chosen[0] == 0 and chosen[-1] == 255 and chosen == sorted(set(chosen))
    )
    assert immediate_choices((), 5, 9) == [{}]


def test_coverage_counts_add_up() -> None:
    found = coverage(target())
    n = len(target().instructions())
    assert (
        found.instructions
        == n
        == sum(found.by_bits.values())
        == sum(found.by_features.values())
        == sum(found.emissions.values())
    )
    assert found.exact + len(found.otherwise) == n == found.executable + len(found.untestable)
    assert found.as_json()["instructions"] == n


def test_explain_tells_what_was_tested() -> None:
    def told(name: str, *cpus: str) -> tuple[Explanation, ...]:
        return explain(target(), named(target(), name), cpus)

    (found,) = told("_mm_madd_epi16", "sapphirerapids", "haswell")
    assert (
        "sext(a[i * 2], 32)" in found.semantics
        and found.instruction.call == "llvm.x86.sse2.pmadd.wd"
    )
    assert "agrees with this machine's CPU" in found.executed and all(
        p is not None and p > 0 for p in found.prices.values()
    )
    assert told("_mm512_madd_epi16", "haswell")[0].prices == {"haswell": None}
    assert told("llvm.x86.sse2.pavg.b")[0].instruction.name == "_mm_avg_epu8"
    assert "proved to refine the semantics for 4 of 4" in told("_mm_slli_epi16")[0].proof


@pytest.mark.parametrize(
    ("given", "forms"),
    [
        ("psadbw", {"_mm_sad_epu8", "_mm256_sad_epu8", "_mm512_sad_epu8"}),
        ("VPADDUSB", {"_mm_adds_epu8", "_mm256_maskz_adds_epu8", "_mm512_mask_adds_epu8"}),
        ("pand", {"_mm_and_si128", "_mm256_and_si256", "_mm512_and_epi32", "_mm512_and_epi64"}),
        ("vpandd", {"_mm_and_si128", "_mm512_and_epi64"}),
        ("vpmulld", {"_mm_mullo_epi32", "_mm256_maskz_mullo_epi32", "_mm512_mask_mullo_epi32"}),
    ],
)
def test_a_mnemonic_of_any_encoding_names_all_of_them(given: str, forms: set[str]) -> None:
    assert {i.name for i in named(target(), given)} >= forms


def test_near_names_are_other_instructions() -> None:
    assert not {i.mnemonic for i in named(target(), "paddd")} & {"vpaddq", "vpaddw"}
    assert {i.mnemonic for i in named(target(), "pandn")} == {
        m
        for i in target().instructions()
        if (m := i.mnemonic).removeprefix("v").startswith("pandn")
    }
