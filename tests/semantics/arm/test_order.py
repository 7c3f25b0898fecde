"""Operations of ASL in which the order of the operands matters: lanes against Python's integers,
on corners and random values; swapped operands of a difference are found by that, and by executing.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.expr import leaves
from isel.spec.instruction import Instruction
from isel.spec.sem import read_entries
from semantics.arm.importer import execute, run
from semantics.arm.importer.run import FILES, import_list
from semantics.arm.joined import joined
from semantics.arm.target import Arm
from semantics.fuzz import fuzz

T = TypeVar("T")
_CORNERS: Final = (0, 1, 2, 5, 7, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFB, 0xFFFF)
_RANDOM: Final = random.Random("order")
_PAIRS: Final = [(x, y) for x in _CORNERS for y in _CORNERS] + [
    (_RANDOM.getrandbits(16), _RANDOM.getrandbits(16)) for _ in range(40)
]
_ENCODING: Final = """__instruction ours_{name}
    __encoding ours_{name}
        __instruction_set A64
        __field Rm 16 +: 5
        __field Rn 5 +: 5
        __field Rd 0 +: 5
        __opcode '{code:011b} xxxxx 000000 xxxxx xxxxx'
        __guard TRUE
        __decode
            integer last = 7;

    __execute
        bits(128) result;
        for k = 0 to last
            bits(16) x = Elem[V[UInt(Rn)], k, 16];
            bits(16) y = Elem[V[UInt(Rm)], k, 16];
            integer z = {value};
            Elem[result, k, 16] = z[15:0];
        V[UInt(Rd)] = result;
"""


def signed(v: int) -> int:
    return v - 0x10000 if v > 0x7FFF else v


# What a lane is in ASL, and in Python; `x` and `y` are unsigned there, `s` and `t` the same signed.
ROWS: Final[dict[str, tuple[str, Callable[[int, int, int, int], int]]]] = {
    "bits": ("UInt(x - y)", lambda x, y, s, t: x - y),
    "bits_less_number": ("UInt(x - 5)", lambda x, y, s, t: x - 5),
    "unsigned": ("(UInt(x) - UInt(y)) >> 1", lambda x, y, s, t: (x - y) >> 1),
    "signed": ("(SInt(y) - SInt(x)) >> 1", lambda x, y, s, t: (t - s) >> 1),
    "number_less": ("5 - UInt(x)", lambda x, y, s, t: 5 - x),
    "less_number": ("(SInt(x) - 5) >> 2", lambda x, y, s, t: (s - 5) >> 2),
    "right": ("UInt(x) - (UInt(y) - 3)", lambda x, y, s, t: x - (y - 3)),
    "left": ("(UInt(x) - UInt(y) - 3) >> 1", lambda x, y, s, t: (x - y - 3) >> 1),
    "product": ("SInt(x) * 3 - SInt(y)", lambda x, y, s, t: s * 3 - t),
    "negated": ("-SInt(x) - UInt(y)", lambda x, y, s, t: -s - y),
    "absolute": ("Abs(SInt(x) - SInt(y) - 2)", lambda x, y, s, t: abs(s - t - 2)),
    "shifted": ("(UInt(x) << 3) - UInt(y)", lambda x, y, s, t: (x << 3) - y),
    "chosen": (
        "if UInt(x) < UInt(y) then UInt(y) - UInt(x) else 9",
        lambda x, y, s, t: y - x if x < y else 9,
    ),
    "ordered": ("if SInt(x) <= SInt(y) then 1 else 2", lambda x, y, s, t: 1 if s <= t else 2),
    "complement": ("UInt(NOT(x) AND y)", lambda x, y, s, t: ~x & y),
}


def entry(name: str, mnemonic: str) -> object:
    return {
        "name": name,
        "return_type": {"value": "uint16x8_t"},
        "arguments": ["uint16x8_t a", "uint16x8_t b"],
        "Arguments_Preparation": {"a": {"register": "Vn.8H"}, "b": {"register": "Vm.8H"}},
        "instruction_group": "Ours|All",
        "base_instruction": [mnemonic],
        "operands": "Vd.8H,Vn.8H,Vm.8H",
    }


def assembled(lines: Iterable[str]) -> dict[str, tuple[int, str]]:
    """Encode ``OP7 v0.8h,v1.8h,v2.8h`` as ours."""
    found: dict[str, tuple[int, str]] = {}
    for line in lines:
        code, d, n, m = map(int, re.findall(r"(?:op|v)(\d+)", line))
        found[line] = (code << 21 | m << 16 | n << 5 | d, "")
    return found


def imported(
    folder: Path, monkeypatch: pytest.MonkeyPatch, bodies: Sequence[tuple[str, str]]
) -> dict[str, Instruction]:
    """Import instructions of these names and values."""
    monkeypatch.setattr(run, "words", assembled)
    asl = (
        _ENCODING.format(name=name, code=k, value=value) for k, (name, value) in enumerate(bodies)
    )
    (folder / FILES[0]).write_text("\n".join(asl))
    (folder / FILES[1]).write_text("// none\n")
    rows = json.dumps([entry(name, f"OP{k}") for k, (name, _) in enumerate(bodies)])
    found = import_list(rows.encode(), str(folder / "list.json"))
    assert not found.problems and not found.unsupported
    (text,) = found.files.values()
    return {i.name: i for i in read_entries(text, "ours.sem", check=False, bare=True).instructions}


def wrong(found: dict[str, Instruction]) -> set[str]:
    """Return the rows whose lane 3 is another value for some operands."""
    return {
        name
        for name, i in found.items()
        if any(
            lane(i, x, y) != ROWS[name][1](x, y, signed(x), signed(y)) & 0xFFFF for x, y in _PAIRS
        )
    }


def lane(i: Instruction, x: int, y: int) -> int:
    term = i.lane(3, {})
    given = {"a": x << 48, "b": y << 48}
    env = {e: given[e.source] >> e.offset & (1 << e.width) - 1 for e in leaves(term)}
    return evaluate(term, env, Integer())


def swapped(function: Callable[[str, T, T], T], only: str = "-") -> Callable[[str, T, T], T]:
    return lambda op, x, y: function(op, y, x) if op == only else function(op, x, y)


def test_lanes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = imported(tmp_path, monkeypatch, [(n, value) for n, (value, _) in ROWS.items()])
    assert set(found) == set(ROWS) and wrong(found) == set()


@pytest.mark.parametrize(
    ("planted", "rows"),
    [
        ("on_bits", {"bits", "bits_less_number"}),
        ("on_integers", {"unsigned", "signed", "number_less", "less_number", "right", "left"}),
    ],
)
def test_swapped_operands_of_a_difference_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str, rows: set[str]
) -> None:
    monkeypatch.setattr(execute, planted, swapped(getattr(execute, planted)))
    found = imported(tmp_path, monkeypatch, [(n, value) for n, (value, _) in ROWS.items()])
    assert rows <= wrong(found)


@dataclass(frozen=True)
class Only(Arm):
    """The target with other instructions."""

    changed: tuple[Instruction, ...] = ()

    def instructions(self) -> Sequence[Instruction]:
        return self.changed


@pytest.mark.tools
@pytest.mark.parametrize("planted", ["", "on_bits"])
def test_they_are_found_by_executing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    """The emission is what clang says of the entry, whoever imports its meaning."""
    if planted:
        monkeypatch.setattr(execute, planted, swapped(getattr(execute, planted)))
    found = imported(tmp_path, monkeypatch, [("vsubq_u16", "UInt(x - y)")])
    ((difference, _),) = joined(found["vsubq_u16"])
    report = fuzz(Only((difference,)), 100, seed=5)
    assert {d.name for d in report.disagreements} == ({"vsubq_u16"} if planted else set())
    assert report.tested == ("vsubq_u16",)
