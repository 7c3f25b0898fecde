"""What surrounds the functions of a refinement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from frontends.llvm.cuts.sides import Sides
from frontends.llvm.refine.options import Options
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.identity import Contents, Pairing, contents
from frontends.llvm.text.layout import Layout, NotSized, Sizes, read_layout, type_names
from isel.spec.target import Target

Isas: TypeAlias = tuple[Target | None, Target | None]


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds one side's function: what its module says, and the sizes of types."""

    contents: Contents
    sizes: Sizes


@dataclass(frozen=True, slots=True)
class Frames:
    """The modules of both sides.

    ``problem`` keeps any of their functions from being compared, ``foreign`` those that are not the
    same text.
    """

    source: Frame
    target: Frame
    pairing: Pairing
    problem: str
    foreign: str

    @staticmethod
    def of(a: Module, b: Module, *, across: bool = False) -> Frames:
        """Read two modules, which may be one; where one names a triple and no layout, its memory is
        not understood (:mod:`frontends.llvm.linked.layouts` knows layouts).  ``across`` says that
        they are for two machines: what only says how a machine is used is then not compared.
        """
        layout, foreign = _layout(a)
        (own, other) = (layout, foreign) if a is b else _layout(b)
        mine = Frame(contents(a, a.layout), Sizes(layout, type_names(a.lines)))
        theirs = mine if a is b else Frame(contents(b, b.layout), Sizes(own, type_names(b.lines)))
        pairing = Pairing(mine.contents, theirs.contents, across)
        if across:
            alike = layout.space(0) == theirs.sizes.layout.space(0)  # sizes are each side's own
            unlike = "" if alike else "memory: pointers of different sizes"
            foreign = foreign or other or unlike
        return Frames(mine, theirs, pairing, pairing.frames(), foreign)

    def sides(self, source: Function, target: Function, isas: Isas, options: Options) -> Sides:
        """Return two functions of the modules with what surrounds them."""
        a, b = self.source, self.target
        around = (a.contents, b.contents), (a.sizes, b.sizes), self.pairing
        told = options.effort, options.checker
        return Sides(source, target, *around, isas, *told, guesses=options.guesses)


def _layout(module: Module) -> tuple[Layout, str]:
    """Return the data layout that a module names, and why its memory is not understood."""
    if not module.layout and module.triple:
        return read_layout(""), f"memory: the data layout of {module.triple}"
    try:
        layout = read_layout(module.layout)
    except NotSized as reason:
        return read_layout(""), f"memory: {reason}"
    return layout, "memory of a big-endian machine" if layout.big_endian else ""
