"""Operations on choices by one condition, as one choice: the greater less the lesser of two
values is one difference or the other.
"""

from __future__ import annotations

from isel.ir.build import make
from isel.ir.expr import Expr, postorder


def joined(root: Expr) -> Expr:
    """Return an equal term in which no operation has two choices by the same condition as
    operands.
    """
    done: dict[Expr, Expr] = {}
    for e in postorder([root]):
        args = tuple(done[a] for a in e.args)
        done[e] = _joined(e, args) if args else e
    return done[root]


def _joined(e: Expr, args: tuple[Expr, ...]) -> Expr:
    if len(args) == 2 and all(a.op == "ite" for a in args) and args[0].args[0] is args[1].args[0]:
        (condition, *one), (_, *other) = args[0].args, args[1].args
        return make(
            "ite", (condition, *(make(e.op, pair, e.attr) for pair in zip(one, other, strict=True)))
        )
    return make(e.op, args, e.attr)
