"""Meaning of one IR instruction as lanes: a value term and a poison bit for each (LangRef; REFINEMENT R1 to R5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from frontends.llvm.ast import Instr, IntType, Type, VectorType
from isel.ir import build as b
from isel.ir import derived as d
from isel.ir.build import any_of
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, elem
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from isel.synth.program import view_lanes

Role: TypeAlias = Literal["source", "target"]
NO: Final = const(0, 1)
YES: Final = const(1, 1)


@dataclass(frozen=True, slots=True)
class Value:
    """Lanes of ``width`` bits and, for each, a one-bit term that is 1 where it is poison; scalars have one lane."""

    width: int
    lanes: tuple[Expr, ...]
    poison: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unsupported:
    """An instruction that is not understood, and what of it."""

    reason: str


Lane: TypeAlias = tuple[Expr, Expr]


def shape_of(t: Type) -> tuple[int, int] | None:
    """Return lanes and width of an integer or integer-vector type."""
    if isinstance(t, IntType):
        return 1, t.bits
    if isinstance(t, VectorType) and isinstance(t.elem, IntType):
        return t.count, t.elem.bits
    return None


def lower_instr(instr: Instr, operands: Sequence[Value], target: Target | None, role: Role = "source") -> Value | Unsupported:
    """Return the meaning of ``instr`` applied to ``operands``, or why there is none."""
    if not instr.known or shape_of(instr.type) is None:
        return Unsupported(f"'{instr.opcode}' is not understood")
    if instr.opcode in BINARY:
        return _lanewise(lambda x, y: BINARY[instr.opcode](x, y, instr.flags), operands)
    handler = _HANDLERS.get(instr.opcode)
    if handler is not None:
        return handler(instr, operands)
    if instr.opcode == "call":
        return _call(instr, operands, target, role)
    return Unsupported(f"'{instr.opcode}' is not understood")


def _lanewise(fn: Callable[[Expr, Expr], Lane], operands: Sequence[Value]) -> Value:
    x, y = operands
    made = [fn(p, q) for p, q in zip(x.lanes, y.lanes, strict=True)]
    poison = tuple(any_of(p, q, m) for p, q, (_, m) in zip(x.poison, y.poison, made, strict=True))
    return Value(made[0][0].width, tuple(v for v, _ in made), poison)


Flags: TypeAlias = frozenset[str]


def overflow(op: Callable[[Expr, Expr], Expr], x: Expr, y: Expr, flags: Flags, grow: int) -> Expr:
    """Return the bit that is 1 where ``nuw`` or ``nsw`` is violated; ``grow`` more bits hold every exact result."""
    w = x.width + grow
    bad: list[Expr] = []
    if "nuw" in flags:
        exact = op(b.zext(x, w), b.zext(y, w))
        bad.append(b.ne(exact, b.zext(op(x, y), w)))
    if "nsw" in flags:
        exact = op(b.sext(x, w), b.sext(y, w))
        bad.append(b.ne(exact, b.sext(op(x, y), w)))
    return any_of(*bad)


def _wrapping(op: Callable[[Expr, Expr], Expr], *, product: bool = False) -> Callable[[Expr, Expr, Flags], Lane]:
    return lambda x, y, f: (op(x, y), overflow(op, x, y, f, x.width if product else 2))


def oversized(count: Expr) -> Expr:
    """Return the bit that is 1 where a shift count is at least the width."""
    w = count.width
    return NO if w == 1 and count.is_const and count.value == 0 else b.ule(const(w, w + 1 if w < 3 else w), b.zext(count, w + 1 if w < 3 else w))


def _shl(x: Expr, y: Expr, f: Flags) -> Lane:
    r = b.shl(x, y)
    bad = [oversized(y)]
    if "nuw" in f:
        bad.append(b.ne(b.lshr(r, y), x))
    if "nsw" in f:
        bad.append(b.ne(b.ashr(r, y), x))
    return r, any_of(*bad)


def _shr(op: Callable[[Expr, Expr], Expr]) -> Callable[[Expr, Expr, Flags], Lane]:
    def run(x: Expr, y: Expr, f: Flags) -> Lane:
        r = op(x, y)
        return r, any_of(oversized(y), b.ne(b.shl(r, y), x) if "exact" in f else NO)

    return run


def _or(x: Expr, y: Expr, f: Flags) -> Lane:
    return b.bor(x, y), b.ne(b.band(x, y), const(0, x.width)) if "disjoint" in f else NO


BINARY: Final[Mapping[str, Callable[[Expr, Expr, Flags], Lane]]] = {
    "add": _wrapping(b.add),
    "sub": _wrapping(b.sub),
    "mul": _wrapping(b.mul, product=True),
    "and": lambda x, y, f: (b.band(x, y), NO),
    "or": _or,
    "xor": lambda x, y, f: (b.bxor(x, y), NO),
    "shl": _shl,
    "lshr": _shr(b.lshr),
    "ashr": _shr(b.ashr),
}


def _extend(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported:
    (x,) = operands
    shape = shape_of(instr.type)
    assert shape is not None
    fn = b.zext if instr.opcode == "zext" else b.sext
    negative = "nneg" in instr.flags
    poison = tuple(any_of(p, b.slt(v, const(0, x.width)) if negative else NO) for v, p in zip(x.lanes, x.poison, strict=True))
    return Value(shape[1], tuple(fn(v, shape[1]) for v in x.lanes), poison)


def _trunc(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported:
    (x,) = operands
    shape = shape_of(instr.type)
    assert shape is not None
    w = shape[1]

    def lost(v: Expr) -> Expr:
        bad: list[Expr] = []
        if "nuw" in instr.flags:
            bad.append(b.ne(b.zext(b.trunc(v, w), x.width), v))
        if "nsw" in instr.flags:
            bad.append(b.ne(b.sext(b.trunc(v, w), x.width), v))
        return any_of(*bad)

    return Value(w, tuple(b.trunc(v, w) for v in x.lanes), tuple(any_of(p, lost(v)) for v, p in zip(x.lanes, x.poison, strict=True)))


def _bitcast(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported:
    (x,) = operands
    shape = shape_of(instr.type)
    assert shape is not None
    new = shape[1]
    if max(new, x.width) % min(new, x.width):
        return Unsupported("'bitcast' between widths of which neither divides the other")
    lanes = tuple(e for e in view_lanes(x.lanes, x.width, new) if e is not None)
    if new <= x.width:
        poison = tuple(p for p in x.poison for _ in range(x.width // new))
    else:
        r = new // x.width
        poison = tuple(any_of(*x.poison[i : i + r]) for i in range(0, len(x.poison), r))
    return Value(new, lanes, poison)


def _icmp(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported:
    compare = d.COMPARES.get(instr.predicate)
    if compare is None:
        return Unsupported(f"'icmp {instr.predicate}'")

    def one(x: Expr, y: Expr) -> Lane:
        signs = b.bxor(b.extract(x, x.width - 1, 1), b.extract(y, y.width - 1, 1)) if "samesign" in instr.flags else NO
        return compare(x, y), signs

    return _lanewise(one, operands)


def _select(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported:
    c, x, y = operands
    n = len(x.lanes)
    if len(c.lanes) == 1:
        c = Value(1, c.lanes * n, c.poison * n)
    rows = list(zip(c.lanes, c.poison, x.lanes, x.poison, y.lanes, y.poison, strict=True))
    lanes = tuple(b.ite(k, u, v) for k, _, u, _, v, _ in rows)
    return Value(x.width, lanes, tuple(any_of(kp, b.ite(k, up, vp)) for k, kp, _, up, _, vp in rows))


def _freeze(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported:
    (x,) = operands
    if any(not (p.is_const and p.value == 0) for p in x.poison):
        return Unsupported("'freeze' of a value that may be poison")
    return x


def _shuffle(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported:
    x, y = operands[:2]
    lanes, poison = x.lanes + y.lanes, x.poison + y.poison
    zero = const(0, x.width)
    return Value(x.width, tuple(zero if m is None else lanes[m] for m in instr.mask), tuple(YES if m is None else poison[m] for m in instr.mask))


def _insert(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported:
    x, v, at = operands
    (index,), (lost,) = at.lanes, at.poison
    outside = any_of(lost, _outside(index, len(x.lanes)))
    here = [b.eq(index, const(i, index.width)) if i < 1 << index.width else NO for i in range(len(x.lanes))]
    lanes = tuple(b.ite(h, v.lanes[0], e) for h, e in zip(here, x.lanes, strict=True))
    return Value(x.width, lanes, tuple(any_of(outside, b.ite(h, v.poison[0], p)) for h, p in zip(here, x.poison, strict=True)))


def _extract(instr: Instr, operands: Sequence[Value]) -> Value | Unsupported:
    x, at = operands
    (index,), (lost,) = at.lanes, at.poison
    value, poison = x.lanes[0], x.poison[0]
    for i in range(1, min(len(x.lanes), 1 << index.width)):
        here = b.eq(index, const(i, index.width))
        value, poison = b.ite(here, x.lanes[i], value), b.ite(here, x.poison[i], poison)
    return Value(x.width, (value,), (any_of(lost, poison, _outside(index, len(x.lanes))),))


def _outside(index: Expr, lanes: int) -> Expr:
    return NO if lanes >= 1 << index.width else b.ule(const(lanes, index.width), index)


_HANDLERS: Final[Mapping[str, Callable[[Instr, Sequence[Value]], Value | Unsupported]]] = {
    "zext": _extend,
    "sext": _extend,
    "trunc": _trunc,
    "bitcast": _bitcast,
    "icmp": _icmp,
    "select": _select,
    "freeze": _freeze,
    "shufflevector": _shuffle,
    "insertelement": _insert,
    "extractelement": _extract,
}


def _call(instr: Instr, operands: Sequence[Value], target: Target | None, role: Role) -> Value | Unsupported:
    from frontends.llvm.intrinsics import lower_intrinsic

    generic = lower_intrinsic(instr, operands)
    if generic is not None:
        return generic
    instruction = target.by_call(instr.callee) if target is not None else None
    if instruction is None:
        return Unsupported(f"call of '{instr.callee}'")
    return lower_instruction(instruction, operands, role)


def lower_instruction(instruction: Instruction, operands: Sequence[Value], role: Role) -> Value | Unsupported:
    """Return the meaning of a target instruction; immediates are literal scalar operands in call order.

    In the source its result is a function of frozen arguments (R4): any argument that may be poison
    makes it unsupported.  In the target a result lane is poison if any lane it reads may be (R3).
    """
    expected = len(instruction.operands) + len(instruction.immediates)
    if len(operands) != expected:
        return Unsupported(f"{instruction.name} with {len(operands)} operands, expected {expected}")
    if role == "source" and any(not (p.is_const and p.value == 0) for v in operands for p in v.poison):
        return Unsupported(f"{instruction.name} of a value that may be poison")
    env: dict[Expr, Expr] = {}
    poison: dict[Expr, Expr] = {}
    for o, v in zip(instruction.operands, operands, strict=False):
        bits = o.width * o.lanes
        if v.width * len(v.lanes) != bits:
            return Unsupported(f"{instruction.name}: operand {o.name} has {v.width * len(v.lanes)} bits, expected {bits}")
        seen = _viewed(v, o.width)
        for i, (e, p) in enumerate(zip(seen.lanes, seen.poison, strict=True)):
            env[elem(o.name, i * o.width, o.width)] = e
            poison[elem(o.name, i * o.width, o.width)] = p
    immediates: dict[str, int] = {}
    for m, v in zip(instruction.immediates, operands[len(instruction.operands) :], strict=True):
        if not v.lanes[0].is_const or v.lanes[0].value not in m.values:
            return Unsupported(f"{instruction.name}: immediate {m.name} is no legal constant")
        immediates[m.name] = v.lanes[0].value
    lanes: list[Expr] = []
    bad: list[Expr] = []
    from isel.ir.expr import leaves

    for i in range(instruction.lanes):
        f = instruction.lane(i, immediates)
        used = leaves(f)
        lanes.append(instantiate(f, {x: env[x] for x in used}))
        bad.append(any_of(*(poison[x] for x in used)))
    return Value(instruction.width, tuple(lanes), tuple(bad))


def _viewed(v: Value, width: int) -> Value:
    if v.width == width:
        return v
    lanes = tuple(e for e in view_lanes(v.lanes, v.width, width) if e is not None)
    if width <= v.width:
        poison = tuple(p for p in v.poison for _ in range(v.width // width))
    else:
        r = width // v.width
        poison = tuple(any_of(*v.poison[i : i + r]) for i in range(0, len(v.poison), r))
    return Value(width, lanes, poison)
