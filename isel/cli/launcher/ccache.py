"""ccache in front: it hashes neither what a launcher does nor what that depends on, so its objects
are right only where its check of the compiler asks for it.
"""

from __future__ import annotations

import os

from isel.cli.launcher.children import output_of
from isel.cli.launcher.compiler import Compiler, program
from isel.cli.launcher.light import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

FLAG: Final = "--ccache-key"
WARNING: Final = (
    "warning: compiled unchanged below ccache, whose objects would be of other settings; "
    f"set CCACHE_COMPILERCHECK='isel-cc %compiler% {FLAG}' (see docs/launcher.md)"
)
_PLACE: Final = "%compiler%"


def key_of(compiler: Compiler, environment: Mapping[str, str]) -> str:
    """Return a hash of everything that an object depends on beside what ccache knows: the tool,
    its semantics, LLVM and solvers, the compiler, and every variable of ours.
    """
    import hashlib

    from isel.cli.launcher.stamps import compiler_stamps, own_settings, tool_stamps

    made = hashlib.sha256()
    stamps, settings = compiler_stamps(compiler.own[0]), own_settings(environment)
    for part in (*compiler.own, "", *stamps, "", *settings, "", *tool_stamps(environment)):
        made.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return made.hexdigest()


def is_unasked(compiler: Compiler, environment: Mapping[str, str], *, named: bool) -> bool:
    """Tell whether ccache runs this process and does not ask for the key of this compiler, which
    was ``named`` on the command line or is the usual one.
    """
    runner = _runner()
    if not runner:
        return False
    asked = environment.get("CCACHE_COMPILERCHECK")
    if asked is None:
        asked = os.fsdecode(output_of([runner, "--get-config", "compiler_check"]))
    words = asked.split()
    if FLAG not in words:
        return True
    about = words[1 : words.index(FLAG)]
    if environment.get("CCACHE_PREFIX"):  # ccache's compiler is ours
        return about != [_PLACE]
    if not about:
        return named
    paths = [os.path.realpath(program(name)) for name in (about[0], compiler.own[0])]
    return len(about) != len(compiler.own) or paths[0] != paths[1]


def _runner() -> str:
    """Return the path of ccache where it runs this process, else nothing."""
    with suppress(OSError):
        path = os.readlink(f"/proc/{os.getppid()}/exe").removesuffix(" (deleted)")
        return path if os.path.basename(path).startswith("ccache") else ""
    return ""
