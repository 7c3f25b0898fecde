"""Limits of the API, by module."""

from typing import Final

# calls
CALLS_JOB: Final = 60.0  # seconds of a job of LLVM, a last resort

# explain
# letters of a class's formula that are shown; `isel classes show` has the rest
EXPLAIN_LONG: Final = 140

# sources
SOURCES_LARGEST: Final = 1 << 28  # bytes of a module: what is packed may be anything

# tools
TOOLS_CACHES: Final = 4  # files that a process keeps what it loaded for
