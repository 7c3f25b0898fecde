"""Functions that the guide's operations use without defining them, in the operation language: those
of AES, SHA and GF(2^8).

Sources: FIPS 197 (AES, its field is the one of GFNI), FIPS 180-4 (SHA-1 and SHA-256).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from semantics.x86.importer.parser import parse_operation
from semantics.x86.importer.syntax import Define, Table

_TEXT: Final = """
DEFINE xtime(x) {
    RETURN ((x << 1) XOR (x.bit[7] ? 0x1B : 0))[7:0]
}
DEFINE times(x, factor) {
    result := 0
    power := x
    FOR bit := 0 to 3
        IF factor[bit]
            result := result XOR power
        FI
        power := xtime(power)
    ENDFOR
    RETURN result[7:0]
}
DEFINE SubBytes(x) {
    FOR n := 0 to 15
        r.byte[n] := aes_sbox[x.byte[n]]
    ENDFOR
    RETURN r[127:0]
}
DEFINE InvSubBytes(x) {
    FOR n := 0 to 15
        r.byte[n] := aes_inverse_sbox[x.byte[n]]
    ENDFOR
    RETURN r[127:0]
}
DEFINE ShiftRows(x) {
    FOR n := 0 to 15
        r.byte[n] := x.byte[(5 * n) % 16]
    ENDFOR
    RETURN r[127:0]
}
DEFINE InvShiftRows(x) {
    FOR n := 0 to 15
        r.byte[n] := x.byte[(13 * n) % 16]
    ENDFOR
    RETURN r[127:0]
}
DEFINE MixColumns(x) {
    FOR n := 0 to 15
        c := (n / 4) * 4
        r.byte[n] := times(x.byte[n], 2) XOR times(x.byte[c + (n + 1) % 4], 3) XOR
                     x.byte[c + (n + 2) % 4] XOR x.byte[c + (n + 3) % 4]
    ENDFOR
    RETURN r[127:0]
}
DEFINE InvMixColumns(x) {
    FOR n := 0 to 15
        c := (n / 4) * 4
        r.byte[n] := times(x.byte[n], 14) XOR times(x.byte[c + (n + 1) % 4], 11) XOR
                     times(x.byte[c + (n + 2) % 4], 13) XOR times(x.byte[c + (n + 3) % 4], 9)
    ENDFOR
    RETURN r[127:0]
}
DEFINE SubWord(x) {
    FOR n := 0 to 3
        r.byte[n] := aes_sbox[x.byte[n]]
    ENDFOR
    RETURN r[31:0]
}
DEFINE RotWord(x) {
    RETURN x <<< 24
}
DEFINE inverse(x) {
    RETURN gf_inverse[x.byte[0]]
}
DEFINE Ch(x, y, z) {
    RETURN (x AND y) XOR ((NOT x) AND z)
}
DEFINE Maj(x, y, z) {
    RETURN (x AND y) XOR (x AND z) XOR (y AND z)
}
DEFINE sum0(x) {
    RETURN (x <<< 30) XOR (x <<< 19) XOR (x <<< 10)
}
DEFINE sum1(x) {
    RETURN (x <<< 26) XOR (x <<< 21) XOR (x <<< 7)
}
DEFINE sigma0(x) {
    RETURN (x <<< 25) XOR (x <<< 14) XOR (x >> 3)
}
DEFINE sigma1(x) {
    RETURN (x <<< 15) XOR (x <<< 13) XOR (x >> 10)
}
DEFINE sha1_function(n, x, y, z) {
    CASE n OF
    0: RETURN Ch(x, y, z)
    1: RETURN x XOR y XOR z
    2: RETURN Maj(x, y, z)
    3: RETURN x XOR y XOR z
    ESAC
}
DEFINE sha1_constant(n) {
    CASE n OF
    0: RETURN 0x5A827999
    1: RETURN 0x6ED9EBA1
    2: RETURN 0x8F1BBCDC
    3: RETURN 0xCA62C1D6
    ESAC
}
"""


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
    functions = {s.name: s for s in parse_operation(_TEXT) if isinstance(s, Define)}
    inverses = _inverses()
    sbox = [_substituted(x) for x in inverses]
    tables = {
        "gf_inverse": inverses,
        "aes_sbox": sbox,
        "aes_inverse_sbox": [sbox.index(x) for x in range(256)],
    }
    return functions, {name: Table(name, 8, tuple(values), 0) for name, values in tables.items()}
