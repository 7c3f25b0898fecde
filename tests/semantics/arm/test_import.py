"""The import of a list with its ASL: our own, whose mistakes are told by line; and entries of the
vendor's, as they ship.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isel.errors import FileProblem
from isel.spec.sem import read_entries
from semantics.arm.importer.run import FILES, import_list
from semantics.arm.target import target
from semantics.importing.run import Import
from tests.tools import shared

SPEC = shared() / "specs" / "arm" / "intr.json"
INSTRUCTION = """__instruction our_addition
    __encoding our_addition
        __instruction_set A64
        __field Q 30 +: 1
        __field size 22 +: 2
        __field Rm 16 +: 5
        __field Rn 5 +: 5
        __field Rd 0 +: 5
        __opcode '0x001110 xx1xxxxx 100001xx xxxxxxxx'
        __guard TRUE
        __decode
            if size:Q == '110' then UNDEFINED;
            integer wide = 8 << UInt(size);
            integer count = (if Q == '1' then 128 else 64) DIV wide;

    __execute
        bits(wide * count) sums;
        for k = 0 to count-1
            Elem[sums, k, wide] = Elem[V[UInt(Rn)], k, wide] + Twice(Elem[V[UInt(Rm)], k, wide]);
        V[UInt(Rd)] = sums;
"""
HELPERS = """
// Our own.
bits(N) Twice(bits(N) x)
    return x + x;
"""


def row(name: str, instruction: str = "ADD", operands: str = "Vd.8H,Vn.8H,Vm.8H") -> object:
    return {
        "name": name,
        "return_type": {"value": "uint16x8_t"},
        "arguments": ["uint16x8_t a", "uint16x8_t b"],
        "Arguments_Preparation": {"a": {"register": "Vn.8H"}, "b": {"register": "Vm.8H"}},
        "instruction_group": "Ours|All",
        "base_instruction": [instruction],
        "operands": operands,
    }


def imported(tmp_path: Path, rows: object, asl: str = INSTRUCTION) -> Import:
    (tmp_path / FILES[0]).write_text(asl)
    (tmp_path / FILES[1]).write_text(HELPERS)
    path = tmp_path / "list.json"
    return import_list(json.dumps(rows).encode(), str(path))


@pytest.mark.tools
def test_our_own(tmp_path: Path) -> None:
    found = imported(tmp_path, [row("ours"), row("nobodys", "NOTHING"), row("others", "SUB")])
    assert [e.name for e in found.entries] == ["ours"]
    text = found.files["ours.sem"]
    assert "lane a[i] + " in text and "features neon\n  mnemonic add\n" in text
    assert found.unsupported == {
        "nobodys": "the assembler does not take 'nothing v0.8h,v1.8h,v2.8h'"
    }
    assert [p.message().rpartition("/")[2] for p in found.problems] == [
        "arch_instrs.asl:1: error: others: an encoding nobody decodes"
    ]
    assert imported(tmp_path, [row("ours")]).files == imported(tmp_path, [row("ours")]).files


@pytest.mark.tools
def test_a_mistake_has_its_line_and_the_rest_is_imported(tmp_path: Path) -> None:
    wrong = (
        INSTRUCTION.replace("our_", "other_").replace("100001", "100011").replace("= sums;", "= ;")
    )
    wrong = wrong.replace("'0x001110 xx1", "'0x101110 xx1")
    found = imported(tmp_path, [row("ours"), row("bad", "CMEQ")], INSTRUCTION + wrong)
    assert [e.name for e in found.entries] == ["ours"]
    (problem,) = found.problems
    line = INSTRUCTION.count("\n") + wrong[: wrong.index("= ;")].count("\n") + 1
    assert problem.message().rpartition("/")[2] == (
        f"arch_instrs.asl:{line}: error: bad: ';', expected a value"
    )


def test_lists_that_are_none(tmp_path: Path) -> None:
    found = imported(tmp_path, {"no": "list"})
    assert [p.what for p in found.problems] == ["holds no list of intrinsics"]
    found = imported(tmp_path, [{"name": "half"}])
    assert [(p.intrinsic, p.what) for p in found.problems] == [("half", "KeyError: 'return_type'")]
    (tmp_path / FILES[1]).unlink()
    with pytest.raises(FileProblem) as caught:
        import_list(b"[]", str(tmp_path / "list.json"))
    assert "belong beside the list" in caught.value.message()


@pytest.mark.shared
@pytest.mark.tools
def test_the_vendors_entries_are_what_ships(tmp_path: Path) -> None:
    for name in FILES:
        (tmp_path / name).symlink_to(SPEC.with_name(name))
    rows = json.loads(SPEC.read_bytes())
    some = [r for r in rows if target().by_name.get(r["name"])][::53]
    found = import_list(json.dumps(some).encode(), str(tmp_path / "list.json"))
    assert not found.problems and len(found.entries) == len(some) > 30
    again = [
        i
        for name, text in found.files.items()
        for i in read_entries(text, name, check=False, bare=True).instructions
    ]
    for i in again:
        shipped = target().by_name[i.name]
        assert i.operands == shipped.operands or {o.bits for o in i.operands} == {
            o.bits for o in shipped.operands
        }
        chosen = {m.name: m.values[-1] for m in i.immediates}
        assert [i.lane(k, chosen) for k in range(i.lanes)] == [
            shipped.lane(k, chosen) for k in range(i.lanes)
        ]
