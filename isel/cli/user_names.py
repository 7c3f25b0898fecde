"""What values of LLVM IR are called in the user's source, where debug information says so: a value
by its variable, what is loaded or stored by the variable that points there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from frontends.llvm.text.ast import Function, Instr, Local, Module, Operand
from isel.cli.limits import USER_NAMES_STEPS

_RECORD: Final = re.compile(
    r"#dbg_value\((?:ptr|i\d+|<\d+ x i\d+>) %([\w.$-]+), (!\d+), !DIExpression\(\)"
)
_VARIABLE: Final = re.compile(r'^(!\d+) = .*!DILocalVariable\(name: "([^"]*)"')


def user_names(module: Module, function: Function) -> dict[str, str]:
    """Return the user's names by those of values, without the ``%``."""
    body = module.lines[function.first : function.last]
    known = {m[1]: m[2] for line in body for m in _RECORD.finditer(line)}
    if not known:
        return {}
    variables = {m[1]: m[2] for line in module.lines if (m := _VARIABLE.match(line))}
    found = {name: variables[node] for name, node in known.items() if node in variables}
    _note_accesses(function, found)
    _note_addresses(function, found)
    return found


def _note_accesses(function: Function, found: dict[str, str]) -> None:
    """Name what is loaded and what is stored."""
    for i in function.view:
        if i.opcode == "load":
            _note(found, i.name, _variable_at(function, i.operands[0], found))
        elif i.opcode == "store" and isinstance(i.operands[0], Local):
            _note(found, i.operands[0].name, _variable_at(function, i.operands[1], found))


def _note_addresses(function: Function, found: dict[str, str]) -> None:
    """Name addresses, last: what is loaded there is asked for by its own name."""
    for i in function.view:
        if i.opcode == "getelementptr":
            _note(found, i.name, _variable_at(function, i.operands[1], found))


def _note(found: dict[str, str], name: str, user: str) -> None:
    if name and user:
        found.setdefault(name, user)


def _variable_at(function: Function, pointer: Operand, known: Mapping[str, str]) -> str:
    """Return the variable that an address is made of."""
    for _ in range(USER_NAMES_STEPS):
        if not isinstance(pointer, Local):
            return ""
        if pointer.name in known:
            return known[pointer.name]
        made = function.view.definition(pointer)
        if made is None or made.opcode not in ("getelementptr", "phi"):
            return ""
        pointer = _base(made)
    return ""


def _base(made: Instr) -> Operand:
    """Return what an address is computed from: of a phi the first value."""
    return made.operands[1] if made.opcode == "getelementptr" else made.operands[0]


def say(texts: Sequence[str], known: Mapping[str, str]) -> list[str]:
    """Return texts such as ``%16`` and ``load %p`` with the user's names before them, one that
    several texts share with the value behind it.
    """
    own = [known.get(text.rpartition("%")[2], "") for text in texts]
    return [
        text if not name else name if own.count(name) == 1 else f"{name} ({text})"
        for text, name in zip(texts, own, strict=True)
    ]


def in_users_words(lines: Sequence[str], said: Mapping[str, str]) -> list[str]:
    """Return lines of a formula with what :func:`say` calls its values, by their texts."""
    for text, name in said.items():
        if text != name and "(" not in name:
            pattern = re.compile(rf"(?<![\w%.]){re.escape(text)}(?![\w.])")
            lines = [pattern.sub(name, line) for line in lines]
    return list(lines)
