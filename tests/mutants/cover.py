"""Which statements of a module each test executes: a mutant is run by the tests that execute
what it changes, the fastest first.
"""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

NOTE: Final = "__executed__"  # what the statements of a noting module call with their line
_TOGETHER: Final = (
    40  # tests of a file of fewer share what they computed once: they are chosen together
)

Place: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """The seconds that a test took, and the statements of functions that it executed: module
    and first line.
    """

    seconds: float
    lines: frozenset[Place]


def noting(source: str) -> str:
    """Return the source of a module in which every statement of a function notes its line
    before it is executed.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for part in ast.walk(node):
                for name in ("body", "orelse", "finalbody"):
                    body = getattr(part, name, None)
                    if isinstance(body, list) and not getattr(
                        body[0] if body else None, "noted", False
                    ):
                        setattr(part, name, [x for s in body for x in (_note(s.lineno), s)])
    return ast.unparse(ast.fix_missing_locations(tree))


def _note(line: int) -> ast.stmt:
    call = ast.Expr(ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(line)], []))
    call.noted = True  # type: ignore[attr-defined]
    return call


class Notes:
    """A file of what is executed, to which forked children add as well."""

    def __init__(self, file: Path) -> None:
        self._out = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        self._seen: set[Place] = set()

    def test(self, name: str) -> None:
        """Begin a test."""
        self._seen.clear()
        os.write(self._out, f"{name}\n".encode())

    def note(self, module: str, line: int) -> None:
        """Note a statement that is executed."""
        if (module, line) not in self._seen:
            self._seen.add((module, line))
            os.write(self._out, f"{module}\t{line}\n".encode())


def lines_by_test(file: Path) -> dict[str, frozenset[Place]]:
    """Return what :class:`Notes` wrote."""
    found: dict[str, set[Place]] = {}
    mine: set[Place] = set()
    for text in file.read_text().splitlines():
        module, tab, line = text.partition("\t")
        if tab:
            mine.add((module, int(line)))
        else:
            mine = found.setdefault(text, set())
    return {name: frozenset(lines) for name, lines in found.items()}


def statement(source: str, line: int) -> int | None:
    """Return the first line of the innermost statement of a function that a line is part of,
    None outside of functions.
    """
    found: ast.stmt | None = None
    for function in (x for x in ast.walk(ast.parse(source)) if isinstance(x, ast.FunctionDef)):
        for s in _statements(function):
            if s.lineno <= line <= (s.end_lineno or s.lineno) and (
                found is None or s.lineno >= found.lineno
            ):
                found = s
    return None if found is None else found.lineno


def _statements(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    yield from (x for s in function.body for x in ast.walk(s) if isinstance(x, ast.stmt))


def chosen(seen: Mapping[str, Seen], files: Sequence[str], place: Place | None) -> list[str]:
    """Return the tests in some files or folders that execute a statement, or all of them for
    None, the fastest first.
    """
    known = {t: s for t, s in seen.items() if t.startswith(tuple(files))}
    mine = {t for t, s in known.items() if place is None or place in s.lines}
    size = Counter(map(file_of, known))
    small = {f for f in map(file_of, mine) if size[f] < _TOGETHER}
    return sorted(
        (t for t in known if t in mine or file_of(t) in small),
        key=lambda t: (t not in mine, known[t].seconds, t),
    )


def file_of(test: str) -> str:
    """Return the file of a test."""
    return test.partition("::")[0]


def in_order(names: Sequence[str]) -> Callable[[str], int]:
    """Return where a name stands in a sequence, behind it for others."""
    place = {name: k for k, name in enumerate(names)}
    return lambda name: place.get(name, len(place))
