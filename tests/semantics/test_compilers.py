"""What compilers name as features, LLVM 22 knowing only some: ``compilers.tsv``."""

from __future__ import annotations

from pathlib import Path

import pytest

from frontends.llvm.linked.names import target_names
from isel.errors import UnknownName
from isel.spec.target import Target
from semantics import target_named
from semantics.pricing import priced_as

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("compilers.tsv").read_text().splitlines()
    if not line.startswith("#")
]
X86, ARM = target_named("x86"), target_named("arm")
EVERYTHING = "+avx512f,+avx512bw,+avx512vl,+avx512dq"


def _target(command: str) -> Target:
    return ARM if "aarch64" in command else X86


@pytest.mark.parametrize(
    ("command", "cpu", "features", "bits", "priced"), ROWS, ids=[row[0] for row in ROWS]
)
def test_what_a_compiler_writes_is_understood(
    command: str, cpu: str, features: str, bits: str, priced: str
) -> None:
    target = _target(command)
    found = target.features(cpu, features)
    triple = "aarch64-linux-gnu" if target is ARM else "x86_64-linux-gnu"
    known = [f for f in features.split(",") if f[1:] in target_names(triple).features]
    if bits != "0":
        assert {f[1:] for f in known if f[0] == "+"} <= found
    assert not {f[1:] for f in known if f[0] == "-"} & found
    assert target.vector_bits(found, {}) == int(bits)
    assert priced_as(target.name, cpu, found) == priced


def test_the_rows_have_what_llvm_dropped() -> None:
    named = {f for row in ROWS for f in row[2].split(",")}
    assert {
        "-avx512er",
        "-prefetchwt1",
        "+avx512pf",
        "+avx10.1-256",
        "+3dnow",
        "+zcm",
        "+tme",
    } <= named


@pytest.mark.parametrize("attributes", ["+avx521f", "avx521f", "-avx512er,+avx512re"])
def test_an_unknown_feature_that_is_switched_on_is_an_error(attributes: str) -> None:
    with pytest.raises(UnknownName):
        X86.features("haswell", attributes)


@pytest.mark.parametrize(
    ("cpu", "features", "priced"),
    [
        ("haswell", EVERYTHING, "skylake-avx512"),
        ("x86-64", f"{EVERYTHING},+avxvnni,+avx512fp16", "sapphirerapids"),
        ("x86-64", "+avx2", "x86-64"),
        ("rocketlake", "+avxvnni", "rocketlake"),
        ("znver5", EVERYTHING, "znver5"),
    ],
)
def test_features_beyond_a_table_take_another(cpu: str, features: str, priced: str) -> None:
    assert priced_as("x86", cpu, X86.features(cpu, features)) == priced


def test_a_target_without_prices_keeps_its_cpu() -> None:
    assert priced_as("toy", "haswell", frozenset({"avx512f"})) == "haswell"


def test_no_neon_in_streaming_mode() -> None:
    features = ARM.features("neoverse-v2", "+sme")
    assert ARM.vector_bits(features, {}) == 128
    assert ARM.vector_bits(features, {"aarch64_pstate_sm_enabled": ""}) == 0
