"""Operations in the guide's language, worded by us, each with what a lane must be in Python.

The Python is written from the instruction's name, not from the importer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tests.semantics.importer.guide import Parameter

Values: TypeAlias = Mapping[str, Sequence[int]]
"""Elements by operand, signed where the type says so; an immediate is one element."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An operation, its result and operands, and the integer whose low bits are lane ``i``."""

    name: str
    result: Parameter
    parameters: tuple[Parameter, ...]
    text: str
    lane: Callable[[Values, int], int]


def _vector(name: str, kind: str) -> Parameter:
    return ("__m128i", name, kind)


_IMM: Final[Parameter] = ("int", "imm8", "IMM")


def _each(width: int, body: str) -> str:
    """Return a loop over the lanes of 128 bits; ``A``, ``B`` and ``D`` are a lane of a, b, dst."""
    for short, name in (("A", "a"), ("B", "b"), ("C", "src"), ("D", "dst")):
        body = body.replace(f"${short}", f"{name}[i+{width - 1}:i]")
    body = body.replace("\n", "\n\t")
    return f"FOR j := 0 to {128 // width - 1}\n\ti := j*{width}\n\t{body}\nENDFOR"


def _two(
    name: str, kind: str, body: str, lane: Callable[[int, int], int], result: str = ""
) -> Excerpt:
    """Return an operation on lane ``i`` of a and of b."""
    return Excerpt(
        name,
        _vector("dst", result or kind),
        (_vector("a", kind), _vector("b", kind)),
        _each(int(kind[2:]), body),
        lambda v, i: lane(v["a"][i], v["b"][i]),
    )


def _masked(name: str, other: str, lane: Callable[[int, bool, int], int]) -> Excerpt:
    """Return a difference where k is set, else what ``other`` says."""
    return Excerpt(
        name,
        _vector("dst", "UI16"),
        (
            _vector("src", "UI16"),
            ("__mmask8", "k", "MASK"),
            _vector("a", "UI16"),
            _vector("b", "UI16"),
        ),
        _each(16, f"IF k[j]\n\t$D := $A - $B\nELSE\n\t$D := {other}\nFI"),
        lambda v, i: lane(v["a"][i] - v["b"][i], bool(v["k"][i]), v["src"][i]),
    )


def _to(low: int, value: int, high: int) -> int:
    return max(low, min(high, value))


def _s8(value: int) -> int:
    return _to(-128, value, 127)


def _s16(value: int) -> int:
    return _to(-32768, value, 32767)


def _s32(value: int) -> int:
    return _to(-(1 << 31), value, (1 << 31) - 1)


def _rotated(value: int, count: int, width: int) -> int:
    count %= width
    return value << count | (value & ((1 << width) - 1)) >> (width - count)


def _zeros(value: int, width: int) -> int:
    return width - value.bit_length()


def _quad(v: Values, i: int) -> int:
    return sum(v["a"][4 * i + k] * v["b"][4 * i + k] for k in range(4))


_QUAD = (
    "FOR j := 0 to 3\n\ts := 0\n\tFOR n := 0 to 3\n"
    "\t\tp.word := ZeroExtend16(a.byte[4*j+n]) * SignExtend16(b.byte[4*j+n])\n"
    "\t\ts := s + SignExtend32(p.word)\n\tENDFOR\n\tdst.dword[j] := {}\nENDFOR"
)
_QUADS = (_vector("src", "SI32"), _vector("a", "UI8"), _vector("b", "SI8"))
_WORDS = (_vector("a", "SI16"), _vector("b", "SI16"))

EXCERPTS: Final = (
    _two("difference", "SI16", "$D := $A - $B", lambda a, b: a - b),
    _two("difference_of_bytes", "UI8", "$D := $B - $A", lambda a, b: b - a),
    _two("product_low", "SI32", "t[63:0] := $A * $B\n$D := t[31:0]", lambda a, b: a * b),
    _two("product_high", "SI16", "t[31:0] := $A * $B\n$D := t[31:16]", lambda a, b: a * b >> 16),
    _two(
        "product_high_unsigned",
        "UI16",
        "t[31:0] := $A * $B\n$D := t[31:16]",
        lambda a, b: a * b >> 16,
    ),
    _two(
        "product_rounded",
        "SI16",
        "t[31:0] := (($A * $B) >> 14) + 1\n$D := t[16:1]",
        lambda a, b: ((a * b >> 14) + 1) >> 1,
    ),
    _two("saturated_sum", "SI8", "$D := Saturate8($A + $B)", lambda a, b: _s8(a + b)),
    _two("saturated_sum_of_words", "SI16", "$D := Saturate16($A + $B)", lambda a, b: _s16(a + b)),
    _two(
        "saturated_sum_unsigned",
        "UI8",
        "$D := SaturateU8($A + $B)",
        lambda a, b: _to(0, a + b, 255),
    ),
    _two("saturated_difference", "SI16", "$D := Saturate16($A - $B)", lambda a, b: _s16(a - b)),
    _two(
        "saturated_difference_unsigned",
        "UI16",
        "$D := SaturateU16($A - $B)",
        lambda a, b: max(0, a - b),
    ),
    _two("borrow", "UI16", "t[31:0] := $A - $B\n$D := t[31:16]", lambda a, b: -(a < b)),
    _two("average", "UI8", "$D := ($A + $B + 1) >> 1", lambda a, b: (a + b + 1) >> 1),
    _two("halved_difference", "SI16", "$D := ($A - $B) >> 1", lambda a, b: (a - b) >> 1),
    _two("absolute", "SI8", "$D := ABS($A)", lambda a, b: abs(a)),
    _two("absolute_difference", "UI8", "$D := ABS($A - $B)", lambda a, b: abs(a - b)),
    _two("greatest", "SI8", "$D := MAX($A, $B)", max),
    _two("least", "SI16", "$D := MIN($A, $B)", min),
    _two("least_unsigned", "UI8", "$D := MIN($A, $B)", min),
    _two("without", "UI32", "$D := (NOT $A) AND $B", lambda a, b: ~a & b),
    _two("xor_or", "UI32", "$D := ($A XOR $B) OR $A", lambda a, b: (a ^ b) | a),
    _two("greater", "SI8", "$D := ( $A > $B ) ? 0xFF : 0", lambda a, b: -(a > b)),
    _two("not_above", "UI16", "$D := ( $A <= $B ) ? 0xFFFF : 0", lambda a, b: -(a <= b)),
    _two(
        "signed_like",
        "SI16",
        "IF $B < 0\n\t$D := -($A)\nELSIF $B == 0\n\t$D := 0\nELSE\n\t$D := $A\nFI",
        lambda a, b: -a if b < 0 else a if b else 0,
    ),
    _two(
        "shifted_left",
        "UI16",
        "IF $B < 16\n\t$D := ZeroExtend16($A << $B)\nELSE\n\t$D := 0\nFI",
        lambda a, b: a << b if b < 16 else 0,
    ),
    _two("shifted_by_any_count", "UI16", "$D := $A >> $B", lambda a, b: a >> b),
    _two(
        "shifted_left_by_any_count",
        "UI16",
        "$D := ZeroExtend16($A << $B)",
        lambda a, b: a << b if b < 16 else 0,
    ),
    _two(
        "unless_zero",
        "UI16",
        "IF $B\n\t$D := $A\nELSE\n\t$D := 1\nFI",
        lambda a, b: a if b else 1,
    ),
    _two("from_the_left", "SI16", "$D := $A - $B - $A - $B", lambda a, b: a - b - a - b),
    _two(
        "a_byte_with_its_sign",
        "UI16",
        "$D := SignExtend16($A[7:0])".replace("$A[7:0]", "a[i+7:i]"),
        lambda a, b: (a & 255) - ((a & 128) << 1),
    ),
    Excerpt(
        "shifted_by_one_count",
        _vector("dst", "UI8"),
        (_vector("a", "UI8"), _vector("b", "UI64")),
        _each(8, "$D := $A >> b[63:0]"),
        lambda v, i: v["a"][i] >> v["b"][0],
    ),
    Excerpt(
        "a_case_by_an_operand",
        _vector("dst", "UI16"),
        (_vector("a", "UI16"), _vector("b", "UI16")),
        _each(
            16,
            "CASE (b[i+1:i]) OF\n0: $D := $A\n1: $D := $A + 1\n2: $D := 7\n3: $D := $B\nESAC",
        ),
        lambda v, i: (v["a"][i], v["a"][i] + 1, 7, v["b"][i])[v["b"][i] % 4],
    ),
    Excerpt(
        "one_lane_apart",
        _vector("dst", "UI16"),
        (_vector("a", "UI16"), _vector("b", "UI16")),
        "FOR j := 0 to 7\n\ti := j*16\n\tIF j == 3\n\t\tdst[i+15:i] := a[i+15:i]\n\tELSE\n"
        "\t\tdst[i+15:i] := b[i+15:i]\n\tFI\nENDFOR",
        lambda v, i: v["a" if i == 3 else "b"][i],
    ),
    Excerpt(
        "shifted_right_by_signs",
        _vector("dst", "SI16"),
        (_vector("a", "SI16"), _vector("b", "UI16")),
        _each(
            16,
            "IF $B < 16\n\t$D := SignExtend16($A >> $B)\nELSE\n"
            "\t$D := ($A[15] ? 0xFFFF : 0x0)\nFI".replace("$A[15]", "a[i+15]"),
        ),
        lambda v, i: v["a"][i] >> min(v["b"][i], 15),
    ),
    _two("rotated_by_three", "UI32", "$D := $A <<< 3", lambda a, b: _rotated(a, 3, 32)),
    _two("rotated_right", "UI16", "$D := ROTATE_RIGHT($A, $B)", lambda a, b: _rotated(a, -b, 16)),
    _two("bits_counted", "UI16", "$D := POPCNT($A)", lambda a, b: a.bit_count()),
    _two("zeros_counted", "UI32", "$D := LZCNT($A)", lambda a, b: _zeros(a, 32)),
    _masked("merged", "src[i+15:i]", lambda d, k, s: d if k else s),
    _masked("zeroed", "0", lambda d, k, s: d if k else 0),
    Excerpt(
        "pairs_of_products",
        _vector("dst", "SI32"),
        _WORDS,
        "FOR j := 0 to 3\n\tdst.dword[j] := SignExtend32(a.word[2*j]) * SignExtend32(b.word[2*j])"
        " + SignExtend32(a.word[2*j+1]) * SignExtend32(b.word[2*j+1])\nENDFOR",
        lambda v, i: sum(v["a"][2 * i + k] * v["b"][2 * i + k] for k in (0, 1)),
    ),
    Excerpt(
        "pairs_of_products_saturated",
        _vector("dst", "SI16"),
        (_vector("a", "UI8"), _vector("b", "SI8")),
        "FOR j := 0 to 7\n\ti := j*16\n\tdst[i+15:i] := Saturate16("
        "a[i+15:i+8]*b[i+15:i+8] + a[i+7:i]*b[i+7:i])\nENDFOR",
        lambda v, i: _s16(sum(v["a"][2 * i + k] * v["b"][2 * i + k] for k in (0, 1))),
    ),
    Excerpt(
        "quads_added",
        _vector("dst", "SI32"),
        _QUADS,
        _QUAD.format("src.dword[j] + s"),
        lambda v, i: v["src"][i] + _quad(v, i),
    ),
    Excerpt(
        "quads_added_saturated",
        _vector("dst", "SI32"),
        _QUADS,
        _QUAD.format("Saturate32(src.dword[j] + s)"),
        lambda v, i: _s32(v["src"][i] + _quad(v, i)),
    ),
    Excerpt(
        "distances_summed",
        _vector("dst", "UI16"),
        (_vector("a", "UI8"), _vector("b", "UI8")),
        "FOR j := 0 to 1\n\ti := j*64\n\ts := 0\n\tFOR n := 0 to 7\n\t\tm := i + n*8\n"
        "\t\ts := s + ABS(a[m+7:m] - b[m+7:m])\n\tENDFOR\n"
        "\tdst[i+15:i] := s\n\tdst[i+63:i+16] := 0\nENDFOR",
        lambda v, i: (
            0 if i % 4 else sum(abs(v["a"][2 * i + n] - v["b"][2 * i + n]) for n in range(8))
        ),
    ),
    Excerpt(
        "packed",
        _vector("dst", "SI8"),
        _WORDS,
        "FOR j := 0 to 7\n\tdst.byte[j] := Saturate8(a.word[j])\n"
        "\tdst.byte[j+8] := Saturate8(b.word[j])\nENDFOR",
        lambda v, i: _s8(v["a" if i < 8 else "b"][i % 8]),
    ),
    Excerpt(
        "packed_unsigned",
        _vector("dst", "UI8"),
        _WORDS,
        "FOR j := 0 to 7\n\tdst.byte[j] := SaturateU8(a.word[j])\n"
        "\tdst.byte[j+8] := SaturateU8(b.word[j])\nENDFOR",
        lambda v, i: _to(0, v["a" if i < 8 else "b"][i % 8], 255),
    ),
    Excerpt(
        "widened",
        _vector("dst", "SI16"),
        (_vector("a", "SI8"),),
        "FOR j := 0 to 7\n\ti := 8*j\n\tl := 16*j\n\tdst[l+15:l] := SignExtend16(a[i+7:i])\nENDFOR",
        lambda v, i: v["a"][i],
    ),
    Excerpt(
        "widened_unsigned",
        _vector("dst", "SI32"),
        (_vector("a", "UI8"),),
        "FOR j := 0 to 3\n\ti := 8*j\n\tl := 32*j\n\tdst[l+31:l] := ZeroExtend32(a[i+7:i])\nENDFOR",
        lambda v, i: v["a"][i],
    ),
    Excerpt(
        "narrowed_with_zeros_above",
        _vector("dst", "UI8"),
        (_vector("a", "UI16"),),
        "FOR j := 0 to 7\n\ti := 16*j\n\tl := 8*j\n\tdst[l+7:l] := Truncate8(a[i+15:i])\nENDFOR\n"
        "dst[127:64] := 0",
        lambda v, i: v["a"][i] if i < 8 else 0,
    ),
    Excerpt(
        "interleaved_high",
        _vector("dst", "UI8"),
        (_vector("a", "UI8"), _vector("b", "UI8")),
        "FOR j := 0 to 7\n\tdst.byte[2*j] := a.byte[j+8]\n\tdst.byte[2*j+1] := b.byte[j+8]\nENDFOR",
        lambda v, i: v["b" if i % 2 else "a"][8 + i // 2],
    ),
    Excerpt(
        "even_products",
        _vector("dst", "UI64"),
        (_vector("a", "UI32"), _vector("b", "UI32")),
        "FOR j := 0 to 1\n\ti := j*64\n\tdst[i+63:i] := a[i+31:i] * b[i+31:i]\nENDFOR",
        lambda v, i: v["a"][2 * i] * v["b"][2 * i],
    ),
    Excerpt(
        "chosen_by_an_immediate",
        _vector("dst", "UI16"),
        (_vector("a", "UI16"), _vector("b", "UI16"), _IMM),
        _each(16, "IF imm8[j]\n\t$D := $B\nELSE\n\t$D := $A\nFI"),
        lambda v, i: v["b" if v["imm8"][0] >> i & 1 else "a"][i],
    ),
    Excerpt(
        "chosen_by_signs",
        _vector("dst", "UI8"),
        (_vector("a", "UI8"), _vector("b", "UI8"), _vector("m", "SI8")),
        _each(8, "IF m[i+7]\n\t$D := $B\nELSE\n\t$D := $A\nFI"),
        lambda v, i: v["b" if v["m"][i] < 0 else "a"][i],
    ),
    Excerpt(
        "permuted_or_zero",
        _vector("dst", "UI8"),
        (_vector("a", "UI8"), _vector("b", "UI8")),
        _each(8, "IF b[i+7]\n\t$D := 0\nELSE\n\tn := b[i+3:i]*8\n\t$D := a[n+7:n]\nFI"),
        lambda v, i: 0 if v["b"][i] > 127 else v["a"][v["b"][i] % 16],
    ),
    Excerpt(
        "moved_across",
        _vector("dst", "UI8"),
        (_vector("a", "UI8"), _vector("b", "UI8"), _IMM),
        "t[255:0] := ((a[127:0] << 128) OR b[127:0]) >> (imm8[3:0]*8)\ndst[127:0] := t[127:0]",
        lambda v, i: (*v["b"], *v["a"])[i + v["imm8"][0] % 16],
    ),
    Excerpt(
        "a_word_replaced",
        _vector("dst", "UI32"),
        (_vector("a", "UI32"), ("int", "w", "UI32"), _IMM),
        "dst[127:0] := a[127:0]\nCASE (imm8[1:0]) OF\n0: dst[31:0] := w[31:0]\n"
        "1: dst[63:32] := w[31:0]\n2: dst[95:64] := w[31:0]\n3: dst[127:96] := w[31:0]\nESAC",
        lambda v, i: v["w"][0] if v["imm8"][0] % 4 == i else v["a"][i],
    ),
    Excerpt(
        "bits_in_common",
        ("__mmask8", "k", "MASK"),
        (_vector("a", "UI16"), _vector("b", "UI16")),
        "FOR j := 0 to 7\n\ti := j*16\n\tk[j] := ((a[i+15:i] AND b[i+15:i]) != 0) ? 1 : 0\nENDFOR",
        lambda v, i: int(v["a"][i] & v["b"][i] != 0),
    ),
    Excerpt(
        "the_first_everywhere",
        _vector("dst", "UI16"),
        (_vector("a", "UI16"),),
        "FOR j := 7 downto 0\n\tdst.word[j] := a[15:0]\nENDFOR",
        lambda v, i: v["a"][0],
    ),
    Excerpt(
        "any_function_of_three",
        _vector("dst", "UI32"),
        (_vector("a", "UI32"), _vector("b", "UI32"), _vector("c", "UI32"), _IMM),
        _each(32, "$D := TRUTH(imm8[7:0], $A, $B, c[i+31:i])"),
        lambda v, i: sum(
            (
                v["imm8"][0]
                >> (4 * (v["a"][i] >> n & 1) + 2 * (v["b"][i] >> n & 1) + (v["c"][i] >> n & 1))
                & 1
            )
            << n
            for n in range(32)
        ),
    ),
)
