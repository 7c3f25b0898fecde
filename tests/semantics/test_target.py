"""x86-64 as a target: instructions, CPUs, features, registers, prices."""

from __future__ import annotations

from itertools import product

import pytest

from equiv_classes import dictionary as classes
from equiv_classes.dictionary import Dictionary
from equiv_classes.dictionary import read as read_dictionary
from frontends.llvm.linked import binding
from frontends.llvm.linked.names import target_names
from isel.errors import UnknownName
from isel.spec.instruction import Membership
from isel.spec.sem import read_sem
from isel.spec.sem_show import show_sem
from semantics import target_for, target_named, targets
from semantics.digest import sources
from semantics.library import classes_of, reading_code
from semantics.probe import inlined
from semantics.x86.probe import TRIPLE, prefers_256
from semantics.x86.target import X86, cpus, target

# A mnemonic (without element letters) of each family that must be there.
FAMILIES = """
vpaddb vpsubq vpaddsw vpaddusb vpsubsb vpsubusw vpavgb vpminub vpminsq vpmaxsw vpmaxuq vpabsd vpsignw vphaddw vphsubd vphaddsw
vpmullw vpmulld vpmullq vpmulhw vpmulhuw vpmulhrsw vpmuldq vpmuludq vpmaddwd vpmaddubsw vpdpbusd vpdpbusds vpdpwssd vpdpwssds vpmadd52luq
vpsadbw vmpsadbw vdbpsadbw vpand vpor vpxor vpandn vpternlogd vpopcntb vplzcntd vpsllw vpsrlq vpsrad vpsllvw vpsrlvd vpsravq vprold vprolvq
vprord vprorvd vpshldw vpshldvd vpshrdq vpshrdvw vpslldq vpsrldq vpmultishiftqb vpcmpeqb vpcmpgtq vpcmpw vpcmpd vpcmpub vpcmpuq
vptestmb vptestnmw vpblendw vpblendd vpblendvb vpblendmb vmovdqu8 vpmovm2b vpmovb2m vpmovmskb vpacksswb vpackusdw vpunpcklbw vpunpckhqdq
vpmovzxbw vpmovsxdq vpmovwb vpmovsdw vpmovusqb vpshufd vpshuflw vpshufhw vshufps vshufpd vpermq vperm2i128 vshufi64x2 vshufi32x4 vpalignr
valignd vpshufb vpermd vpermw vpermb vpermi2b vpermi2q vpbroadcastb vextracti128 vextracti64x4 vinserti128 vinserti64x4
"""


def test_targets_are_found() -> None:
    assert [t.name for t in targets()] == ["arm", "hvx", "x86"]
    assert target_for("x86_64-pc-linux-gnu") is target_named("x86") is target()
    for bad in ("aarch64_be-linux-gnu", "", "i686-pc-linux-gnu"):
        with pytest.raises(UnknownName):
            target_for(bad)
    with pytest.raises(UnknownName) as caught:
        target_named("x87")
    assert "did you mean 'x86'" in caught.value.message()


def test_the_families_are_there() -> None:
    have = {i.mnemonic for i in target().instructions()}
    assert not [m for m in FAMILIES.split() if m not in have]
    assert len({i.name for i in target().instructions()}) == len(target().instructions())


def test_operands_fit_registers() -> None:
    for i in target().instructions():
        masks = i.mnemonic.startswith("k")
        assert max(i.bits, *(o.bits for o in i.operands), 0) in (
            (8, 16, 32, 64) if masks else (128, 256, 512)
        ), i.name
        assert i.features <= {*cpus().implies}, i.name


def test_shipped_files_pass_the_check() -> None:
    for name, text in sources("x86"):
        if not name.startswith("generated/"):
            assert read_sem(text, name)


def test_entries_print_and_read_back() -> None:
    for i in target().instructions():
        (again,) = read_sem(show_sem(i), check=False)
        immediates = {m.name: m.values[-1] for m in i.immediates}
        assert again == i
        assert all(
            again.lane(k, immediates) is i.lane(k, immediates)
            for k in {0, i.lanes // 2, i.lanes - 1}
        )


def test_intrinsics_are_found_by_name() -> None:
    found = target().by_call("llvm.x86.avx512.vpdpbusd.512")
    assert found is not None and found.name == "_mm512_dpbusd_epi32"
    old = target().by_call("llvm.x86.sse2.psrai.w")
    assert old is not None and old.call == "llvm.x86.sse2.psrai.w"
    assert old.lane(0, {"imm8": 200}) is old.lane(0, {"imm8": 16})
    assert target().by_call("llvm.umin.v16i8") is None


def test_digest_is_of_the_text() -> None:
    assert X86().digest == target().digest
    assert len(target().digest) == 64


@pytest.mark.parametrize(
    ("cpu", "has", "lacks"),
    [
        ("sapphirerapids", "avx512vnni avx512vbmi avxvnni avx512bitalg amx-int8", "avx10.1"),
        ("icelake-server", "avx512vnni avx512vbmi", "avxvnni"),
        ("skylake-avx512", "avx512bw avx512dq avx512vl", "avx512vnni avx512vbmi"),
        ("haswell", "avx2 fma", "avx512f"),
        ("znver3", "avx2", "avx512f"),
        ("znver4", "avx512vnni avx512bf16", "avxvnni prefer-256-bit"),
        ("alderlake", "avxvnni", "avx512f"),
        ("x86-64", "sse2", "sse3"),
        ("", "sse2", "sse3"),
        ("x86-64-v2", "sse4.2", "avx"),
        ("x86-64-v3", "avx2", "avx512f"),
        ("x86-64-v4", "avx512bw avx512vl", "avx512vbmi"),
    ],
)
def test_cpus(cpu: str, has: str, lacks: str) -> None:
    features = target().features(cpu, "")
    assert features >= set(has.split())
    assert not features & set(lacks.split())


def test_features_imply_each_other() -> None:
    assert target().features("x86-64", "+avx512bw") >= {"avx512f", "avx2", "avx", "ssse3"}
    assert not target().features("sapphirerapids", "-avx2") & {
        "avx2",
        "avx512f",
        "avx512vl",
        "avx512vnni",
        "avxvnni",
    }
    assert "avx" in target().features("sapphirerapids", "-avx2")
    assert "avx2" in target().features("haswell", "-avx2,+avx2")
    assert target().features("x86-64", "") == target().features(
        "x86-64", "+cx8,+fast-shld-rotate"
    ) - {"fast-shld-rotate"}


@pytest.mark.parametrize(
    ("cpu", "attributes", "message"),
    [
        ("saphirerapids", "", "unknown CPU 'saphirerapids', did you mean 'sapphirerapids'?"),
        ("x86-64", "+avx521f", "unknown feature 'avx521f', did you mean 'avx512f'?"),
        ("pentium2", "", "unknown CPU 'pentium2'"),
    ],
)
def test_unknown_names(cpu: str, attributes: str, message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        target().features(cpu, attributes)
    assert message in caught.value.message()


def _machine_uses_512(cpu: str, attributes: dict[str, str]) -> bool:
    written = " ".join(f'"{k}"="{v}"' for k, v in attributes.items())
    body = "%a = load <16 x i32>, ptr %p\n%b = add <16 x i32> %a, %a\nstore <16 x i32> %b, ptr %p\nret void"
    text = f'target triple = "{TRIPLE}"\ndefine void @f(ptr %p) {written} {{\n{body}\n}}\n'
    return "zmm" in binding.assembly(text, triple=TRIPLE, cpu=cpu, features="")


@pytest.mark.parametrize("cpu", ["sapphirerapids", "znver4", "skylake-avx512", "haswell"])
@pytest.mark.parametrize(
    ("least", "preferred"), list(product((None, "0", "128", "256", "512"), (None, "512")))
)
def test_registers_are_those_that_llvm_uses(
    cpu: str, least: str | None, preferred: str | None
) -> None:
    attributes = {
        k: v
        for k, v in (("min-legal-vector-width", least), ("prefer-vector-width", preferred))
        if v is not None
    }
    assert (
        target().vector_bits(target().features(cpu, ""), attributes) == 512
    ) == _machine_uses_512(cpu, attributes)


@pytest.mark.parametrize(
    ("attributes", "bits"),
    [
        ({"prefer-vector-width": "256"}, 256),
        ({"prefer-vector-width": "256", "min-legal-vector-width": "512"}, 512),
        ({"prefer-vector-width": "128"}, 128),
        ({"prefer-vector-width": "128", "min-legal-vector-width": "256"}, 256),
        ({"min-legal-vector-width": "0", "tune-cpu": "znver4"}, 512),
        ({"min-legal-vector-width": "0", "tune-cpu": "generic"}, 512),
        (
            {
                "min-legal-vector-width": "0",
                "tune-cpu": "generic",
                "target-features": "+avx512vl,+prefer-256-bit",
            },
            256,
        ),
        ({"min-legal-vector-width": "0", "target-features": "-prefer-256-bit"}, 512),
        ({"min-legal-vector-width": "0"}, 256),
        ({}, 512),
    ],
)
def test_a_stated_preference_is_kept(attributes: dict[str, str], bits: int) -> None:
    features = target().features("sapphirerapids", "")
    assert target().vector_bits(features, attributes) == bits
    if "prefer-vector-width" not in attributes:
        assert _machine_uses_512("sapphirerapids", attributes) == (bits == 512)


def test_narrow_machines() -> None:
    assert target().vector_bits(target().features("haswell", ""), {}) == 256
    assert target().vector_bits(target().features("x86-64-v2", ""), {}) == 128
    assert (
        target().vector_bits(target().features("haswell", ""), {"prefer-vector-width": "128"})
        == 128
    )


def test_every_instruction_has_a_price() -> None:
    for i in target().instructions():
        assert 10 <= target().operation_cost(i, "sapphirerapids") <= 6000, i.name
    names = (
        "_mm256_add_epi8",
        "_mm256_maddubs_epi16",
        "_mm256_mullo_epi32",
        "_mm512_permutex2var_epi8",
    )
    costs = [target().operation_cost(target().by_name[n], "sapphirerapids") for n in names]
    assert costs == sorted(set(costs))


def test_the_shipped_table_of_cpus_is_llvms() -> None:
    table = cpus()
    names = ("sapphirerapids", "znver4", "haswell", "x86-64-v3", "alderlake", "graniterapids")
    real = tuple(table.implies)
    found = inlined({c: (c, "") for c in names}, real, TRIPLE)
    for cpu in names:
        assert found[cpu] == table.of(cpu) - {"prefer-256-bit"}
        assert ("prefer-256-bit" in table.of(cpu)) == ("avx512f" in found[cpu] and prefers_256(cpu))
    implied = inlined(
        {
            f: ("generic", f"+{f}")
            for f in ("avx512vbmi2", "avxvnni", "avx512vnni", "amx-int8", "avx2")
        },
        real,
        TRIPLE,
    )
    assert all(implied[f] == table.implies[f] | {f} | table.of("generic") for f in implied)


def test_the_table_names_what_llvm_names() -> None:
    names = target_names(TRIPLE)
    table = cpus()
    assert {*table.implies, *table.tuning} == set(names.features)
    assert set(table.cpus) <= set(names.cpus)


def test_a_dictionary_of_other_semantics_or_a_broken_one_is_no_obstacle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it names and the target has belongs together; the rest is searched as before."""
    old = read_dictionary(
        "# semantics x86:0\n\nclass add\n  result 1 x 1\n  x86 _mm_add_epi8 none = 8 16\n  x86 _mm_gone none = 8 16\n"
    )
    monkeypatch.setattr(classes, "dictionary", lambda: old)
    assert classes_of("x86") == {
        "_mm_add_epi8": (Membership("add"),),
        "_mm_gone": (Membership("add"),),
    }

    def broken() -> Dictionary:
        return read_dictionary("class add\n  kind nothing\n")

    monkeypatch.setattr(classes, "dictionary", broken)
    assert classes_of("x86") == {}


def test_the_index_is_made_anew_for_other_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semantics.library.code_of", lambda *paths: " ".join(p.name for p in paths))
    assert {"target.py", "join.py", "dictionary.py", classes.FILE} <= set(
        reading_code("x86").split()
    )
