"""Random code in pieces: whatever merging makes of it refines it, and what was one vector is
one again.
"""

from __future__ import annotations

import random

import pytest

from frontends.halide.merge import merge_once, merge_slices
from frontends.llvm.linked import binding
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved
from tests.frontends.halide.accesses import parts
from tests.verdicts import verify_function

PLAIN = ("add", "sub", "and", "or", "xor")  # the verifier finds its choices for undef through these
ALL = (*PLAIN, "mul", "lshr exact", "add nuw", "shl nsw")


class Sliced:
    """A function that loads two vectors, computes lane-wise and stores, all of it in pieces and
    in no order.
    """

    def __init__(self, seed: int, operations: tuple[str, ...]) -> None:
        self.operations = operations
        self.rng = random.Random(seed)
        self.pieces = self.rng.choice((2, 4))
        self.each = self.rng.choice((2, 4, 8))
        self.bits = self.rng.choice((8, 16, 32))
        self.lines: list[str] = []

    def text(self) -> str:
        piece, bytes_ = f"<{self.each} x i{self.bits}>", self.each * self.bits // 8
        loads = [
            f"  %a{base}{k} = getelementptr i8, ptr %{base}, i64 {k * bytes_}\n  %{base}{k} = load {piece}, ptr %a{base}{k}, align 1"
            for base in "pq"
            for k in range(self.pieces)
        ]
        self.rng.shuffle(loads)
        chain: list[str] = []
        last = "p"
        for n in range(self.rng.randint(1, 4)):
            operation = self.rng.choice(self.operations)
            constants = [f"splat (i{self.bits} {self.rng.randint(1, 6)})"] * self.pieces
            others = constants if n else [f"%q{k}" for k in range(self.pieces)]
            chain.extend(
                f"  %s{n}_{k} = {operation} {piece} %{last}{k}, {others[k]}"
                for k in range(self.pieces)
            )
            last = f"s{n}_"
        stores = [
            f"  %r{k} = getelementptr i8, ptr %r, i64 {k * bytes_}\n  store {piece} %{last}{k}, ptr %r{k}, align 1"
            for k in range(self.pieces)
        ]
        self.rng.shuffle(stores)
        return "\n".join(
            [
                "define void @f(ptr noalias %p, ptr noalias %q, ptr noalias %r) {",
                *loads,
                *chain,
                *stores,
                "  ret void",
                "}",
                "",
            ]
        )


def whole(made: Sliced, text: str) -> bool:
    """Tell whether everything in a text is as wide as before it was sliced."""
    wide = f"<{made.pieces * made.each} x i{made.bits}>"
    found = {kind: n for n, kind in parts(merge_slices(text))}
    return found.pop(f"store {wide}") == 1 and set(found) <= {f"load {wide}"}


@pytest.mark.parametrize("seed", range(12))
def test_proved(seed: int) -> None:
    made = Sliced(seed, PLAIN)
    text = binding.normalise(made.text())
    modules = parse_module(text), parse_module(binding.normalise(merge_once(text)))
    assert isinstance(
        verify_function(modules[0].functions[0], modules[1].functions[0], None, modules), Proved
    ), f"seed {seed}"
    assert whole(made, text), f"seed {seed}"


@pytest.mark.parametrize("seed", range(24))
def test_structure(seed: int) -> None:
    made = Sliced(seed, ALL)
    text = binding.normalise(made.text())
    assert whole(made, text), f"seed {seed}"
    flags = {word for word in ("exact", "nuw", "nsw") if f" {word} <" in merge_once(text)}
    assert all(f" {word} <" in text for word in flags), f"seed {seed}"
