"""What a lane of an instruction is, in a line that is read once: arithmetic where there is a sign
for it, else words.

``u16(x)`` and ``s16(x)`` are x in 16 bits, without and with its sign.  This is for readers;
``show_sem`` prints what is read back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from isel.spec.instruction import Instruction
from isel.spec.lanes import LaneFunction
from isel.spec.sem_show import ranges
from isel.spec.sem_syntax import (
    TIGHTNESS,
    Binary,
    Call,
    Choice,
    Element,
    Fold,
    Name,
    Node,
    Number,
    Pick,
    Unary,
    show_node,
)

_Rename = Callable[[str], str]
_CALLS: Final = {
    "zext": "u{1}({0})",
    "sext": "s{1}({0})",
    "trunc": "low {1} bits of {0}",
    "bit": "bit {1} of {0}",
    "mask_of": "all {1} bits set if {0}",
    "lit": "{0}",
    "abs": "|{0}|",
    "uabsdiff": "|{0} - {1}|",
    "uavg": "(u({0}) + u({1}) + 1) / 2",
    "sadd_sat": "{0} + {1} saturated, signed",
    "uadd_sat": "{0} + {1} saturated, unsigned",
    "ssub_sat": "{0} - {1} saturated, signed",
    "usub_sat": "{0} - {1} saturated, unsigned",
    "sat_s": "{0} saturated to signed {1} bits",
    "sat_su": "{0}, signed, saturated to unsigned {1} bits",
    "sat_u": "{0} saturated to unsigned {1} bits",
    "lshr": "{0} >>u {1}",
    "ashr": "{0} >>s {1}",
    "shl": "{0} << {1}",
    "ite": "{1} if {0} else {2}",
    "truth": "bit 4 * {1} + 2 * {2} + {3} of {0}, for each bit",
    **{name: f"{{0}} {sign} {{1}}" for name, sign in (("eq", "=="), ("ne", "!="))},
    **{
        f"{s}{name}": f"{{0}} {sign}{s} {{1}}"
        for s in "us"
        for name, sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    },
}
_CLOSED: Final = ("u", "s", "|")  # results that need no brackets begin so


def plain(i: Instruction) -> Iterator[str]:
    """Yield the lines; raises ``TypeError`` for an instruction that was not read from the
    language.
    """
    lane = i.lane
    if not isinstance(lane, LaneFunction):
        raise TypeError(f"'{i.name}' was not read from a .sem file")
    bound = lane.bound

    def rename(name: str) -> str:
        return str(bound.get(name, name))

    kinds = lane.family.kinds
    lanes = f"[i], {i.lanes} lanes of" if i.lanes > 1 else ","
    head = f"result{lanes} {i.width} bits"
    if len(kinds) == 1:
        yield f"{head}: {_text(kinds[0][1], rename)}"
    else:
        yield f"{head}:"
    for condition, formula in kinds if len(kinds) > 1 else ():
        where = "elsewhere" if condition is None else f"where {show_node(condition, rename)}"
        yield f"  {where}: {_text(formula, rename)}"
    for name, node in lane.family.definitions:
        yield f"  with {name} = {_text(node, rename)}"
    for m in i.immediates:
        yield f"  with {m.name} in {ranges(m)}"
    if i.predication.kind == "merge":
        yield f"  where {i.predication.mask}[i] is 0: {i.predication.source}[i]"
    elif i.predication.kind == "zero":
        yield f"  where {i.predication.mask}[i] is 0: 0"


def _text(node: Node, rename: _Rename) -> str:
    inner = partial(_inner, rename=rename)
    match node:
        case Call(function="extract", args=(x, Number(value=low), Number(value=width))):
            return f"bits {low}..{low + width - 1} of {inner(x)}"
        case Call(function="zext" | "sext" as f, args=(x, w)):
            return _CALLS[f].format(_text(x, rename), show_node(w, rename, 9))
        case Call(function=f, args=args):
            if f in _CALLS:
                return _CALLS[f].format(*map(inner, args))
            return f"{f}({', '.join(_text(a, rename) for a in args)})"
        case Fold(op="+", variable=k, count=n, body=f):
            return f"sum of {_text(f, _but(k, rename))} for {k} < {show_node(n, rename, 1)}"
        case Fold(op=op, variable=k, count=n, body=f):
            return f"{op} of all {_text(f, _but(k, rename))} for {k} < {show_node(n, rename, 1)}"
        case Pick(table=t, base=Number(value=0), index=i):
            return f"{t}[{_text(i, rename)}]"
        case Pick(table=t, base=b, index=i):
            return f"{t}[{show_node(b, rename)} + {inner(i)}]"
        case Choice(condition=c, yes=a, no=b):
            return f"{inner(a)} if {_text(c, rename)} else {_text(b, rename)}"
        case Binary(op=op, left=a, right=b):
            own = TIGHTNESS[op]
            return f"{_operand(a, own, rename)} {op} {_operand(b, own + 1, rename)}"
        case Unary(op=op, arg=a):
            return f"{op}{inner(a)}"
        case Number() | Name() | Element():
            return show_node(node, rename)


def _operand(node: Node, least: int, rename: _Rename) -> str:
    """Return an operand, without brackets where it binds at least so tightly."""
    is_tight = isinstance(node, Binary) and TIGHTNESS[node.op] >= least
    return _text(node, rename) if is_tight else _inner(node, rename)


def _inner(node: Node, rename: _Rename) -> str:
    text = _text(node, rename)
    is_one = " " not in text or isinstance(node, Element | Pick) or _closed(node, text)
    return text if is_one else f"({text})"


def _closed(node: Node, text: str) -> bool:
    if not isinstance(node, Call):
        return False
    known = _CALLS.get(node.function)
    return known is None or (known.startswith(_CLOSED) and text.endswith((")", "|")))


def _but(variable: str, rename: _Rename) -> _Rename:
    return lambda name: name if name == variable else rename(name)
