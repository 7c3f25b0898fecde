"""One wrong entry of what rows are multiplied with: outputs of a filter as one instruction whose
lanes share rows, with the weights laid out as the search does, is proved; every change of one
entry is refuted.
"""

from __future__ import annotations

import random

import pytest

from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Refuted, Verdict
from semantics import target_named
from tests.verdicts import verify_modules

OUTPUTS = (0, 1, 8, 9)
SLOTS = 8
FEATURES = '"target-cpu"="neoverse-v1" "target-features"="+dotprod,+i8mm,+neon,-sve,-sve2"'


def source(name: str, weights: list[int]) -> str:
    """Return ``out[i] = sum x[OUTPUTS[i] + k] weights[k]`` as vector operations."""
    lines = [
        f"define <4 x i32> @{name}(<32 x i8> noundef %x) #0 {{",
        " %w = zext <32 x i8> %x to <32 x i32>",
    ]
    total = "zeroinitializer"
    for k, weight in enumerate(weights):
        mask = ", ".join(f"i32 {o + k}" for o in OUTPUTS)
        lines += [
            f" %x{k} = shufflevector <32 x i32> %w, <32 x i32> poison, <4 x i32> <{mask}>",
            f" %p{k} = mul <4 x i32> %x{k}, splat (i32 {weight})",
            f" %s{k} = add <4 x i32> {total}, %p{k}",
        ]
        total = f"%s{k}"
    return "\n".join([*lines, f" ret <4 x i32> {total}", "}"])


def target(name: str, entries: list[int]) -> str:
    mask = ", ".join(f"i32 {k}" for k in range(2 * SLOTS))
    row = ", ".join(f"i8 {e}" for e in entries)
    return f"""define <4 x i32> @{name}(<32 x i8> noundef %x) #0 {{
 %a = shufflevector <32 x i8> %x, <32 x i8> poison, <16 x i32> <{mask}>
 %z = call <4 x i32> @llvm.aarch64.neon.usmmla.v4i32.v16i8(<4 x i32> zeroinitializer, <16 x i8> %a, <16 x i8> <{row}>)
 ret <4 x i32> %z
}}"""


def entries(weights: list[int]) -> list[int]:
    """Return the weights of both columns, one further on in the second."""
    gap = [0] * (SLOTS - len(weights))
    return [*weights, *gap, *gap, *weights]


def verdicts(pairs: list[tuple[str, str]]) -> list[Verdict]:
    head = 'target triple = "aarch64-unknown-linux-gnu"'
    tail = (
        "declare <4 x i32> @llvm.aarch64.neon.usmmla.v4i32.v16i8(<4 x i32>, <16 x i8>, <16 x i8>)\n"
        f"attributes #0 = {{ {FEATURES} }}\n"
    )
    text = "\n".join([head, *(f for pair in pairs for f in pair), tail])
    return [v for _, v in verify_modules(parse_module(text), None, target_named("arm"))]


def planted(seed: int, count: int) -> list[Verdict]:
    """Return verdicts on layouts of random weights with one entry changed."""
    rng = random.Random(seed)
    pairs = []
    for n in range(count):
        weights = [rng.randrange(-128, 128) for _ in range(7)]
        wrong = entries(weights)
        at = rng.randrange(len(wrong))
        wrong[at] = rng.choice([e for e in range(-128, 128) if e != wrong[at]])
        pairs.append((source(f"src{n}", weights), target(f"tgt{n}", wrong)))
    return verdicts(pairs)


def test_weights_that_are_right_are_proved() -> None:
    weights = [3, -5, 127, -128, 0, 1, 77]
    (found,) = verdicts([(source("src", weights), target("tgt", entries(weights)))])
    assert isinstance(found, Proved)


@pytest.mark.parametrize("count", [8, 200])
def test_one_wrong_entry_is_refuted(count: int) -> None:
    found = planted(2026, count)
    assert len(found) == count and all(isinstance(v, Refuted) for v in found)
