"""What the file system says of files, which changes with them: path, size, times and number."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Final

_PACKAGES: Final = ("isel", "frontends", "semantics", "equiv_classes")
_LIBRARIES: Final = ("llvmlite", "z3", "bitwuzla", "numpy")


def tool_stamps(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield what tells this tool's files, its libraries, and instructions of the user's own from
    others.
    """
    for name in _PACKAGES:
        spec = PathFinder.find_spec(name)
        found = (spec and spec.submodule_search_locations) or [""]
        yield from _below(found[0])
    for name in _LIBRARIES:
        spec = PathFinder.find_spec(name)
        yield stamp((spec.origin if spec else "") or "")
    own = environment.get("ISEL_SEMANTICS")
    yield from _below(own) if own else ()


def _below(place: str) -> Iterator[str]:
    """Yield the stamp of each file below a folder, but for what Python compiles."""
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(f for f in folders if f != "__pycache__")
        yield from (stamp(os.path.join(folder, f)) for f in sorted(files))


def stamp(path: str) -> str:
    """Return the stamp of a file; raises :class:`OSError` where it is not there."""
    s = os.stat(path)
    return f"{path}:{s.st_size}:{s.st_mtime_ns}:{s.st_ctime_ns}:{s.st_ino}"
