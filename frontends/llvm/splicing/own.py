"""Rewrites put into the user's own text: what LLVM printed of it is where they were found, its
lines are where they go.

LLVM numbers values, metadata and attributes anew.  The instructions of a function are paired in
order, and with them the names and debug locations; what LLVM reads of the result must be what was
spliced into its own print.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from frontends.llvm.splicing.write import Edits, edit, without
from frontends.llvm.text.ast import Function, Instr, Module
from frontends.llvm.text.identity import Pairing, contents, identical
from frontends.llvm.text.rewording import LABEL, locals_in, rename

_NODE: Final = re.compile(r"!\d+")
_DEBUG: Final = "llvm.dbg."


class NotPlaced(Exception):
    """Why rewrites cannot be put into the user's own text."""


def in_own_lines(own: Module, source: Module, changes: Mapping[str, Edits]) -> str:
    """Return the user's text with the lines that ``changes`` gives for the functions of ``source``,
    which LLVM printed of it.

    Raises :class:`NotPlaced`.
    """
    mine = {f.name: f for f in own.functions}
    found: dict[str, Edits] = {}
    for function in source.functions:
        if function.name in changes:
            if function.name not in mine:
                raise NotPlaced(f"@{function.name} is not laid out as LLVM prints functions")
            found[function.name] = _Places(own, source, mine[function.name], function).edits(
                changes[function.name]
            )
    return edit(own, found)


def check_same(printed: Module, spliced: Module, names: Mapping[str, Edits]) -> None:
    """Raise :class:`NotPlaced` unless the functions of these names are the same in both
    modules, as LLVM prints them.
    """
    pairing = Pairing(contents(spliced), contents(printed))
    theirs = {f.name: f for f in printed.functions}
    if pairing.frames():
        raise NotPlaced(pairing.frames())
    for f in spliced.functions:
        if f.name in names and not (f.name in theirs and identical(f, theirs[f.name], pairing)):
            raise NotPlaced(f"LLVM reads something else of @{f.name}")


def _is_debug(i: Instr) -> bool:
    return i.opcode == "dbg" or i.callee.startswith(_DEBUG)


def _instrs(function: Function, *, debug: bool) -> list[Instr]:
    return [i for i in function.view if _is_debug(i) == debug]


def _names(function: Function) -> list[str]:
    """Return what arguments, blocks and instructions are called, nothing for those without."""
    arguments, blocks = (a.name for a in function.arguments), (b.label for b in function.blocks)
    return [*arguments, *blocks, *(i.name for i in _instrs(function, debug=False))]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Names and nodes of the print as the user calls them, and the user's line of each of its
    lines, counted from the functions' first.
    """

    names: Mapping[str, str]
    nodes: Mapping[str, str]
    lines: Mapping[int, Instr]


@dataclass(frozen=True)
class _Places:
    """Where the lines of a function that LLVM printed are in the user's text."""

    own: Module
    source: Module
    mine: Function
    printed: Function

    @cached_property
    def _pairs(self) -> _Pairs:
        theirs, mine = _instrs(self.printed, debug=False), _instrs(self.mine, debug=False)
        alike = [i.opcode for i in theirs] == [i.opcode for i in mine]
        if not alike or len(self.printed.blocks) != len(self.mine.blocks):
            raise NotPlaced(f"LLVM makes other instructions of those of @{self.printed.name}")
        names = dict(zip(_names(self.printed), _names(self.mine), strict=True))
        nodes = {
            text: dict(b.metadata).get(kind, "")
            for a, b in zip(theirs, mine, strict=True)
            for kind, text in a.metadata
        }
        records, calls = _instrs(self.printed, debug=True), _instrs(self.mine, debug=True)
        pairs = [
            *zip(theirs, mine, strict=True),
            *(zip(records, calls, strict=True) if len(records) == len(calls) else ()),
        ]
        return _Pairs(names, nodes, {a.line - self.printed.first: b for a, b in pairs})

    def edits(self, changes: Edits) -> Edits:
        """Return changes of the printed function as changes of the user's."""
        return Edits(
            {k: new for line, texts in changes.lines.items() for k, new in self._line(line, texts)},
            changes.declarations,
        )

    def _line(self, line: int, texts: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
        written = self.source.lines[self.printed.first + line]
        mine = self._pairs.lines.get(line)
        if mine is None:
            yield self._label(written, texts), ()
            return
        own = self.own.lines[mine.line]
        if mine.text.strip() != own.strip():
            raise NotPlaced(f"'{own.strip()}' is more or less than one instruction")
        if _is_debug(mine):
            names = (set(locals_in(written)) - set(locals_in(text)) for text in texts)
            lost = ({self._pairs.names.get(n, n) for n in gone} for gone in names)
            yield mine.line - self.mine.first, tuple(without(own, gone) for gone in lost)
            return
        indent = own[: len(own) - len(own.lstrip())]
        yield (
            mine.line - self.mine.first,
            tuple(own if text == written else self._say(text.strip(), indent) for text in texts),
        )

    def _label(self, written: str, texts: tuple[str, ...]) -> int:
        """Return where the user has the label of a block that is none any more."""
        named = LABEL.match(written)
        lines = range(self.mine.first, 0 if texts or named is None else self.mine.last)
        heads = ((k, LABEL.match(self.own.lines[k])) for k in lines)
        own = self._pairs.names.get(named[1]) if named is not None else None
        found = next((k for k, m in heads if m is not None and m[1] == own), None)
        if found is None:
            raise NotPlaced(f"'{written.strip()}' has no line of its own")
        return found - self.mine.first

    def _say(self, text: str, indent: str) -> str:
        """Return a new line with the user's names and nodes."""
        if named := LABEL.fullmatch(text):
            return f"{self._pairs.names.get(named[1], named[1])}:"
        renamed = rename(text, self._pairs.names)
        nodes = set(_NODE.findall(renamed))
        if not all(self._pairs.nodes.get(n) for n in nodes):
            raise NotPlaced(f"'{text}' has metadata that no line of the text has")
        return indent + _NODE.sub(lambda m: self._pairs.nodes[m.group()], renamed)
