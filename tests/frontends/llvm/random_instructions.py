"""Random instructions of every accepted form, one a function, and random operands with poison
lanes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.reference.values import POISON, Lane, Value

_WIDTHS = (1, 3, 8, 16, 32, 64)
_PREDICATES = ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge")
_FLAGS = {
    "add": ("nuw", "nsw"),
    "sub": ("nuw", "nsw"),
    "mul": ("nuw", "nsw"),
    "shl": ("nuw", "nsw"),
    "lshr": ("exact",),
    "ashr": ("exact",),
    "udiv": ("exact",),
    "sdiv": ("exact",),
    "urem": (),
    "srem": (),
    "and": (),
    "or": ("disjoint",),
    "xor": (),
}
_CALLS = (
    "umin",
    "umax",
    "smin",
    "smax",
    "uadd.sat",
    "usub.sat",
    "sadd.sat",
    "ssub.sat",
    "sshl.sat",
    "ushl.sat",
)
_REDUCTIONS = ("add", "mul", "and", "or", "xor", "umin", "umax", "smin", "smax")


def _flags(rng: random.Random, names: tuple[str, ...]) -> str:
    return "".join(f"{n} " for n in names if rng.random() < 0.4)


def _vector(n: int, w: int) -> str:
    return f"<{n} x i{w}>"


def _binary(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    op = rng.choice(sorted(_FLAGS))
    t = _vector(n, w)
    return f"define {t} @NAME({t} %a, {t} %b)", f"{op} {_flags(rng, _FLAGS[op])}{t} %a, %b"


def _compare(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    t = _vector(n, w)
    return (
        f"define {_vector(n, 1)} @NAME({t} %a, {t} %b)",
        f"icmp {_flags(rng, ('samesign',))}{rng.choice(_PREDICATES)} {t} %a, %b",
    )


def _cast(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    to = rng.choice([x for x in _WIDTHS if x != w])
    t, r = _vector(n, w), _vector(n, to)
    if to < w:
        return f"define {r} @NAME({t} %a)", f"trunc {_flags(rng, ('nuw', 'nsw'))}{t} %a to {r}"
    op = rng.choice([f"zext {_flags(rng, ('nneg',))}", "sext "])
    return f"define {r} @NAME({t} %a)", f"{op}{t} %a to {r}"


def _bitcast(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    n, w, m, v = rng.choice(
        [
            (4, 8, 2, 16),
            (2, 16, 4, 8),
            (3, 16, 2, 24),
            (16, 1, 2, 8),
            (8, 8, 1, 64),
            (4, 32, 16, 8),
            (2, 24, 3, 16),
        ]
    )
    t, r = _vector(n, w), _vector(m, v)
    return f"define {r} @NAME({t} %a)", f"bitcast {t} %a to {r}"


def _select(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    t = _vector(n, w)
    c = _vector(n, 1) if rng.random() < 0.6 else "i1"
    return f"define {t} @NAME({c} %c, {t} %a, {t} %b)", f"select {c} %c, {t} %a, {t} %b"


def _shuffle(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    t, m = _vector(n, w), rng.choice((1, 2, 4, 8))
    mask = ", ".join(
        "i32 " + ("poison" if rng.random() < 0.2 else str(rng.randrange(2 * n))) for _ in range(m)
    )
    return (
        f"define {_vector(m, w)} @NAME({t} %a, {t} %b)",
        f"shufflevector {t} %a, {t} %b, <{m} x i32> <{mask}>",
    )


def _element(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    t = _vector(n, w)
    if rng.random() < 0.5:
        return f"define i{w} @NAME({t} %a, i3 %i)", f"extractelement {t} %a, i3 %i"
    return f"define {t} @NAME({t} %a, i{w} %x, i3 %i)", f"insertelement {t} %a, i{w} %x, i3 %i"


def _call(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    t = _vector(n, w)
    s = f"v{n}i{w}"
    name = rng.choice(_CALLS)
    return f"define {t} @NAME({t} %a, {t} %b)", f"call {t} @llvm.{name}.{s}({t} %a, {t} %b)"


def _unary_call(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    w = rng.choice((8, 16, 32))
    t, s = _vector(n, w), f"v{n}i{w}"
    name = rng.choice(("ctpop", "bitreverse", "bswap", "abs", "ctlz", "cttz"))
    if name in ("abs", "ctlz", "cttz"):
        return (
            f"define {t} @NAME({t} %a)",
            f"call {t} @llvm.{name}.{s}({t} %a, i1 {rng.choice(('true', 'false'))})",
        )
    s = f"v{n}i16" if name == "bswap" else s
    t = _vector(n, 16) if name == "bswap" else t
    return f"define {t} @NAME({t} %a)", f"call {t} @llvm.{name}.{s}({t} %a)"


def _funnel(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    t = _vector(n, w)
    return (
        f"define {t} @NAME({t} %a, {t} %b, {t} %c)",
        f"call {t} @llvm.{rng.choice(('fshl', 'fshr'))}.v{n}i{w}({t} %a, {t} %b, {t} %c)",
    )


def _fixed(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    w = rng.choice((8, 16, 32))
    t = _vector(n, w)
    name = rng.choice(("smul.fix", "umul.fix", "smul.fix.sat", "umul.fix.sat"))
    return (
        f"define {t} @NAME({t} %a, {t} %b)",
        f"call {t} @llvm.{name}.v{n}i{w}({t} %a, {t} %b, i32 {rng.randrange(w)})",
    )


def _three_way(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    t, r = _vector(n, w), _vector(n, 8)
    return (
        f"define {r} @NAME({t} %a, {t} %b)",
        f"call {r} @llvm.{rng.choice(('scmp', 'ucmp'))}.v{n}i8.v{n}i{w}({t} %a, {t} %b)",
    )


def _reduction(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    t = _vector(n, w)
    return (
        f"define i{w} @NAME({t} %a)",
        f"call i{w} @llvm.vector.reduce.{rng.choice(_REDUCTIONS)}.v{n}i{w}({t} %a)",
    )


def _rearranged(rng: random.Random, n: int, w: int) -> tuple[str, str]:
    t, wide = _vector(n, w), _vector(2 * n, w)
    match rng.randrange(3):
        case 0:
            return f"define {t} @NAME({t} %a)", f"call {t} @llvm.vector.reverse.v{n}i{w}({t} %a)"
        case 1:
            return (
                f"define {wide} @NAME({t} %a, {t} %b)",
                f"call {wide} @llvm.vector.interleave2.v{2 * n}i{w}({t} %a, {t} %b)",
            )
        case _:
            return (
                f"define {t} @NAME({wide} %a)",
                f"call {t} @llvm.vector.extract.v{n}i{w}.v{2 * n}i{w}({wide} %a, i64 {rng.choice((0, n))})",
            )


_MAKERS = (
    *(_binary,) * 6,
    _compare,
    _compare,
    _cast,
    _cast,
    _cast,
    _bitcast,
    _select,
    _shuffle,
    _element,
    _call,
    _call,
    _unary_call,
    _funnel,
    _fixed,
    _three_way,
    _reduction,
    _rearranged,
)


def functions(seed: int, count: int) -> Iterator[str]:
    """Yield ``count`` functions of one instruction each, named ``f0``, ``f1``, …"""
    rng = random.Random(seed)
    for k in range(count):
        head, body = rng.choice(_MAKERS)(rng, rng.choice((1, 2, 4)), rng.choice(_WIDTHS))
        result = head.split("@")[0].removeprefix("define ").strip()
        yield f"{head.replace('NAME', f'f{k}')} {{\n  %r = {body}\n  ret {result} %r\n}}\n"


def _lane(rng: random.Random, width: int) -> Lane:
    kind = rng.random()
    if kind < 0.12:
        return POISON
    if kind < 0.5:
        return rng.choice(
            (0, 1, 2, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1, width)
        ) & ((1 << width) - 1)
    return rng.getrandbits(width) >> rng.choice((0, 0, width // 2))


def operand(rng: random.Random, lanes: int, width: int) -> Value:
    """Return random lanes, some poison."""
    return tuple(_lane(rng, width) for _ in range(lanes))
