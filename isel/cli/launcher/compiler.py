"""Which words of a command line are the compiler, where it is, and which clang it is."""

from __future__ import annotations

import os
import sys

from isel.cli.launcher.light import Record, suppress
from isel.cli.launcher.places import compilers_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

PREFIXES: Final = ("ccache", "sccache")  # they run what follows them
_OURS: Final = {"isel-clang": "cc", "isel-clang++": "c++"}
_CLANG: Final = (
    rb"(?m)^(?:(?:Debian|Ubuntu|Alpine|FreeBSD|OpenBSD|Homebrew) )?clang version (\d+)\."
)
_ANSWER: Final = 1 << 16


class Compiler(Record):
    """The words that run a compiler, and its words without what runs it."""

    words: tuple[str, ...]
    own: tuple[str, ...]

    @property
    def is_zig(self) -> bool:
        """Tell whether Zig drives clang: it knows LLVM IR by the suffix only, and calls flags
        of its own unused.
        """
        return os.path.basename(self.own[0]) == "zig" or "ziglang" in self.own


def compiler_in(words: list[str]) -> tuple[Compiler | None, list[str]]:
    """Split a command line into the compiler, None where there is none, and its arguments.

    Without a compiler's name it is ``clang``, else the clang of the package ``ziglang``.
    """
    count = next((i for i, w in enumerate(words) if os.path.basename(w) not in PREFIXES), 0)
    before, rest = words[:count], words[count:]
    if not rest or not _names_a_program(rest[0]):
        found = ("clang",) if program("clang") else _wheel("cc")
        return (Compiler((*before, *found), found) if found else None), rest
    name = os.path.basename(rest[0])
    if name in _OURS:
        from isel.cli.launcher.zig import for_zig

        found, size = _wheel(_OURS[name]), 1
        rest = [name, *for_zig(rest[1:])]
    elif name == "zig":
        found, size = tuple(rest[:2]), 2
    elif name.startswith("python") and rest[1:3] == ["-m", "ziglang"]:
        here = os.path.abspath(program(rest[0])) == os.path.abspath(sys.executable)
        found, size = (_wheel(*rest[3:4]) if here else ()) or tuple(rest[:4]), 4
    else:
        found, size = (rest[0],), 1
    return (Compiler((*before, *found), found) if found else None), rest[size:]


def _names_a_program(word: str) -> bool:
    """Tell a compiler's name from the first of its arguments."""
    return not word.startswith(("-", "@")) and (
        os.path.basename(word) in _OURS or bool(program(word)) or not os.path.exists(word)
    )


def program(name: str) -> str:
    """Return the path of a program, or nothing."""
    folders = [""] if "/" in name else os.get_exec_path()
    paths = (os.path.join(folder, name) for folder in folders)
    return next((p for p in paths if os.path.isfile(p) and os.access(p, os.X_OK)), "")


def _wheel(*command: str) -> tuple[str, ...]:
    """Return the words that run a command of the package ``ziglang``, nothing where it is not
    installed.
    """
    paths = (os.path.join(folder, "ziglang", "zig") for folder in sys.path)
    found = next((p for p in paths if os.access(p, os.X_OK)), "")
    return (found, *command) if found else ()


def clang_version(compiler: Compiler, environment: Mapping[str, str]) -> int:
    """Return the major version of LLVM's clang, 0 for any other compiler; asked once for each
    file of a compiler.
    """
    path = program(compiler.own[0])
    try:
        status = os.stat(path)
    except OSError:
        return 0
    key = "\t".join(
        [os.path.abspath(path), *compiler.own[1:], str(status.st_size), str(status.st_mtime_ns)]
    )
    file = compilers_file(environment)
    known = {} if len(compiler.own) > 2 else _look_up(file)
    found = known.get(key)
    if found is None:
        found = _ask(compiler.own)
        if len(compiler.own) <= 2 and "\n" not in key:
            _keep(file, {**known, key: found})
    return found


def _look_up(file: str) -> dict[str, int]:
    with (
        suppress(OSError, ValueError),
        open(file, encoding="utf-8", errors="surrogateescape") as lines,
    ):
        rows = (line.rstrip("\n").rpartition("\t") for line in lines)
        return {key: int(version) for key, _, version in rows}
    return {}


def _keep(file: str, known: dict[str, int]) -> None:
    """Write what is known; where it cannot be written, it is asked again."""
    from isel.cli.launcher.whole import write_whole

    rows = "".join(f"{key}\t{version}\n" for key, version in known.items())
    with suppress(OSError):
        write_whole(file, rows.encode(errors="surrogateescape"), 0o666)


def _ask(words: tuple[str, ...]) -> int:
    """Return what ``--version`` says."""
    import re

    from isel.cli.launcher.children import output_of

    said = re.search(_CLANG, output_of([*words, "--version"])[:_ANSWER])
    return int(said[1]) if said else 0
