"""How many bytes of memory a form of x86 touches, as a vector or at all."""

from __future__ import annotations

import re
from typing import Final

from isel.cost.code import Access

_BYTES: Final = {"xmm": 16, "ymm": 32, "zmm": 64}
_LEAST: Final = 16
_MEMORY: Final = re.compile(r"mem(?:\{k\})?(?:\{z\})?$")  # no broadcast, no vector of addresses
_ALIGNED: Final = re.compile(r"v?mov(?:dqa|ap|nt)")
# SSE wants its operands in memory aligned, but for these
_UNALIGNED: Final = re.compile(r"movdqu|movup|lddqu|pmov")
_SIZES: Final = "bwdq"
_RESIZED: Final = re.compile(r"v?pmov(?:[sz]x|us|s)?([bwdq])([bwdq])$")
_PART: Final = re.compile(r"v(?:broadcast|insert|extract)[fi](?:128|(\d+)x(\d+))$")
_SCALAR: Final = re.compile(
    r"v?p?(?:broadcast|insr|extr)|v?mov(?:[dq]|s[dsh]|[hl]p|w|ddup)$|v?ps(?:ll|rl|ra)[wdq]$"
)

_LETTERS: Final = {"b": 1, "w": 2, "l": 4, "d": 4, "q": 8}
# no memory, some of its lanes, or an address for each
_NOT_KNOWN: Final = re.compile(r"(?!.*mem)|.*\{k\}|.*mem\(")
_BROADCAST: Final = re.compile(r"mem\{1to(\d+)\}")
_NARROW: Final = re.compile(r"mov[sz]([bwl])[wlq]$|v?(?:mov|p(?:insr|extr|broadcast))([bwdq])$")


def accessed(form: str) -> Access:
    """Return what a form does to memory as a vector of at least 16 bytes."""
    head, _, operands = form.rpartition(" ")
    mnemonic = head.rpartition(" ")[2]
    kinds = operands.removesuffix(" same").split(",")
    bits = [_BYTES[k] for o in kinds if (k := o.partition("{")[0]) in _BYTES]
    if not bits or not any(map(_MEMORY.match, kinds)) or _ALIGNED.match(mnemonic):
        return Access()
    if not mnemonic.startswith("v") and not _UNALIGNED.match(mnemonic):
        return Access()
    size = _size(mnemonic, max(bits))
    return Access(size if size >= _LEAST else 0, kinds[0].startswith("mem"))


def bytes_of(mnemonic: str, kinds: tuple[str, ...]) -> int:
    """Return how many bytes of memory an instruction touches with operands of these kinds; 0 where
    that is not certain.
    """
    written = ",".join(kinds)
    bits = max((_BYTES.get(k, 0) for k in kinds), default=0)
    if _NOT_KNOWN.match(written):
        return 0
    if ones := _BROADCAST.search(written):
        return bits // int(ones[1])
    if narrow := _NARROW.match(mnemonic):
        return _LETTERS[narrow[1] or narrow[2]]
    if bits:
        return _size(mnemonic, bits)
    return 1 if mnemonic.startswith("set") else _LETTERS.get(mnemonic[-1], 0)


def _size(mnemonic: str, widest: int) -> int:
    if part := _PART.match(mnemonic):
        return _LEAST if part[1] is None else int(part[1]) * int(part[2]) // 8
    if _SCALAR.match(mnemonic):
        return 0
    if resized := _RESIZED.match(mnemonic):
        return widest >> abs(_SIZES.index(resized[1]) - _SIZES.index(resized[2]))
    return widest
