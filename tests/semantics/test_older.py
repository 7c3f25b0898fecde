"""Targets as older LLVMs generate code for them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import semantics
from frontends.llvm.dialect.older import NEWEST, OLDEST
from semantics import target_named
from semantics.older import OlderTarget, TargetsOf, not_selected, older_target

SEMANTICS = Path(semantics.__file__).parent


@pytest.mark.parametrize("isa", ["arm", "hvx", "x86"])
def test_the_table_names_instructions_and_versions(isa: str) -> None:
    head, *rows = (SEMANTICS / isa / "older.tsv").read_text().splitlines()
    assert head.startswith("# emissions that an older LLVM does not select as LLVM ")
    assert head.endswith(f"python -m semantics.emission.older {isa}")
    names = {i.name for i in target_named(isa).instructions()}
    for row in rows:
        name, versions = row.split("\t")
        assert name in names
        assert {int(v) for v in versions.split()} <= set(range(OLDEST, NEWEST))
    assert rows == sorted(rows)


def test_what_is_not_selected_is_not_offered() -> None:
    x86 = target_named("x86")
    older = older_target(x86, OLDEST)
    assert isinstance(older, OlderTarget)
    left_out = not_selected("x86", OLDEST)
    assert left_out
    assert [i.name for i in older.instructions()] == [
        i.name for i in x86.instructions() if i.name not in left_out
    ]
    assert older.digest == x86.digest
    assert older_target(x86, NEWEST) is x86


def test_a_target_of_a_version_is_found_in_other_processes() -> None:
    found = pickle.loads(pickle.dumps(TargetsOf(OLDEST)))
    assert found == TargetsOf(OLDEST)
    assert found("x86_64-linux-gnu") == TargetsOf(OLDEST)("x86_64-linux-gnu")


@pytest.mark.parametrize("version", [17, 18, 21, 22])
@pytest.mark.parametrize(
    ("attributes", "is_narrow"),
    [
        ("", False),
        ("-evex512", True),
        ("+avx512f,-evex512", True),
        ("-evex512,+evex512", False),
        ("+evex512, -evex512", True),
    ],
)
def test_512_bits_are_a_feature_of_some_versions(
    version: int, attributes: str, is_narrow: bool
) -> None:
    older = older_target(target_named("x86"), version)
    features = older.features("znver5", attributes)
    is_narrow = is_narrow and 18 <= version <= 21
    assert older.vector_bits(features, {}) == (256 if is_narrow else 512)
    assert older.vector_bits(older.features("haswell", "-avx2,-evex512"), {}) == 128
