"""Parts of lines: with other names, constants as they are spelled, integers of fewer bits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Final

from frontends.llvm.text.ast import Instr, IntType, Literal, Local, Operand, Type, VectorType

LOCAL: Final = re.compile(r'%("(?:[^"\\]|\\.)*"|[-\w$.]+)|"[^"]*"')  # or a string
RESULT: Final = re.compile(r'\s*%("[^"]*"|[-\w$.]+) = ')  # how a line begins that gives a value
LABEL: Final = re.compile(r'("[^"]*"|[-\w$.]+):')  # how that of a block begins
_PROMISES: Final = re.compile(r" (?:inbounds|nusw|nuw|nsw|nneg|samesign)\b")
_EDGE: Final = re.compile(r'\[ (.+?), %("(?:[^"\\]|\\.)*"|[-\w$.]+) \]')


def free_stem(text: str, stem: str) -> str:
    """Return what no name of a module begins with: a stem, with dots where some does."""
    return next(x for n in count() if (x := f"{stem}{'.' * n}") not in text)


def locals_in(text: str) -> list[str]:
    """Return the names of values and labels that a line mentions, in order."""
    return [name for name in LOCAL.findall(text) if name]


def name_numbers(text: str, stem: str) -> str:
    """Return a line with names in place of numbers of values and labels."""
    return LOCAL.sub(lambda m: f"%{stem}{m[1]}" if m[1] and m[1].isdecimal() else m[0], text)


def rename(text: str, names: Mapping[str, str]) -> str:
    """Return a line with other names of values and labels."""
    return LOCAL.sub(lambda m: f"%{names[m[1]]}" if m[1] in names else m[0], text)


def copy(
    instrs: Iterable[Instr], names: Mapping[str, str], edges: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Yield the lines of instructions with other names of values and labels; phis come by other
    ``edges``.
    """
    for i in instrs:
        yield rename(i.text.strip(), {**names, **(edges or {})} if i.opcode == "phi" else names)


def rename_uses(i: Instr, names: Mapping[str, str]) -> str:
    """Return the line of an instruction with other names of what it uses."""
    name, mid, said = i.text.strip().rpartition(" = ")
    return name + mid + rename(said, names)


def respell(text: str, parts: Mapping[str, str]) -> str:
    """Return a line with other parts in place of the names of values and labels."""
    return LOCAL.sub(lambda m: parts[m[1]] if m[1] in parts else m[0], text)


def spelled_edges(phi: Instr) -> dict[str, str]:
    """Return what a phi gets, as it is spelled, by the block that it comes from."""
    return {m[2]: m[1] for m in _EDGE.finditer(phi.text)}


def literal_text(o: Literal) -> str:
    """Return a constant of integers as it is spelled, without its type."""
    if isinstance(o.type, IntType):
        return str(o.lanes[0])
    if not any(o.lanes):
        return "zeroinitializer"
    return "<" + ", ".join(f"{o.type.elem} {x}" for x in o.lanes) + ">"


def spell(o: Operand) -> str:
    """Return a value, or a constant of integers, as it is spelled without its type."""
    if isinstance(o, Literal):
        return literal_text(o)
    return f"%{o.name}" if isinstance(o, Local) else o.text


def without_promises(i: Instr) -> str:
    """Return what computes an address as it is spelled without promises or metadata: a sum that is
    an ``or`` is an ``add`` then.
    """
    text = i.text.strip().partition(", !")[0].replace(" = or disjoint ", " = add ", 1)
    return _PROMISES.sub("", text)


def narrow_kind(kind: Type, bits: int) -> IntType | VectorType:
    """Return the type of as many integers of so many bits."""
    return VectorType(kind.count, IntType(bits)) if isinstance(kind, VectorType) else IntType(bits)


def narrow_literal(o: Literal, bits: int) -> Literal:
    """Return a constant cut to fewer bits."""
    lanes = (x & ((1 << bits) - 1) if isinstance(x, int) else x for x in o.lanes)
    return Literal(narrow_kind(o.type, bits), tuple(lanes))


def is_plain_phi(i: Instr) -> bool:
    """Tell whether a phi promises nothing, and how it spells what it gets is certain."""
    every = len(spelled_edges(i)) == len(i.operands) // 2
    return i.known and not i.flags and every and '"' not in i.text
