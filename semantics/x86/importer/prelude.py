"""Functions that the guide's operations use without defining them, in the operation language: those
of AES, SHA and GF(2^8).

Sources: FIPS 197 (AES, its field is the one of GFNI), FIPS 180-4 (SHA-1 and SHA-256).
"""

from __future__ import annotations

from functools import cache

from isel.shipped import text_of
from semantics.x86.importer.parser import parse_operation
from semantics.x86.importer.syntax import Define, Table


def _product(a: int, b: int) -> int:
    """Multiply in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1."""
    result = 0
    for bit in range(8):
        if b >> bit & 1:
            result ^= a << bit
    for bit in range(14, 7, -1):
        if result >> bit & 1:
            result ^= 0x11B << (bit - 8)
    return result


def _inverses() -> list[int]:
    found = [0] * 256
    for a in range(1, 256):
        found[a] = next(b for b in range(1, 256) if _product(a, b) == 1)
    return found


def _substituted(x: int) -> int:
    return 0x63 ^ x ^ _rotated(x, 1) ^ _rotated(x, 2) ^ _rotated(x, 3) ^ _rotated(x, 4)


def _rotated(x: int, n: int) -> int:
    return (x << n | x >> (8 - n)) & 0xFF


@cache
def prelude() -> tuple[dict[str, Define], dict[str, Table]]:
    """Return the functions and tables by name."""
    parsed = parse_operation(text_of(__file__, "prelude.txt"))
    functions = {s.name: s for s in parsed if isinstance(s, Define)}
    inverses = _inverses()
    sbox = [_substituted(x) for x in inverses]
    tables = {
        "gf_inverse": inverses,
        "aes_sbox": sbox,
        "aes_inverse_sbox": [sbox.index(x) for x in range(256)],
    }
    return functions, {name: Table(name, 8, tuple(values), 0) for name, values in tables.items()}
