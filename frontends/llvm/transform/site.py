"""What a transform is: places in a function that could be otherwise, and what their lines become.

A transform is a module with one function, ``sites``, and a row of the table.  It claims nothing:
what it proposes is proved by others on the text that LLVM prints of it, judged by the gate, and
taken back where either says no.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Final, Protocol

from frontends.llvm.linked.worker import WorkerFailed
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.passes.left import Left, require
from frontends.llvm.text.ast import Function, Instr, Module, Operand, Type
from frontends.llvm.text.identity import Contents
from frontends.llvm.text.layout import Sizes
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.text.view import View, incoming, phis_of

if TYPE_CHECKING:
    from frontends.llvm.function.addresses import Address
    from frontends.llvm.function.alias import Writes
    from frontends.llvm.function.graph import Graph
    from frontends.llvm.passes.witness import Exchange
    from frontends.llvm.splicing.write import Edits

_SMALL: Final = frozenset(("optsize", "minsize"))


@dataclass(frozen=True)
class Scope:
    """A function, the module that it is in, the sizes of types and what is said of memory there,
    and the bits of the widest register that it may use; ``optimise`` is what LLVM's passes make of
    the text of a module for the same machine, which proves nothing.
    """

    module: Module
    function: Function
    sizes: Sizes
    said: Contents
    bits: int
    optimise: Callable[[str], str | WorkerFailed]

    @property
    def view(self) -> View:
        """The function looked at from all sides."""
        return self.function.view

    @cached_property
    def graph(self) -> Graph:
        """The function's instructions by kind; raises :class:`Cannot`."""
        from frontends.llvm.function.graph import Graph

        return Graph(self.function, self.said, self.sizes)

    @cached_property
    def writes(self) -> Writes:
        """What the function writes, and where its pointers lead; raises :class:`Cannot`."""
        from frontends.llvm.function.alias import Writes

        return Writes(self.graph)

    def may_write(self, i: Instr) -> bool:
        """Tell whether an instruction may write memory, or not come back."""
        with suppress(Cannot):
            return self.writes.may_write(self.writes.lines[i.line])
        return True

    def may_meet(self, effect: Instr, other: Instr) -> bool:
        """Tell whether an effect may write what a plain load or store accesses."""
        with suppress(Cannot):
            first, then = (self.writes.lines[i.line] for i in (effect, other))
            return not self.writes.avoids(first, then)
        return True

    def address(self, o: Operand) -> Address | None:
        """Return where a pointer points, None where that is not followed."""
        with suppress(Cannot):
            return self.writes.addresses.of(o)
        return None

    def object(self, pointer: Operand) -> str:
        """Return the argument, slot of the stack or global that a pointer is based on, empty where
        that is something else, or may be several.
        """
        at = self.address(pointer)
        return "" if at is None else self.writes.object(at.base)

    def enter(self, at: Address | None, label: str, edge: str) -> Address | None:
        """Return what an address is when its block has been entered by an edge."""
        edges = {i.name: incoming(i) for i in phis_of(self.view.block(label))}
        given = {name: x[edge] for name, x in edges.items() if edge in x}
        return None if at is None else self.writes.addresses.replaced(at, given)

    @property
    def noalias(self) -> set[str]:
        """The arguments that alias nothing, as bases of addresses."""
        return {f"%{a.name}" for a in self.function.arguments if "noalias" in a.attributes}

    @property
    def why_small(self) -> str:
        """Why the function must not grow; empty if it may."""
        return "the function is to be small" if _SMALL & {*self.function.attributes} else ""

    def definition(self, o: Operand) -> Instr | None:
        """Return the instruction that gives an operand, None where none does."""
        return self.view.definition(o)

    def is_closed(self, values: Iterable[Instr], among: Iterable[Instr] = ()) -> bool:
        """Tell whether nothing but each other, and instructions ``among``, uses values."""
        values = tuple(values)
        lines = {i.line for i in (*values, *among)}
        users = (u for i in values if i.name for u in self.view.used_by(i.name))
        return all(u.line in lines for u in users)

    def distance(self, a: Operand, b: Operand) -> int | None:
        """Return the bytes from an address to another where these are as many in every run."""
        one, other = self.address(a), self.address(b)
        return None if one is None or other is None else one.gap(other)

    def step(self, o: Operand, label: str) -> int | None:
        """Return the bytes that an address moves by in a pass of a loop that a block is, where
        these are as many in every run.
        """
        at = self.address(o)
        then = self.enter(at, label, label)
        return None if at is None or then is None else at.gap(then)

    def is_neighbour(self, first: Instr, k: int, i: Instr) -> bool:
        """Tell whether a plain load reads the k-th value behind that of another one, in the same
        block.
        """
        of = self.bits_of(i.type)
        plain = all(x.opcode == "load" and x.known and not x.flags for x in (first, i))
        places = {self.view.places[x.line] for x in (first, i)}
        if not plain or first.type != i.type or of % 8 or len(places) > 1:
            return False
        return of > 0 and self.distance(first.operands[0], i.operands[0]) == k * of // 8

    def bits_of(self, kind: Type) -> int:
        """Return the bits of an integer or of a vector of integers, 0 for another type."""
        return prod(shape_of(kind))

    def between(self, a: Instr, b: Instr) -> Iterator[Instr]:
        """Yield what touches memory between two instructions of a block."""
        first, last = sorted((a.line, b.line))
        for i in self.view.blocks[self.view.places[first]].instrs:
            if first < i.line < last and (i.opcode == "load" or self.may_write(i)):
                yield i

    def written_between(self, *loads: Instr) -> str:
        """Say what may write memory between loads of a block, nothing where nothing does."""
        ends = sorted(loads, key=lambda i: i.line)
        writers = self.writers_between(ends[0], ends[-1])
        return next((f"'{i.text.strip()}' may write in between" for i in writers), "")

    def writers_between(self, a: Instr, b: Instr) -> Iterator[Instr]:
        """Yield what may write memory between two instructions of a block."""
        return (i for i in self.between(a, b) if self.may_write(i))


@dataclass(frozen=True, slots=True)
class Change:
    """What lines of a module become (an instruction's own line, by its number), what the report
    calls it, which instructions may be unused then, the declarations that it needs by name, and, by
    label, in which blocks a pass does how many that were passes through the block of its root; and,
    for whoever proves it, which passes come in another order.
    """

    lines: Mapping[int, tuple[str, ...]]
    says: str
    unused: tuple[Instr, ...] = ()
    declarations: Mapping[str, str] = field(default_factory=dict)
    passes: Mapping[str, int] = field(default_factory=dict)
    exchanges: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Opportunity:
    """A place that could be otherwise: named for an instruction, its root.  A function writes its
    lines, with names of no value yet; it stays for a reason where ``why_not`` is not empty.
    """

    root: Instr
    write: Callable[[Iterator[str]], Change]
    why_not: str = ""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        """Return what its lines become; raises :class:`Left` and :class:`Cannot` where it stays."""
        return self.write(names)

    def attempt(self, scope: Scope) -> Opportunity:
        """Return it, with the reason where its lines cannot be written, or must not be more."""
        try:
            require(not scope.why_small, scope.why_small)
            self.edits(scope, scope.view.free_names())
        except (Left, Cannot) as why:
            return replace(self, why_not=str(why))
        return self


def stay(root: Instr, why: str) -> Opportunity:
    """Return a place that is not to be otherwise."""
    return Opportunity(root, lambda _: Change({}, ""), why)


@dataclass(frozen=True, slots=True)
class Part:
    """What a way to write a function does to one value of it: lines before and after."""

    root: Instr
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One of several ways to write a function: what its lines become, what that is called value by
    value, and which of the old values a new one belongs to.
    """

    edits: Edits
    parts: tuple[Part, ...]
    roots: Mapping[str, Instr]

    @property
    def carries(self) -> bool:
        """Whether a loop carries values in it that it did not."""
        return any(" = phi " in line for part in self.parts for line in part.after)


class Transform(Protocol):
    """A module that proposes: ``sites`` of a function in program order."""

    def sites(self, scope: Scope) -> Iterable[Opportunity]:
        """Return the places that look like it, also those that stay, with the reason."""
        ...


class Several(Transform, Protocol):
    """One that has ``ways`` to write all of a function, too."""

    def ways(self, module: Module, function: Function, register: int) -> Iterable[Way]:
        """Return ways to write a function for registers of so many bits."""
        ...
