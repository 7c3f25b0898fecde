"""Price tables of x86 CPUs, shipped as text (`make costs`)."""

from __future__ import annotations

from semantics.costs.shipped import Shipped, nearest

TABLES = (
    "alderlake",
    "haswell",
    "icelake-server",
    "sapphirerapids",
    "skylake-avx512",
    "znver3",
    "znver4",
    "znver5",
)

# What is made for a level runs on CPUs of two makers: the nearest table is of one of them.
LEVELS = {
    "x86-64": ("znver3",),
    "x86-64-v2": ("znver3",),
    "x86-64-v3": ("znver3",),
    "x86-64-v4": ("znver4",),
}

SHIPPED = Shipped(__name__, TABLES, nearest(__file__), "haswell")
table_for = SHIPPED.table_for
prices_of = SHIPPED.prices_of
prices_for = SHIPPED.prices_for
