"""Debug information: records as calls, fields that came later left out.

It says nothing about what code does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frontends.llvm.dialect.known import words
from frontends.llvm.dialect.tape import Tape

_RECORDS: Final = 19
_ASSIGNED: Final = 16
_OPERANDS: Final[Mapping[str, int]] = {
    "#dbg_value": 3,
    "#dbg_declare": 3,
    "#dbg_label": 1,
    "#dbg_assign": 6,
}
# Fields by node and the version that first reads them.
FIELDS: Final = {x: int(v) for x, v in words()["field"].items()}
_REFUSED: Final = {"sourceLanguageName": 22}
_NODES: Final[Mapping[str, int]] = {"!DISubrangeType": 21, "!DIFixedPointType": 21}


def say_records(tape: Tape) -> str:
    """Say debug information in older words; return the declarations that it needs."""
    used: set[str] = set()
    for k, token in enumerate(tape.tokens):
        if (
            token[:1] == "#"
            and token[:5] == "#dbg_"
            and tape.version < _RECORDS
            and tape.at(k + 1) == "("
        ):
            used.add(_say_record(tape, k))
        elif token[:3] == "!DI" and tape.at(k + 1) == "(":
            _say_node(tape, k)
    declared = {
        tape.tokens[k]
        for k in range(len(tape.tokens))
        if tape.tokens[k][:10] == "@llvm.dbg." and tape.tokens[tape.of_call(k)] == "declare"
    }
    return "".join(_declaration(name) for name in sorted(used) if f"@llvm.{name}" not in declared)


def _declaration(name: str) -> str:
    operands = ", ".join(["metadata"] * _OPERANDS["#" + name.replace(".", "_")])
    return f"\ndeclare void @llvm.{name}({operands})\n"


def _say_record(tape: Tape, place: int) -> str:
    """Write a record as a call; return the name of the function called."""
    kind = tape.tokens[place]
    parts = tape.arguments(place + 1)
    if kind not in _OPERANDS or len(parts) != _OPERANDS[kind] + 1:
        raise tape.refused(f"'{kind}'")
    *operands, (location, last) = parts
    if kind == "#dbg_assign" and tape.version < _ASSIGNED:
        tape.drop(operands[3][0] - 1, operands[-1][1])
        kind, operands = "#dbg_value", operands[:3]
    name = kind[1:].replace("_", ".")
    tape.replace(place, f"call void @llvm.{name}")
    for first, _ in operands:
        tape.insert(first, "metadata ")
    tape.replace(location - 1, "),")
    tape.insert(location, "!dbg ")
    tape.drop(last + 1, last + 1)
    return name


def _say_node(tape: Tape, place: int) -> None:
    kind = tape.tokens[place]
    if tape.version < _NODES.get(kind, 0):
        raise tape.refused(f"'{kind}'")
    if kind == "!DIAssignID" and tape.version < _ASSIGNED:
        tape.drop(place, tape.close[place + 1])
        tape.replace(place, "!{}")
    for n, (first, last) in enumerate(parts := tape.arguments(place + 1)):
        field = tape.tokens[first]
        if tape.version < _REFUSED.get(field, 0):
            raise tape.refused(f"'{field}'")
        if tape.version < FIELDS.get(f"{kind}.{field}", 0):
            tape.drop(first - 1 if n else first, last if n or len(parts) == 1 else last + 1)
