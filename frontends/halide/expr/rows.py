"""Tables of expressions: an instruction, a number of lanes, the type of the result and the
expression a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from frontends.halide.expr.parse import parse
from frontends.halide.expr.tree import Node
from frontends.halide.expr.types import Type, known_type
from isel.errors import IselError, SyntaxProblem

_COLUMNS: Final = ("instruction", "lanes", "type", "expression")
_LAYOUT: Final = re.compile(
    r"(?:ld|st)(?:[1-4]|[rup]\w*)?$|v?movu?(?:[asd]?p?[sd]|dq[au]\d*)$|v\w*align|vdeal|vmemu?\b"
)
_LOAD: Final = re.compile(r"ldr|ld[1-4]")
_MOST_LANES: Final = 4096


@dataclass(frozen=True, slots=True)
class Row:
    """One expression over ``lanes`` lanes and the instruction that it must become, as its test
    writes it.
    """

    instruction: str
    lanes: int
    type: Type
    expression: str
    node: Node = field(repr=False, compare=False)
    line: int = 0

    @property
    def loads(self) -> bool:
        """Tell whether the instruction is a load that orders what it loads, so that what is read
        has to come from memory.
        """
        return _LOAD.fullmatch(self.instruction) is not None

    @property
    def is_layout(self) -> bool:
        """Tell whether the instruction only moves data: a load, a store or what rearranges one."""
        return self.node.op == "load" or _LAYOUT.match(self.instruction) is not None


def read_rows(text: str, file: str) -> tuple[Row, ...]:
    """Read every row; lines that are empty or begin with ``#`` are none.

    Raises :class:`isel.errors.SyntaxProblem` with the place of the first mistake.
    """
    return tuple(_rows(text, file))


def _rows(text: str, file: str) -> Iterator[Row]:
    start = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        body = line.rstrip("\r\n")
        if body.strip() and not body.startswith("#"):
            yield _row(body, text, start, file, number)
        start += len(line)


def _row(body: str, text: str, start: int, file: str, number: int) -> Row:
    fields = body.split("\t")
    if len(fields) != len(_COLUMNS):
        columns = f"{len(_COLUMNS)} columns ({', '.join(_COLUMNS)})"
        raise SyntaxProblem(f"expected {columns}, found {len(fields)}", text, start, file)
    instruction, lanes, type_, expression = fields
    if not lanes.isdigit() or not 0 < int(lanes) <= _MOST_LANES:
        what = f"expected a number of lanes, found '{lanes}'"
        raise SyntaxProblem(what, text, start + len(instruction) + 1, file)
    at = start + len(body) - len(expression)
    try:
        wanted = known_type(type_)
        node = parse(expression, file=file)
    except SyntaxProblem as problem:
        raise SyntaxProblem(problem.what, text, at + problem.position, file) from None
    except IselError as problem:
        raise SyntaxProblem(problem.message(), text, at - len(type_) - 1, file) from None
    if node.type.of(1) != wanted:
        raise SyntaxProblem(f"the expression is {node.type}, not {wanted}", text, at, file)
    return Row(instruction, int(lanes), wanted, expression, node, number)
