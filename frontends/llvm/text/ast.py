"""The shape of LLVM IR text after parsing: functions and a module, and what these are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from frontends.llvm.text.syntax import (
    Block,
    Instr,
    IntType,
    Literal,
    Local,
    Operand,
    OtherType,
    PtrType,
    Symbol,
    Type,
    VectorType,
)
from frontends.llvm.text.view import View

__all__ = [
    "Argument", "Block", "Function", "Instr", "IntType", "Literal", "Local", "Module", "Operand",
    "OtherType", "PtrType", "Symbol", "Type", "VectorType",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter and its attributes as written (``noundef``, ``noalias``, ``range(...)``)."""

    name: str
    type: Type
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Function:
    """A function definition; ``first`` and ``last`` are the indices of its first and last line.

    ``attributes`` are the string attributes of its group (``target-cpu``, ``target-features``, …),
    with flag attributes such as ``strictfp`` mapped to the empty string.  ``returns`` are the
    attributes of the result as written, linkage and calling convention among them.  ``head`` is its
    first line.
    """

    name: str
    type: Type
    arguments: tuple[Argument, ...]
    blocks: tuple[Block, ...]
    attributes: Mapping[str, str]
    first: int
    last: int
    returns: tuple[str, ...] = ()
    head: str = ""

    @property
    def span(self) -> range:
        """The lines of its module that it is on."""
        return range(self.first, self.last + 1)

    @cached_property
    def view(self) -> View:
        """The function looked at from all sides."""
        return View(self.blocks, arguments=[a.name for a in self.arguments])


@dataclass(frozen=True, slots=True)
class Module:
    """A module as LLVM prints it: its lines, and what was read of them."""

    lines: tuple[str, ...]
    functions: tuple[Function, ...]
    declarations: frozenset[str]
    triple: str
    layout: str

    @property
    def text(self) -> str:
        """The module's text."""
        return "\n".join(self.lines) + "\n"

    def function(self, name: str) -> Function:
        """Return the function of a name."""
        return next(f for f in self.functions if f.name == name)
