"""What one ``instruction`` block of a ``.sem`` file says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from isel.ir.expr import Expr
from isel.spec.instruction import Predication, Role
from isel.spec.sem_meaning import Entry, Env, Lazy, Numbers, Value, evaluate, fitted, integer
from isel.spec.sem_syntax import Mistake, Node, show_node


@dataclass(frozen=True, slots=True)
class Text:
    """Text with ``{…}`` slots, and where it starts in the file."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Loop:
    """``for a, b in (1, 2) (3, 4)``."""

    names: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """An operand's role, name, and ``count x width``."""

    role: Role
    name: str
    count: Node
    width: Node


@dataclass(frozen=True, slots=True)
class Range:
    """An immediate, its width, and inclusive ranges of legal values."""

    name: str
    width: Node
    ranges: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True)
class Family:
    """One block: loops and constants, then everything an instruction has, over them.

    ``predication.kind`` may be a slot for a word.
    """

    name: Text
    loops: tuple[Loop, ...]
    constants: tuple[tuple[str, Node], ...]
    operands: tuple[Shape, ...]
    immediates: tuple[Range, ...]
    count: Node
    width: Node
    definitions: tuple[tuple[str, Node], ...]
    kinds: tuple[tuple[Node | None, Node], ...]
    features: Text
    mnemonic: Text | None
    emission: tuple[Text, ...]
    call: Text | None
    also: tuple[Text, ...]
    predication: Predication
    patched: Text | None = None
    tables: tuple[tuple[str, Numbers], ...] = ()
    file: str = ""

    @cached_property
    def memo(self) -> dict[tuple[object, ...], Expr]:
        """The lanes of all members that were evaluated, before their predication."""
        return {}

    @cached_property
    def reads(self) -> frozenset[str]:
        """Return the names that the formulas mention."""
        nodes = [node for _, node in self.definitions]
        nodes += [node for kind in self.kinds for node in kind if node is not None]
        return frozenset(name for node in nodes for name in mentioned(node))

    def lane(self, width: int, env: dict[str, Entry]) -> Expr:
        """Return the value of lane ``i``, one of the names in ``env``, before the predication;
        adds the definitions to ``env``.
        """
        for name, node in self.definitions:
            env[name] = _lazy(node, env)
        for condition, formula in self.kinds:
            if condition is None or integer(condition, env):
                return fitted(evaluate(formula, env), width, formula.at)
        raise Mistake(f"no formula for lane {env['i']}", self.name.at)


def _lazy(node: Node, env: Env) -> Lazy:
    """Return a definition that is evaluated when it is first asked for."""
    found: list[Value] = []

    def run() -> Value:
        if not found:
            found.append(evaluate(node, env))
        return found[0]

    return run


def mentions(node: Node, names: frozenset[str]) -> bool:
    """Tell whether one of the names occurs in an expression."""
    return not names.isdisjoint(mentioned(node))


def mentioned(node: Node) -> list[str]:
    """Return the names in an expression, those of operands left out."""
    found: list[str] = []

    def note(name: str) -> str:
        found.append(name)
        return name

    show_node(node, note)
    return found
