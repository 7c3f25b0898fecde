"""Groups of instructions by what they extend the ISA with, for counts beside those of others'
work.
"""

from __future__ import annotations

from typing import Final

from isel.spec.instruction import Instruction

# The groups of HYDRIDE (ASPLOS 2024, section 6: SSE to AVX-512, with the dot products of VNNI),
# then what it leaves out.
COMMON: Final = "SSE to AVX-512 (F, BW, DQ, VL, CD, VNNI)"
_COMMON: Final = frozenset([
    "sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "avx512f", "avx512bw",
    "avx512dq", "avx512vl", "avx512cd", "avx512vnni", "avxvnni",
])  # fmt: skip
_FURTHER: Final = (
    ("AES, carry-less products, hashes", "aes vaes pclmul vpclmulqdq sha sha512 sm3 sm4"),
    ("GF(2) maps", "gfni"),
    ("VBMI, BITALG, VPOPCNTDQ", "avx512vbmi avx512vbmi2 avx512bitalg avx512vpopcntdq"),
    ("52-bit products, dot products of other signs", "avx512ifma avxifma avxvnniint8 avxvnniint16"),
)


def group(i: Instruction) -> str:
    """Return the group of an instruction."""
    if max((o.bits for o in i.operands), default=128) < 128 and i.bits < 128:
        return "mask registers"
    for name, features in _FURTHER:
        if i.features & set(features.split()):
            return name
    return COMMON if i.features <= _COMMON else "others"
