"""What the launcher did, counted: a file of lines ``COUNT NAME``, to which every run adds its
own.  Lines of one name add up.
"""

from __future__ import annotations

import fcntl
import os
import sys

from isel.cli.launcher.light import suppress
from isel.cli.launcher.places import counts_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO, Final

_FULL: Final = 1 << 20  # bytes, from which on lines are added up
_ROWS: Final = (
    ("files", "files compiled by way of the rewriter"),
    ("scalar", "  without integer vectors"),
    ("rewritten files", "  rewritten"),
    ("functions", "functions looked at"),
    ("windows", "windows found"),
    ("rewritten", "  rewritten"),
    ("served", "files rewritten by the server"),
    ("left", "  left to 'isel batch --journal'"),
    ("hits", "files known from an earlier run"),
    ("milliseconds", "seconds of CPU time"),
)
_BY_REASON: Final = (
    ("unchanged", "run unchanged"),
    ("fallback", "fell back to the plain compile"),
    ("kept", "compiled as written"),
)


def add(counts: Mapping[str, int], environment: Mapping[str, str]) -> None:
    """Add counts to the file; where it cannot be written they are lost."""
    text = "".join(f"{n} {' '.join(name.split())}\n" for name, n in counts.items() if n).encode(
        errors="replace"
    )
    file = counts_file(environment)
    with suppress(OSError, ValueError):
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        with _lock(file) as out:
            if out.seek(0, os.SEEK_END) > _FULL:
                out.seek(0)
                text = _text(_parse(out.read() + text))
                out.truncate(0)
            out.write(text)


def zero(environment: Mapping[str, str]) -> None:
    """Forget all counts; raises :class:`OSError`."""
    with suppress(FileNotFoundError):
        os.unlink(counts_file(environment))


def show(environment: Mapping[str, str]) -> None:
    """Print all counts."""
    try:
        with _lock(counts_file(environment)) as file:
            found = _parse(file.read())
    except OSError:
        found = {}
    for name, words in _ROWS:
        n = found.get(name, 0)
        sys.stdout.write(f"{words:<40}{f'{n / 1000:.1f}' if name == 'milliseconds' else n:>10}\n")
    for name, words in _BY_REASON:
        reasons = {
            key.removeprefix(f"{name}: "): n
            for key, n in found.items()
            if key.startswith(f"{name}: ")
        }
        sys.stdout.write(f"{words:<40}{sum(reasons.values()):>10}\n")
        for reason, n in sorted(reasons.items(), key=lambda row: (-row[1], row[0])):
            sys.stdout.write(f"  {reason:<38}{n:>10}\n")


def _lock(path: str) -> IO[bytes]:
    """Open a file to read it and add to it, alone until it is closed."""
    file = open(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+b")  # noqa: SIM115
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def _parse(text: bytes) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in text.decode(errors="replace").splitlines():
        count, _, name = line.partition(" ")
        if count.isascii() and count.isdigit():
            found[name] = found.get(name, 0) + int(count)
    return found


def _text(counts: dict[str, int]) -> bytes:
    return "".join(f"{n} {name}\n" for name, n in sorted(counts.items())).encode(errors="replace")


def tell_of(output: str, counts: Mapping[str, int]) -> None:
    """Add the counts of a compile, with a line in the log for what it made."""
    add(counts, os.environ)
    log(f"{output}: " + ", ".join(f"{n} {name}" for name, n in counts.items()))


def log(text: str) -> None:
    """Add a line to the file that $ISEL_LOG names."""
    path = os.environ.get("ISEL_LOG")
    if not path:
        return
    with suppress(OSError, ValueError):
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            os.write(file, f"isel-cc[{os.getpid()}]: {text}\n".encode(errors="surrogateescape"))
        finally:
            os.close(file)
