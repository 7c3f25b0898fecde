"""The vendor's own file: what is selected, and that a sample of every kind means what the
hand-written semantics mean.
"""

from __future__ import annotations

from functools import cache

import pytest

from isel.spec.instruction import Instruction
from isel.spec.sem import read_sem
from semantics.importing.write import Entry, blocks
from semantics.meaning import results
from semantics.samples import from_bytes, operand_values, to_bytes
from semantics.x86.importer import run
from semantics.x86.importer.numbers import differs_from_text
from semantics.x86.importer.spec import Guide, has_vector, read_guide, selected
from tests.semantics.by_hand import by_hand
from tests.tools import shared

SPEC = shared() / "specs" / "x86" / "intel-intrinsics-3.6.9.xml"
pytestmark = pytest.mark.shared


@cache
def guide() -> Guide:
    return read_guide(SPEC.read_bytes(), SPEC.name)


@cache
def imported(intrinsic: str) -> Instruction:
    (original,) = (e for e in guide().entries if e.name == intrinsic and selected(e))
    found = run._one(original, intrinsic, SPEC.name)
    assert isinstance(found, Entry), found
    ((_, block),) = blocks([found])
    return read_sem(block, bare=True)[0]


def test_what_is_selected() -> None:
    chosen = [e for e in guide().entries if selected(e)]
    assert guide().problems == () and guide().version == "3.6.9"
    assert (len(chosen), sum(map(has_vector, chosen))) == (2565, 2491)
    names = run.entry_names(chosen)
    assert len(set(names)) == len(names)


PAIRS = [
    ("_mm256_add_epi8", "vpaddb_256"),
    ("_mm_avg_epu8", "vpavgb_128"),
    ("_mm256_maddubs_epi16", "vpmaddubsw_256"),
    ("_mm256_madd_epi16", "vpmaddwd_256"),
    ("_mm_sra_epi16", "vpsraw_count_128"),
    ("_mm256_sll_epi32", "vpslld_count_256"),
    ("_mm_mulhrs_epi16", "vpmulhrsw_128"),
    ("_mm256_shuffle_epi8", "vpshufb_256"),
    ("_mm256_dpbusd_avx_epi32", "vpdpbusd_256"),
    ("_mm512_dpwssds_epi32", "vpdpwssds_512"),
    ("_mm256_permutex2var_epi16", "vpermi2w_256"),
    ("_mm512_sllv_epi16", "vpsllvw_512"),
    ("_mm_multishift_epi64_epi8", "vpmultishiftqb_128"),
    ("_mm256_unpackhi_epi8", "vpunpckhbw_256"),
    ("_mm_sad_epu8", "vpsadbw_128"),
    ("_mm256_packus_epi16", "vpackuswb_256"),
    ("_mm_cmplt_epu8_mask", "vpcmpltub_k_128"),
    ("_mm512_rolv_epi32", "vprolvd_512"),
    ("_mm_shldv_epi16", "vpshldvw_128"),
]


@pytest.mark.parametrize(("intrinsic", "name"), PAIRS)
def test_the_same_values_as_written_by_hand(intrinsic: str, name: str) -> None:
    """On random, corner and sparse operands, whatever elements each of the two cuts them into."""
    mine, other = imported(intrinsic), by_hand()[name]
    assert [o.bits for o in mine.operands] == [o.bits for o in other.operands]
    count = 300
    given = {
        o.name: operand_values(o, count, 7, intrinsic, k) for k, o in enumerate(other.operands)
    }
    again = {
        a.name: from_bytes(to_bytes(given[b.name], b.width), a.lanes, a.width, count)
        for a, b in zip(mine.operands, other.operands, strict=True)
    }
    left, right = results(mine, {}, again, count), results(other, {}, given, count)
    assert to_bytes(left, mine.width) == to_bytes(right, other.width)


@pytest.mark.parametrize(
    ("intrinsic", "name", "values"),
    [
        ("_mm256_shuffle_epi32", "vpshufd_256", (0, 27, 228, 255)),
        ("_mm256_slli_epi16", "vpsllw_imm_256", (1, 7, 15)),
        ("_mm256_srai_epi32", "vpsrad_imm_256", (1, 31)),
        ("_mm256_alignr_epi8", "vpalignr_256", (1, 5, 15)),
        ("_mm256_bsrli_epi128", "vpsrldq_256", (1, 9, 15)),
        ("_mm_ternarylogic_epi32", "vpternlogd_128", (0, 0x96, 0xCA, 255)),
    ],
)
def test_the_same_values_for_immediates(intrinsic: str, name: str, values: tuple[int, ...]) -> None:
    mine, other = imported(intrinsic), by_hand()[name]
    for v in values:
        (a,), (b,) = mine.immediates, other.immediates
        given = {
            o.name: operand_values(o, 60, v, intrinsic, k) for k, o in enumerate(other.operands)
        }
        again = {
            x.name: from_bytes(to_bytes(given[y.name], y.width), x.lanes, x.width, 60)
            for x, y in zip(mine.operands, other.operands, strict=True)
        }
        left, right = results(mine, {a.name: v}, again, 60), results(other, {b.name: v}, given, 60)
        assert to_bytes(left, mine.width) == to_bytes(right, other.width), v


@pytest.mark.parametrize(
    "intrinsic", ["_mm_add_epi8", "_mm256_max_epu16", "_mm512_shuffle_epi8", "_mm_cmpgt_epi8_mask"]
)
def test_masked_forms_are_their_twin_staged(intrinsic: str) -> None:
    stem, _, rest = intrinsic.partition("_mm")[2].partition("_")
    plain, masked = imported(intrinsic), imported(f"_mm{stem}_mask_{rest}")
    assert {o.name for o in masked.operands} - {o.name for o in plain.operands} <= {
        "src",
        "k",
        "k1",
    }
    for i in range(0, plain.lanes, 3):
        chosen = masked.lane(i, {})
        assert chosen.op == "ite" and chosen.args[1] is plain.lane(i, {})


def test_corrections_are_named() -> None:
    from isel.spec.sem_show import patched
    from semantics import isa_named

    assert patched(imported("_mm_sra_epi16")) == ("arithmetic-shift-of-unsigned",)
    assert all(
        isa_named("x86").corrections()[name]
        for name in patched(imported("_mm_mask_compress_epi32"))
    )
    assert all(len(reason) > 20 for reason in isa_named("x86").corrections().values())


@pytest.mark.parametrize(
    "intrinsic",
    [
        "_mm_lzcnt_epi32",
        "_mm_maskz_lzcnt_epi64",
        "_mm_popcnt_epi8",
        "_mm_multishift_epi64_epi8",
        "_mm_maskz_expand_epi16",
    ],
)
def test_rewritings_say_what_the_text_says_on_numbers(intrinsic: str) -> None:
    (original,) = (e for e in guide().entries if e.name == intrinsic and selected(e))
    found = run._one(original, intrinsic, SPEC.name)
    assert isinstance(found, Entry)
    ((_, block),) = blocks([found])
    assert differs_from_text(block, original) == ""
    wrong = (
        block.replace("lane ", "lane ~(", 1).replace("\n  features", ")\n  features", 1)
        if "patched" not in block
        else block.replace("i]", "0]")
    )
    assert wrong != block and differs_from_text(wrong, original) != ""
