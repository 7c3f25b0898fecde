"""Damage to modules: bytes, lines, tokens, types, widths, attributes, numbers, truncation; to
bitcode as well.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

Mutation: TypeAlias = Callable[[random.Random, str], str]

_TOKEN: Final = re.compile(r'"[^"\n]*"|[%@!#$][-\w.$]+|[-\w.]+|\s+|.', re.DOTALL)
_INTEGER: Final = re.compile(r"(?<![\w.%@!#$])-?\d+(?![\w.])")
_WIDTH: Final = re.compile(r"\bi\d+\b")
_COUNT: Final = re.compile(r"<(\d+) x ")
_TOO_MANY: Final = re.compile(r"<\d{7,} x ")  # lanes, each of which takes memory
_OPCODE: Final = re.compile(
    r"(?<= = )(?:add|sub|mul|and|or|xor|shl|lshr|ashr|udiv|sdiv|urem|srem|zext|sext|trunc|freeze|bitcast)\b"
)
_OPCODES: Final = (
    "add",
    "sub",
    "mul",
    "and",
    "or",
    "xor",
    "shl",
    "lshr",
    "ashr",
    "udiv",
    "sdiv",
    "urem",
    "srem",
)
_CASTS: Final = ("zext", "sext", "trunc", "bitcast")
_WIDTHS: Final = (
    "i1",
    "i2",
    "i7",
    "i8",
    "i15",
    "i16",
    "i17",
    "i24",
    "i32",
    "i33",
    "i48",
    "i63",
    "i64",
    "i65",
    "i128",
    "i256",
    "i8388607",
    "half",
    "float",
    "ptr",
)
_COUNTS: Final = (0, 1, 2, 3, 5, 7, 8, 16, 17, 31, 32, 33, 64, 128, 1000, 4096, 1 << 20)
_NUMBERS: Final = (
    "0",
    "1",
    "-1",
    "255",
    "256",
    "65535",
    "2147483648",
    str(1 << 63),
    str(1 << 64),
    str(1 << 128),
    "9" * 100,
    "9" * 5000,
    "-" + "9" * 40,
)
_FLAGS: Final = (
    "nuw",
    "nsw",
    "exact",
    "disjoint",
    "nneg",
    "samesign",
    "inbounds",
    "tail",
    "volatile",
    "atomic",
    "fast",
)
_ATTRIBUTES: Final = (
    "noundef",
    "nonnull",
    "readonly",
    "zeroext",
    "signext",
    "inreg",
    "byval(i32)",
    "dereferenceable(4)",
    "align 4",
    "range(i8 0, 7)",
    "captures(none)",
    "initializes((0, 4))",
    '"a"="b"',
    '"range(i8 0, 1)"',
)
_FUNCTION: Final = (
    "optnone noinline",
    "naked",
    "strictfp",
    "noreturn",
    "memory(none)",
    "memory(argmem: read)",
    "nosync",
    "convergent",
    "noimplicitfloat",
    "vscale_range(1,16)",
    '"use-soft-float"="true"',
    '"target-features"="-sse2"',
    '"target-features"="+avx512f,-avx2"',
    '"target-features"="+nonsense"',
    '"target-cpu"="nonsense"',
    '"target-cpu"="i386"',
    '"prefer-vector-width"="7"',
    '"min-legal-vector-width"="99999999999999999999"',
)
_LAYOUTS: Final = (
    "E",
    "e-p:16:16",
    "e-p:64:64:64:32",
    "e-i24:32",
    "e-v128:256",
    "e-S7",
    "e-m:e-p270:32:32-ni:1",
    "nonsense",
    "e-p:99999999999:64",
)
_TRIPLES: Final = (
    "x86_64-unknown-linux-gnu",
    "i386-unknown-linux-gnu",
    "aarch64-linux-gnu",
    "hexagon",
    "amdgcn",
    "",
    "x86_64",
    "x86_64-" + "x" * 300,
)


def _flip(rng: random.Random, text: str) -> str:
    data = bytearray(text.encode(errors="surrogateescape"))
    for _ in range(rng.choice((1, 1, 2, 8))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data.decode(errors="surrogateescape")


def _lines(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[a]
        case 1:
            lines.insert(b, lines[a])
        case 2:
            lines[a], lines[b] = lines[b], lines[a]
        case _:
            lines[a:b] = []
    return "".join(lines)


def _tokens(rng: random.Random, text: str) -> str:
    tokens = _TOKEN.findall(text)
    words = [k for k, t in enumerate(tokens) if not t.isspace()]
    a, b = rng.choice(words), rng.choice(words)
    match rng.randrange(4):
        case 0:
            tokens[a] = ""
        case 1:
            tokens[a] += " " + tokens[a]
        case 2:
            tokens[a], tokens[b] = tokens[b], tokens[a]
        case _:
            tokens[a] = tokens[b]
    return "".join(tokens)


def _everywhere(rng: random.Random, text: str, pattern: re.Pattern[str], new: str) -> str:
    """Replace what one place says, there or in all places that say the same."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    m = rng.choice(found)
    if rng.random() < 0.3:
        return text[: m.start()] + new + text[m.end() :]
    return re.sub(
        rf"(?<![\w.]){re.escape(m[0])}(?![\w.])" if m[0][0].isalnum() else re.escape(m[0]),
        lambda _: new,
        text,
    )


def _width(rng: random.Random, text: str) -> str:
    return _everywhere(rng, text, _WIDTH, rng.choice(_WIDTHS))


def _count(rng: random.Random, text: str) -> str:
    scalable = "vscale x " if rng.random() < 0.1 else ""
    return _everywhere(rng, text, _COUNT, f"<{scalable}{rng.choice(_COUNTS)} x ")


def _number(rng: random.Random, text: str) -> str:
    return _everywhere(rng, text, _INTEGER, rng.choice(_NUMBERS))


def _opcode(rng: random.Random, text: str) -> str:
    found = list(_OPCODE.finditer(text))
    if not found:
        return text
    m = rng.choice(found)
    new = rng.choice(_CASTS if m[0] in _CASTS else _OPCODES)
    rest = re.sub(r"^(?: (?:nuw|nsw|exact|disjoint|nneg))*", "", text[m.end() :])
    return text[: m.start()] + new + rest


def _flag(rng: random.Random, text: str) -> str:
    found = list(re.finditer(r"(?<= = )\w+", text))
    if not found:
        return text
    m = rng.choice(found)
    return f"{text[: m.end()]} {rng.choice(_FLAGS)}{text[m.end() :]}"


def _attribute(rng: random.Random, text: str) -> str:
    found = list(re.finditer(r"(?<=[(,] )?(?:ptr|>|i\d+)(?= %\w+[,)])", text))
    if not found or rng.random() < 0.5:
        return re.sub(
            r"^(define [^{]*)\{",
            lambda m: f"{re.sub('#[0-9]+', '', m[1])} {rng.choice(_FUNCTION)} {{",
            text,
            count=1,
            flags=re.MULTILINE,
        )
    m = rng.choice(found)
    return f"{text[: m.end()]} {rng.choice(_ATTRIBUTES)}{text[m.end() :]}"


def _header(rng: random.Random, text: str) -> str:
    if rng.random() < 0.5:
        return (
            re.sub(r"^target triple = .*\n", "", text, flags=re.MULTILINE)
            + f'target triple = "{rng.choice(_TRIPLES)}"\n'
        )
    return (
        re.sub(r"^target datalayout = .*\n", "", text, flags=re.MULTILINE)
        + f'target datalayout = "{rng.choice(_LAYOUTS)}"\n'
    )


def _truncated(rng: random.Random, text: str) -> str:
    return text[: rng.randrange(1, len(text))]


def _operands(rng: random.Random, text: str) -> str:
    """Exchange two local names in one line, or use one name for another."""
    lines = text.splitlines(keepends=True)
    chosen = [
        k for k, line in enumerate(lines) if " = " in line and len(re.findall(r"%[\w.]+", line)) > 2
    ]
    if not chosen:
        return text
    k = rng.choice(chosen)
    names = re.findall(r"%[\w.]+", lines[k])[1:]
    a, b = rng.choice(names), rng.choice([*names, "undef", "poison", "zeroinitializer"])
    head, _, rest = lines[k].partition(" = ")
    lines[k] = f"{head} = {re.sub(re.escape(a) + r'(?![.0-9a-zA-Z_])', lambda _: b, rest)}"
    return "".join(lines)


def _nested(rng: random.Random, text: str) -> str:
    """Add a global whose type or value is nested deeply."""
    n = rng.choice((10, 500, 5_000))
    return text + f"@deep = global {'{' * n} i32 {'}' * n} zeroinitializer\n"


MUTATIONS: Final[Sequence[Mutation]] = (
    _flip,
    _lines,
    _tokens,
    _width,
    _width,
    _width,
    _count,
    _count,
    _number,
    _number,
    _opcode,
    _opcode,
    _flag,
    _attribute,
    _attribute,
    _header,
    _truncated,
    _operands,
    _operands,
    _nested,
)


def mutated(rng: random.Random, text: str) -> str:
    """Return a module with one to three mutations."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(MUTATIONS)(rng, text) or text
    return _TOO_MANY.sub("<1048576 x ", text)


def mutated_bitcode(rng: random.Random, data: bytes) -> bytes:
    """Return bitcode with bits flipped, words moved or its end cut off."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        a, b = 4 * rng.randrange(len(out) // 4), 4 * rng.randrange(len(out) // 4)
        match rng.randrange(6):
            case 0 | 1 | 2:
                out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
            case 3:
                out[a : a + 4], out[b : b + 4] = out[b : b + 4], out[a : a + 4]
            case 4:
                out[a:a] = out[b : b + 32]
            case _:
                del out[max(a, 64) :]
    return bytes(out)
