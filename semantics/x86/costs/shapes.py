"""Candidate instructions: every opcode with every operand shape it might have; the assembler
sorts out which exist.
"""

from __future__ import annotations

from collections.abc import Iterator

from semantics.costs.patterns import expand
from semantics.x86.costs.mnemonics import BRANCHES, GENERAL, MASK, VECTOR

_WIDE = {"x": "xmm", "y": "ymm", "z": "zmm"}
_GENERAL = {
    "Q": ("rax", "rcx", "rdx", "rsi"),
    "L": ("eax", "ecx", "edx", "esi"),
    "W": ("ax", "cx", "dx", "si"),
    "B": ("al", "cl", "dl", "bl"),
}


def candidates() -> Iterator[str]:
    """Yield assembly lines (AT&T) in a fixed order; many do not exist."""
    for mnemonic in expand(VECTOR):
        yield from _vector(mnemonic)
    for mnemonic in expand(MASK):
        yield from _shaped(mnemonic, ("kkk", "kk", "ikk", "km", "mk", "Lk", "kL", "Qk", "kQ"))
    for mnemonic in expand(GENERAL):
        yield from _general(mnemonic)
    yield from (f"{b} foo" for b in expand(BRANCHES))
    yield from (
        "jmpq *%rax",
        "jmpq *(%rax)",
        "jmpq *foo(,%rax,8)",
        "rep movsb",
        "rep stosb",
        "rep movsq",
        "rep stosq",
    )


def _vector(mnemonic: str) -> Iterator[str]:
    if mnemonic.startswith("vzero"):
        yield mnemonic
        return
    if not mnemonic.startswith("v"):
        yield from _shaped(
            mnemonic,
            (
                "xx",
                "mx",
                "ixx",
                "imx",
                "ix",
                "xm",
                "ixm",
                "Lx",
                "Qx",
                "xL",
                "xQ",
                "iLx",
                "iQx",
                "ixL",
                "ixQ",
                "xxx",
                "xmx",
                "iixx",
                "iix",
            ),
        )
        return
    yield from _shaped(mnemonic, tuple(_vex_shapes()))
    if mnemonic.startswith(("vpdp", "vpmadd52")):
        yield from _shaped("{vex} " + mnemonic, tuple(_vex_shapes()))
    for shape in _vex_shapes():
        last = shape[-1]
        if last in "xyzk" or (last == "m" and set(shape) & set("xyz") and len(shape) <= 3):
            yield from _masked(mnemonic, shape)


def _vex_shapes() -> Iterator[str]:
    for w in "xyz":
        yield from (
            f"{w}{w}",
            f"m{w}",
            f"{w}m",
            f"{w}{w}{w}",
            f"m{w}{w}",
            f"{w}{w}m",
            f"{w}m{w}",
            f"b{w}",
            f"b{w}{w}",
        )
        yield from (
            f"i{w}{w}",
            f"im{w}",
            f"i{w}{w}{w}",
            f"im{w}{w}",
            f"ib{w}",
            f"ib{w}{w}",
            f"i{w}m",
            f"{w}{w}{w}{w}",
            f"m{w}{w}{w}",
            f"{w}m{w}{w}",
        )
        yield from (
            f"{w}k",
            f"k{w}",
            f"{w}{w}k",
            f"m{w}k",
            f"b{w}k",
            f"im{w}k",
            f"i{w}{w}k",
            f"i{w}k",
            "imk",
            f"L{w}",
            f"Q{w}",
            f"{w}L",
            f"{w}Q",
            f"g{w}",
            f"{w}g",
            f"{w}g{w}",
        )
        for u in "xyz":
            if u != w:
                yield from (
                    f"{w}{u}",
                    f"i{w}{u}",
                    f"i{w}{u}{u}",
                    f"{w}{u}{u}",
                    f"{w}h{u}",
                    f"h{w}{u}",
                )
    yield from (
        "iLxx",
        "iQxx",
        "imxx",
        "ixL",
        "ixQ",
        "ixm",
        "Lxx",
        "Qxx",
        "mxx",
        "xL",
        "xQ",
        "mL",
        "mQ",
    )


def _masked(mnemonic: str, shape: str) -> Iterator[str]:
    for line in _shaped(mnemonic, (shape,)):
        yield line + " {%k1}"
        if shape[-1] in "xyz":
            yield line + " {%k1} {z}"


def _general(mnemonic: str) -> Iterator[str]:
    if mnemonic in {"leaw", "leal", "leaq"}:
        r = {"w": "dx", "l": "edx", "q": "rdx"}[mnemonic[-1]]
        yield from (
            f"{mnemonic} {a}, %{r}"
            for a in (
                "(%rax)",
                "8(%rax)",
                "(%rax,%rcx)",
                "8(%rax,%rcx)",
                "(%rax,%rcx,4)",
                "8(%rax,%rcx,4)",
                "(,%rcx,4)",
                "8(,%rcx,4)",
                "foo(%rip)",
                "1000",
            )
        )
        return
    yield mnemonic
    one = [
        s
        for r in "QLWB"
        for s in (
            r,
            f"{r}{r}",
            f"i{r}",
            f"m{r}",
            f"{r}m",
            f"i{r}{r}",
            f"im{r}",
            f"B{r}",
            f"B{r}{r}",
            f"{r}{r}{r}",
            f"{r}m{r}",
            f"m{r}{r}",
        )
    ]
    yield from _shaped(mnemonic, (*one, "m", "im", "i", "Bm", "BL", "BQ", "BW", "WL", "WQ", "LQ"))


def _shaped(mnemonic: str, shapes: tuple[str, ...]) -> Iterator[str]:
    for shape in shapes:
        for operands in _choices(shape):
            yield f"{mnemonic} {', '.join(operands)}"
        if len(shape) in (2, 3) and len(set(shape)) == 1 and shape[0] in "xyzQLWBk":
            registers = [_register(shape[0], k) for k in (1, 1, 2)][: len(shape)]
            yield f"{mnemonic} {', '.join(registers)}"


def _choices(shape: str) -> Iterator[list[str]]:
    if "b" in shape:
        for n in (2, 4, 8, 16, 32):
            yield [f"(%rdi){{1to{n}}}" if c == "b" else _plain(c, i) for i, c in enumerate(shape)]
    elif "g" in shape or "h" in shape:
        for w in _WIDE.values():
            yield [f"(%rdi,%{w}5,4)" if c in "gh" else _plain(c, i) for i, c in enumerate(shape)]
    else:
        yield [_plain(c, i) for i, c in enumerate(shape)]


def _plain(c: str, position: int) -> str:
    if c == "i":
        return "$3"
    return "(%rdi)" if c == "m" else _register(c, position)


def _register(c: str, position: int) -> str:
    if c == "k":
        return f"%k{position + 2}"
    return f"%{_WIDE[c]}{position}" if c in _WIDE else f"%{_GENERAL[c][position]}"
