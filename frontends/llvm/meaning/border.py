"""What a refinement proof knows of everything that surrounds integer operations: one table,
``border.tsv``.

A row says of an attribute, a word of a function's head, a flag or a kind of metadata what the proof
does with it. What is in no row is refused, so that what a later LLVM adds cannot slip through.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Final, TypeAlias

from frontends.llvm.text.ast import Instr
from frontends.llvm.text.calls import read_attributes
from frontends.llvm.text.identity import Contents, tokens
from frontends.llvm.text.tokens import Cursor, rows_of


class Rule(Enum):
    """What a proof does with something."""

    MODELLED = "executed: the sides may differ"
    TRUE = "no code that can be executed breaks it: the sides may differ"
    CALLER = "a promise of the caller: the target may lack it"
    ALIKE = "the same on both sides"
    PROMISE = (
        "the same on both sides; breaking it is undefined behaviour that is not modelled, so no "
        "counterexample counts"
    )
    DROPPED = "the target may lack it, and has none that the source lacks"
    SOURCE = (
        "a promise that is not modelled: none in the target that the source lacks, and no "
        "counterexample counts"
    )


Rows: TypeAlias = dict[str, Rule]


_NUMBERED: Final = re.compile(r"cc\d+")  # a convention without a name
_FILE: Final = Path(__file__).with_name("border.tsv")
_ROWS: Final = {k: {x: Rule[r] for x, r in own.items()} for k, own in rows_of(_FILE).items()}
_FLAG: Final = "flag of "
TABLE: Final[Mapping[str, Rows]] = {x: r for x, r in _ROWS.items() if not x.startswith(_FLAG)}
FLAGS: Final[Mapping[str, frozenset[str]]] = {
    x.removeprefix(_FLAG): frozenset(r) for x, r in _ROWS.items() if x.startswith(_FLAG)
}
_TUNING: Final = ('"min-legal-vector-width"', '"prefer-vector-width"', '"tune-cpu"')
_NODES: Final = re.compile(r"!\d+")
_CHAR: Final = re.compile(r'!\{!"omnipotent char", (!\d+), i64 0\}')
_ROOT: Final = re.compile(r'!\{!"Simple C(?:/C)?\+\+ TBAA"\}')


def is_tuning(text: str) -> bool:
    """Tell whether an attribute says how code is to be made, not what it is to do."""
    return text.partition("=")[0] in _TUNING


def rule_of(place: str, text: str) -> Rule | None:
    """Return the rule for an attribute or a kind of metadata as it is written, None where there
    is none.
    """
    if text[:1] == '"':
        return Rule.TRUE if is_tuning(text) else TABLE[place].get('"…"')
    word = next((t for t in tokens(text)), "")
    return TABLE[place].get("cc" if _NUMBERED.fullmatch(word) else word)


def whole(text: str) -> list[str]:
    """Return the attributes of a text, and what follows them as one more."""
    c = Cursor(text)
    found = read_attributes(c)
    return found if not c.token else [*found, c.token]


def why_refused(i: Instr, contents: Contents) -> str:
    """Return what of an instruction is in no row, empty if all of it is in one."""
    flags = i.flags - FLAGS.get(i.opcode, frozenset())
    if flags:
        return f"'{min(flags)}' of '{i.opcode}'"
    place = f"metadata of a {i.opcode}" if i.opcode in ("load", "store") else "metadata"
    bad = next((kind for kind, _ in i.metadata if kind not in TABLE[place]), None)
    if bad is not None:
        memory = "memory: " if i.opcode in ("load", "store") else ""
        return f"{memory}the metadata !{bad} of '{i.opcode}'"
    bad = next((a for where, a in said(i, contents) if rule_of(where, a) is None), None)
    return f"the attribute '{bad}' of a call of '{i.callee}'" if bad is not None else ""


def said(i: Instr, contents: Contents) -> list[tuple[str, str]]:
    """Return the attributes of a call, each with where it stands."""
    found: list[tuple[str, str]] = []
    for a in i.attributes if i.opcode == "call" else ():
        text, at, _ = a.rpartition(" @")
        if at:
            found.append(("operand of a call", text))
        else:
            found += [
                ("call", x) for x in (whole(contents.group(a)) if a in contents.named else [a])
            ]
    return found


def uncertain(i: Instr, contents: Contents) -> str:
    """Return which promise of an instruction of the source is not modelled, so that no
    counterexample counts.
    """
    place = f"metadata of a {i.opcode}" if i.opcode in ("load", "store") else "metadata"
    promised = [
        f"!{kind}"
        for kind, text in i.metadata
        if TABLE[place].get(kind) is Rule.SOURCE and kind != "tbaa"  # which takes two accesses
    ]
    promised += [a for where, a in said(i, contents) if rule_of(where, a) is Rule.SOURCE]
    return f"what breaks '{promised[0]}' is not modelled" if promised else ""


def says_nothing(kind: str, text: str, contents: Contents) -> bool:
    """Tell whether metadata of an access promises nothing: ``tbaa`` with C's ``char``, which all of
    C's types lie below, so that it may alias each of them.
    """
    if kind != "tbaa":
        return False
    base, *access = _NODES.findall(contents.named.get(text, text))
    found = _CHAR.fullmatch(contents.named.get(base, ""))
    if access != [base] or found is None:
        return False
    return _ROOT.fullmatch(contents.named.get(found[1], "")) is not None
