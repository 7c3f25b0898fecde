"""Learning from a small guide of our own: prototypes to rows, the shipped ones again; what does
not compile is named.
"""

from __future__ import annotations

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from semantics.emission.alone import become, is_single
from semantics.emission.body import NotOneBlock, read_body
from semantics.emission.make import compiled, learned
from semantics.emission.prototype import CType, Kind
from semantics.emission.table import emissions
from semantics.x86.emission.c import CLANG
from semantics.x86.emission.entries import Entry, entries_of
from semantics.x86.importer.spec import read_guide
from semantics.x86.isa import ISA
from semantics.x86.selection import PRINTED

IMMEDIATE = " etype='IMM' immwidth='8'"
GUIDE = """<intrinsics_list version="0">
{rows}
</intrinsics_list>
"""


def row(name: str, result: str, parameters: str, instruction: str, cpuids: str) -> str:
    given = "".join(_parameter(*p.split()) for p in parameters.split(", "))
    features = "".join(f"<CPUID>{c}</CPUID>" for c in cpuids.split())
    return f'<intrinsic name="{name}"><return type="{result}"/>{given}<instruction name="{instruction}" form=""/>{features}</intrinsic>'


def _parameter(kind: str, name: str) -> str:
    return f'<parameter type="{kind}" varname="{name}"{IMMEDIATE if kind == "int" else ""}/>'


ROWS = [
    row("_mm_add_epi8", "__m128i", "__m128i a, __m128i b", "PADDB", "SSE2"),
    row(
        "_mm_mask_cmp_epi16_mask",
        "__mmask8",
        "__mmask8 k1, __m128i a, __m128i b, int imm8",
        "VPCMPW",
        "AVX512BW AVX512VL",
    ),
    row("_mm256_shuffle_epi32", "__m256i", "__m256i a, int imm8", "VPSHUFD", "AVX2"),
    row(
        "_mm512_maskz_dpbusd_epi32",
        "__m512i",
        "__mmask16 k, __m512i src, __m512i a, __m512i b",
        "VPDPBUSD",
        "AVX512_VNNI",
    ),
    row("_mm_no_such_thing", "__m128i", "__m128i a", "NOP", "SSE2"),
]


def entries_in(text: str) -> tuple[Entry, ...]:
    return entries_of(read_guide(text.encode(), "guide.xml").entries)


def test_learned_rows_are_the_shipped_ones() -> None:
    entries = entries_in(GUIDE.format(rows="\n".join(ROWS)))
    assert len(entries) == 5
    found, reasons = compiled(entries, CLANG)
    assert [(e.name, why) for e, why in reasons.items() if "undeclared" in why] == [
        ("_mm_no_such_thing", next(iter(reasons.values())))
    ]
    with LlvmWorker() as worker:
        done = learned(found, worker, ISA.machine)
        became = become(worker, done, PRINTED)
    for e in found:
        shipped = emissions("x86").get(e.key)
        assert shipped is not None and shipped.learned == done[e]
        assert shipped.single == is_single(e, became[e], PRINTED) and shipped.becomes == became[e]


def test_pointers_floats_and_entries_without_instruction_are_left_out() -> None:
    rows = [
        row("_a", "__m128i", "__m128i* p", "X", "SSE2"),
        row("_b", "__m128", "__m128i a", "X", "SSE2"),
        row("_c", "__int64", "__int64 a", "X", "SSE2"),
        row("_d", "__m128i", "__m128i a", "X", "SSE2").replace(
            '<instruction name="X" form=""/>', ""
        ),
        row("_e", "__mmask8", "__mmask8 a", "X", "AVX512DQ"),
    ]
    rows[0] = rows[0].replace("__m128i ", "__m128i*")
    (only,) = entries_in(GUIDE.format(rows="".join(rows)))
    assert (
        only.key == ("_e", ("AVX512DQ",))
        and only.features == ("avx512dq",)
        and only.instructions == ("x",)
    )


def test_control_flow_is_refused() -> None:
    entry = Entry("_x", ("SSE2",), "int", CType(Kind.SCALAR, 32, "i32"), (), ("x",))
    with pytest.raises(NotOneBlock):
        read_body(entry, "  br label %1\n  ret i32 0")
