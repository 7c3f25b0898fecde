"""The shipped table of learned emissions: templates shared by families, and a row an intrinsic that
fills one in.

A template is the text of an emission (operand types, result, sections of lines) in which operands
are ``%1, %2, …`` and what differs between the intrinsics of a family is ``{0}, {1}, …``: widths,
counts, opcodes, names of intrinsics.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from isel.shipped import rows_in, text_of
from semantics.emission.body import Body, cast_lines
from semantics.emission.prototype import Key
from semantics.emission.sections import Learned, Section

FILE: Final = "emissions.tsv"


@dataclass(frozen=True, slots=True)
class Emission:
    """How LLVM IR says one intrinsic.

    ``becomes`` are the mnemonics that the linked LLVM selects for it alone; ``single`` says that
    they are its own instruction.
    """

    key: Key
    learned: Learned
    single: bool
    becomes: tuple[str, ...]

    def at(self, value: int = 0) -> Body:
        """Return the lines for a legal value of the immediate, over operands in the types that
        the lines use.
        """
        return self.learned.at(value)


def adapted(body: Body, operands: Mapping[str, str], result: str) -> tuple[str, ...]:
    """Return the lines of a body over operands and with a result of other types of the same
    sizes (masks may be narrower).
    """
    before: list[str] = []
    names: dict[str, str] = {}
    for name, kind in body.operands:
        given = operands.get(name, kind)
        if given != kind:
            names[f"%{name}"] = f"%{name}.e"
            before.extend(cast_lines(f"%{name}", given, kind, f"%{name}.e"))
    if result != body.result:
        names["%r"] = "%whole"
    lines = [re.sub(r"%[\w.]+", lambda m: names.get(m[0], m[0]), line) for line in body.lines]
    after = cast_lines("%whole", body.result, result, "%r") if result != body.result else []
    return (*before, *lines, *after)


def _from_text(
    text: str,
    key: Key,
    parameters: Sequence[str],
    immediate: str,
    single: bool,
    becomes: tuple[str, ...],
) -> Emission:
    types, counts, body = text.split(" | ", 2)
    given, _, result = types.partition(" -> ")
    legal, period = map(int, counts.split("/"))
    if immediate:
        body = re.sub(r"(?<![\w%])m\b", immediate, body)
    body = re.sub(r"%(\d+)", lambda m: f"%{parameters[int(m[1]) - 1]}", body)
    sections = tuple(_section(part, bool(immediate)) for part in body.split(" || "))
    operands = tuple(zip(parameters, map(_type, given.split()), strict=True))
    return Emission(
        key, Learned(operands, _type(result), immediate, legal, period, sections), single, becomes
    )


def _type(text: str) -> str:
    return re.sub(r"<(\d+)x(i\d+)>", r"<\1 x \2>", text)


def _section(text: str, valued: bool) -> Section:
    ranges, _, lines = text.partition(": ") if valued else ("", "", text)
    values: list[int] = []
    for part in filter(None, ranges.split(",")):
        low, _, high = part.partition("..")
        values.extend(range(int(low), int(high or low) + 1))
    return Section(tuple(values), tuple(lines.split(" ; ")))


@dataclass(frozen=True)
class Table:
    """The rows by key, read when asked for."""

    templates: tuple[str, ...]
    rows: Mapping[Key, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.rows)

    def every(self) -> tuple[Emission, ...]:
        """Return every emission, in the order of the vendor's list."""
        return tuple(e for e in map(self.get, self.rows) if e is not None)

    def named(self, name: str) -> tuple[Key, ...]:
        """Return the keys of an intrinsic's name: one, or those of its VEX and EVEX instruction."""
        return self._by_name.get(name, ())

    @cached_property
    def _by_name(self) -> dict[str, tuple[Key, ...]]:
        found: dict[str, tuple[Key, ...]] = {}
        for key in self.rows:
            found[key[0]] = (*found.get(key[0], ()), key)
        return found

    def get(self, key: Key) -> Emission | None:
        """Return an emission, or None for an intrinsic that has none."""
        row = self.rows.get(key)
        if row is None:
            return None
        names = row[2].split()
        immediate = next((n[1:] for n in names if n.startswith("$")), "")
        values = row[4].split(" ") if row[4] else []
        text = self.templates[int(row[3])].format(*values)
        single = bool(row[5])
        becomes = (row[5],) if single else tuple(row[6].split()) if row[6] != "nothing" else ()
        return _from_text(
            text, key, [n for n in names if not n.startswith("$")], immediate, single, becomes
        )


def read(text: str) -> Table:
    """Read a table."""
    templates: list[str] = []
    rows: dict[Key, tuple[str, ...]] = {}
    for cells in rows_in(text):
        if cells[0] == "template":
            templates.append(cells[1])
        else:
            cells.extend([""] * (7 - len(cells)))
            rows[cells[0], tuple(cells[1].split())] = tuple(cells)
    return Table(tuple(templates), rows)


@cache
def emissions(isa: str) -> Table:
    """Return the shipped table of an instruction set."""
    return read(text_of(__file__, os.pardir, isa, "emission", FILE))
