"""Our own small list of intrinsics of HVX with macros and bodies beside it, for tests of the import."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from semantics.hvx.importer.run import BODIES, MACROS, import_list
from semantics.importing.run import Import

HEADER = """
#define OURS(N, I) for (I = 0; I < 1024 / (N); I++)
#define TWICE(A) ((A) * 2)
#define VdV (*(MMVector *)VdV_void)
#define VuV (*(MMVector *)VuV_void)
#define VvV (*(MMVector *)VvV_void)
#define VddV (*(MMVectorPair *)VddV_void)
#define fVSATN(N, VAL) 0
#define fVSATUN(N, VAL) 0
#define fABS(A) 0
#define fBIDIR_SHIFTL(SRC, SHAMT, REGSTYPE) 0
#define fBIDIR_SHIFTR(SRC, SHAMT, REGSTYPE) 0
#define fGETQBITS(REG, WIDTH, MASK, BITNO) 0
#define fSETQBITS(REG, WIDTH, MASK, BITNO, VAL) 0
"""


def row(assembly: str, prototype: str, builtin: str, kind: str = "CVI_VA") -> dict[str, object]:
    """Return an entry of a list; ``builtin`` is LLVM's name, which the body is under as well."""
    return {"asm": assembly, "proto": prototype, "type": kind, "builtins": [builtin]}


SUM = row("Vd32.b=vadd(Vu32.b,Vv32.b)", "HVX_Vector Q6_Vb_ours_VbVb(HVX_Vector Vu, HVX_Vector Vv)", "V6_vaddb")  # fmt: skip


def imported(
    folder: Path,
    entries: Mapping[str, Mapping[str, object]],
    bodies: Mapping[str, str],
    header: str = HEADER,
) -> Import:
    """Write the files and import them."""
    (folder / "macros").mkdir(parents=True)
    for name in MACROS:
        (folder / name).write_text(header if name == MACROS[0] else "")
    (folder / BODIES).write_text(json.dumps({k: {"code": v} for k, v in bodies.items()}, indent=1))
    listing = folder / "list.json"
    listing.write_text(json.dumps(entries))
    return import_list(listing.read_bytes(), str(listing))


def lanes(found: Import) -> list[str]:
    """Return the formulas of the one entry."""
    (entry,) = found.entries
    return entry.body.lines()
