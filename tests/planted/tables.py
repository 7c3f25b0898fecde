"""Tables that the rewriter and its proof both read, held against what executes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning.bounds import bounds_of
from frontends.llvm.meaning.spread import spread
from frontends.llvm.text.ast import Local, Module
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.knowledge import Knowledge
from frontends.llvm.windows.webs import join_of, reduction_of
from isel.ir.joins import JOINS
from tests.frontends.llvm.test_lower import disagreements
from tests.reference.interpreter import run, settings_for
from tests.reference.operations import REDUCTIONS
from tests.reference.values import POISON, Lane, Memory, Value

_V: Final = "<4 x i32>"
_OPCODES: Final = ("add", "mul", "and", "or", "xor", "lshr", "udiv", "urem")
_CALLS: Final = ("umin", "umax", "smin", "smax", "uadd.sat")
_USERS: Final = ("mul.7", "and.f", "umin.v4i32", "umax.3", "zext", "llvm_umin.v4i32", "add")
_MOVED: Final = f"%r = shufflevector {_V} %d, {_V} poison, {_V} <i32 1, i32 2, i32 3, i32 0>"
_LINES: Final = (
    *(f"{op} {_V} %z, splat (i32 5)" for op in (*_OPCODES, "shl")),
    *(f"{op} {_V} %z, %y" for op in _OPCODES[:5]),
    *(f"call {_V} @llvm.{name}.v4i32({_V} %z, {_V} %y)" for name in _CALLS),
    *(f'call {_V} @"{name}"({_V} %z, {_V} %y)' for name in _USERS),
    f"select i1 %c, {_V} %z, {_V} %w",
    f"trunc {_V} %w to <4 x i16>",
    "zext <4 x i8> %x to <4 x i16>",
    f"shufflevector {_V} %z, {_V} %w, {_V} <i32 1, i32 6, i32 3, i32 0>",
    f"shufflevector {_V} %w, {_V} %z, {_V} <i32 5, i32 2, i32 7, i32 0>",
    f"insertelement {_V} %z, i32 999, i64 1",
    f"extractelement {_V} %z, i64 2",
    f"extractelement {_V} %z, i64 4",
    f"call i32 @llvm.vector.reduce.umax.v4i32({_V} %w)",
    f"call i32 @llvm.vector.reduce.add.v4i32({_V} %w)",
)


def _modules() -> Iterator[Module]:
    """Yield modules whose first function is one line of bytes and words; each that a user's
    function is called in defines it as differences that are moved.
    """
    for line in _LINES:
        kind = line.rpartition(" to ")[2] if " to " in line else _V
        kind = "i32" if "extract" in line or ".reduce." in line else kind
        called = [x for x in _USERS if f'@"{x}"' in line]
        yield parse_module(normalise(f"""
define {kind} @f(<4 x i8> noundef %x, {_V} noundef %w, i1 noundef %c) {{
  %z = zext <4 x i8> %x to {_V}
  %y = add {_V} %z, splat (i32 3)
  %r = {line}
  ret {kind} %r
}}
""" + "".join(f'define {_V} @"{x}"({_V} %a, {_V} %b) {{\n  %e = add {_V} %a, %a\n  %d = sub {_V} %e, %b\n  {_MOVED}\n  ret {_V} %r\n}}\n' for x in called)))  # fmt: skip


def _inputs(rng: random.Random) -> list[tuple[Lane, ...]]:
    bytes_ = [tuple(rng.choice((0, 1, 254, 255, rng.randrange(256))) for _ in range(4))]
    words = [tuple(rng.choice((0, 1, (1 << 32) - 1, rng.randrange(1 << 32))) for _ in range(4))]
    return [*bytes_, *words, (rng.randrange(2),)]


def _ran(module: Module, given: list[tuple[Lane, ...]]) -> Value:
    return run(module.functions[0], given, Memory(), settings_for(module))


def bounds() -> bool:
    """Tell whether no lane is above its bound."""
    rng = random.Random("bounds")
    most = [(m, bounds_of(m.functions[0].view)["r"]) for m in _modules()]
    rows = ((_ran(m, _inputs(rng)), bound) for m, bound in most for _ in range(20))
    return not any(isinstance(x, int) and x > bound for row, bound in rows for x in row)


def definedness() -> bool:
    """Tell whether nothing that is said to be no poison is poison."""
    rng = random.Random("defined")
    for m in _modules():
        (i,) = (x for x in m.functions[0].view if x.name == "r")
        sure = Knowledge(m, m.functions[0]).defined(Local("r", i.type))
        if sure and any(POISON in _ran(m, _inputs(rng)) for _ in range(20)):
            return False
    return True


def meanings() -> bool:
    """Tell whether instructions and intrinsics mean what the reference executes."""
    return not disagreements(20261128, 400, 12)


def joins() -> bool:
    """Tell whether what joins in any order is known by its name: what changes nothing, what is
    joined in narrow values, and what an instruction or a call computes.
    """
    rng = random.Random("joins")
    for name, join in JOINS.items():
        for x, y in ((rng.randrange(256), rng.randrange(256)) for _ in range(64)):
            wide = REDUCTIONS[name](16, x, y)
            if REDUCTIONS[name](8, x, join.neutral(8)) != x:
                return False
            if join.zext and REDUCTIONS[join.zext](8, x, y) != wide:
                return False
    return all(map(_joins, _modules()))


def _joins(module: Module) -> bool:
    rng, view = random.Random("calls"), module.functions[0].view
    i = view.defs["r"]
    for _ in range(20):
        given = _inputs(rng)
        x, w = given[:2]
        ran = _ran(module, given)
        if name := reduction_of(i):
            total = w[0]
            for lane in w[1:]:
                total = REDUCTIONS[name](32, int(str(total)), int(str(lane)))
            if ran != (total,):
                return False
        elif (name := join_of(i)) and i.operands[1:] == (Local("y", i.type),):
            pairs = ((int(str(a)), int(str(a)) + 3) for a in x)
            if ran != tuple(REDUCTIONS[name](32, a, b) for a, b in pairs):
                return False
    return True


def spreads() -> bool:
    """Tell whether no lane changes that was not said to depend on the lane that did."""
    rng = random.Random("spread")
    for m in _modules():
        i = m.functions[0].view.defs["r"]
        for lane in (k for k in range(4) for _ in range(6)):
            given = _inputs(rng)
            other = (*given[0][:lane], rng.randrange(256), *given[0][lane + 1 :])
            one, two = (_ran(m, [x, *given[1:]]) for x in (given[0], other))
            names = {o.name for o in i.operands if isinstance(o, Local)} & {"x", "y", "z"}
            near = [spread(i, name, frozenset((lane,))) for name in names]
            changed = {k for k, (a, b) in enumerate(zip(one, two, strict=True)) if a != b}
            if not changed <= frozenset[int]().union(*near):
                return False
    return True
