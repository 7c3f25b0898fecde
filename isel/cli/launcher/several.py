"""Several sources in one command: a compile for each in turn, as clang does, then its link."""

from __future__ import annotations

import os

from isel.cli.launcher import children
from isel.cli.launcher.classify import SOURCES, Compile, classify
from isel.cli.launcher.compiler_flags import Flag, Role, flags_in
from isel.cli.launcher.light import Record, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, NoReturn

_QUIET: Final = ("-Qunused-arguments",)  # the first step says what is unused
_REFUSED: Final = {
    Role.LANGUAGE, Role.REMARK, Role.RECORD, Role.SAVED, Role.OTHER, Role.UNKNOWN,
}  # fmt: skip


class Parts(Record):
    """The arguments of each compile, and where there is a link the folder of its objects, and its
    arguments.
    """

    compiles: list[list[str]]
    folder: str = ""
    link: list[str] | None = None


def parts_of(words: list[str]) -> Parts | None:
    """Return what a command with several sources is made of, None where it is for the compiler
    as it stands.
    """
    flags = list(flags_in(words))
    inputs = [f for f in flags if f.role == Role.SOURCE and not f.name]
    sources = [f for f in inputs if os.path.splitext(f.value)[1] in SOURCES]
    if len(sources) < 2 or not all(os.path.isfile(f.value) for f in inputs):
        return None
    roles = {f.role for f in flags}
    common = _words([f for f in flags if f.name and f.role != Role.OUTPUT])
    if roles & _REFUSED or any(w.startswith("@") for w in words):
        return None
    if Role.MODE not in roles:
        parts = None if Role.DEPENDS in roles else _with_link(flags, common, sources)
    else:
        made = [[*common, f.value, *_QUIET] for f in sources]
        made[0].pop()
        parts = None if Role.OUTPUT in roles or inputs != sources else Parts(made)
    return parts and _check(parts)


def _with_link(flags: list[Flag], common: list[str], sources: list[Flag]) -> Parts:
    output = next((f for f in flags if f.role == Role.OUTPUT), None)
    place, name = os.path.split(output.value if output else "a.out")
    folder = os.path.join(place, f".{name}.isel-link")
    objects = [f"{folder}/{k}-{os.path.basename(f.value)}.o" for k, f in enumerate(sources)]
    made = [
        [*common, *_QUIET, "-c", "-o", o, f.value] for f, o in zip(sources, objects, strict=True)
    ]
    left = iter(objects)
    link = [(next(left),) if f in sources else f.words for f in flags]
    return Parts(made, folder, [w for words in link for w in words])


def _check(parts: Parts) -> Parts | None:
    found = [classify(own, os.environ) for own in parts.compiles]
    return parts if all(isinstance(x, Compile) for x in found) else None


def _words(flags: list[Flag]) -> list[str]:
    return [w for f in flags for w in f.words]


def run_parts(parts: Parts, named: list[str], compile_one: Callable[[list[str]], NoReturn]) -> int:
    """Compile each source, whatever became of those before it, and link where all are made; return
    the exit code, of the first that failed, or minus the signal that ended it.

    ``named`` are the words that name the compiler to ``compile_one``, which ends its process.
    """

    def run(own: list[str]) -> int:
        return children.run_alone(lambda: compile_one([*named, *own]))

    children.answer_signals()
    with _Folder(parts.folder):
        failed = next((code for code in [run(own) for own in parts.compiles] if code), 0)
        return run(parts.link) if parts.link and not failed else failed


class _Folder:
    """A folder for one process at a time, removed at the end."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        if self._path:
            import fcntl

            os.makedirs(self._path, 0o700, exist_ok=True)
            fcntl.flock(os.open(self._path, os.O_RDONLY), fcntl.LOCK_EX)
            os.makedirs(self._path, 0o700, exist_ok=True)  # the process before has removed it

    def __exit__(self, *exception: object) -> None:
        if self._path:
            with children.Held(), suppress(OSError):
                for name in os.listdir(self._path):
                    os.unlink(os.path.join(self._path, name))
                os.rmdir(self._path)
