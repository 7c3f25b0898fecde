"""Price tables of AArch64 CPUs, shipped as text (`make costs`)."""

from __future__ import annotations

from typing import Final

from semantics.costs.shipped import Shipped, nearest

TABLES: Final = (
    "apple-m1",
    "cortex-a57",
    "neoverse-n1",
    "neoverse-n2",
    "neoverse-v1",
    "neoverse-v2",
)
SHIPPED: Final = Shipped(__name__, TABLES, nearest(__file__), "cortex-a57")
prices_for = SHIPPED.prices_for
