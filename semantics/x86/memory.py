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
_WIDENED: Final = re.compile(r"v?p(?:mov[sz]x|broadcast)")
_PART: Final = re.compile(r"v(?:broadcast|insert|extract)[fi](?:128|(\d+)x(\d+))$")
_LETTERS: Final = {"b": 1, "w": 2, "l": 4, "d": 4, "q": 8}
# a single element: an integer, or a float of the kind that the mnemonic ends in
_INTEGER: Final = re.compile(r"v?(?:mov|p(?:insr|extr|broadcast))([bwdq])$")
_FLOAT: Final = re.compile(r"(?!v?(?:p|cvt))\w*s([sdh])$")
_FLOATS: Final = {"s": 4, "d": 8, "h": 2}
_HALF: Final = re.compile(r"v?mov(?:[hl]p[sd]|ddup)$")
# bytes whatever the registers: of a conversion it is not certain, a count of shifts is a vector
_FIXED: Final = (
    (re.compile(r"v?cvt"), 0),
    (re.compile(r"v?insertps$"), 4),
    (re.compile(r"v?ps(?:ll|rl|ra)[wdq]$"), 16),
)
# no memory, some of its lanes, or an address for each
_NOT_KNOWN: Final = re.compile(r"(?!.*mem)|.*\{k\}|.*mem\(")
_BROADCAST: Final = re.compile(r"mem\{1to(\d+)\}")
_EXTENDED: Final = re.compile(r"mov[sz]([bwl])[wlq]$")


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
    if extended := _EXTENDED.match(mnemonic):
        return _LETTERS[extended[1]]
    if bits:
        return _size(mnemonic, bits)
    return 1 if mnemonic.startswith("set") else _LETTERS.get(mnemonic[-1], 0)


def widens(mnemonic: str) -> bool:
    """Tell whether an instruction reads fewer bytes than it writes: extensions and repetitions."""
    return _WIDENED.match(mnemonic) is not None


def narrows(mnemonic: str) -> bool:
    """Tell whether an instruction cuts its lanes."""
    return _RESIZED.match(mnemonic) is not None and not widens(mnemonic)


def _size(mnemonic: str, widest: int) -> int:
    if part := _PART.match(mnemonic):
        return _LEAST if part[1] is None else int(part[1]) * int(part[2]) // 8
    if one := _INTEGER.match(mnemonic):
        return _LETTERS[one[1]]
    if one := _FLOAT.match(mnemonic):
        return _FLOATS[one[1]]
    if resized := _RESIZED.match(mnemonic):
        return widest >> abs(_SIZES.index(resized[1]) - _SIZES.index(resized[2]))
    if _HALF.match(mnemonic) and widest == _LEAST:
        return _LEAST // 2
    return next((size for pattern, size in _FIXED if pattern.match(mnemonic)), widest)
