"""The operands of an entry: which register holds which argument, and the lines of assembly that
apply its instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Final

from isel.ir.expr import Expr, const, elem
from semantics.arm.importer.registers import Registers
from semantics.arm.importer.spec import Argument, Intrinsic, parameters_of
from semantics.importing.simplify import joined

NUMBERS: Final = {"d": 0, "n": 1, "m": 2, "a": 3}
_LETTERS: Final = "dnma"
_TABLE: Final = 4  # the first register of a table; the others follow
_VECTOR: Final = re.compile(r"\bV([dnma])(?:\+(\d))?\.")
_SCALAR: Final = re.compile(r"\b([BHSDQ])([dnma])\b")
_GENERAL: Final = re.compile(r"\b([WXRwxr])([dnma])\b")
_SHIFTED: Final = re.compile(r"\((\w+)<<(\d)\)")
_ONE: Final = re.compile(r"\bv(\d)\.1d\b")


class NoRegister(Exception):
    """An argument that no register of the instruction can hold."""


def templates(entry: Intrinsic) -> Iterator[str]:
    """Yield what the instruction may be in assembly, immediates by their names."""
    table = "{" in entry.operands
    text = _VECTOR.sub(lambda m: f"v{_number(m[1], table) + int(m[2] or 0)}.", entry.operands)
    text = _SCALAR.sub(lambda m: f"{m[1].lower()}{NUMBERS[m[2]]}", text)
    text = re.sub(r"\.(\d*)([BHSDQ])\b", lambda m: f".{m[1]}{m[2].lower()}", text)
    text = re.sub(r"(?<![#\w])(imm\d)$", r"#\1", text)
    text = re.sub(r"\b[bhsdq](\d)\.d\[", r"v\1.d[", text).replace(".4s[", ".s[")
    name = entry.instructions[0].lower()
    for size in "wx":
        sized = _GENERAL.sub(partial(_general, size), text)
        yield f"{name} {sized}"
        if _ONE.search(sized):
            yield name + " " + _ONE.sub(r"d\1", sized)
        if size == "w" and sized == text:
            return


def _general(size: str, m: re.Match[str]) -> str:
    return f"{size if m[1] in 'Rr' else m[1].lower()}{NUMBERS[m[2]]}"


def _number(letter: str, table: bool) -> int:
    return _TABLE if table and letter == "n" else NUMBERS[letter]


def choices(entry: Intrinsic) -> list[dict[str, int]]:
    """Return all assignments of the immediates."""
    named = [a for a in entry.arguments if a.legal]
    return [
        dict(zip((a.name for a in named), values, strict=True))
        for values in product(*(a.legal for a in named))
    ]


def line(template: str, immediates: Mapping[str, int]) -> str:
    """Return the line of assembly for values of the immediates."""
    text = _SHIFTED.sub(
        lambda m: str(immediates[m[1]] << int(m[2])) if m[1] in immediates else m[0], template
    )
    for name, value in immediates.items():
        text = re.sub(rf"(?<=[#\[]){name}\b", str(value), text)
    return text


def registers(entry: Intrinsic) -> Registers:
    """Return the registers with the arguments in them; raise :class:`NoRegister`."""
    vectors: dict[int, Expr] = {}
    general: dict[int, Expr] = {}
    table = "{" in entry.operands
    for a, letter in _letters(entry):
        if a.register[:1] in "RrWXx" and a.register:
            general[NUMBERS[letter]] = elem(a.name, 0, a.kind.bits)
            continue
        for k, term in enumerate(_held(a, table and letter == "n")):
            vectors[_number(letter, table) + k] = term
    return Registers(vectors, general)


def _letters(entry: Intrinsic) -> list[tuple[Argument, str]]:
    """Return the letter of the register of each argument; where the list gives none it is the
    next in the order of the operands.
    """
    found: list[tuple[Argument, str]] = []
    values = [a for a in entry.arguments if not a.legal]
    for k, a in enumerate(values):
        m = re.search(r"[VBHSDQRWXrx]([dnma])(?![a-z])", a.register)
        if m is not None:
            found.append((a, m[1]))
            continue
        if found:
            at = _LETTERS.index(found[-1][1]) + 1
        else:
            after = re.search(r"V([dnma])", values[k + 1].register if k + 1 < len(values) else "")
            at = _LETTERS.index(after[1]) - 1 if after else 1
        if not 0 <= at < len(_LETTERS):
            raise NoRegister(f"no register for '{a.name}'")
        found.append((a, _LETTERS[at]))
    return found


def _held(a: Argument, table: bool) -> list[Expr]:
    """Return what the registers of an argument hold, from the first: tables of 64 bits lie two in a
    register, with zeros above the last.
    """
    parts = [elem(p.name, 0, p.bits) for p in parameters_of(a)]
    if not table or parts[0].width == 128:
        return parts
    if len(parts) % 2:
        parts.append(const(0, 64))
    return [joined(high, low) for low, high in zip(parts[::2], parts[1::2], strict=True)]
