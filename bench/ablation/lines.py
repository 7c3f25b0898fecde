"""Lines that hang on a mechanism: of modules that the product reaches by way of its own alone."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from frontends.llvm.transform import table

_ROOT: Final = Path(__file__).parents[2]
_PACKAGES: Final = ("isel", "frontends", "semantics")
_EDGES: Final = "isel.synth.edges"
_TRANSFORMS: Final = {
    row.name: (f"frontends.llvm.transform.{row.name.replace('-', '_')}",)
    for row in table.BEFORE_WINDOWS + table.LAST[:-1]
}
_START: Final = (
    *("isel.api.optimize", "isel.api.tools"),
    *(name for names in _TRANSFORMS.values() for name in names),  # imported by name
)
# The modules by which a mechanism is reached; those that are a part of a module have none.
ENTRIES: Final[Mapping[str, tuple[str, ...]]] = {
    **_TRANSFORMS,
    "chains": (f"{_EDGES}.chains",),
    "dot-products": (f"{_EDGES}.wider",),
    "lookups": ("isel.synth.lanes.of_bytes",),
    "egraph": ("isel.synth.lift",),
    "cegis": ("isel.synth.requests", "isel.synth.cegis.run"),
    "bit-fields": ("isel.synth.goals.fields",),
    "joint-goals": ("isel.synth.goals.joint", "isel.synth.goals.squares"),
}


@cache
def _modules() -> Mapping[str, Path]:
    paths = (p for package in _PACKAGES for p in (_ROOT / package).rglob("*.py"))
    found = {".".join(p.relative_to(_ROOT).with_suffix("").parts): p for p in paths}
    return {name.removesuffix(".__init__"): p for name, p in found.items()}


@cache
def _uses(name: str) -> frozenset[str]:
    """Return the modules that a module names: in imports, and as the words of a call."""
    found = set[str]()
    for node in ast.walk(ast.parse(_modules()[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{a.name}" for a in node.names)}
        elif isinstance(node, ast.Call):
            found |= {str(a.value) for a in node.args if isinstance(a, ast.Constant)}
    return frozenset(found & _modules().keys())


def _reached(start: Collection[str], without: Collection[str] = ()) -> set[str]:
    seen, waiting = set[str](), list(start)
    while waiting:
        if (name := waiting.pop()) not in seen and name not in without:
            seen.add(name)
            waiting += _uses(name)
    return seen


def lines_of(entries: Collection[str]) -> int:
    """Return the lines of what is reached by way of some modules alone, theirs included."""
    own = _reached(_START) - _reached([name for name in _START if name not in entries], entries)
    return sum(len(_modules()[name].read_text(encoding="utf-8").splitlines()) for name in own)


def lines() -> dict[str, int]:
    """Return the lines that hang on each mechanism that has modules of its own."""
    return {name: lines_of(entries) for name, entries in ENTRIES.items()}
