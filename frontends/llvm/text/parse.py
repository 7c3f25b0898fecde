"""A module's text, as LLVM prints it, to :mod:`frontends.llvm.text.ast`; what is not understood is
kept as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from frontends.llvm.text.ast import (
    Argument,
    Block,
    Function,
    Instr,
    Literal,
    Local,
    Module,
    Operand,
    OtherType,
    Type,
)
from frontends.llvm.text.calls import Draft, read_attributes
from frontends.llvm.text.instructions import read_instruction
from frontends.llvm.text.operands import VOID, read_type
from frontends.llvm.text.rewording import LABEL, RESULT, respell
from frontends.llvm.text.tokens import Cursor, NotUnderstood, callee_of

_UNKNOWN: Final = OtherType("?")
_QUOTED: Final = re.compile(r'"[^"]*"')
_LOCAL: Final = re.compile(r'%("[^"]*"|[-\w$.]+)|@"[^"]*"|"[^"]*"|;.*')
_GROUP: Final = re.compile(r"attributes (#\d+) = \{(.*)\}\s*$")
_PROPERTY: Final = re.compile(r'target (triple|datalayout) = "([^"]*)"')
_ATTRIBUTE: Final = re.compile(
    r'"([^"]*)"(?:="([^"]*)")?|([A-Za-z_]\w*)(?:\(((?:[^()]|\([^()]*\))*)\)|=(\d+)|\s+(\d+)(?=\s|$))?'
)
_NO_ATTRIBUTES: Final = re.compile(
    r'#\d+|![-\w.]* ![-\w]*|comdat(?:\([^)]*\))?|personality .*|(?:section|gc|partition) "[^"]*"'
)
_CLAUSES: Final = ("cleanup", "catch ", "filter ")


def parse_module(text: str, only: frozenset[str] | None = None) -> Module:
    """Read a module; total: unknown constructs become instructions with ``known=False``.

    Where ``only`` some functions are of interest, the others have no blocks.
    """
    lines = text.removesuffix("\n").split("\n")
    groups = {name: _attributes(text) for name, text in _read(lines, "attributes #", _GROUP)}
    properties = dict(_read(lines, "target ", _PROPERTY))
    functions = tuple(_function(lines, *at, groups, only) for at in _bodies(lines))
    declared = frozenset(
        name for line in lines if line.startswith("declare ") and (name := callee_of(line)[0])
    )
    return Module(
        tuple(lines),
        functions,
        declared,
        properties.get("triple", ""),
        properties.get("datalayout", ""),
    )


def _read(lines: Sequence[str], start: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield name and text of lines of one kind."""
    for line in lines:
        found = pattern.match(line) if line.startswith(start) else None
        if found is not None:
            yield found[1], found[2]


def _bodies(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    first = -1
    for number, line in enumerate(lines):
        if first < 0 and line.startswith("define "):
            first = number
        elif first >= 0 and line.startswith("}"):
            yield first, number
            first = -1


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for m in _ATTRIBUTE.finditer(text):
        key = m[1] if m[1] is not None else m[3]
        found[key] = next((value for value in (m[2], m[4], m[5], m[6]) if value is not None), "")
    return found


def _function(
    lines: Sequence[str],
    first: int,
    last: int,
    groups: Mapping[str, Mapping[str, str]],
    only: frozenset[str] | None,
) -> Function:
    header = lines[first]
    kind: Type = VOID
    arguments: tuple[Argument, ...] = ()
    attributes: dict[str, str] = {}
    returns: tuple[str, ...] = ()
    name, at = callee_of(header)
    if name:
        kind, returns = _result_type(header[len("define ") : at - len(name) - 1])
        c = Cursor(header[at:])
        arguments = _parameters(c)
        attributes = _function_attributes(header[at:], c, groups)
    types = {a.name: a.type for a in arguments}
    end = last if only is None or name in only else first
    entry = str(sum(a.name.isdecimal() for a in arguments))  # its label, where none is written
    read = list(_blocks(lines, first + 1, end, types, entry))
    blocks = [
        Block(label, tuple(i if i.known else _with_types(i, types) for i in instrs))
        for label, instrs in read
    ]
    return Function(name, kind, arguments, tuple(blocks), attributes, first, last, returns, header)


def _result_type(text: str) -> tuple[Type, tuple[str, ...]]:
    c = Cursor(text)
    found: list[str] = []
    try:
        found = read_attributes(c)
        return read_type(c), tuple(found)
    except NotUnderstood:
        return _UNKNOWN, tuple(found)


def _parameters(c: Cursor) -> tuple[Argument, ...]:
    found: list[Argument] = []
    c.next()
    try:
        while c.token and not c.take(")"):
            if c.take("...") or c.take(","):
                continue
            kind = read_type(c)
            attributes = tuple(read_attributes(c))
            name = c.next()[1:] if c.token[:1] == "%" else str(len(found))
            found.append(Argument(name, kind, attributes))
    except NotUnderstood:
        return tuple(found)
    return tuple(found)


def _function_attributes(
    text: str, c: Cursor, groups: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    found: dict[str, str] = {}
    start = c.at
    while c.token and c.token != "{":
        if c.token[:1] == "#":
            found |= groups.get(c.token, {})
        c.at += 1
    return _attributes(_NO_ATTRIBUTES.sub(" ", c.since(start))) | found


def _blocks(
    lines: Sequence[str], first: int, last: int, types: dict[str, Type], entry: str
) -> Iterator[tuple[str, list[Instr]]]:
    label, instrs, started = entry, list[Instr](), False
    for number, text in _statements(lines, first, last):
        named = None if text[:1] == " " else LABEL.match(text)
        if named is None:
            instr = parse_instruction(text, number)
            if instr.name:
                types[instr.name] = instr.type
            instrs.append(instr)
            started = True
            continue
        if started:
            yield label, instrs
        label, instrs, started = named[1], [], True
    if started:
        yield label, instrs


def _with_types(instr: Instr, types: Mapping[str, Type]) -> Instr:
    """Give mentioned locals their types; what is none (a label, a named type) is dropped."""
    kept = (
        o
        for o in instr.operands
        if not isinstance(o, Local) or o.type != _UNKNOWN or o.name in types
    )
    return replace(
        instr,
        operands=tuple(
            Local(o.name, types[o.name])
            if isinstance(o, Local) and o.type == _UNKNOWN and o.name in types
            else o
            for o in kept
        ),
    )


def _statements(lines: Sequence[str], first: int, last: int) -> Iterator[tuple[int, str]]:
    number = first
    while number < last:
        text = lines[number]
        bare = text.strip()
        if not bare or bare[0] == ";":
            number += 1
            continue
        end = _end(lines, number, last, bare)
        yield number, "\n".join(lines[number:end])
        number = end


def _end(lines: Sequence[str], number: int, last: int, bare: str) -> int:
    """Return the index of the line after the statement that starts on line ``number``."""
    end = number + 1
    opcode = _opcode(bare)
    if opcode in ("switch", "indirectbr"):
        while end < last and "]" not in _QUOTED.sub("", lines[end - 1]):
            end += 1
    elif opcode in ("invoke", "callbr"):
        while end < last and lines[end].strip().startswith(("to label", "unwind ", "[")):
            end += 1
    elif opcode == "landingpad":
        while end < last and lines[end].strip().startswith(_CLAUSES):
            end += 1
    return end


def _opcode(text: str) -> str:
    found = RESULT.match(text)
    rest = text[found.end() :] if found else text
    word = rest.split(None, 1)[0] if rest.strip() else ""
    return word.rstrip(",")


def parse_instruction(text: str, number: int) -> Instr:
    """Return the instruction that the text of a line is."""
    bare = text.strip()
    if bare.startswith("#dbg_"):
        return Instr("", "dbg", VOID, _mention(bare), text, number, known=False)
    found = RESULT.match(bare)
    name = found[1] if found else ""
    c = Cursor(bare[found.end() :] if found else bare)
    opcode = c.next()
    if opcode in ("tail", "musttail", "notail") and c.token == "call":
        draft = Draft(flags=[opcode])
        opcode = c.next()
    else:
        draft = Draft()
    known = True
    try:
        read_instruction(c, opcode, draft)
    except (NotUnderstood, ValueError, IndexError):
        known = False
    if not known and name and draft.type == VOID:
        draft.type = _UNKNOWN
    if not known or not draft.known:
        draft.operands = list(_all_operands(draft, bare[found.end() :] if found else bare))
    return Instr(
        name,
        opcode,
        draft.type,
        tuple(draft.operands),
        text,
        number,
        frozenset(draft.flags),
        draft.predicate,
        draft.mask,
        draft.callee,
        draft.align,
        tuple(draft.attributes),
        tuple(draft.metadata),
        known and draft.known,
    )


def _all_operands(draft: Draft, text: str) -> Iterator[Operand]:
    """Yield the operands that were read, then every local that the text mentions and they lack."""
    yield from draft.operands
    seen = {
        o.name if isinstance(o, Local) else o.text[1:]
        for o in draft.operands
        if not isinstance(o, Literal)
    }
    for local in _mention(text):
        if local.name not in seen:
            yield local


def _mention(text: str) -> tuple[Local, ...]:
    names = dict.fromkeys(found[1] for found in _LOCAL.finditer(text) if found[1] is not None)
    return tuple(Local(name, _UNKNOWN) for name in names)


def with_lines(function: Function, label: str, lines: Iterable[str]) -> Function:
    """Return a function with other lines in a block."""
    at = count(max(i.line for i in function.view) + 1)
    block = Block(label, tuple(parse_instruction(x, next(at)) for x in lines))
    blocks = (block if b.label == label else b for b in function.blocks)
    return replace(function, blocks=tuple(blocks))


def with_blocks(function: Function, texts: Iterable[tuple[str, Iterable[str]]]) -> Function:
    """Return a function with other blocks, by label and line."""
    at = count()
    blocks = (Block(b, tuple(parse_instruction(x, next(at)) for x in own)) for b, own in texts)
    return replace(function, blocks=tuple(blocks))


def with_ends(
    function: Function,
    gone: Container[int],
    heads: Mapping[str, Sequence[str]],
    ends: Mapping[str, Sequence[str]],
    called: Mapping[int, Mapping[str, str]],
) -> Function:
    """Return a function without some lines, with others behind phis and before the ends of blocks,
    and lines in which values are ``called`` otherwise, as they are spelled.
    """
    texts = list[tuple[str, Sequence[str]]]()
    for b in function.blocks:
        kept = [i for i in b.instrs if i.line not in gone]
        own = [respell(i.text.strip(), called.get(i.line, {})) for i in kept]
        phis = sum(i.opcode == "phi" for i in kept)
        head, end = heads.get(b.label, ()), ends.get(b.label, ())
        texts.append((b.label, (*own[:phis], *head, *own[phis:-1], *end, own[-1])))
    return with_blocks(function, texts)
