"""What the file system says of files, which changes with them: path, size, times and number."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder

from isel.cli.launcher.compiler import program
from isel.cli.launcher.light import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Final

_PACKAGES: Final = ("isel", "frontends", "semantics", "equiv_classes")
_LIBRARIES: Final = ("llvmlite", "z3", "bitwuzla", "numpy")
_ASIDE: Final = ("ISEL_LOG",)


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


def stamp_of(path: str) -> str:
    """Return the stamp of a file, nothing where it is not there."""
    with suppress(OSError):
        return stamp(path)
    return ""


def compiler_stamps(name: str) -> list[str]:
    """Return what tells a compiler's files, and LLVM's libraries, from others."""
    path = os.path.realpath(program(name))
    found = []
    with suppress(OSError):
        found.append(stamp(path))
        folder = os.path.join(os.path.dirname(os.path.dirname(path)), "lib")
        names = (n for n in os.listdir(folder) if n.startswith(("libLLVM", "libclang-cpp")))
        found += [stamp(os.path.join(folder, n)) for n in sorted(names)]
    return found


def own_settings(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield our own variables with their values."""
    for name in sorted(environment):
        if name.startswith("ISEL_") and name not in _ASIDE:
            yield f"{name}={environment[name]}"
