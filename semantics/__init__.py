"""Instruction sets: what each instruction means, which CPUs have it, what it costs, and how all
of that was tested.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from isel.errors import UnknownName

if TYPE_CHECKING:  # the version and the list of targets are printed without loading the engine
    from isel.spec.target import Target


@cache
def targets() -> tuple[Target, ...]:
    """Return every target."""
    from semantics.x86 import target as x86

    return (x86.target(),)


def target_for(triple: str) -> Target:
    """Return the target of a triple; raise :class:`UnknownName`."""
    found = next((t for t in targets() if t.handles(triple)), None)
    if found is None:
        raise UnknownName("target triple", triple)
    return found


def target_named(name: str) -> Target:
    """Return the target of that name; raise :class:`UnknownName`."""
    found = next((t for t in targets() if t.name == name), None)
    if found is None:
        raise UnknownName("target", name, tuple(t.name for t in targets()))
    return found


def triple_of(target: Target) -> str:
    """Return a triple that a target handles, for modules that come from nowhere."""
    return next(t for t in ("x86_64-unknown-linux-gnu",) if target.handles(t))
