"""A small made-up instruction set with 128-bit blocks, enough to exercise the search without a
real target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from isel.ir import build as b
from isel.ir.expr import Expr, const, elem
from isel.rules import derived as d
from isel.spec.instruction import Immediate, Instruction, Operand, Role

Lane = Callable[[int, Mapping[str, int]], Expr]


def instruction(
    name: str,
    operands: Sequence[tuple[str, int, int]],
    width: int,
    lanes: int,
    lane: Lane,
    *,
    imm: tuple[int, ...] = (),
    index: str = "",
) -> Instruction:
    """Make an instruction of the toy set; ``index`` names its index operand."""
    ops = tuple(Operand(n, w, k, Role.INDEX if n == index else Role.IN) for n, w, k in operands)
    imms = (Immediate("n", 8, imm),) if imm else ()
    return Instruction(name, name.split(".")[0], ops, imms, width, lanes, frozenset(), (), "", lane)


def _at(name: str, width: int) -> Callable[[int], Expr]:
    return lambda i: elem(name, i * width, width)


def _simd(name: str, width: int, bits: int, fn: Callable[..., Expr], arity: int = 2) -> Instruction:
    lanes = bits // width
    names = "abc"[:arity]
    return instruction(
        f"{name}{width}.{bits}",
        [(n, width, lanes) for n in names],
        width,
        lanes,
        lambda i, m: fn(*(_at(n, width)(i) for n in names)),
    )


def _shift(name: str, width: int, bits: int, fn: Callable[[Expr, Expr], Expr]) -> Instruction:
    lanes = bits // width
    return instruction(
        f"{name}{width}.{bits}",
        [("a", width, lanes)],
        width,
        lanes,
        lambda i, m: fn(_at("a", width)(i), const(m["n"], width)),
        imm=tuple(range(width)),
    )


def _pack(name: str, width: int, bits: int, fn: Callable[[Expr, int], Expr]) -> Instruction:
    lanes, block = bits // width, 128 // width

    def lane(i: int, m: Mapping[str, int]) -> Expr:
        where, k = divmod(i, block)
        half = block // 2
        return fn(_at("a" if k < half else "b", 2 * width)(where * half + k % half), width)

    return instruction(
        f"{name}{width}.{bits}",
        [("a", 2 * width, lanes // 2), ("b", 2 * width, lanes // 2)],
        width,
        lanes,
        lane,
    )


def _unpack(high: int, width: int, bits: int) -> Instruction:
    lanes, block = bits // width, 128 // width

    def lane(i: int, m: Mapping[str, int]) -> Expr:
        where, k = divmod(i, block)
        return _at("ab"[k % 2], width)(where * block + high * (block // 2) + k // 2)

    return instruction(
        f"unpack{'lh'[high]}{width}.{bits}",
        [("a", width, lanes), ("b", width, lanes)],
        width,
        lanes,
        lane,
    )


def _madd(bits: int) -> Instruction:
    a, c = _at("a", 16), _at("b", 16)
    product: Callable[[int], Expr] = lambda i: b.mul(b.sext(a(i), 32), b.sext(c(i), 32))  # noqa: E731
    return instruction(
        f"madd.{bits}",
        [("a", 16, bits // 16), ("b", 16, bits // 16)],
        32,
        bits // 32,
        lambda i, m: b.add(product(2 * i), product(2 * i + 1)),
    )


def _maddubs(bits: int) -> Instruction:
    a, c = _at("a", 8), _at("b", 8)
    product: Callable[[int], Expr] = lambda i: b.mul(b.zext(a(i), 18), b.sext(c(i), 18))  # noqa: E731
    return instruction(
        f"maddubs.{bits}",
        [("a", 8, bits // 8), ("b", 8, bits // 8)],
        16,
        bits // 16,
        lambda i, m: d.sat_s(b.add(product(2 * i), product(2 * i + 1)), 16),
    )


def _dpbusd(bits: int) -> Instruction:
    a, c = _at("a", 8), _at("b", 8)

    def lane(i: int, m: Mapping[str, int]) -> Expr:
        total = _at("s", 32)(i)
        for k in range(4):
            total = b.add(total, b.mul(b.zext(a(4 * i + k), 32), b.sext(c(4 * i + k), 32)))
        return total

    return instruction(
        f"dpbusd.{bits}",
        [("s", 32, bits // 32), ("a", 8, bits // 8), ("b", 8, bits // 8)],
        32,
        bits // 32,
        lane,
    )


def _dpwssd(bits: int) -> Instruction:
    a, c = _at("a", 16), _at("b", 16)

    def lane(i: int, m: Mapping[str, int]) -> Expr:
        total = _at("s", 32)(i)
        for k in range(2):
            total = b.add(total, b.mul(b.sext(a(2 * i + k), 32), b.sext(c(2 * i + k), 32)))
        return total

    return instruction(
        f"dpwssd.{bits}",
        [("s", 32, bits // 32), ("a", 16, bits // 16), ("b", 16, bits // 16)],
        32,
        bits // 32,
        lane,
    )


def _sad(bits: int) -> Instruction:
    a, c = _at("a", 8), _at("b", 8)

    def lane(i: int, m: Mapping[str, int]) -> Expr:
        total = b.zext(d.uabsdiff(a(8 * i), c(8 * i)), 11)
        for k in range(1, 8):
            total = b.add(total, b.zext(d.uabsdiff(a(8 * i + k), c(8 * i + k)), 11))
        return b.zext(total, 64)

    return instruction(
        f"sad.{bits}", [("a", 8, bits // 8), ("b", 8, bits // 8)], 64, bits // 64, lane
    )


def _extend(
    bits: int, narrow: int, wide: int, fn: Callable[[Expr, int], Expr], name: str
) -> Instruction:
    lanes = bits // wide
    return instruction(
        f"{name}{narrow}to{wide}.{bits}",
        [("a", narrow, lanes)],
        wide,
        lanes,
        lambda i, m: fn(_at("a", narrow)(i), wide),
    )


def _narrow(
    bits: int, wide: int, narrow: int, fn: Callable[[Expr, int], Expr], name: str
) -> Instruction:
    lanes = bits // wide
    return instruction(
        f"{name}{wide}to{narrow}.{bits}",
        [("a", wide, lanes)],
        narrow,
        lanes,
        lambda i, m: fn(_at("a", wide)(i), narrow),
    )


def _permute(width: int, bits: int) -> Instruction:
    lanes = bits // width

    def lane(i: int, m: Mapping[str, int]) -> Expr:
        index = b.trunc(_at("x", width)(i), lanes.bit_length())
        table = [_at("a", width)(k) for k in range(lanes)] + [
            _at("b", width)(k) for k in range(lanes)
        ]
        return d.pick(table, index)

    return instruction(
        f"permute{width}.{bits}",
        [("a", width, lanes), ("x", width, lanes), ("b", width, lanes)],
        width,
        lanes,
        lane,
        index="x",
    )


def _qwords(bits: int) -> Instruction:
    lanes = bits // 64
    return instruction(
        f"qwords.{bits}",
        [("a", 64, lanes)],
        64,
        lanes,
        lambda i, m: _at("a", 64)(i // 4 * 4 + (m["n"] >> 2 * (i % 4) & 3)),
        imm=tuple(range(256)),
    )


def toy(bits: tuple[int, ...] = (128, 256, 512)) -> tuple[Instruction, ...]:
    """Return the toy set for the given register sizes."""
    found: list[Instruction] = []
    for n in bits:
        for w in (8, 16, 32, 64):
            for name, fn in (
                ("add", b.add),
                ("sub", b.sub),
                ("and", b.band),
                ("or", b.bor),
                ("xor", b.bxor),
                ("umin", d.umin),
                ("umax", d.umax),
                ("smin", d.smin),
                ("smax", d.smax),
            ):
                found.append(_simd(name, w, n, fn))
            found.append(_simd("abs", w, n, d.sabs, 1))
            found += [_unpack(h, w, n) for h in (0, 1)]
            if w > 8:
                found += [
                    _shift(name, w, n, fn)
                    for name, fn in (("shl", b.shl), ("lshr", b.lshr), ("ashr", b.ashr))
                ]
            found.append(_permute(w, n))
        for w in (8, 16):
            for name, fn in (
                ("uadds", d.uadd_sat),
                ("usubs", d.usub_sat),
                ("sadds", d.sadd_sat),
                ("ssubs", d.ssub_sat),
                ("avg", d.uavg),
            ):
                found.append(_simd(name, w, n, fn))
            found += [_pack("packs", w, n, d.sat_s), _pack("packus", w, n, d.sat_su)]
        for name, fn in (
            ("mulhi", d.smulhi),
            ("umulhi", d.umulhi),
            ("mulhrs", d.smulhrs),
            ("mullo", b.mul),
        ):
            found.append(_simd(name, 16, n, fn))
        found.append(_simd("mullo", 32, n, b.mul))
        found += [_madd(n), _maddubs(n), _dpbusd(n), _dpwssd(n), _sad(n)]
        for lo, hi in ((8, 16), (8, 32), (16, 32), (32, 64)):
            if n * lo // hi >= 64:
                found += [_extend(n, lo, hi, b.zext, "zx"), _extend(n, lo, hi, b.sext, "sx")]
                found += [_narrow(n, hi, lo, b.trunc, "trunc"), _narrow(n, hi, lo, d.sat_s, "sat")]
        if n > 128:
            found.append(_qwords(n))
    return tuple(found)


class ToyTarget:
    """The toy set as a target; prices follow a machine with two vector pipes, one of which
    shuffles.
    """

    name = "toy"
    digest = "toy"

    def instructions(self) -> tuple[Instruction, ...]:
        """Return the whole set."""
        return _SET

    def by_call(self, intrinsic: str) -> Instruction | None:
        """There are no intrinsics."""
        return None

    def handles(self, triple: str) -> bool:
        """No triple is the toy's."""
        return False

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        """There are no features."""
        return frozenset()

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """Registers have 512 bits."""
        return 512

    def operation_cost(self, instruction: Instruction, cpu: str) -> int:
        """Return 50 for simple operations, 100 for products and swizzles, 200 for narrowing."""
        m = instruction.mnemonic
        if m.startswith(("trunc", "sat")):
            return 200
        return (
            100
            if m.startswith(
                (
                    "permute",
                    "qwords",
                    "unpack",
                    "pack",
                    "zx",
                    "sx",
                    "mul",
                    "umul",
                    "madd",
                    "dp",
                    "sad",
                )
            )
            else 50
        )

    planes = 1

    def halves_cost(self, cpu: str) -> tuple[int, int]:
        return 100, 100

    def register_of(self, instruction: Instruction) -> str:
        """Return the only kind there is."""
        return "toy"


_SET = toy()
