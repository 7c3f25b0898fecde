"""The guide's names of CPU features as LLVM spells them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_SPELLED: Final = {
    "SSE4.1": "sse4.1",
    "SSE4.2": "sse4.2",
    "PCLMULQDQ": "pclmul",
    "AVX512IFMA52": "avx512ifma",
}


def llvm_features(cpuids: Iterable[str]) -> tuple[str, ...]:
    """Return LLVM's names of the features that the guide names."""
    return tuple(sorted(_SPELLED.get(c, c.lower().replace("_", "")) for c in cpuids))
