"""The modules of the product, their rooms and their trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("isel", "frontends", "semantics", "equiv_classes")
_DEEP = ("isel", "frontends")  # packages of rooms; the others are one room each


def room_of(name: str) -> str:
    """Return the room of a module: ``isel/synth`` of ``isel.synth.cegis.loop``."""
    parts = name.split(".")
    return "/".join(parts[:2]) if parts[0] in _DEEP and folder(name) != parts[0] else parts[0]


def folder(name: str) -> str:
    """Return the folder of a module's file."""
    return modules()[name].parent.relative_to(ROOT).as_posix()


@cache
def modules() -> Mapping[str, Path]:
    """Return the files of the product's modules by dotted name."""
    found: dict[str, Path] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(name: str) -> ast.Module:
    """Return what a module's text says."""
    return ast.parse(modules()[name].read_text())


@cache
def length(name: str) -> int:
    """Return the number of lines of a module."""
    return len(modules()[name].read_text().splitlines())


def in_room(room: str) -> Iterator[str]:
    """Yield the modules of a room."""
    return (name for name in modules() if room_of(name) == room)


def rooms() -> list[str]:
    """Return the rooms in order."""
    return sorted({room_of(name) for name in modules()})


def functions(at: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield every function and method below a node."""
    return (n for n in ast.walk(at) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
