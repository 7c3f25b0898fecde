"""Terms as people write formulas: infix operators, conversions as calls, ``u`` and ``s`` where an
operation takes its operands as signed or not.

    u16(x[0]) + u16(y[0]) + 1

is ``(add (add (zext 16 ...) (zext 16 ...)) 1)``.  There is no reader for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from isel.ir.expr import Expr, postorder
from isel.ir.ops import OPS

_INFIX: Final[Mapping[str, tuple[str, int]]] = {  # the sign, and how tightly it binds
    "mul": ("*", 8), "udiv": ("/u", 8), "sdiv": ("/s", 8), "urem": ("%u", 8), "srem": ("%s", 8),
    "add": ("+", 7), "sub": ("-", 7), "shl": ("<<", 6), "lshr": (">>u", 6), "ashr": (">>s", 6),
    "ult": ("<u", 5), "ule": ("<=u", 5), "slt": ("<s", 5), "sle": ("<=s", 5), "eq": ("==", 4),
    "and": ("&", 3), "xor": ("^", 2), "or": ("|", 1),
}  # fmt: skip
_BRACKETED: Final = (
    6,
    3,
    2,
    1,
)  # whose operands have brackets, since few remember how tightly these bind
_ATOM: Final = 10
_PREFIX: Final = 9
_CHOICE: Final = 0
_COMPARED: Final = {"ult": "umin", "ule": "umin", "slt": "smin", "sle": "smin"}
_TURNED: Final = {"umin": "umax", "smin": "smax"}
_SHORT: Final = 72  # letters of a sub-term that is written where it is used


def infix(root: Expr, names: Mapping[Expr, str]) -> list[str]:
    """Return lines that say what a term is, the term last; ``names`` has its leaves.

    Long terms that are used twice have lines of their own.
    """
    uses: dict[Expr, int] = {}
    order = list(postorder([root]))
    for e in order:
        for a in e.args:
            uses[a] = uses.get(a, 0) + 1
    said: dict[Expr, tuple[str, int]] = {}
    lines: list[str] = []
    for e in order:
        words, tight = _said(e, names, said)
        if e is not root and uses.get(e, 0) > 1 and len(words) > _SHORT // 3:
            lines.append(f"t{len(lines)} = {words}")
            words, tight = f"t{len(lines) - 1}", _ATOM
        said[e] = words, tight
    return [*lines, said[root][0]]


def _said(
    e: Expr, names: Mapping[Expr, str], said: Mapping[Expr, tuple[str, int]]
) -> tuple[str, int]:
    """Return the words for a term and how tightly they hold together."""
    if e.is_const:
        return str(_signed(e)), _ATOM if _signed(e) >= 0 else _PREFIX
    if not e.args:
        return names.get(e, f"{e.source}[{e.offset}]" if e.op == "elem" else e.source), _ATOM
    if e.op in _INFIX:
        sign, tight = _INFIX[e.op]
        left, right = e.args if not (OPS[e.op].commutes and e.args[0].is_const) else e.args[::-1]
        if e.op == "add" and right.is_const and _signed(right) < 0:
            return f"{_in(left, said, tight)} - {-_signed(right)}", tight
        least = _PREFIX if tight in _BRACKETED else tight
        return f"{_in(left, said, least)} {sign} {_in(right, said, max(least, tight + 1))}", tight
    if e.op == "ite":
        return _choice(e.args, said)
    if e.op in ("not", "neg"):
        return f"{'~' if e.op == 'not' else '-'}{_in(e.args[0], said, _PREFIX)}", _PREFIX
    if e.op in ("zext", "sext"):
        return f"{'u' if e.op == 'zext' else 's'}{e.width}({said[e.args[0]][0]})", _ATOM
    if e.op == "extract":
        low = int(e.attr[0])
        return (
            f"u{e.width}({said[e.args[0]][0]})"
            if low == 0
            else f"{_in(e.args[0], said, _ATOM)}[{low + e.width - 1}:{low}]"
        ), _ATOM
    return f"{e.op}({', '.join(said[a][0] for a in e.args)})", _ATOM


def _choice(args: Sequence[Expr], said: Mapping[Expr, tuple[str, int]]) -> tuple[str, int]:
    condition, yes, no = args
    name = _COMPARED.get(condition.op, "")
    if name and condition.args in ((yes, no), (no, yes)):
        return (
            (
                f"{name if condition.args == (yes, no) else _TURNED[name]}({said[yes][0]}, "
                f"{said[no][0]})"
            ),
            _ATOM,
        )
    return f"{_in(condition, said, 1)} ? {_in(yes, said, 1)} : {_in(no, said, 0)}", _CHOICE


def _in(e: Expr, said: Mapping[Expr, tuple[str, int]], least: int) -> str:
    words, tight = said[e]
    return words if tight >= least else f"({words})"


def _signed(e: Expr) -> int:
    return e.value - (1 << e.width) if e.width > 1 and e.value >> (e.width - 1) else e.value
