"""A small instruction set made of derived lane functions, for tests of CEGIS."""

from __future__ import annotations

from collections.abc import Sequence

from isel.ir.build import add, ashr, band, bnot, bor, bxor, lshr, mul, sext, shl, sub, trunc, zext
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const
from isel.rules import derived as d
from isel.synth.cegis.run import Mapper, run_tasks
from isel.synth.cegis.search import DEFAULT_EFFORT, Component, Found, Grammar
from isel.synth.cegis.types import Outcome, Task


def part(name: str, fn: Expr, cost: int = 100) -> Component:
    return Component(name, canonical(fn)[0], cost)


def width_parts(w: int) -> list[Component]:
    a, b = formal(0, w), formal(1, w)
    two = {
        "add": add(a, b),
        "sub": sub(a, b),
        "and": band(a, b),
        "or": bor(a, b),
        "xor": bxor(a, b),
        "andn": band(bnot(a), b),
    }
    for n in ("umin", "umax", "smin", "smax"):
        two[n] = d.BINARY[n](a, b)
    if w <= 16:
        for n in ("sadd_sat", "ssub_sat", "uadd_sat", "usub_sat", "uavg"):
            two[n] = d.BINARY[n](a, b)
    parts = [part(f"{n}{w}", e) for n, e in two.items()] + [part(f"abs{w}", d.sabs(a))]
    return parts


def shift_parts(w: int, amounts: tuple[int, ...]) -> list[Component]:
    a = formal(0, w)
    return [
        part(f"{n}{w}_{k}", f(a, const(k, w)))
        for k in amounts
        for n, f in (("shl", shl), ("lshr", lshr), ("ashr", ashr))
    ]


def convert_parts(narrow: int) -> list[Component]:
    w = 2 * narrow
    a, x = formal(0, narrow), formal(0, w)
    return [
        part(f"zext{narrow}_{w}", zext(a, w), 300),
        part(f"sext{narrow}_{w}", sext(a, w), 300),
        part(f"trunc{w}_{narrow}", trunc(x, narrow), 400),
        part(f"packs{w}", d.sat_s(x, narrow)),
        part(f"packus{w}", d.sat_su(x, narrow)),
        part(f"packuu{w}", d.sat_u(x, narrow), 400),
    ]


def multiply_parts(w: int) -> list[Component]:
    a, b = formal(0, w), formal(1, w)
    fns = {
        "mullo": mul(a, b),
        "smulhi": d.smulhi(a, b),
        "umulhi": d.umulhi(a, b),
        "smulhrs": d.smulhrs(a, b),
    }
    return [part(f"{n}{w}", e, 500) for n, e in fns.items()]


def byte_parts() -> tuple[Component, ...]:
    return tuple(width_parts(8))


def word_parts(amounts: tuple[int, ...] = (1, 2, 8)) -> tuple[Component, ...]:
    return (
        *width_parts(8),
        *width_parts(16),
        *shift_parts(16, amounts),
        *convert_parts(8),
        *multiply_parts(16),
    )


def average(a: Expr, b: Expr) -> Expr:
    return trunc(lshr(add(add(zext(a, 16), zext(b, 16)), const(1, 16)), const(1, 16)), 8)


def halving_add(a: Expr, b: Expr) -> Expr:
    return trunc(lshr(add(zext(a, 16), zext(b, 16)), const(1, 16)), 8)


def gauss(a: Expr, b: Expr, c: Expr) -> Expr:
    s = add(add(zext(a, 16), mul(zext(b, 16), const(2, 16))), zext(c, 16))
    return trunc(lshr(add(s, const(2, 16)), const(2, 16)), 8)


def rounding_product(a: Expr, b: Expr) -> Expr:
    p = mul(sext(a, 32), sext(b, 32))
    return trunc(ashr(add(p, const(1 << 14, 32)), const(15, 32)), 16)


def run_grammars(
    lane: Expr,
    grammars: Sequence[Grammar],
    effort: int = DEFAULT_EFFORT,
    pool: Mapper | None = None,
) -> list[Outcome]:
    """Search every grammar of one lane; return the outcomes in the order of the grammars."""
    tasks = [Task(lane, const(1, 1), g, effort, False, 1, True) for g in grammars]
    return run_tasks(tasks, pool)


def best(outcomes: Sequence[Outcome]) -> Found | None:
    """Return the cheapest program, then the shortest, then the first by its text."""
    found = [o for o in outcomes if isinstance(o, Found)]
    return min(found, key=lambda o: (o.cost, o.depth, repr(o.steps), o.grammar), default=None)
