"""The shipped emissions: read as written, accepted by the linked LLVM, selected as the table
says, right where semantics exist.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from isel.model.verdict import Proved, Refuted
from isel.spec.emission import emitted
from isel.spec.sem_family import type_text
from semantics.emission.alone import accepted, instruction, is_single, optimised_same
from semantics.emission.body import Body
from semantics.emission.fit import digits, mask, scalar
from semantics.emission.prototype import CType, Kind
from semantics.emission.table import FILE, adapted, emissions, read
from semantics.emission.table import Emission as Emitted
from semantics.emission.writer import write
from semantics.proofs import prove_emission
from semantics.x86.emission.entries import Entry
from semantics.x86.isa import ISA
from semantics.x86.selection import PRINTED
from semantics.x86.target import target
from tests.semantics.by_hand import by_hand


def every() -> list[Emitted]:
    return list(emissions("x86").every())


def test_counts() -> None:
    some = every()
    assert len(some) == len(emissions("x86")) == 2563
    assert sum(e.single for e in some) >= 2440
    assert all(e.becomes != ("fails",) for e in some)


def test_written_again_the_table_is_the_same() -> None:
    text = write(every(), ["a head"])
    assert list(read(text).every()) == every()
    shipped = (files("semantics.x86.emission") / FILE).read_text()
    assert text.splitlines()[1:] == [
        line for line in shipped.splitlines() if not line.startswith("#")
    ]
    assert shipped.isascii() and len(shipped) < 300_000


def test_sections_cover_the_legal_immediates_once() -> None:
    for e in every():
        values = sorted(v for s in e.learned.sections for v in s.values)
        assert values == (list(range(e.learned.period)) if e.learned.immediate else []), e.key
        assert e.learned.period <= e.learned.legal <= 256


def test_llvm_keeps_every_line() -> None:
    with LlvmWorker() as worker:
        assert (
            accepted(
                worker,
                [
                    e.at(v)
                    for e in every()
                    for s in e.learned.sections
                    for v in ({s.values[0], s.values[-1]} if s.values else {0})
                ],
            )
            == []
        )


@pytest.mark.parametrize(
    ("name", "cpuids", "value", "lines"),
    [
        ("_mm_add_epi8", "SSE2", 0, ("%r = add <16 x i8> %b, %a",)),
        (
            "_mm256_shuffle_epi32",
            "AVX2",
            0x1B,
            (
                "%r = shufflevector <8 x i32> %a, <8 x i32> poison, <8 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4>",
            ),
        ),
        ("_mm_slli_epi16", "SSE2", 16, ("%r = bitcast <8 x i16> zeroinitializer to <8 x i16>",)),
        ("_mm_cmp_epi16_mask", "AVX512BW AVX512VL", 9, ("%r = icmp slt <8 x i16> %a, %b",)),
        ("_mm256_srai_epi32", "AVX2", 200, ("%r = ashr <8 x i32> %a, splat (i32 31)",)),
    ],
)
def test_lines(name: str, cpuids: str, value: int, lines: tuple[str, ...]) -> None:
    found = emissions("x86").get((name, tuple(cpuids.split())))
    assert found is not None and emitted(found.at(value).lines, {}) == lines


# Intrinsics with the instruction of the hand-written semantics that they stand for, and a value of
# the immediate.
SAME = [
    ("_mm_add_epi8", "SSE2", "vpaddb_128", 0),
    ("_mm256_avg_epu16", "AVX2", "vpavgw_256", 0),
    ("_mm256_shuffle_epi32", "AVX2", "vpshufd_256", 77),
    ("_mm_mask_add_epi32", "AVX512F AVX512VL", "vpaddd_128_merge", 0),
    ("_mm_maskz_sub_epi16", "AVX512BW AVX512VL", "vpsubw_128_zero", 0),
    ("_mm_cmpgt_epi8", "SSE2", "vpcmpgtb_128", 0),
    ("_mm256_unpacklo_epi8", "AVX2", "vpunpcklbw_256", 0),
    ("_mm_mul_epi32", "SSE4.1", "vpmuldq_128", 0),
]


@pytest.mark.parametrize(("name", "cpuids", "sem", "value"), SAME)
def test_emissions_refine_the_semantics(name: str, cpuids: str, sem: str, value: int) -> None:
    found = emissions("x86").get((name, tuple(cpuids.split())))
    i = by_hand()[sem]
    assert found is not None
    body = found.at(value)
    kinds = {o.name: type_text(o.lanes, o.width) for o in i.operands}
    lines = adapted(body, kinds, type_text(i.lanes, i.width))
    immediates = {m.name: value for m in i.immediates}
    assert isinstance(
        prove_emission(replace(i, emission=lines, call=""), immediates, target()), Proved
    )
    broken = tuple(
        line.replace(" %a", " %b") if line is lines[-1] or "%a," in line else line for line in lines
    )
    if broken != lines and "b" in kinds:
        assert isinstance(
            prove_emission(replace(i, emission=broken, call=""), immediates, target()), Refuted
        )


def test_masks_are_adapted() -> None:
    found = emissions("x86").get(("_mm_mask_add_epi32", ("AVX512F", "AVX512VL")))
    assert found is not None
    lines = adapted(found.at(), {"k": "i8", "a": "<2 x i64>"}, "<2 x i64>")
    body = Body(
        (("src", "<4 x i32>"), ("k", "i8"), ("a", "<2 x i64>"), ("b", "<4 x i32>")),
        "<2 x i64>",
        lines,
    )
    with LlvmWorker() as worker:
        assert accepted(worker, [body]) == []
        plain = replace(found.at(), lines=("%r = add <4 x i32> %a, %b",))
        assert optimised_same(
            worker, [(found.at(), found.at()), (found.at(), plain)], ISA.machine
        ) == [
            True,
            False,
        ]


@pytest.mark.parametrize(
    ("values", "results", "expression"),
    [
        ([0, 1, 2, 3], [0, 1, 2, 3], "m"),
        ([1, 2, 3], [31, 30, 29], "32 - m"),
        ([1, 2, 9, 10], [1, 2, 1, 2], "m & 3"),
        ([0, 5, 6, 7], [0, 5, 6, 6], "m < 6 ? m : 6"),
        ([0, 1, 2], [5, 5, 5], "5"),
        ([0, 1, 2, 3], [1, 0, 0, 1], None),
    ],
)
def test_closed_forms_of_integers(
    values: list[int], results: list[int], expression: str | None
) -> None:
    assert scalar(values, results, "m") == expression


def test_closed_forms_of_masks() -> None:
    assert digits([0, 1, 2, 3, 8, 9, 10, 11]) == "i % 4 + i / 4 * 8"
    assert digits([0, 2, 1, 3]) == "i % 2 * 2 + i / 2"
    assert digits([0, 1, 3, 2]) is None
    assert mask([0, 1, 2, 3], [[v & 1, v >> 1 & 1] for v in range(4)], "m") == "(m >> i & 1)"
    assert mask([0, 1], [[0, 1, 3, 2], [1, 0, 2, 2]], "m") is None


def test_another_instruction_is_not_single() -> None:
    vector = CType(Kind.VECTOR, 128, "<2 x i64>")
    entry = Entry("_mm_x", ("SSE2",), "__m128i", vector, (), ("paddb",))
    assert (
        is_single(entry, ("vpaddb",), PRINTED)
        and not is_single(entry, ("paddw",), PRINTED)
        and not is_single(entry, ("paddb", "paddb"), PRINTED)
    )
    assert (
        instruction(entry, every()[0].learned, every()[0].learned.sections[0]).mnemonic == "paddb"
    )
