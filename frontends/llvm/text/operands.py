"""Types and operands of LLVM IR, read from tokens."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from frontends.llvm.text.ast import (
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
from frontends.llvm.text.limits import OPERANDS_MOST_LANES
from frontends.llvm.text.tokens import Cursor, NotUnderstood

VOID: Final = OtherType("void")
LABEL: Final = OtherType("label")
METADATA: Final = OtherType("metadata")
_PTR: Final = PtrType()
_NAMES: Final = (
    "half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128", "x86_amx", "token",
    "opaque",
)  # fmt: skip
_WORDS: Final[Mapping[str, Type]] = {
    **{name: OtherType(name) for name in _NAMES},
    **{kind.text: kind for kind in (VOID, LABEL, METADATA)},
}


@lru_cache(maxsize=4096)
def word_type(word: str) -> Type | None:
    """Return the type that a single token names."""
    if word[:1] == "i" and word[1:].isdecimal():
        return IntType(int(word[1:]))
    if word == "ptr":
        return _PTR
    return _WORDS.get(word) or (OtherType(word) if word[:1] == "%" else None)


@lru_cache(maxsize=4096)
def _vector(count: str, elem: str) -> VectorType | None:
    inner = word_type(elem)
    if inner is None or isinstance(inner, VectorType):
        return None
    return VectorType(int(count), inner)


def starts_type(token: str) -> bool:
    """Tell whether a type may start with the token."""
    return token in ("<", "{", "[", "target") or word_type(token) is not None


def read_type(c: Cursor) -> Type:
    """Read a type; raise :class:`NotUnderstood` if there is none."""
    token = c.token
    known = word_type(token)
    if known is not None:
        c.at += 1
        return _space(c) if known is _PTR and c.token == "addrspace" else known
    start = c.at
    if token == "<":
        return _angle(c)
    if token == "target":
        c.at += 1
    if c.token not in ("[", "{", "("):
        raise NotUnderstood(f"{token!r}, expected a type")
    c.skip_balanced()
    return OtherType(c.since(start))


def _space(c: Cursor) -> Type:
    c.at += 1
    c.expect("(")
    number = c.next()
    c.expect(")")
    return PtrType(int(number)) if number.isdecimal() else OtherType(f"ptr addrspace({number})")


def _angle(c: Cursor) -> Type:
    if c.peek(4) == ">" and c.peek(2) == "x" and c.peek(1).isdecimal():
        found = _vector(c.peek(1), c.peek(3))
        if found is not None:
            c.at += 5
            return found
    start = c.at
    if c.peek(1).isdecimal() and c.peek(2) == "x" and c.peek(3) == "ptr":
        c.at += 3
        elem = read_type(c)
        c.expect(">")
        if isinstance(elem, PtrType):
            return VectorType(int(c.tokens[start + 1]), elem)
    c.at = start
    c.skip_balanced()
    return OtherType(c.since(start))


def read_operand(c: Cursor, kind: Type) -> Operand:
    """Read a value of type ``kind``."""
    token = c.token
    if token[:1] == "%":
        c.at += 1
        return Symbol(token, LABEL) if kind is LABEL else Local(token[1:], kind)
    if isinstance(kind, IntType):
        scalar = scalar_lane(token, kind.bits)
        if scalar is not None:
            c.at += 1
            return Literal(kind, (scalar,))
    if isinstance(kind, VectorType) and isinstance(kind.elem, IntType):
        start = c.at
        lanes = _lanes(c, kind.count, kind.elem)
        if lanes is not None:
            return Literal(kind, lanes)
        c.at = start
    if kind is METADATA:
        return _metadata(c)
    start = c.at
    c.skip_value()
    return Symbol(c.since(start), kind)


def _metadata(c: Cursor) -> Operand:
    start = c.at
    if c.token[:1] == "!":
        _skip_node(c)
        return Symbol(c.since(start), METADATA)
    inner = read_operand(c, read_type(c))
    return inner if isinstance(inner, Local) else Symbol(c.since(start), METADATA)


def _skip_node(c: Cursor) -> None:
    c.at += 1
    if c.token in ("{", "("):
        c.skip_balanced()


def read_typed(c: Cursor) -> Operand:
    """Read ``type value``."""
    return read_operand(c, read_type(c))


def read_label(c: Cursor) -> Operand:
    """Read ``label %name``."""
    c.expect("label")
    return read_operand(c, LABEL)


def read_node(c: Cursor) -> str:
    """Read a metadata node and return its text."""
    start = c.at
    _skip_node(c)
    return c.since(start)


def scalar_lane(token: str, bits: int) -> int | str | None:
    """Return the value of an integer constant of ``bits`` bits, unsigned, or ``poison`` or
    ``undef``; None for others.
    """
    if token.isdecimal() or (token[:1] == "-" and token[1:].isdecimal()):
        return int(token) & ((1 << bits) - 1)
    if token in ("poison", "undef"):
        return token
    if token in ("true", "false"):
        return 1 if token == "true" else 0
    if token[:3] in ("u0x", "s0x"):
        return int(token[3:], 16) & ((1 << bits) - 1)
    return None


def _lanes(c: Cursor, count: int, elem: IntType) -> tuple[int | str, ...] | None:
    token = c.next()
    if count > OPERANDS_MOST_LANES:
        return None
    if token == "zeroinitializer":
        return (0,) * count
    if token in ("undef", "poison"):
        return (token,) * count
    if token == "splat":
        c.expect("(")
        lane = _typed_lane(c, elem)
        c.expect(")")
        return None if lane is None else (lane,) * count
    if token != "<":
        return None
    return _written_lanes(c, count, elem)


def _written_lanes(c: Cursor, count: int, elem: IntType) -> tuple[int | str, ...] | None:
    """Read ``type value, … >``; the tokens come in threes."""
    end = c.at + 3 * count
    kinds, words, marks = (c.tokens[c.at + k : end : 3] for k in range(3))
    if (
        len(marks) < count
        or marks[-1] != ">"
        or kinds.count(str(elem)) != count
        or marks.count(",") != count - 1
    ):
        return None
    lanes = [lane for word in words if (lane := scalar_lane(word, elem.bits)) is not None]
    if len(lanes) != count:
        return None
    c.at = end
    return tuple(lanes)


def _typed_lane(c: Cursor, elem: IntType) -> int | str | None:
    kind = word_type(c.next())
    lane = scalar_lane(c.token, elem.bits) if kind == elem else None
    if lane is not None:
        c.at += 1
    return lane


def read_mask(c: Cursor) -> tuple[int | None, ...]:
    """Read the mask of a shufflevector; None stands for a poison (or undef) element."""
    kind = read_type(c)
    if not isinstance(kind, VectorType) or not isinstance(kind.elem, IntType):
        raise NotUnderstood("a mask of a scalable vector")
    lanes = _lanes(c, kind.count, kind.elem)
    if lanes is None:
        raise NotUnderstood("a mask that is no constant")
    return tuple(lane if isinstance(lane, int) else None for lane in lanes)
