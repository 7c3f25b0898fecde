"""CPUs and features of AArch64 in older words, and which CPUs stand for newer ones."""

from __future__ import annotations

import pytest

from frontends.llvm.dialect.machine import BEFORE
from frontends.llvm.dialect.older import older
from frontends.llvm.linked.names import target_names
from isel.errors import TooNew
from semantics import target_named, triple_of

ARM = 'target triple = "aarch64-linux-gnu"\n'
ARM_MACHINES = (
    (
        15,
        '"target-cpu"="neoverse-v2" "target-features"="+neon"',
        '"target-cpu"="generic" "target-features"="+neon"',
    ),
    (
        16,
        '"target-cpu"="neoverse-v3ae" "target-features"="+neon"',
        '"target-cpu"="neoverse-v2" "target-features"="+neon"',
    ),
    (
        21,
        '"target-cpu"="apple-m5" "target-features"="+neon"',
        '"target-cpu"="apple-m4" "target-features"="+neon"',
    ),
    (15, '"target-features"="+dotprod,+sve2p1,-sme2"', '"target-features"="+dotprod"'),
    (
        19,
        '"target-features"="+dotprod,+sve2p1,-sme2,+zcz"',
        '"target-features"="+dotprod,+sve2p1,-sme2,+zcz"',
    ),
    (15, '"target-cpu"="neoverse-n1"', '"target-cpu"="neoverse-n1"'),
    (21, '"frame-pointer"="non-leaf-no-reserve"', '"frame-pointer"="non-leaf"'),
    (19, '"frame-pointer"="all"', '"frame-pointer"="all"'),
)


@pytest.mark.parametrize(("version", "before", "after"), ARM_MACHINES)
def test_cpus_and_features_of_aarch64(version: int, before: str, after: str) -> None:
    text = f"{ARM}attributes #0 = {{ {before} }}\n"
    assert older(text, version) == f"{ARM}attributes #0 = {{ {after} }}\n"


@pytest.mark.parametrize("triple", ["hexagon-unknown-linux-musl", "aarch64_be-linux-gnu"])
def test_other_targets_have_other_features(triple: str) -> None:
    text = f'target triple = "{triple}"\nattributes #0 = {{ "target-cpu"="znver5" "target-features"="+avx10.2" }}\n'
    assert older(text, 15) == text


def test_a_cpu_that_stands_for_a_newer_one_has_no_more_to_emit() -> None:
    for target in (target_named("x86"), target_named("arm")):
        used = frozenset(f for i in target.instructions() for f in i.features)
        known = target_names(triple_of(target)).cpus
        for newer, cpu in BEFORE.items():
            if newer in known:
                assert not (target.features(cpu, "") - target.features(newer, "")) & used


def test_a_cpu_without_features_is_refused() -> None:
    text = f'{ARM}define void @f() "target-cpu"="neoverse-v2" {{\n  ret void\n}}\n'
    with pytest.raises(TooNew) as caught:
        older(text, 15)
    assert caught.value.message() == "LLVM 15 does not know the CPU 'neoverse-v2'"
