"""Sums of products whose lanes share rows, or whose factors have other signs than an instruction's:
what comes out, and what it costs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from itertools import permutations
from pathlib import Path

import pytest

from isel.ir.build import add, mul, sext, zext
from isel.ir.expr import Expr
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.window import Leaf, Window
from isel.synth.synthesize import make_synthesizer
from semantics import target_named
from tests.synth.windows import register, window

KINDS = (".py", ".rules", ".tsv")
ROOT = Path(__file__).parents[2]
Extend = Callable[[Expr, int], Expr]
ROWS = {"smmla": (sext, sext), "ummla": (zext, zext), "usmmla": (zext, sext)}


def searched(
    w: Window, features: str = "", cpu: str = "neoverse-v1", *, isa: str = "arm", bits: int = 128
) -> tuple[int, list[str]]:
    """Return the price of the best program and the names of its instructions."""
    target = target_named(isa)
    machine = Machine(target, cpu, target.features(cpu, features), bits)
    best = make_synthesizer(machine, Options(disabled=("cegis",))).search(w).candidates[0].program
    return best.cost, [machine.by_name[s.name].mnemonic for s in best.steps if s.kind == "apply"]


def rows_by_rows(extends: tuple[Extend, Extend], names: tuple[str, str]) -> Window:
    """Return ``c[2 i + j] + sum x[8 i + k] y[8 j + k]``: rows of two matrices of bytes."""
    x, y = (register(n, 8, 16) for n in names)
    c = register("c", 32, 4)
    lanes = [
        reduce(
            add,
            [
                c[i],
                *(
                    mul(extends[0](x[i // 2 * 8 + k], 32), extends[1](y[i % 2 * 8 + k], 32))
                    for k in range(8)
                ),
            ],
        )
        for i in range(4)
    ]
    return window(lanes, ("c", 32, 4), *((n, 8, 16) for n in names))


@pytest.mark.parametrize("mnemonic", ROWS)
@pytest.mark.parametrize("names", list(permutations("ab")), ids="".join)
def test_rows_by_rows_are_one_instruction(mnemonic: str, names: tuple[str, str]) -> None:
    """Whichever of the factors comes first in a product."""
    cost, used = searched(rows_by_rows(ROWS[mnemonic], names), "+i8mm,-sve,-sve2")
    assert used == [mnemonic] and cost <= 26


def sums(extends: tuple[Extend, Extend], terms: int, lanes: int, *, step: int = 0) -> Window:
    """Return sums of so many products of neighbouring bytes: each lane its own or, with a ``step``,
    bytes so far apart and the same weights.
    """
    x = register("x", 8, step * (lanes - 1) + terms if step else terms * lanes)
    y = register("y", 8, terms if step else terms * lanes)
    found = []
    for i in range(lanes):
        at = [(step * i + k, k) if step else (terms * i + k, terms * i + k) for k in range(terms)]
        found.append(reduce(add, [mul(extends[0](x[j], 32), extends[1](y[k], 32)) for j, k in at]))
    return window(found, ("x", 8, len(x)), ("y", 8, len(y)))


@pytest.mark.parametrize(
    ("extends", "isa", "cpu", "bits", "most"),
    [
        ((zext, zext), "x86", "sapphirerapids", 512, 320),
        ((sext, sext), "x86", "sapphirerapids", 512, 320),
        ((zext, sext), "arm", "apple-m1", 128, 200),
    ],
    ids=["unsigned", "signed", "mixed"],
)
def test_other_signs_are_changed_by_a_bit(
    extends: tuple[Extend, Extend], isa: str, cpu: str, bits: int, most: int
) -> None:
    """Products whose factors no instruction takes as they are: two instructions all the same."""
    cost, used = searched(sums(extends, 4, bits // 32), cpu=cpu, isa=isa, bits=bits)
    assert cost <= most and len(used) == 4
    assert max(map(used.count, used)) == 2


@pytest.mark.parametrize("extend", [zext, sext])
def test_sums_of_eight_are_added_in_pairs(extend: Extend) -> None:
    cost, used = searched(sums((extend, extend), 8, 4))
    assert cost <= 80 and min(used) == "addp" and len(used) == 3


def test_neighbouring_outputs_are_rows_of_memory() -> None:
    """Sixteen outputs of seven weights: four instructions, what they read lies in memory."""
    w = sums((zext, sext), 7, 16, step=1)
    loads = tuple(Leaf(f"x{k}", 8, 16, "x", 8 * k) for k in range(7))
    leaves = (*loads, Leaf("y", 8, 16, invariant=True))
    cost, used = searched(Window(leaves, w.roots), "+i8mm,-sve,-sve2")
    assert used.count("usmmla") == 4 and cost <= 450, used


def test_no_shape_has_a_name() -> None:
    """What is laid out is derived from instructions and windows, not listed."""
    names = re.compile("matmul|convolution|toeplitz|vnni", re.IGNORECASE)
    rooms = ("synth", "spec", "rules", "rewrite", "egraph", "verify")
    every = [p for room in rooms for p in (ROOT / "isel" / room).rglob("*") if p.suffix in KINDS]
    found = [p.name for p in every if names.search(p.read_text())]
    assert len(every) > 100 and found == []


def test_overlapping_loads_are_permuted_as_one_register() -> None:
    """Sixteen outputs of sixteen weights read 31 bytes: each instruction's rows are one permute."""
    w = sums((zext, sext), 16, 16, step=1)
    loads = tuple(Leaf(f"x{k}", 8, 16, "x", 8 * k) for k in range(16))
    weights = (Leaf(f"y{k}", 8, 64, "y", 32 * k, 32, invariant=True) for k in range(4))
    cost, used = searched(
        Window((*loads, *weights), w.roots), cpu="sapphirerapids", isa="x86", bits=512
    )
    assert used.count("vpdpbusd") == used.count("vpermb") == 4 and len(used) == 8, used
    assert cost <= 860
