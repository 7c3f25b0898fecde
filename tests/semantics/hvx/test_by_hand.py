"""Instructions of HVX on numbers worked out by hand from what the programmer's reference manual says
of them: the formulas come from QEMU's text, and QEMU, which they are executed under, was built from
it, so this is where a mistake of that text would show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from isel.ir.ops import Lanes, unsigned_dtype
from isel.spec.instruction import Instruction, Operand
from semantics.hvx.target import target
from semantics.meaning import results


@dataclass(frozen=True)
class Worked:
    """Operands, as their first elements, as bytes whatever their elements, or (a general register)
    as one number; and elements of the result by their place.
    """

    name: str
    operands: Mapping[str, Sequence[int] | bytes | int]
    expected: Mapping[int, int]
    immediates: Mapping[str, int] = field(default_factory=dict)


BYTES = bytes(range(128))
WORKED = (
    # The average of unsigned bytes, half a step up: (255 + 254 + 1) / 2, (1 + 2 + 1) / 2.
    Worked(
        "Q6_Vub_vavg_VubVub_rnd",
        {"Vu": [255, 1, 255, 0], "Vv": [254, 2, 255, 1]},
        {0: 255, 1: 2, 2: 255, 3: 1},
    ),
    # The same without rounding, signed: (-128 + 127) >> 1, (-3 + 0) >> 1.
    Worked("Q6_Vb_vavg_VbVb", {"Vu": [-128, -3], "Vv": [127, 0]}, {0: -1, 1: -2}),
    # Half of a difference of unsigned bytes, signed: (0 - 255) >> 1, (255 - 0) >> 1.
    Worked("Q6_Vb_vnavg_VubVub", {"Vu": [0, 255], "Vv": [255, 0]}, {0: -128, 1: 127}),
    # A product of bytes is a pair: of the even ones below, of the odd ones above.
    Worked(
        "Q6_Wuh_vmpy_VubVub",
        {"Vu": [255, 2, 3, 4], "Vv": [255, 10, 100, 200]},
        {0: 65025, 1: 300, 64: 20, 65: 800},
    ),
    # Halves of words by words: the odd halves, and the even ones.
    Worked(
        "Q6_Ww_vmpy_VhVh",
        {"Vu": [-32768, 7, 2, 3], "Vv": [-32768, -3, 5, 11]},
        {0: 1 << 30, 1: 10, 32: -21, 33: 33},
    ),
    # Sums of four products within a word: unsigned by signed.
    Worked(
        "Q6_Vw_vrmpy_VubVb",
        {"Vu": [255, 255, 255, 255, 1, 2, 3, 4], "Vv": [-128] * 4 + [1, -1, 1, -1]},
        {0: -130560, 1: -2},
    ),
    # A narrowing shift: the even bytes come from the second vector; 1000 >> 2, 2000 >> 2, -5 >> 2.
    Worked(
        "Q6_Vub_vasr_VhVhR_sat",
        {"Vu": [2000, -5], "Vv": [1000, 8], "Rt": 2},
        {0: 250, 1: 255, 2: 2, 3: 0},
    ),
    # Only three bits of the count are read, and what is shifted out rounds: (21 + 2) >> 2.
    Worked("Q6_Vub_vasr_VhVhR_rnd_sat", {"Vu": [21], "Vv": [22], "Rt": 10}, {0: 6, 1: 5}),
    # The halves of a vector, an element of each in turn; and back.
    Worked("Q6_Vb_vshuff_Vb", {"Vu": BYTES}, {0: 0, 1: 64, 2: 1, 3: 65, 127: 127}),
    Worked("Q6_Vb_vdeal_Vb", {"Vu": BYTES}, {0: 0, 1: 2, 63: 126, 64: 1, 65: 3}),
    # A pair whose vectors swap what bit 0 and bit 1 of a byte's number tell apart.
    Worked(
        "Q6_W_vshuff_VVR_1",
        {"Vu": bytes(range(200, 240)), "Vv": BYTES},
        {0: 0, 1: 200, 2: 2, 3: 202, 128: 1, 129: 201},
    ),
    # Of the eight tables of 32 bytes that of Rt's number; entries are every other byte.
    Worked("Q6_Vb_vlut32_VbVbR", {"Vu": [3, 40, 31], "Vv": BYTES, "Rt": 0}, {0: 6, 1: 0, 2: 62}),
    Worked("Q6_Vb_vlut32_VbVbR", {"Vu": [65, 1, 95], "Vv": BYTES, "Rt": 2}, {0: 3, 1: 0, 2: 63}),
    Worked("Q6_Vb_vlut32_VbVbI", {"Vu": [65, 1], "Vv": BYTES}, {0: 3, 1: 0}, {"imm": 2}),
    # A predicate has a bit for each byte.
    Worked(
        "Q6_V_vmux_QVV",
        {"Qt": [1, 0, 0, 1], "Vu": [1] * 4, "Vv": [2] * 4},
        {0: 1, 1: 2, 2: 2, 3: 1},
    ),
    # Comparisons that add to a predicate: exclusive or, with unsigned bytes; or, with signed halves.
    Worked(
        "Q6_Q_vcmp_gtxacc_QVubVub",
        {"Qx": [1, 1, 0, 0], "Vu": [200, 1, 200, 1], "Vv": [100] * 4},
        {0: 0, 1: 1, 2: 1, 3: 0},
    ),
    Worked(
        "Q6_Q_vcmp_gtor_QVhVh",
        {"Qx": [0, 0, 1, 0], "Vu": [1, -1], "Vv": [-1, 1]},
        {0: 1, 1: 1, 2: 1, 3: 0},
    ),
    # Two products whose sum, 2 ** 31, is more than a word holds.
    Worked(
        "Q6_Vw_vdmpy_VhVh_sat",
        {"Vu": [-32768] * 2 + [1, 2], "Vv": [-32768] * 2 + [3, 4]},
        {0: (1 << 31) - 1, 1: 11},
    ),
    # The only product that doubling overflows; and 0x4000 * 3 * 2 = 0x18000, half a step above 1.
    Worked(
        "Q6_Vh_vmpy_VhVh_s1_rnd_sat",
        {"Vu": [-32768, 0x4000], "Vv": [-32768, 3]},
        {0: 32767, 1: 2},
    ),
    # Counts are signed: 1 << 3, -16 >> 2, and all the way out.
    Worked("Q6_Vh_vasl_VhVh", {"Vu": [1, -16, -1], "Vv": [3, -2, -16]}, {0: 8, 1: -4, 2: -1}),
    Worked("Q6_Vw_vlsr_VwVw", {"Vu": [-1, -1, 5], "Vv": [31, -4, -32]}, {0: 1, 1: -16, 2: 0}),
    # Bytes from the second vector on, then the first.
    Worked(
        "Q6_V_valign_VVR",
        {"Vu": bytes(range(200, 240)), "Vv": BYTES},
        {0: 3, 124: 127, 125: 200},
        {"Rt": 3},
    ),
    Worked("Q6_Vh_vabs_Vh_sat", {"Vu": [-32768, -5, 5]}, {0: 32767, 1: 5, 2: 5}),
    Worked("Q6_Vuh_vcl0_Vuh", {"Vu": [0, 1, 0x8000]}, {0: 16, 1: 15, 2: 0}),
    Worked("Q6_Vh_vnormamt_Vh", {"Vu": [0, -1, 1, -256]}, {0: 15, 1: 15, 2: 14, 3: 7}),
)


@pytest.mark.parametrize("w", WORKED, ids=lambda w: f"{w.name}-{next(iter(w.expected.values()))}")
def test_worked(w: Worked) -> None:
    i = target().by_name[w.name]
    operands = {o.name: elements(o, w.operands[o.name]) for o in i.operands}
    (found,) = results(i, w.immediates, operands, 1)
    mask = (1 << i.width) - 1
    assert {at: int(found[at]) for at in w.expected} == {k: v & mask for k, v in w.expected.items()}


def elements(o: Operand, given: Sequence[int] | bytes | int) -> Lanes:
    """Return a row of an operand, zeros where nothing is given."""
    if isinstance(given, bytes):
        given = int.from_bytes(given, "little")
    some = [given >> k * o.width for k in range(o.lanes)] if isinstance(given, int) else given
    row = [x & ((1 << o.width) - 1) for x in some] + [0] * (o.lanes - len(some))
    return np.array([row], dtype=unsigned_dtype(o.width))


def test_ten_kinds() -> None:
    """Ten groups of instructions by mnemonic."""
    named: dict[str, Instruction] = {w.name: target().by_name[w.name] for w in WORKED}
    assert len({i.mnemonic for i in named.values()}) >= 10
