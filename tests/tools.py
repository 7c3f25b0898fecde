"""What the tests marked ``tools`` and ``shared`` need beside Python: what is missing, and the line
to type for it. Exit code 1 where anything is missing.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

PACKAGES: Final[Mapping[str, str]] = {
    "clang-14": "clang-14",
    "clang-15": "clang-15",
    "clang-16": "clang-16",
    "clang-19": "clang-19",
    "g++": "g++",
    "cmake": "cmake",
    "meson": "meson",
    "ninja": "ninja-build",
    "llvm-mca-19": "llvm-19",
    "llvm-profdata-19": "llvm-19",
    "qemu-aarch64": "qemu-user",
    "qemu-hexagon": "qemu-user",
    "chromium": "chromium",
    "ccache": "ccache",
    "ldc2": "ldc",
}  # commands, and the packages of Debian 12 that have them
SHARED: Final = "specs", "prototype"  # folders of ../shared


def shared() -> Path:
    """Return the folder with vendors' specifications and the prototype."""
    return Path(os.environ.get("ISEL_SHARED", Path(__file__).parents[2] / "shared"))


def missing(find: Callable[[str], str | None], folder: Path) -> list[str]:
    """Return a line for what is missing, with what to type; none where all is there."""
    lines: list[str] = []
    if absent := [c for c in PACKAGES if find(c) is None]:
        packages = " ".join(PACKAGES[c] for c in absent)
        lines.append(f"missing: {', '.join(absent)}; type: sudo apt-get install {packages}")
    if gone := [name for name in SHARED if not (folder / name).is_dir()]:
        lines.append(
            f"missing: {', '.join(gone)} in {folder}; type: export ISEL_SHARED=FOLDER_THAT_HAS_THEM"
        )
    return lines


def main() -> int:
    """Print what is missing."""
    lines = missing(shutil.which, shared())
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
