"""Random terms of any shape, made without the simplifying constructors."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from isel.ir.expr import Expr, const, elem, leaves, term, var
from isel.ir.ops import OPS, Attr

SAME = tuple(name for name, op in OPS.items() if op.arity == 2 and op.rule.__name__ == "same")
COMPARE = tuple(name for name, op in OPS.items() if op.rule.__name__ == "predicate")
UNARY = ("not", "neg")


def every_application(width: int) -> list[tuple[str, tuple[Expr, ...], Attr]]:
    """Return each primitive applied to variables of ``width`` bits, with every attribute that
    fits.
    """
    a, b = var("a", width), var("b", width)
    out: list[tuple[str, tuple[Expr, ...], Attr]] = []
    for name, op in OPS.items():
        if name in ("zext", "sext"):
            out.extend((name, (a,), (w,)) for w in range(width + 1, 2 * width + 2))
        elif name == "extract":
            out.extend(
                (name, (a,), (low, w)) for low in range(width) for w in range(1, width - low + 1)
            )
        elif name == "ite":
            out.append((name, (var("c", 1), a, b), ()))
        else:
            out.append((name, (a, b)[: op.arity], ()))
    return out


def random_term(rng: random.Random, width: int, depth: int) -> Expr:
    """Return a raw term over ``p.x``, ``q.x`` and ``v[..]`` leaves."""
    if depth == 0 or rng.random() < 0.12:
        return _leaf(rng, width)

    def sub(w: int) -> Expr:
        return random_term(rng, w, depth - 1)

    kind = rng.randrange(8)
    if kind == 0 and width == 1:
        w = rng.choice([1, 3, 8, 16])
        return term(rng.choice(COMPARE), sub(w), sub(w))
    if kind == 1:
        return term(rng.choice(UNARY), sub(width))
    if kind == 2:
        return term("ite", sub(1), sub(width), sub(width))
    if kind == 3 and width > 1:
        narrow = rng.randrange(1, width)
        return term(rng.choice(["zext", "sext"]), sub(narrow), attr=(width,))
    if kind == 4:
        low = rng.randrange(0, 5)
        return term("extract", sub(low + width + rng.randrange(0, 4)), attr=(low, width))
    if kind == 5 and width > 1:
        low = rng.randrange(1, width)
        return term("concat", sub(width - low), sub(low))
    return term(rng.choice(SAME), sub(width), sub(width))


def _leaf(rng: random.Random, width: int) -> Expr:
    kind = rng.randrange(3)
    if kind == 0:
        return const(rng.choice([0, 1, -1, 1 << (width - 1), rng.getrandbits(width)]), width)
    if kind == 1:
        return var(rng.choice("pq") + f".{width}", width)
    return elem("v", width * rng.randrange(0, 3), width)


def random_values(rng: random.Random, *roots: Expr) -> dict[Expr, int]:
    """Return a corner or random value for every leaf."""
    return {
        x: rng.choice(
            [
                0,
                1,
                (1 << x.width) - 1,
                1 << (x.width - 1),
                rng.getrandbits(x.width),
                rng.getrandbits(x.width),
            ]
        )
        for x in leaves(*roots)
    }


seeds = st.integers(0, (1 << 32) - 1)
widths = st.sampled_from([1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 63, 64, 65, 100])
