"""What the launcher says on standard error: each thing at most once a build folder and day, and
nothing in the checks of a configure step, which read what a compiler says.
"""

from __future__ import annotations

import os

from isel.cli.launcher.light import suppress
from isel.cli.launcher.places import said_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

_CHECKS: Final = ("CMakeScratch", "CMakeTmp", "meson-private")  # folders


def is_check(words: Sequence[str], folder: str) -> bool:
    """Tell whether a command, run in a folder, belongs to a configure step."""
    if any(name in path for path in (folder, *words) for name in _CHECKS):
        return True
    return any(os.path.basename(word).startswith("conftest") for word in words)


def say_once(text: str, words: Sequence[str], environment: Mapping[str, str]) -> None:
    """Say a line, unless it was said today in this folder or a configure step runs the command
    ``words``; where that cannot be remembered nothing is said.
    """
    import hashlib
    import time

    with suppress(OSError):
        here = os.getcwd()
        if is_check(words, here):
            return
        folder = said_folder(environment)
        day = time.strftime("%Y-%m-%d")
        what = hashlib.sha256(f"{here}\0{text}".encode(errors="surrogateescape")).hexdigest()[:20]
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.close(os.open(os.path.join(folder, f"{day}-{what}"), os.O_CREAT | os.O_EXCL, 0o600))
        os.write(2, f"isel-cc: {text}\n".encode(errors="surrogateescape"))
        for name in os.listdir(folder):
            if not name.startswith(day):
                os.unlink(os.path.join(folder, name))


def name_other(
    name: str, version: int, words: Sequence[str], environment: Mapping[str, str]
) -> None:
    """Name a compiler whose files are compiled unchanged: a clang of a ``version`` that is not
    read, 0 for what is no clang or runs one out of sight, with its ``words``.
    """
    from isel.cli.launcher.compiler import PREFIXES, program

    if not program(name):
        return
    name = os.path.basename(name)
    if version:
        what = f"{name} is clang {version}, whose code is not read"
    elif words and not words[0].startswith("-") and program(words[0]):
        what = f"{name} runs {os.path.basename(words[0])} where isel-cc does not see it (only "
        what += f"{' and '.join(PREFIXES)} may stand before the compiler)"
    else:
        what = f"{name} is not LLVM's clang"
    say_once(f"note: {what}: compiled unchanged", words, environment)
