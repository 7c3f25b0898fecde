"""Candidate instructions: every opcode with every operand shape it might have; the assembler
sorts out which exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bench.costs.patterns import mnemonics
from semantics.x86 import costs

_WIDE = {"x": "xmm", "y": "ymm", "z": "zmm"}
_GENERAL = {
    "Q": ("rax", "rcx", "rdx", "rsi"),
    "L": ("eax", "ecx", "edx", "esi"),
    "W": ("ax", "cx", "dx", "si"),
    "B": ("al", "cl", "dl", "bl"),
}

# Shapes, of which w and u are two widths, and addresses.
_LEGACY = "xx mx ixx imx ix xm ixm Lx Qx xL xQ iLx iQx ixL ixQ xxx xmx iixx iix"
_VEX = (
    "ww mw wm www mww wwm wmw bw bww iww imw iwww imww ibw ibww iwm wwww mwww wmww wk kw wwk "
    "mwk bwk imwk iwwk iwk imk Lw Qw wL wQ gw wg wgw"
)
_MIXED = "wu iwu iwuu wuu whu hwu"
_NARROW = "iLxx iQxx imxx ixL ixQ ixm Lxx Qxx mxx xL xQ mL mQ"
_ADDRESSES = (
    "(%rax) 8(%rax) (%rax,%rcx) 8(%rax,%rcx) (%rax,%rcx,4) 8(%rax,%rcx,4) (,%rcx,4) 8(,%rcx,4) "
    "foo(%rip) 1000"
)


def candidates() -> Iterator[str]:
    """Yield assembly lines (AT&T) in a fixed order; many do not exist."""
    known = mnemonics(costs.__file__)
    for mnemonic in known["vector"]:
        yield from _vector(mnemonic)
    for mnemonic in known["mask"]:
        yield from _shaped(mnemonic, ("kkk", "kk", "ikk", "km", "mk", "Lk", "kL", "Qk", "kQ"))
    for mnemonic in known["general"]:
        yield from _general(mnemonic)
    yield from (f"{b} foo" for b in known["branches"])
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
        yield from _shaped(mnemonic, _LEGACY.split())
        return
    yield from _shaped(mnemonic, _vex_shapes())
    if mnemonic.startswith(("vpdp", "vpmadd52")):
        yield from _shaped("{vex} " + mnemonic, _vex_shapes())
    for shape in _vex_shapes():
        last = shape[-1]
        if last in "xyzk" or (last == "m" and set(shape) & set("xyz") and len(shape) <= 3):
            yield from _masked(mnemonic, shape)


def _vex_shapes() -> Iterator[str]:
    for w in "xyz":
        yield from _VEX.replace("w", w).split()
        for u in "xyz":
            if u != w:
                yield from _MIXED.replace("w", w).replace("u", u).split()
    yield from _NARROW.split()


def _masked(mnemonic: str, shape: str) -> Iterator[str]:
    for line in _shaped(mnemonic, (shape,)):
        yield line + " {%k1}"
        if shape[-1] in "xyz":
            yield line + " {%k1} {z}"


def _general(mnemonic: str) -> Iterator[str]:
    if mnemonic in {"leaw", "leal", "leaq"}:
        r = {"w": "dx", "l": "edx", "q": "rdx"}[mnemonic[-1]]
        yield from (f"{mnemonic} {a}, %{r}" for a in _ADDRESSES.split())
        return
    yield mnemonic
    one = [
        s
        for r in "QLWB"
        for s in "r rr ir mr rm irr imr Br Brr rrr rmr mrr".replace("r", r).split()
    ]
    yield from _shaped(mnemonic, (*one, "m", "im", "i", "Bm", "BL", "BQ", "BW", "WL", "WQ", "LQ"))


def _shaped(mnemonic: str, shapes: Iterable[str]) -> Iterator[str]:
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
