"""What is counted in a module: each measure returns what it counted, so that it can be listed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.roof.sources import ROOT, functions, modules, tree

_MEMOS = ("cache", "lru_cache")
_CONTAINERS = ("dict", "list", "set", "defaultdict", "OrderedDict", "Counter", "WeakKeyDictionary")
# Participles of verbs that are not regular.  What is an infinitive as well (put, set, read, split)
# or a noun of the field (bound) is none.
_IRREGULAR = """
apart begun bent bought broken brought built caught chosen dealt done drawn driven fallen fed felt
forbidden forgotten found frozen given gone gotten grown heard held hidden hung kept known laid left
lent lost made meant met paid proven risen said seen sent shown shrunk sold sought spent spoken spun
stood struck stuck sunk swept swung taken taught thought thrown told torn undone understood unknown
won worn wound woven written
"""
_INFINITIVES = "bleed breed embed exceed feed need proceed seed shed speed succeed"
_PARTICIPLES = frozenset(_IRREGULAR.split())
_OTHERS = frozenset(_INFINITIVES.split())


def participles(name: str) -> list[str]:
    """Return functions whose whole name is one past participle."""
    return [
        f"{name}.{f.name}"
        for f in functions(tree(name))
        if is_participle(f.name.strip("_").lower())
    ]


def is_participle(word: str) -> bool:
    """Say whether a word is nothing but a past participle; of more than one word, no."""
    return word in _PARTICIPLES or (
        word.isalpha() and word.endswith("ed") and len(word) > 3 and word not in _OTHERS
    )


def constants(name: str) -> list[str]:
    """Return numbers that have a name in a module; those in a module ``limits`` are a table."""
    if name.rpartition(".")[2] == "limits":
        return []
    return [
        f"{name}.{target.id}"
        for target, value in _globals(name)
        if target.id.strip("_").isupper() and _is_number(value)
    ]


def _is_number(at: ast.expr) -> bool:
    match at:
        case ast.Constant():
            return isinstance(at.value, (int, float)) and not isinstance(at.value, bool)
        case ast.UnaryOp():
            return _is_number(at.operand)
        case ast.BinOp():
            return _is_number(at.left) and _is_number(at.right)
    return False


def memos(name: str) -> list[str]:
    """Return what keeps answers without an end: caches of functions with arguments, and containers
    of a module that begin empty.
    """
    kept = [
        f"{name}.{f.name}"
        for f in functions(tree(name))
        if (f.args.args or f.args.kwonlyargs or f.args.posonlyargs)
        and any(_is_unbounded(d) for d in f.decorator_list)
    ]
    filled = [f"{name}.{target.id}" for target, value in _globals(name) if _is_empty(value)]
    return kept + filled


def _is_unbounded(at: ast.expr) -> bool:
    if not isinstance(at, ast.Call):
        return _last(at) == "cache"
    limits = [*at.args[:1], *(k.value for k in at.keywords if k.arg == "maxsize")]
    return _last(at.func) == "lru_cache" and any(
        isinstance(v, ast.Constant) and v.value is None for v in limits
    )


def _is_empty(at: ast.expr) -> bool:
    match at:
        case ast.Dict():
            return not at.keys
        case ast.List():
            return not at.elts
        case ast.Call():
            return _last(at.func) in _CONTAINERS and (
                not at.args or _last(at.func) == "defaultdict"
            )
    return False


def _last(at: ast.expr) -> str:
    return at.attr if isinstance(at, ast.Attribute) else at.id if isinstance(at, ast.Name) else ""


def _globals(name: str) -> Iterator[tuple[ast.Name, ast.expr]]:
    for node in tree(name).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target, node.value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target, node.value


def untested(name: str) -> list[str]:
    """Return a module's name if no file of the tests imports it."""
    said = modules()[name].name in ("__init__.py", "limits.py")
    return [] if said or name in _tested() else [name]


@cache
def _tested() -> frozenset[str]:
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("*.py"):
        found |= _imported(path)
    return frozenset(found)


def _imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
    return found
