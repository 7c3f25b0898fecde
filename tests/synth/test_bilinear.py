"""Sums of products whose lanes share rows: one instruction for each window that is one."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import permutations

import pytest

from isel.ir.build import add, mul, sext, zext
from isel.ir.expr import Expr
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.window import Window
from isel.synth.synthesize import make_synthesizer
from semantics import target_named
from tests.synth.windows import register, window

Extend = Callable[[Expr, int], Expr]
ROWS = {"smmla": (sext, sext), "ummla": (zext, zext), "usmmla": (zext, sext)}


def searched(w: Window, features: str, cpu: str = "neoverse-v1") -> tuple[int, list[str]]:
    """Return the price of the best program and the names of its instructions."""
    target = target_named("arm")
    machine = Machine(target, cpu, target.features(cpu, features), 128)
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
