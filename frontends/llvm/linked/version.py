"""Which LLVM is linked, asked of the library itself: loading all of llvmlite takes longer."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path


def llvm_version() -> str:
    """Return the version of the linked LLVM, ``22.1.0``."""
    files = (Path(p, "llvmlite", "binding", "libllvmlite.so") for p in sys.path)
    packed = ctypes.CDLL(str(next(f for f in files if f.is_file()))).LLVMPY_GetVersionInfo()
    return ".".join(str(packed >> shift & 0xFF) for shift in (16, 8, 0))
