"""Price tables of AArch64 CPUs, shipped as text, and the script that makes them from llvm-mca."""

from __future__ import annotations

from typing import Final

from semantics.costs.shipped import Shipped

TABLES: Final = (
    "apple-m1",
    "cortex-a57",
    "neoverse-n1",
    "neoverse-n2",
    "neoverse-v1",
    "neoverse-v2",
)

# CPUs without a table of their own, by the one whose model LLVM gives them; those that llvm-mca 19
# does not know yet are with their predecessors.
_NEAREST: Final[dict[str, tuple[str, ...]]] = {
    "neoverse-v2": (
        "neoverse-v3", "neoverse-v3ae", "grace", "gb10", "olympus", "cortex-x925", "c1-ultra",
        "c1-premium",
    ),
    "neoverse-v1": ("neoverse-512tvb",),
    "neoverse-n2": (
        "neoverse-n3", "cobalt-100", "cortex-a710", "cortex-a715", "cortex-a720", "cortex-a720ae",
        "cortex-a725", "cortex-x2", "cortex-x3", "cortex-x4", "c1-pro",
    ),
    "neoverse-n1": ("generic", ""),
    "apple-m1": (
        *(f"apple-a{n}" for n in range(7, 20)), *(f"apple-m{n}" for n in range(2, 6)),
        *(f"apple-s{n}" for n in range(4, 11)), "apple-latest", "cyclone",
    ),
}  # fmt: skip
SHIPPED: Final = Shipped(__name__, TABLES, _NEAREST, "cortex-a57")
prices_for = SHIPPED.prices_for
