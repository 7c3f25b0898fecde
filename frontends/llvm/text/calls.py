"""Calls: attributes, callee, arguments, bundles and the labels of an invoke."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.text.ast import Operand, PtrType, Type
from frontends.llvm.text.operands import (
    METADATA,
    VOID,
    read_label,
    read_operand,
    read_type,
    starts_type,
)
from frontends.llvm.text.tokens import Cursor, NotUnderstood

_HEX: Final = re.compile(r"[fsu]0x")
_CONSTANTS: Final = frozenset((
    "true", "false", "poison", "undef", "null", "none", "zeroinitializer", "splat",
    "getelementptr", "ptrtoint", "ptrtoaddr", "inttoptr", "trunc", "bitcast", "addrspacecast",
    "blockaddress", "dso_local_equivalent", "no_cfi", "ptrauth", "add", "sub", "xor", "asm",
    "c", "nan", "inf",
))  # fmt: skip
_NUMBERED: Final = frozenset(
    ("align", "dereferenceable", "dereferenceable_or_null", "alignstack", "cc")
)


@dataclass(slots=True)
class Draft:
    """What has been read of an instruction so far."""

    type: Type = VOID
    operands: list[Operand] = field(default_factory=list)
    predicate: str = ""
    mask: tuple[int | None, ...] = ()
    callee: str = ""
    align: int = 0
    flags: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)
    metadata: list[tuple[str, str]] = field(default_factory=list)
    known: bool = True


def _is_attribute(token: str) -> bool:
    return (token[0].isalpha() or token[0] in '"_') and not starts_type(token)


def read_attributes(c: Cursor) -> list[str]:
    """Read attributes up to a type, a value or a bracket that is no part of one."""
    found: list[str] = []
    while (
        (token := c.token)
        and token not in _CONSTANTS
        and _HEX.match(token) is None
        and _is_attribute(token)
    ):
        start = c.at
        c.at += 1
        if c.token == "(":
            c.skip_balanced()
        elif c.token == "=":
            c.at += 2
        elif token in _NUMBERED and c.token.isdecimal():
            c.at += 1
        found.append(c.since(start))
    return found


def read_result(c: Cursor) -> Type:
    """Read a call's result type, stepping over the parameters of a function type."""
    kind = read_type(c)
    if c.token == "(":
        c.skip_balanced()
    return kind


def read_call(c: Cursor, d: Draft) -> None:
    """Read a call after its flags: attributes, type, callee, arguments and what follows up to
    the metadata.
    """
    d.attributes += read_attributes(c)
    d.type = read_result(c)
    indirect = _callee(c, d)
    _arguments(c, d)
    if indirect is not None:
        d.operands.append(indirect)
    while c.token[:1] == "#" or (c.token and c.token not in ("[", "to", ",")):
        d.attributes += [c.next()] if c.token[:1] == "#" else _some(read_attributes(c))
    if c.token == "[":
        d.known = False
        c.skip_balanced()


def _some(attributes: list[str]) -> list[str]:
    if not attributes:
        raise NotUnderstood("something that is no attribute")
    return attributes


def _callee(c: Cursor, d: Draft) -> Operand | None:
    if c.token[:1] == "@":
        d.callee = c.next()[1:]
        return None
    d.known = False
    if c.token[:1] == "%":
        return read_operand(c, PtrType())
    while c.token and c.token != "(":  # inline assembly or a constant expression
        c.at += 1
    if c.tokens[c.at - 1] in ("inttoptr", "getelementptr", "bitcast", "addrspacecast", "inbounds"):
        c.skip_balanced()
    return None


def _arguments(c: Cursor, d: Draft) -> None:
    c.expect("(")
    index = 0
    while not c.take(")"):
        kind = read_type(c)
        d.attributes += (
            [f"{attribute} @{index}" for attribute in read_attributes(c)]
            if c.token[:1] != "%" and kind is not METADATA
            else []
        )
        d.operands.append(read_operand(c, kind))
        index += 1
        if not c.take(",") and c.token != ")":
            raise NotUnderstood(f"{c.token!r} in a call")


def read_invoke(c: Cursor, d: Draft) -> None:
    """Read an invoke or callbr: a call with labels."""
    read_call(c, d)
    d.known = False
    while c.token and c.token != ",":
        if c.token == "label":
            d.operands.append(read_label(c))
        else:
            c.at += 1
