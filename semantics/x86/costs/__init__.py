"""Price tables of x86 CPUs, shipped as text, and the scripts that make them from llvm-mca."""

from __future__ import annotations

from semantics.costs.shipped import Shipped

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

# CPUs without a table of their own and the table that is nearest in ports and widths.
_NEAREST = {
    "sapphirerapids": (
        "emeraldrapids",
        "graniterapids",
        "graniterapids-d",
        "diamondrapids",
        "x86-64-v4",
    ),
    "icelake-server": ("icelake-client", "rocketlake", "tigerlake", "cannonlake"),
    "skylake-avx512": ("skx", "cascadelake", "cooperlake", "knl", "knm"),
    "alderlake": (
        "raptorlake",
        "meteorlake",
        "arrowlake",
        "arrowlake-s",
        "arrowlake_s",
        "lunarlake",
        "pantherlake",
        "gracemont",
        "sierraforest",
    ),
    "znver3": (
        "znver2",
        "znver1",
        "bdver1",
        "bdver2",
        "bdver3",
        "bdver4",
        "btver1",
        "btver2",
        "barcelona",
        "amdfam10",
        "k8",
        "opteron",
        "athlon64",
    ),
}

# What is made for a level runs on CPUs of two makers: the nearest table is of one of them.
LEVELS = {
    "x86-64": ("znver3",),
    "x86-64-v2": ("znver3",),
    "x86-64-v3": ("znver3",),
    "x86-64-v4": ("znver4",),
}

SHIPPED = Shipped(__name__, TABLES, _NEAREST, "haswell")
table_for = SHIPPED.table_for
prices_of = SHIPPED.prices_of
prices_for = SHIPPED.prices_for
