"""Interned bit-vector terms.

A term is a leaf (``const``, ``var`` or ``elem``) or a primitive applied to terms.  Equal terms are
one object, so they are compared and hashed by identity.  :func:`term` only types and interns;
simplifying constructors are in :mod:`isel.ir.build`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

from isel.ir.ops import OPS, Attr, WidthError

Rows: TypeAlias = tuple[tuple[str, int, tuple[int, ...], Attr], ...]  # operands by their row

_LEAVES: Final = ("const", "var", "elem")
_MASK: Final = (1 << 61) - 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Expr:
    """A bit-vector term of ``width`` bits.

    ``attr`` is ``(value,)`` for ``const``, ``(name,)`` for ``var``, ``(source, bit offset)`` for
    ``elem`` (a slice of an operand or of a memory region), ``(width,)`` for extensions and
    ``(low, width)`` for ``extract``.  ``shape`` is a hash that ignores the offsets of ``elem``
    leaves and is the same in every process; it orders commutative operands alike in all lanes.
    """

    op: str
    width: int
    args: tuple[Expr, ...] = ()
    attr: Attr = ()
    shape: int = field(default=0)

    def __repr__(self) -> str:
        return show(self)

    def __reduce__(self) -> tuple[Callable[[Rows], Expr], tuple[Rows]]:
        """Pickle the nodes in one list, operands before their users, so that no depth is too
        great.
        """
        order = {e: i for i, e in enumerate(postorder([self]))}
        rows = ((e.op, e.width, tuple(order[a] for a in e.args), e.attr) for e in order)
        return _from_rows, (tuple(rows),)

    @property
    def is_const(self) -> bool:
        """Tell whether this is a literal."""
        return self.op == "const"

    @property
    def is_leaf(self) -> bool:
        """Tell whether this is a free variable or an element of one (not a literal)."""
        return self.op == "var" or self.op == "elem"

    @property
    def value(self) -> int:
        """The unsigned value of a literal."""
        value = self.attr[0]
        assert self.op == "const" and isinstance(value, int)
        return value

    @property
    def source(self) -> str:
        """The name of a variable, or the operand that an element is a slice of."""
        name = self.attr[0]
        assert isinstance(name, str)
        return name

    @property
    def offset(self) -> int:
        """The bit offset of an element in its source."""
        offset = self.attr[1]
        assert self.op == "elem" and isinstance(offset, int)
        return offset

    def int_attr(self, i: int) -> int:
        """Return attribute ``i``, which must be a number."""
        value = self.attr[i]
        assert isinstance(value, int)
        return value


_TABLE: Final[dict[tuple[str, int, tuple[Expr, ...], Attr], Expr]] = {}
_CODE: Final = {name: zlib.crc32(name.encode()) for name in (*OPS, *_LEAVES)}


def _shape(op: str, width: int, args: tuple[Expr, ...], attr: Attr) -> int:
    if op == "elem":
        attr = attr[:1]
    h = _CODE[op] * 1000003 + width
    for a in attr:
        h = (h * 1000003 + (zlib.crc32(a.encode()) if isinstance(a, str) else a)) & _MASK
    for e in args:
        h = ((h ^ (h >> 29)) * 1000003 + e.shape) & _MASK
    return h


def _intern(op: str, width: int, args: tuple[Expr, ...], attr: Attr) -> Expr:
    key = (op, width, args, attr)
    found = _TABLE.get(key)
    if found is None:
        found = _TABLE[key] = Expr(op, width, args, attr, _shape(op, width, args, attr))
    return found


def _from_rows(rows: Rows) -> Expr:
    """Return the term of the last row."""
    found: list[Expr] = []
    for op, width, args, attr in rows:
        found.append(_intern(op, width, tuple(found[i] for i in args), attr))
    return found[-1]


def const(value: int, width: int) -> Expr:
    """Return the literal ``value`` modulo ``2**width``."""
    if width < 1:
        raise WidthError(f"no literal of {width} bits")
    return _intern("const", width, (), (value & ((1 << width) - 1),))


def var(name: str, width: int) -> Expr:
    """Return the free variable ``name``."""
    return _intern("var", width, (), (name,))


def elem(source: str, offset: int, width: int) -> Expr:
    """Return the slice of ``width`` bits at bit ``offset`` of the operand or region ``source``."""
    return _intern("elem", width, (), (source, offset))


def term(op: str, *args: Expr, attr: Attr = ()) -> Expr:
    """Apply the primitive ``op``; raise :class:`WidthError` if the operands do not fit it."""
    row = OPS[op]
    if len(args) != row.arity:
        raise WidthError(f"{op} takes {row.arity} operands, not {len(args)}")
    return _intern(op, row.rule([a.width for a in args], attr), args, attr)


def unseen(root: Expr, seen: Container[Expr]) -> Iterator[Expr]:
    """Yield every sub-term that is not in ``seen``, operands before their users; who takes one
    puts it there.
    """
    stack = [root]
    while stack:
        e = stack[-1]
        if e in seen:
            stack.pop()
            continue
        todo = [a for a in e.args if a not in seen]
        if todo:
            stack += reversed(todo)
            continue
        stack.pop()
        yield e


def postorder(roots: Iterable[Expr]) -> Iterator[Expr]:
    """Yield every sub-term of ``roots`` once, operands before their users."""
    seen: set[Expr] = set()
    for root in roots:
        for e in unseen(root, seen):
            seen.add(e)
            yield e


def joined_by(op: str, root: Expr) -> Iterator[Expr]:
    """Yield what an operation joins to a term, in order."""
    waiting = [root]
    while waiting:
        e = waiting.pop()
        if e.op == op:
            waiting += e.args[::-1]
        else:
            yield e


@lru_cache(maxsize=1 << 14)
def nodes(root: Expr) -> tuple[Expr, ...]:
    """Return every sub-term of one term once, operands before their users."""
    return tuple(postorder([root]))


_LEAVES_OF: Final[dict[Expr, tuple[Expr, ...]]] = {}


def leaves(*roots: Expr) -> tuple[Expr, ...]:
    """Return the free variables and elements of ``roots`` in the order of first use."""
    if len(roots) == 1:
        found = _LEAVES_OF.get(roots[0])
        if found is None:
            found = _LEAVES_OF[roots[0]] = _leaves(roots[0])
        return found
    return tuple(dict.fromkeys(e for root in roots for e in leaves(root)))


def _leaves(root: Expr) -> tuple[Expr, ...]:
    seen: set[Expr] = set()
    found: list[Expr] = []
    stack = [root]
    while stack:
        e = stack.pop()
        if e in seen:
            continue
        seen.add(e)
        if e.args:
            stack.extend(e.args[::-1])
        elif e.is_leaf:
            found.append(e)
    return tuple(found)


def substitute(
    root: Expr,
    mapping: Mapping[Expr, Expr],
    make: Callable[[str, tuple[Expr, ...], Attr], Expr],
    *,
    choose: bool = False,
) -> Expr:
    """Replace leaves (or whole sub-terms) and rebuild with ``make``; with ``choose`` an ``ite``
    whose condition becomes a literal is its branch.
    """
    done: dict[Expr, Expr] = {}
    stack = [root]
    while stack:
        e = stack[-1]
        if e in done:
            stack.pop()
            continue
        new = mapping.get(e)
        if new is not None or not e.args:
            done[e] = e if new is None else new
            stack.pop()
            continue
        if choose and e.op == "ite":
            condition = done.get(e.args[0])
            if condition is None:
                stack.append(e.args[0])
                continue
            if condition.is_const:
                branch = e.args[1 if condition.value else 2]
                if branch in done:
                    done[e] = done[branch]
                else:
                    stack.append(branch)
                continue
        todo = [a for a in e.args if a not in done]
        if todo:
            stack.extend(todo)
        else:
            done[e] = make(e.op, tuple([done[a] for a in e.args]), e.attr)
            stack.pop()
    return done[root]


def relabel(root: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    """Replace leaves by terms of their widths without simplifying."""
    if all(mapping.get(x, x) is x for x in leaves(root)):
        return root
    done: dict[Expr, Expr] = {}
    for e in nodes(root):
        done[e] = (
            _intern(e.op, e.width, tuple([done[a] for a in e.args]), e.attr)
            if e.args
            else mapping.get(e, e)
        )
    return done[root]


def _leaf(e: Expr) -> str:
    if e.op == "const":
        return f"{e.value}:{e.width}"
    return f"{e.source}:{e.width}" if e.op == "var" else f"{e.source}[{e.offset}]:{e.width}"


def show(root: Expr) -> str:
    """Print a term on one line; sub-terms used twice are named once by ``let``."""
    return show_all([root])[0] if not root.args else _with_lets(root)


def _with_lets(root: Expr) -> str:
    uses: dict[Expr, int] = {}
    order = list(postorder([root]))
    for e in order:
        for a in e.args:
            uses[a] = uses.get(a, 0) + 1
    names: dict[Expr, str] = {}
    lets: list[str] = []
    text: dict[Expr, str] = {}
    for e in order:
        if not e.args:
            text[e] = _leaf(e)
            continue
        body = " ".join([e.op, *map(str, e.attr), *(text[a] for a in e.args)])
        if uses.get(e, 0) > 1:
            names[e] = f"%{len(lets)}"
            lets.append(f"({names[e]} ({body}))")
            text[e] = names[e]
        else:
            text[e] = f"({body})"
    return f"(let ({' '.join(lets)}) {text[root]})" if lets else text[root]


def show_all(roots: Sequence[Expr]) -> list[str]:
    """Print each term by itself."""
    return [_leaf(r) if not r.args else _with_lets(r) for r in roots]
