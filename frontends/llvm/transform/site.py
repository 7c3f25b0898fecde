"""What a transform is: places in a function that could be otherwise, and what their lines become.

A transform is a module with one function, ``sites``, and a row of the table.  It claims nothing:
what it proposes is proved by others on the text that LLVM prints of it, judged by the gate, and
taken back where either says no.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from frontends.llvm.text.ast import Function, Instr, Module
from frontends.llvm.text.identity import Contents
from frontends.llvm.text.layout import Sizes
from frontends.llvm.text.view import View


@dataclass(frozen=True, slots=True)
class Scope:
    """A function, the module that it is in, the sizes of types and what is said of memory there,
    and the bits of the widest register that it may use.
    """

    module: Module
    function: Function
    sizes: Sizes
    said: Contents
    bits: int

    @property
    def view(self) -> View:
        """The function looked at from all sides."""
        return self.function.view

    def indented(self, at: Instr, *texts: str) -> tuple[str, ...]:
        """Return lines with the indentation of an instruction."""
        written = self.module.lines[at.line]
        return tuple(written[: len(written) - len(written.lstrip())] + t for t in texts)


@dataclass(frozen=True, slots=True)
class Change:
    """What lines of a module become (an instruction's own line, by its number), which instructions
    may be unused then, and what the report calls it.
    """

    lines: Mapping[int, tuple[str, ...]]
    unused: tuple[Instr, ...]
    says: str


class Site(Protocol):
    """A place that could be otherwise: named for an instruction, its root; it stays for a reason
    where ``why_not`` is not empty.
    """

    @property
    def root(self) -> Instr:
        """The instruction that the report names."""
        ...

    @property
    def why_not(self) -> str:
        """Why it stays; empty if nothing speaks against it."""
        ...

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return what its lines become; ``names`` are of no value yet."""
        ...


class Transform(Protocol):
    """A module that proposes: ``sites`` of a function in program order."""

    def sites(self, scope: Scope) -> Iterable[Site]:
        """Return the places that look like it, also those that stay, with the reason."""
        ...
