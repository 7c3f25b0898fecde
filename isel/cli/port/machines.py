"""What ``isel port`` knows of each machine: headers and their levels, SIMDe's headers, and the CPU
that code is for where nobody names one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

# A machine's own headers by the flag of the CPUs that have what they declare, and which of SIMDe's
# stand for all of them.
_LEVELS: Final[Mapping[str, Mapping[str, str]]] = {
    "x86": {
        "-march=x86-64": "xmmintrin.h emmintrin.h",
        "-march=x86-64-v2": "pmmintrin.h tmmintrin.h smmintrin.h nmmintrin.h wmmintrin.h",
        "-march=x86-64-v3": "immintrin.h x86intrin.h",
    },
    "arm": {"-march=armv8-a": "arm_neon.h"},
}
SIMDE: Final = {
    "x86": ("simde/x86/sse4.2.h", "simde/x86/avx2.h", "simde/x86/fma.h"),
    "arm": ("simde/arm/neon.h",),
}
NAMES: Final = {"aarch64": "arm", "arm": "arm", "x86": "x86"}
# of every usual machine: SSE4.2 without AVX; Neon without dot products, i8mm and SVE
CPUS: Final = {"x86": "x86-64-v2", "arm": "generic"}
CPU_FLAG: Final = {"x86": "-march=", "arm": "-mcpu="}


def headers_of(machine: str) -> tuple[str, ...]:
    """Return the names of a machine's own headers."""
    return tuple(name for names in _LEVELS[machine].values() for name in names.split())


def machine_of(headers: Iterable[str]) -> tuple[str, str] | None:
    """Return the machine whose headers some are, and the flag of the highest level among them."""
    read = frozenset(headers)
    found = [(m, f) for m, fs in _LEVELS.items() for f, n in fs.items() if read & set(n.split())]
    return next((x for x in found[::-1] if x[0] == found[0][0]), None)
