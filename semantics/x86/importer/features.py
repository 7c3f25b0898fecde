"""The guide's names of CPU features as LLVM spells them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

# Those that are not in lower case without separators.
_SPELLED: Final = {
    "SSE4.1": "sse4.1",
    "SSE4.2": "sse4.2",
    "PCLMULQDQ": "pclmul",
    "BMI1": "bmi",
    "AVX512IFMA52": "avx512ifma",
    "KEYLOCKER": "kl",
    "KEYLOCKER_WIDE": "widekl",
}


def llvm_features(cpuids: Iterable[str]) -> tuple[str, ...]:
    """Return LLVM's names of the features that the guide names, sorted."""
    return tuple(sorted(_SPELLED.get(c, c.lower().replace("_", "")) for c in cpuids))


def features_of(cpuids: Iterable[str], masked: bool, widest: bool) -> tuple[str, ...]:
    """Return them with those of a mask of bytes or of 512 bits where the guide leaves them out."""
    named = set(llvm_features(cpuids))
    if "gfni" in named and masked:
        named.add("avx512bw")
    if named == {"vpclmulqdq"} and widest:
        named.add("avx512f")
    return tuple(sorted(named))
