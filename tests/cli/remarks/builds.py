"""What a build may have left, without a build."""

from __future__ import annotations

from pathlib import Path

from isel.cli.remarks.findings import FAILED, NOTHING, REWRITTEN, SELECTED, Finding
from isel.cli.remarks.sarif import sarif

LONG = "a_function_with_quite_a_long_name_as_templates_and_namespaces_make_them"
ROWS = (
    Finding(
        REWRITTEN, "6 operations -> vpmulhrsw (zmm), 10.2 -> 2.5 cycles, proved for all inputs",
        "f", "24", "/p/src/a b.c", 12, 7, 10.25, 2.5, 1, "aa:1",
    ),
    Finding(
        REWRITTEN, "4 operations -> vpavgb (ymm), 3.0 -> 2.5 cycles, proved for all inputs",
        LONG, "9", f"/p/src/deeper/and/deeper/{LONG}.cpp", 1234, 5, 3.0, 2.5, 2, "bb:1",
    ),
    Finding(
        SELECTED, "kept: LLVM selects vpminub (zmm) already", "f", "30", "/p/src/a b.c", 20, 1,
        4.0, 4.0, 1, "cc:1",
    ),
    Finding(NOTHING, "kept: no program found that costs less <&>", "g", "7", "/usr/x.h", 3, 0,
            fingerprint="dd:1"),
    Finding(FAILED, "left alone: ValueError", "h", "8", fingerprint="ee:1"),
)  # fmt: skip


def left(folder: Path, objects: dict[str, tuple[Finding, ...]], root: str = "/p/build") -> Path:
    """Write a log an object, as ``isel-cc`` does, and return their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, findings in objects.items():
        (folder / f"{name}.sarif").write_text(sarif(findings, root, named=True))
    return folder
