"""What rules make in a graph, as functions of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from isel.egraph.graph import Graph
from isel.egraph.match import words_of
from isel.rules.syntax import Apply, Leaf, Pattern, Rule, Value
from isel.rules.words import NAMES, function

Make: TypeAlias = Callable[[Graph, tuple[int, ...], tuple[int, ...]], int]


def maker(rule: Rule, p: Pattern) -> Make:
    """Return what makes a pattern in a graph from a rule's integers, and terms as classes."""
    writer = _Maker(rule)
    result = writer.term(p)
    sizes = "".join(f"n_{n}, " for n in rule.sizes)
    terms = "".join(f"t_{n}, " for n in (*rule.terms, *rule.literals))
    head = [
        f"{sizes or '_unused'} = sizes",
        f"{terms or '_unused'} = terms",
        "_signed, _unsigned = (lambda c: g.range(c).signed), (lambda c: g.range(c).unsigned)",
        "_v, _s = g.value, (lambda c: g.range(c).signed[0])",
    ]
    text = "\n ".join(["def made(g, sizes, terms):", *head, *writer.lines, f"return {result}\n"])
    found = function("made", text, NAMES)
    assert callable(found)
    return found


class _Maker:
    """Writes a line for each operation; what is shared is made once."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.lines: list[str] = []
        self.done: dict[int, str] = {}

    def term(self, p: Pattern) -> str:
        """Return the name of a term, whose lines are written."""
        found = self.done.get(id(p))
        if found is None:
            found = self.done[id(p)] = self._term(p)
        return found

    def _term(self, p: Pattern) -> str:
        name = f"e{len(self.done)}_{len(self.lines)}"
        match p:
            case Leaf():
                return f"t_{p.name}"
            case Value():
                number, width = (words_of(n.tree, self.rule) for n in (p.number, p.width))
                self.lines.append(f"{name} = g.literal({number}, {width})")
                return name
            case Apply():
                args = ", ".join(self.term(a) for a in p.args)
                numbers = "".join(f"{words_of(n.tree, self.rule)}, " for n in p.attributes)
                self.lines.append(f"{name} = g.node({p.op!r}, ({numbers}), ({args},))")
                return name
        raise NotImplementedError(self.rule.name)
