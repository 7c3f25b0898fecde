"""Pairs of functions for ``isel verify``: vector IR, and calls of intrinsics of HVX that are the same
or nearly so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

HEAD: Final = 'target triple = "hexagon-unknown-linux-musl"\n'
ATTRIBUTES: Final = (
    'attributes #0 = { "target-cpu"="hexagonv66" "target-features"="+hvxv66,+hvx-length128b" }'
)
BYTES, HALVES, WORDS = "<128 x i8>", "<64 x i16>", "<32 x i32>"
WIDE_HALVES, WIDE_WORDS, BITS = "<128 x i16>", "<64 x i32>", "<128 x i1>"
PAIR: Final = "<256 x i8>"
REGISTERS: Final = {1024: "<32 x i32>", 2048: "<64 x i32>"}
_SHAPE: Final = re.compile(r"<(\d+) x i(\d+)>$")


@dataclass(frozen=True)
class Family:
    """Vector IR over parameters %a, %b, … that gives %r, and what is compared with it: calls that
    give %r each, the right ones and the wrong ones.
    """

    name: str
    parameters: Sequence[str]
    result: str
    source: str
    right: Sequence[str]
    wrong: Sequence[str]

    def modules(self) -> Iterator[tuple[bool, str, str]]:
        """Yield whether the second function is the first, its name, and both as a module."""
        for right, texts in ((True, self.right), (False, self.wrong)):
            for k, text in enumerate(texts):
                yield right, f"{self.name}-{'right' if right else 'wrong'}-{k}", self.module(text)

    def module(self, text: str) -> str:
        """Return a module with the source and the target that ``text`` is short for."""
        declared: dict[str, str] = {}
        lines = [
            line
            for k, one in enumerate(text.splitlines())
            for line in self._expanded(one.strip(), k, declared)
        ]
        head = ", ".join(f"{t} noundef %{x}" for t, x in zip(self.parameters, "abcd", strict=False))
        functions = [
            f"define {self.result} @{name}({head}) #0 {{\n  {body}\n  ret {self.result} %r\n}}"
            for name, body in (("src", self.source.strip()), ("tgt", "\n  ".join(lines)))
        ]
        return HEAD + "\n".join([*declared.values(), *functions, ATTRIBUTES]) + "\n"

    def _expanded(self, line: str, at: int, declared: dict[str, str]) -> list[str]:
        """Expand ``r: TYPE = name(TYPE x, …)``, a call through registers; other lines stay."""
        found = re.match(r"(\w+): (<[^>]*>) = (\w+)\((.*)\)$", line)
        if found is None:
            return [line]
        to, result, name, given = found.groups()
        lines: list[str] = []
        passed: list[str] = []
        for k, x in enumerate(re.findall(r"((?:<[^>]*>|i32) [%\w]+)", given)):
            kind, value = x.rsplit(" ", 1)
            inside = register(kind)
            if inside != kind:
                lines.append(f"%p{at}_{k} = bitcast {kind} {value} to {inside}")
                value = f"%p{at}_{k}"
            passed.append(f"{inside} {value}")
        inside, callee = register(result), f"@llvm.hexagon.V6.{name.replace('_', '.')}.128B"
        kinds = ", ".join(x.rsplit(" ", 1)[0] for x in passed)
        declared[name] = f"declare {inside} {callee}({kinds})"
        given_to = to if inside == result else f"c{at}"
        lines.append(f"%{given_to} = call {inside} {callee}({', '.join(passed)})")
        if inside != result:
            lines.append(f"%{to} = bitcast {inside} %c{at} to {result}")
        return lines


def register(kind: str) -> str:
    """Return the type that intrinsics take or give a value of a type as."""
    shape = _SHAPE.match(kind)
    return REGISTERS.get(int(shape[1]) * int(shape[2]), kind) if shape is not None else kind


def splat(value: int, kind: str) -> str:
    """Return a constant vector."""
    shape = _SHAPE.match(kind)
    assert shape is not None
    return "<" + ", ".join([f"i{shape[2]} {value}"] * int(shape[1])) + ">"


def order(*numbers: int) -> str:
    """Return the mask of a shuffle."""
    return f"<{len(numbers)} x i32> <" + ", ".join(f"i32 {n}" for n in numbers) + ">"


def shuffled(to: str, kind: str, of: str, second: str, numbers: Sequence[int]) -> str:
    return f"%{to} = shufflevector {kind} {of}, {kind} {second}, {order(*numbers)}\n"


def widened(extend: str, kind: str, wide: str) -> str:
    return f"%wa = {extend} {kind} %a to {wide}\n  %wb = {extend} {kind} %b to {wide}\n"


def binary(name: str, kind: str, a: str = "a", b: str = "b") -> str:
    return f"r: {kind} = {name}({kind} %{a}, {kind} %{b})"


def intrinsic(name: str, kind: str) -> str:
    """Return the line of a generic intrinsic of two operands."""
    suffix = kind.strip("<>").replace(" x ", "")
    return f"%r = call {kind} @llvm.{name}.v{suffix}({kind} %a, {kind} %b)"


EVEN, ODD = range(0, 128, 2), range(1, 128, 2)
HALF_EVEN, HALF_ODD = range(0, 64, 2), range(1, 64, 2)
FAMILIES: Final = (
    Family(
        "average", (BYTES, BYTES), BYTES,
        widened("zext", BYTES, WIDE_HALVES)
        + f"""  %s = add {WIDE_HALVES} %wa, %wb
  %t = add {WIDE_HALVES} %s, {splat(1, WIDE_HALVES)}
  %h = lshr {WIDE_HALVES} %t, {splat(1, WIDE_HALVES)}
  %r = trunc {WIDE_HALVES} %h to {BYTES}""",
        [binary("vavgubrnd", BYTES), binary("vavgubrnd", BYTES, "b", "a")],
        [binary(x, BYTES) for x in ("vavgub", "vavgbrnd", "vavguhrnd", "vnavgub")],
    ),
    Family(
        "maximum", (BYTES, BYTES), BYTES, intrinsic("umax", BYTES),
        [binary("vmaxub", BYTES), f"m: {BITS} = vgtub({BYTES} %a, {BYTES} %b)\nr: {BYTES} = vmux({BITS} %m, {BYTES} %a, {BYTES} %b)"],
        [
            *(binary(x, BYTES) for x in ("vmaxb", "vminub", "vmaxuh")),
            f"m: {BITS} = vgtb({BYTES} %a, {BYTES} %b)\nr: {BYTES} = vmux({BITS} %m, {BYTES} %a, {BYTES} %b)",
            f"m: {BITS} = vgtub({BYTES} %a, {BYTES} %b)\nr: {BYTES} = vmux({BITS} %m, {BYTES} %b, {BYTES} %a)",
            f"m: {BITS} = vgtuh({BYTES} %a, {BYTES} %b)\nr: {BYTES} = vmux({BITS} %m, {BYTES} %a, {BYTES} %b)",
        ],
    ),
    Family(
        "saturating_sum", (BYTES, BYTES), BYTES, intrinsic("uadd.sat", BYTES),
        [binary("vaddubsat", BYTES)],
        [binary(x, BYTES) for x in ("vaddbsat", "vaddububb.sat", "vadduhsat", "vaddb") if "." not in x]
        + [binary("vsububsat", BYTES)],
    ),
    Family(
        "saturating_difference", (HALVES, HALVES), HALVES, intrinsic("usub.sat", HALVES),
        [binary("vsubuhsat", HALVES)],
        [binary("vsubuhsat", HALVES, "b", "a"), *(binary(x, HALVES) for x in ("vsubhsat", "vsubh", "vsububsat"))],
    ),
    Family(
        "product", (BYTES, BYTES), WIDE_HALVES,
        widened("zext", BYTES, WIDE_HALVES)
        + f"  %m = mul {WIDE_HALVES} %wa, %wb\n  "
        + shuffled("r", WIDE_HALVES, "%m", "poison", (*EVEN, *ODD)),
        [f"r: {WIDE_HALVES} = vmpyubv({BYTES} %a, {BYTES} %b)"],
        [f"r: {WIDE_HALVES} = {x}({BYTES} %a, {BYTES} %b)" for x in ("vmpybv", "vmpybusv")]
        + [
            f"m: {WIDE_HALVES} = vmpyubv({BYTES} %a, {BYTES} %b)\n"
            + shuffled("r", WIDE_HALVES, "%m", "poison", mask)
            for mask in ((*range(64, 128), *range(64)), tuple(x for k in range(64) for x in (k, 64 + k)))
        ],
    ),
    Family(
        "product_in_order", (BYTES, BYTES), WIDE_HALVES,
        widened("sext", BYTES, WIDE_HALVES) + f"  %r = mul {WIDE_HALVES} %wa, %wb",
        [
            f"m: {WIDE_HALVES} = vmpybv({BYTES} %a, {BYTES} %b)\n"
            + shuffled("r", WIDE_HALVES, "%m", "poison", tuple(x for k in range(64) for x in (k, 64 + k)))
        ],
        [f"r: {WIDE_HALVES} = vmpybv({BYTES} %a, {BYTES} %b)"],
    ),
    Family(
        "product_with_bytes", (BYTES, "i32"), WIDE_HALVES,
        f"""%i = insertelement <32 x i32> poison, i32 %b, i64 0
  %j = shufflevector <32 x i32> %i, <32 x i32> poison, <32 x i32> zeroinitializer
  %k = bitcast <32 x i32> %j to {BYTES}
  %wa = zext {BYTES} %a to {WIDE_HALVES}
  %wb = zext {BYTES} %k to {WIDE_HALVES}
  %m = mul {WIDE_HALVES} %wa, %wb
  """ + shuffled("r", WIDE_HALVES, "%m", "poison", (*EVEN, *ODD)),
        [f"r: {WIDE_HALVES} = vmpyub({BYTES} %a, i32 %b)"],
        [
            f"r: {WIDE_HALVES} = vmpybus({BYTES} %a, i32 %b)",
            f"%d = call i32 @llvm.bswap.i32(i32 %b)\nr: {WIDE_HALVES} = vmpyub({BYTES} %a, i32 %d)",
            f"%d = call i32 @llvm.fshl.i32(i32 %b, i32 %b, i32 8)\nr: {WIDE_HALVES} = vmpyub({BYTES} %a, i32 %d)",
            f"%c = and i32 %b, 255\n%d = mul i32 %c, 16843009\nr: {WIDE_HALVES} = vmpyub({BYTES} %a, i32 %d)",
        ],
    ),
    Family(
        "shift", (WORDS, "i32"), WORDS,
        f"""%n = and i32 %b, 31
  %i = insertelement {WORDS} poison, i32 %n, i64 0
  %j = shufflevector {WORDS} %i, {WORDS} poison, <32 x i32> zeroinitializer
  %r = ashr {WORDS} %a, %j""",
        [f"r: {WORDS} = vasrw({WORDS} %a, i32 %b)"],
        [
            f"r: {WORDS} = vlsrw({WORDS} %a, i32 %b)",
            f"r: {WORDS} = vasrh({WORDS} %a, i32 %b)",
            f"r: {WORDS} = vaslw({WORDS} %a, i32 %b)",
            f"%c = and i32 %b, 15\nr: {WORDS} = vasrw({WORDS} %a, i32 %c)",
        ],
    ),
    Family(
        "dot_product", (WORDS, BYTES, BYTES), WORDS,
        f"%wa = zext {BYTES} %b to <128 x i32>\n  %wb = sext {BYTES} %c to <128 x i32>\n"
        "  %m = mul <128 x i32> %wa, %wb\n"
        + "".join(
            "  " + shuffled(f"m{k}", "<128 x i32>", "%m", "poison", range(k, 128, 4)) for k in range(4)
        )
        + f"""  %s0 = add {WORDS} %a, %m0
  %s1 = add {WORDS} %s0, %m1
  %s2 = add {WORDS} %s1, %m2
  %r = add {WORDS} %s2, %m3""",
        [f"r: {WORDS} = vrmpybusv.acc({WORDS} %a, {BYTES} %b, {BYTES} %c)".replace(".acc", "_acc")],
        [
            f"r: {WORDS} = {x}({WORDS} %a, {BYTES} %{p}, {BYTES} %{q})"
            for x, p, q in (("vrmpybusv_acc", "c", "b"), ("vrmpybv_acc", "b", "c"), ("vrmpyubv_acc", "b", "c"))
        ],
    ),
    Family(
        "narrowing", (HALVES, HALVES), BYTES,
        shuffled("j", HALVES, "%b", "%a", range(128)).replace("\n", "")
        + f"""
  %k = call {WIDE_HALVES} @llvm.smax.v128i16({WIDE_HALVES} %j, {WIDE_HALVES} zeroinitializer)
  %l = call {WIDE_HALVES} @llvm.smin.v128i16({WIDE_HALVES} %k, {WIDE_HALVES} {splat(255, WIDE_HALVES)})
  %r = trunc {WIDE_HALVES} %l to {BYTES}""",
        [f"r: {BYTES} = vpackhub_sat({HALVES} %a, {HALVES} %b)"],
        [
            f"r: {BYTES} = {x}({HALVES} %{p}, {HALVES} %{q})"
            for x, p, q in (
                ("vpackhub_sat", "b", "a"), ("vpackhb_sat", "a", "b"), ("vsathub", "a", "b"),
                ("vpackeb", "a", "b"), ("vpackwuh_sat", "a", "b"),
            )
        ],
    ),
    Family(
        "difference", (BYTES, BYTES), BYTES,
        widened("zext", BYTES, WIDE_HALVES)
        + f"""  %s = sub {WIDE_HALVES} %wa, %wb
  %n = call {WIDE_HALVES} @llvm.abs.v128i16({WIDE_HALVES} %s, i1 false)
  %r = trunc {WIDE_HALVES} %n to {BYTES}""",
        [binary("vabsdiffub", BYTES), binary("vabsdiffub", BYTES, "b", "a")],
        [binary(x, BYTES) for x in ("vabsdiffuh", "vsububsat", "vsubb", "vnavgub")],
    ),
    Family(
        "wrapping_product", (HALVES, HALVES), HALVES,  # of -32768 and -32768 it is -32768
        widened("sext", HALVES, WIDE_WORDS)
        + f"""  %m = mul {WIDE_WORDS} %wa, %wb
  %d = add {WIDE_WORDS} %m, {splat(0x4000, WIDE_WORDS)}
  %h = lshr {WIDE_WORDS} %d, {splat(15, WIDE_WORDS)}
  %r = trunc {WIDE_WORDS} %h to {HALVES}""",
        [],
        [binary("vmpyhvsrs", HALVES)],
    ),
    Family(
        "saturating_product", (HALVES, HALVES), HALVES,
        widened("sext", HALVES, WIDE_WORDS)
        + f"""  %m = mul {WIDE_WORDS} %wa, %wb
  %d = add {WIDE_WORDS} %m, {splat(0x4000, WIDE_WORDS)}
  %h = ashr {WIDE_WORDS} %d, {splat(15, WIDE_WORDS)}
  %l = call {WIDE_WORDS} @llvm.smin.v64i32({WIDE_WORDS} %h, {WIDE_WORDS} {splat(32767, WIDE_WORDS)})
  %r = trunc {WIDE_WORDS} %l to {HALVES}""",
        [binary("vmpyhvsrs", HALVES)],
        [binary("vmpyih", HALVES)],
    ),
    Family(
        "shuffle", (BYTES, BYTES), PAIR,  # odd bytes of one register for even ones of the other
        f"%r = shufflevector {BYTES} %b, {BYTES} %a, "
        + order(
            *(k if k % 2 == 0 else 127 + k for k in range(128)),
            *(k + 1 if k % 2 == 0 else 128 + k for k in range(128)),
        ),
        [f"r: {PAIR} = vshuffvdd({BYTES} %a, {BYTES} %b, i32 1)"],
        [
            f"r: {PAIR} = vshuffvdd({BYTES} %b, {BYTES} %a, i32 1)",
            f"r: {PAIR} = vshuffvdd({BYTES} %a, {BYTES} %b, i32 2)",
            f"r: {PAIR} = vshuffvdd({BYTES} %a, {BYTES} %b, i32 127)",
            f"r: {PAIR} = vdealvdd({BYTES} %a, {BYTES} %b, i32 3)",
        ],
    ),
    Family(
        "conditional_sum", (HALVES, HALVES, HALVES, HALVES), HALVES,
        f"""%m = icmp sgt {HALVES} %c, %d
  %s = add {HALVES} %a, %b
  %r = select <64 x i1> %m, {HALVES} %s, {HALVES} %a""",
        [f"m: {BITS} = vgth({HALVES} %c, {HALVES} %d)\nr: {HALVES} = vaddhq({BITS} %m, {HALVES} %a, {HALVES} %b)"],
        [
            f"m: {BITS} = {compare}({HALVES} %c, {HALVES} %d)\nr: {HALVES} = {add}({BITS} %m, {HALVES} %a, {HALVES} %b)"
            for compare, add in (
                ("vgtb", "vaddhq"), ("vgtuh", "vaddhq"), ("vgth", "vaddbq"), ("vgth", "vaddhnq"),
                ("vgtw", "vaddhq"), ("vgth", "vsubhq"),
            )
        ],
    ),
)  # fmt: skip
