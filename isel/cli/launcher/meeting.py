"""Where who asks and who answers meet: a socket that is named by all that they must have in common,
the tool's files, Python, our variables, where data are kept, and what the kernel knows of a process
(limits, name spaces, groups, processors).
"""

from __future__ import annotations

import os
import sys

from isel.cli.launcher.limits import SERVER_HEAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Iterator, Mapping
    from typing import Final, TypeAlias

    Values: TypeAlias = tuple[str | int, ...]  # of an order

TAKEN: Final = b"+"  # the first byte of an answer; milliseconds and a line's end follow
_TRIPLE: Final = b'target triple = "'
_PLACES: Final = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR")
_STATUS: Final = (
    "Umask", "Uid", "Gid", "Groups", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp", "Cpus_allowed",
)  # fmt: skip


def carry_out(order: Values, answer: str) -> int:
    """Do as told, here and now, with counts and reasons in a file ``answer``; return 0."""
    from isel.cli.launcher.rewriter import Order, rewrite

    counts, reasons = rewrite(Order(*order))  # type: ignore[arg-type]  # its values
    with open(answer, "w", encoding="utf-8", errors="replace") as out:
        out.writelines(f"{n} {name}\n" for name, n in counts.items())
        out.writelines(f"{line}\n" for line in reasons)
    return 0


def is_own(link: socket) -> bool:
    """Tell whether a process of this user is at the other end."""
    import _socket

    found = link.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)  # struct ucred
    return int.from_bytes(found[4:8], sys.byteorder) == os.geteuid()


def name_of(ir: str, environment: Mapping[str, str]) -> str:
    """Return the name of the socket for IR in a file."""
    import hashlib

    with open(ir, "rb") as file:
        head = file.read(SERVER_HEAD)
    machine = head.partition(_TRIPLE)[2].partition(b"-")[0]
    made = hashlib.sha256(machine)
    for part in _common(environment):
        made.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return made.hexdigest()[:32]


def _common(environment: Mapping[str, str]) -> Iterator[str]:
    from isel.cli.launcher.stamps import own_settings, tool_stamps

    yield from (sys.version, sys.executable, *sys.path)
    yield from tool_stamps(environment)
    yield from own_settings(environment)
    yield from (f"{name}={environment.get(name)}" for name in _PLACES)
    for name in ("limits", "cgroup"):
        yield _text(f"/proc/self/{name}")
    yield _text("/proc/sys/kernel/random/boot_id")
    for line in _text("/proc/self/status").splitlines():
        if line.partition(":")[0] in _STATUS:
            yield line
    for name in sorted(os.listdir("/proc/self/ns")):
        yield os.readlink(f"/proc/self/ns/{name}")
    root = os.stat("/")
    yield from (str(root.st_dev), str(root.st_ino), str(os.nice(0)))


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()
