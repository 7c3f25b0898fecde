"""The text of one instruction against the guide's operation, executed on numbers."""

from __future__ import annotations

from typing import Final

import numpy as np

from isel.errors import IselError
from isel.interp.evaluate import evaluate_onto
from isel.interp.integer import Integer
from isel.ir.expr import elem
from isel.spec.sem import read_sem
from semantics.x86.importer.imported import result_cell
from semantics.x86.importer.spec import Intrinsic

_EXECUTED: Final = 8


def differs_from_text(block: str, entry: Intrinsic) -> str:
    """Return how the text of one instruction differs from the operation, executed on random
    numbers, or nothing.

    Unlike :func:`semantics.importing.check.difference` this needs no symbolic
    execution: it is for operations whose control depends on operands.
    """
    try:
        (instruction,) = read_sem(block, check=False, bare=True)
    except IselError as error:
        return error.message()
    rng = np.random.default_rng(len(entry.name))
    for sample in range(_EXECUTED):
        fixed = {m.name: m.values[sample % len(m.values)] for m in instruction.immediates}
        values = {p.name: _number(p.bits, sample, rng) for p in entry.parameters} | fixed
        cell = result_cell(entry, values)
        env = {
            elem(o.name, k * o.width, o.width): values[o.name] >> k * o.width & ((1 << o.width) - 1)
            for o in instruction.operands
            for k in range(o.lanes)
        }
        for i in range(instruction.lanes):
            if evaluate_onto(instruction.lane(i, fixed), env, Integer()) != cell.read(
                i * instruction.width, instruction.width
            ):
                return f"lane {i} for {values}"
    return ""


def _number(bits: int, sample: int, rng: np.random.Generator) -> int:
    if sample < 2:
        return -sample % (1 << bits)
    return int.from_bytes(rng.bytes(bits // 8), "little")
