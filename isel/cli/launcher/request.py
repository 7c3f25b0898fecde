"""What a compile is asked to do, as a hash: everything that its object depends on but the contents
of files, which :mod:`isel.cli.launcher.objects` holds against what they were.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys

from isel.cli.launcher.compiler import program
from isel.cli.launcher.light import suppress
from isel.cli.launcher.limits import REQUEST_KEY
from isel.cli.launcher.objects import Request
from isel.cli.launcher.places import objects_folder, secret_file
from isel.cli.launcher.response import expand
from isel.cli.launcher.stamps import stamp, tool_stamps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Final

    from isel.cli.launcher.job import Job

_FORMAT: Final = "isel object 1"
# What clang, its driver and the loader look at.  $PWD is the folder in debug information.
_VARIABLES: Final = (
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "COMPILER_PATH", "PWD",
    "HOME", "SOURCE_DATE_EPOCH", "SDKROOT", "TERM", "LANG", "LANGUAGE", "LD_LIBRARY_PATH",
    "LD_PRELOAD", "XDG_CONFIG_HOME",
)  # fmt: skip
_PREFIXES: Final = ("CLANG_", "CCC_", "GCC_", "LC_", "LLVM_")
_ASIDE: Final = ("ISEL_LOG",)
_UNSAFE: Final = (
    "-include-pch", "-ivfsoverlay", "-Xclang", "-H", "-MV", "-fcrash-diagnostics-dir=",
)  # fmt: skip


def request_of(job: Job, environment: Mapping[str, str]) -> Request | None:
    """Return the request of a compile; None where its object is made each time: there is no cache
    or no key, or more than what is looked at has a say.
    """
    compiler = job.compiler
    folder = objects_folder(environment)
    words = expand(list(job.arguments))
    if not folder or not _is_plain(job) or any(w.startswith(_UNSAFE) for w in words):
        return None
    secret = _secret(secret_file(environment))
    if not secret or not _is_binary(compiler.own[0]):
        return None
    identity = compiler_stamps(compiler.own[0])
    made = hashlib.sha256()
    for part in (
        *(_FORMAT, sys.version, *identity, *compiler.words, "", *words, "", os.getcwd()),
        *(str(os.isatty(2)), *settings(environment), "", *tool_stamps(environment)),
    ):
        made.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return Request(made.hexdigest(), folder, secret)


def _is_plain(job: Job) -> bool:
    """Tell whether a compile writes an object, a dependency file that can be renamed to its place,
    and nothing else, by a compiler that says what it reads.
    """
    what, path = job.what, job.dependencies
    if what.kept is not None or what.recorded or job.remarks is not None:
        return False
    if job.compiler.is_zig or job.compiler.words != job.compiler.own:
        return False
    return not os.path.lexists(path) or (os.path.isfile(path) and not os.path.islink(path))


def settings(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the variables that have a say in what is made, with their values."""
    for name in sorted(environment):
        if name in _VARIABLES or name.startswith(_PREFIXES):
            yield f"{name}={environment[name]}"
    yield from own_settings(environment)


def own_settings(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield our own variables with their values."""
    for name in sorted(environment):
        if name.startswith("ISEL_") and name not in _ASIDE:
            yield f"{name}={environment[name]}"


def _is_binary(name: str) -> bool:
    """Tell whether a program is not a script, which may run anything."""
    try:
        with open(program(name), "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


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


def _is_writable(folder: str) -> bool:
    """Tell whether files can be made in a folder, which is made if it is not there."""
    with suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return os.access(folder, os.W_OK)
    return False


def _secret(path: str) -> bytes:
    """Return the user's key (:mod:`isel.trust`), which is made if it is not there, nothing where
    there is none or others may read it.
    """
    if not os.path.exists(path) and _is_writable(os.path.dirname(path)):
        from pathlib import Path

        from isel.trust import signer_at

        signer_at(Path(path))
    try:
        folder = os.stat(os.path.dirname(path))
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        status = os.fstat(file)
        mine = status.st_uid == folder.st_uid == os.geteuid() and stat.S_ISREG(status.st_mode)
        others = status.st_mode & 0o077 or folder.st_mode & 0o022
        found = os.read(file, REQUEST_KEY + 1)
    finally:
        os.close(file)
    return found if mine and not others and len(found) == REQUEST_KEY else b""
