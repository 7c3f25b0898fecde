"""Instruction sets: what each instruction means, which CPUs have it, what it costs, and how all
of that was tested.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Final, cast

from isel.errors import UnknownName

if TYPE_CHECKING:  # the version and the list of targets are printed without loading the engine
    from isel.spec.target import Target
    from semantics.isa import Isa


DEFAULT: Final = "x86"  # the instruction set of commands that are not told which


@cache
def isas() -> tuple[Isa, ...]:
    """Return every instruction set, by name; nothing of them is read."""
    folders = [f.name for f in files(__name__).iterdir() if f.joinpath("isa.py").is_file()]
    return tuple(
        cast("Isa", import_module(f"{__name__}.{name}.isa").ISA) for name in sorted(folders)
    )


def isa_named(name: str) -> Isa:
    """Return the instruction set of that name; raise :class:`UnknownName`."""
    found = next((i for i in isas() if i.name == name), None)
    if found is None:
        raise UnknownName("target", name, tuple(i.name for i in isas()))
    return found


def targets() -> tuple[Target, ...]:
    """Return every target."""
    return tuple(i.target() for i in isas())


def searched() -> tuple[Target, ...]:
    """Return the targets that code is rewritten for: those with prices."""
    return tuple(i.target() for i in isas() if i.priced())


def searched_for(triple: str) -> Target:
    """Return the target of a triple that code is rewritten for; raise :class:`UnknownName`."""
    found = next((i for i in isas() if i.handles(triple) and i.priced()), None)
    if found is None:
        raise UnknownName("target triple", triple)
    return found.target()


def target_for(triple: str) -> Target:
    """Return the target of a triple; raise :class:`UnknownName`."""
    found = next((i for i in isas() if i.handles(triple)), None)
    if found is None:
        raise UnknownName("target triple", triple)
    return found.target()


def target_named(name: str) -> Target:
    """Return the target of that name; raise :class:`UnknownName`."""
    return isa_named(name).target()


def triple_of(target: Target) -> str:
    """Return a triple that a target handles, for modules that come from nowhere."""
    return isa_named(target.name).machine.triple
