"""Entries of constant tables that an operand chooses: opaque leaves of terms, so that what is
done to an entry stays small.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from isel.ir.expr import Expr, const, elem, leaves, show, substitute, term
from isel.rules import derived


@dataclass(frozen=True, slots=True)
class Lookup:
    """Entry ``index`` of a table of ``2**index.width`` numbers of ``width`` bits."""

    table: str
    width: int
    values: tuple[int, ...]
    index: Expr

    @property
    def leaf(self) -> Expr:
        """The leaf that stands for the entry; its name is made of what it means."""
        name = f"${self.table}.{hashlib.sha256(show(self.index).encode()).hexdigest()[:16]}"
        _KNOWN[name] = self
        return elem(name, 0, self.width)


_KNOWN: Final[dict[str, Lookup]] = {}


def lookup(source: str) -> Lookup | None:
    """Return what a source stands for, if it is no operand."""
    return _KNOWN.get(source)


def parts(e: Expr) -> tuple[Expr, ...]:
    """Return the operands of a term, and the index of an entry."""
    found = _KNOWN.get(e.source) if e.op == "elem" else None
    return e.args if found is None else (found.index,)


def reads(*roots: Expr) -> Iterator[Expr]:
    """Yield the leaves that are elements of operands, those of indices among them."""
    seen: set[Expr] = set()
    todo = [*roots]
    while todo:
        root = todo.pop()
        for e in leaves(root):
            if e not in seen:
                seen.add(e)
                found = _KNOWN.get(e.source)
                if found is None:
                    yield e
                else:
                    todo.append(found.index)


def lookups(roots: Iterable[Expr]) -> Iterator[Lookup]:
    """Yield the entries that terms use, those of indices first."""
    seen: set[str] = set()
    for e in leaves(*roots):
        found = _KNOWN.get(e.source)
        if found is not None and e.source not in seen:
            seen.add(e.source)
            yield from lookups([found.index])
            yield found


def expanded(root: Expr) -> Expr:
    """Return a term whose entries are choices among numbers."""
    mapping: dict[Expr, Expr] = {}
    for e in leaves(root):
        found = _KNOWN.get(e.source)
        if found is not None:
            entries = [const(v, found.width) for v in found.values]
            entry = derived.pick(entries, expanded(found.index))
            part = e.width < found.width
            mapping[e] = term("extract", entry, attr=(e.offset, e.width)) if part else entry
    if not mapping:
        return root
    return substitute(root, mapping, lambda op, args, attr: term(op, *args, attr=attr))
