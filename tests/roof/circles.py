"""Circles of modules: what imports itself by way of others, imports within functions counted."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from tests.roof.sources import modules, tree


def uses(name: str, *, types: bool = True) -> set[str]:
    """Return the modules of the product that a module names: in imports, with ``types`` those for
    types alone as well, and as a literal of ``deferred``.
    """
    known = modules()
    found: set[str] = set()
    for node in ast.walk(tree(name)) if types else _executed(tree(name)):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{a.name}" for a in node.names}
            found |= inner & known.keys()
            if not inner <= known.keys():
                found.add(node.module)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("deferred", "import_module"):
                found |= {str(a.value) for a in node.args if isinstance(a, ast.Constant)}
    return (found & known.keys()) - {name}


def _executed(at: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(at):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)):
            yield child
            yield from _executed(child)


@cache
def circles() -> list[list[str]]:
    """Return the groups of modules that reach each other, in order."""
    return components({name: uses(name) for name in modules()})


def components(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of more than one node that all lead to each other, in order."""
    left = {node: set(to) for node, to in graph.items()}
    while free := [node for node, to in left.items() if not to & left.keys()]:
        for node in free:
            del left[node]
    reached = {node: _reached(node, left) for node in left}
    groups = {tuple(sorted(m for m in to if node in reached[m])) for node, to in reached.items()}
    return [list(g) for g in sorted(groups) if len(g) > 1]


def _reached(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    seen, waiting = set[str](), [start]
    while waiting:
        for other in graph[waiting.pop()] & graph.keys():
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen
