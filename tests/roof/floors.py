"""Floors of a room: its folders by the longest chain of imports below each; imports in functions
count, those for types alone do not.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.roof.circles import components, uses
from tests.roof.sources import modules, room_of


def floors(name: str) -> list[str]:
    """Return the folders on each floor from the ground, at the package of a room."""
    if name != room_of(name).replace("/", "."):
        return []
    graph: dict[str, set[str]] = {}
    for module in modules():
        if folder := _folder(module, name):
            graph.setdefault(folder, set()).update(
                _folder(used, name) for used in uses(module, types=False)
            )
    return [f"{name}: {' '.join(level)}" for level in levels(graph)]


def levels(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return nodes by the longest path from each; those that lead to each other are one."""
    one = {node: group[0] for group in components(graph) for node in group}
    left: dict[str, set[str]] = {}
    for node, to in graph.items():
        first = one.get(node, node)
        left.setdefault(first, set()).update({one.get(x, x) for x in to} - {first})
    found: list[list[str]] = []
    while free := sorted(node for node, to in left.items() if not to & left.keys()):
        found.append(free)
        for node in free:
            del left[node]
    return found


def _folder(module: str, room: str) -> str:
    """Return the folder of a room that a module is in, empty for none."""
    first, *below = module.removeprefix(f"{room}.").split(".")
    within = module.startswith(f"{room}.") and (below or modules()[module].stem == "__init__")
    return first if within else ""
