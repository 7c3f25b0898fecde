"""Candidate instructions: every opcode with every kinds of operands it might have; the assembler
sorts out which exist.

A kind is what :mod:`semantics.arm.asm` calls an operand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from bench.costs.patterns import mnemonics
from semantics.arm import costs

_MNEMONICS: Final = mnemonics(costs.__file__)
_ARRANGED: Final = ("8b", "16b", "4h", "8h", "2s", "4s", "1d", "2d", "1q")
_SCALARS: Final = ("b", "h", "s", "d", "q")
_ELEMENTS: Final = ("b[]", "h[]", "s[]", "d[]")
_GENERAL: Final = ("x", "w")
_MEMORY: Final = {
    "mem": "[x9, #16]",
    "mem!": "[x9, #16]!",
    "mem(x)": "[x9, x10]",
    "mem(x:lsl)": "[x9, x10, lsl #{}]",
    "mem(w:sxtw)": "[x9, w10, sxtw]",
    "mem(w:uxtw)": "[x9, w10, uxtw]",
    "mem(w:sxtw#)": "[x9, w10, sxtw #{}]",
    "mem(w:uxtw#)": "[x9, w10, uxtw #{}]",
}
_SAID: Final = {
    "imm": ("#1", "#0", "#8", "#16"),
    "zero": ("#0",),
    "lsl:4": ("lsl #3", "lsl #0"),
    "lsl": ("lsl #8", "lsl #16", "lsl #12"),
    "msl": ("msl #8",),
    "cond": ("ne",),
    "label": ("foo",),
    "prfop": ("pldl1keep",),
}
_SHIFTS: Final = ("lsl:4", "lsl", "lsr", "asr", "ror")
_EXTENDS: Final = tuple(f"{s}xt{w}" for s in "su" for w in "bhwx")


def candidates() -> Iterator[str]:
    """Yield assembly lines in a fixed order; many do not exist."""
    for mnemonic in _MNEMONICS["vector"]:
        yield from _written(mnemonic, _vector_kinds())
    for mnemonic in ("mov", "movi", "fmov"):
        yield from _written(mnemonic, ((k, "zero") for k in (*_ARRANGED, *_SCALARS, *_GENERAL)))
    yield from ("fmov s0, wzr", "fmov d0, xzr", "mov w0, wzr", "mov x0, xzr")
    for mnemonic in _MNEMONICS["general"]:
        yield from _written(mnemonic, _general_kinds())
    for mnemonic in _MNEMONICS["loads"]:
        yield from _written(mnemonic, _loaded_kinds())
    for mnemonic in _MNEMONICS["structures"]:
        yield from _written(mnemonic, _structure_kinds())
    for mnemonic in _MNEMONICS["branches"]:
        yield from _written(mnemonic, (("label",), ("x",)))
        yield from _written(mnemonic, ((r, "label") for r in _GENERAL))
        yield from _written(mnemonic, ((r, "imm", "label") for r in _GENERAL))


def scalable_candidates() -> Iterator[str]:
    """Yield what LLVM computes vectors of 128 bits by where a CPU has SVE: immediates, and what
    Neon does not have (``LowerToPredicatedOp`` in LLVM 22's ``AArch64ISelLowering.cpp``).
    """
    for a in "bhsd":
        yield from (f"ptrue p0.{a}, vl4", f"mov z0.{a}, #1", f"mov z0.{a}, #0")
        yield f"asrd z0.{a}, p0/m, z0.{a}, #1"
        yield from (f"{m} z0.{a}, p0/m, z0.{a}, z1.{a}" for m in _MNEMONICS["predicated"])
        yield from (f"{m} z0.{a}, z0.{a}, #1" for m in _MNEMONICS["immediates"])


def _vector_kinds() -> Iterator[tuple[str, ...]]:
    registers = (*_ARRANGED, *_SCALARS)
    every = (*registers, *_ELEMENTS, *_GENERAL)
    yield from product(every, every)
    yield from product(every, ("imm",))
    yield from product(_ARRANGED, ("imm",), ("lsl:4", "lsl", "msl"))
    for a, b in ((a, b) for a, b in product(registers, registers) if _near(a, b)):
        yield from dict.fromkeys(((a, b, b), (a, a, b)))
        yield from ((a, b, "imm"), (a, b, b[-1] + "[]"))
    for a, b in (("2s", "8b"), ("4s", "16b")):
        yield from ((a, b, b), (a, b, "4b[]"))
    yield from (
        ("q", "s", "4s"),
        ("q", "q", "2d"),
        ("q", "d", "2d"),
        ("q", "q", "4s"),
        ("4s", "4s", "s[]"),
    )
    for a in _ARRANGED:
        yield from ((a, a, a, "imm"), (a, a, a, a))
    for a in ("h", "s", "d"):
        yield a, a, a, a
    for n, a in product(range(1, 5), ("8b", "16b")):
        yield a, f"{n}x16b", a


def _near(a: str, b: str) -> bool:
    """Tell whether elements are of one size, or one of twice the other's."""
    return abs("bhsdq".index(a[-1]) - "bhsdq".index(b[-1])) <= 1


def _general_kinds() -> Iterator[tuple[str, ...]]:
    yield ()
    for r in _GENERAL:
        for n in range(1, 5):
            yield (r,) * n
            yield (*(r,) * n, "imm")
            yield (*(r,) * n, "cond")
            yield from ((*(r,) * n, s) for s in _SHIFTS)
        yield from ((r, "imm", "lsl"), (r, r, "imm", "lsl"))
        yield from ((r, "imm", "imm", "cond"), (r, r, "imm", "cond"))
        yield from ((r, "imm", "imm"), (r, r, "imm", "imm"), (r, "label"))
        yield from ((r, r, "w", e) for e in _EXTENDS)
        yield from ((r, "w", e) for e in _EXTENDS)
    yield from (("x", "w"), ("x", "w", "w"), ("x", "w", "w", "x"), ("w", "w", "x"))


def _loaded_kinds() -> Iterator[tuple[str, ...]]:
    for r in (*_SCALARS, *_GENERAL, "prfop"):
        yield from ((r, m) for m in _MEMORY)
        yield from ((r, r, m) for m in _MEMORY)
        yield from ((r, "mem", "imm"), (r, r, "mem", "imm"))


def _structure_kinds() -> Iterator[tuple[str, ...]]:
    for n, a in product(range(1, 5), (*_ARRANGED, "b[]", "h[]", "s[]", "d[]")):
        yield from ((f"{n}x{a}", "mem", *more) for more in ((), ("imm",), ("x",)))


def _written(mnemonic: str, shapes: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield lines with these kinds of operands, one for each way to say a constant."""
    for kinds in shapes:
        for operands in product(*(_texts(mnemonic, k, n) for n, k in enumerate(kinds))):
            yield f"{mnemonic} {', '.join(operands)}".strip()


def _texts(mnemonic: str, kind: str, position: int) -> tuple[str, ...]:
    if kind == "imm" and mnemonic in _STRUCTURED:
        return tuple(f"#{n * size}" for n, size in product(range(1, 5), (1, 2, 4, 8, 16)))
    if kind in _SAID:
        return _SAID[kind]
    if kind in _MEMORY:
        if mnemonic in _STRUCTURED:
            return ("[x9]",)
        text = _MEMORY[kind]
        return tuple(text.format(n) for n in range(5)) if "{}" in text else (text, "[x9]")
    if kind in _SHIFTS:
        return (f"{kind} #3",)
    if kind in _EXTENDS:
        return (kind, f"{kind} #2")
    if kind in _GENERAL:
        return (f"{kind}{position}",)
    if kind in _SCALARS:
        return (f"{kind}{position}",)
    count, x, arrangement = kind.partition("x")
    if x:
        registers = ", ".join(
            f"v{4 + k}.{arrangement.removesuffix('[]')}" for k in range(int(count))
        )
        return (f"{{ {registers} }}{'[1]' if kind.endswith('[]') else ''}",)
    return (f"v{position}.{kind.removesuffix('[]')}{'[1]' if kind.endswith('[]') else ''}",)


_STRUCTURED: Final = frozenset(_MNEMONICS["structures"])
