"""A fault in every table that proposer and prover share, which no proof sees: each is seen by
executing what the table says.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

import pytest

from tests.children import Done, in_children
from tests.planted import tables
from tests.transplant import replaced, transplant

_MEANING: Final = "frontends.llvm.meaning"

# What sees it, and the fault: a module, and in it the only occurrence of what becomes what.
_FAULTS: Final = (
    ("bounds", f"{_MEANING}.bounds", '"mul": lambda row: row[0] * row[1]', '"mul": sum'),
    ("bounds", f"{_MEANING}.bounds", '"umin": min, "umax": max', '"umin": min, "umax": min'),
    ("bounds", f"{_MEANING}.bounds", "_INTRINSICS.get(intrinsic_of(i))",
     '_INTRINSICS.get(i.callee.partition(".")[0])'),
    ("bounds", f"{_MEANING}.bounds", "_OPCODES.get(i.opcode)",
     '_OPCODES.get(i.callee.rpartition(".")[0] or i.opcode)'),
    ("definedness", "frontends.llvm.windows.knowledge", "at < vector.count",
     "at <= vector.count"),
    ("meanings", f"{_MEANING}.lower", "rows = ((b.ite(k, e, f)", "rows = ((b.ite(k, f, e)"),
    ("meanings", f"{_MEANING}.intrinsics", '"umin": (2, 0, _plain(d.umin))',
     '"umin": (2, 0, _plain(d.smin))'),
    ("meanings", f"{_MEANING}.intrinsics", '"umax": d.umax,', '"umax": d.smax,'),
    ("meanings", f"{_MEANING}.intrinsics", "lambda n, x: x[::-1]", "lambda n, x: x"),
    ("joins", "isel.ir.joins", 'zext="umax", sext="smax"', 'zext="smax", sext="smax"'),
    ("joins", "isel.ir.joins", '"umin": ones,', '"umin": 0,'),
    ("joins", "frontends.llvm.windows.webs", "    name = intrinsic_of(i)\n",
     '    name = i.callee.removeprefix("llvm.").partition(".")[0]\n'),
    ("joins", "frontends.llvm.windows.webs", "return name if i.known and reduces",
     'return "umin" if i.known and reduces'),
    ("spreads", f"{_MEANING}.spread", "m - k * shape[0] in lanes", "m in lanes"),
    ("spreads", f"{_MEANING}.spread", "intrinsic_of(i) in LANEWISE",
     'i.callee.partition(".")[0] in LANEWISE'),
)  # fmt: skip


@pytest.mark.parametrize("check", sorted({x[0] for x in _FAULTS}))
def test_a_table_agrees_with_what_executes(check: str) -> None:
    assert vars(tables)[check]()


def _with_fault(fault: tuple[str, str, str, str]) -> bool:
    check, name, old, new = fault
    module = import_module(name)
    transplant(module, replaced(module, old, new))
    return bool(vars(tables)[check]())


@pytest.mark.parametrize("fault", _FAULTS, ids=lambda f: f"{f[1].rpartition('.')[2]}: {f[3]}")
def test_a_fault_is_seen(fault: tuple[str, str, str, str]) -> None:
    ((_, found),) = in_children(_with_fault, [fault], jobs=1, seconds=60)
    assert isinstance(found, Done), found
    assert not found.value
