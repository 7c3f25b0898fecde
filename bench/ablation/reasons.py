"""Why mechanisms stay that change fewer than three of the cases of the ablation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

REASONS: Final[Mapping[str, str]] = {
    "fully-unrolled-loops": "clang unrolls these loops itself; larger ones it leaves.",
    "passes-as-lanes": "It is for loops of few passes, as transforms of blocks have them.",
    "unrolled-loops": "It is for loops that add a product in each pass, as of matrices.",
    "fused-loops": "Loops over one range, one behind the other, are rare in one function of these.",
    "jammed-loops": "It is for products of matrices whose rows share what they load.",
    "peeled-passes": "It is for loops that ask in each pass which one it is; LLVM peels most.",
    "wide-integers": "Integers of 128 bits and more are rare in code that clang vectorised.",
    "checked-blocks": "It is for blocks that load behind a store which may be of the same bytes.",
    "packed-factors": "It is for products of matrices whose columns are gathered one by one.",
    "frozen-loads": "It is for reductions of what is loaded where the function has stored before.",
    "neighbouring-loads": "No compiler here loads neighbours one by one; people's code does.",
    "joined-windows": "It is for code that was vectorised for half of the registers.",
    "narrow-lanes": "It is for loops that carry sums of bytes to their next pass.",
    "reused-columns": "It is for stencils, whose columns several pixels share.",
    "table-loads": "It is for tables in memory that are read element by element.",
    "regrouped-reductions": "It is for loops whose accumulators have lanes in another order.",
    "chains": "It is for sums of many products, which filters and dot products of rows have.",
    "lookups": "It is for tables, sets of bytes and matrices of bits.",
    "bit-fields": "It is for packed formats, of 10 or 12 bits or six.",
    "cegis": "A rounded shift that saturates on Neon and HVX, whose graph is too large, needs it.",
    "joint-goals": "It is for registers in pairs, as of HVX: products of bytes, rounding shifts.",
}
