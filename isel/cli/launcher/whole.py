"""Files that are written whole or not at all, and folders that stay within a size."""

from __future__ import annotations

import os

from isel.cli.launcher.light import suppress


def write_whole(path: str, data: bytes, mode: int = 0o600) -> None:
    """Write a file beside its place and rename it; its folder is made if there is none.

    Raises :class:`OSError`, and leaves nothing then.
    """
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with open(os.open(temporary, flags, mode), "wb") as out:
            out.write(data)
        os.replace(temporary, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def keep_within(folder: str, most: int) -> None:
    """Remove the files of a folder that were written or used longest ago, until the others have at
    most so many bytes.
    """
    found = []
    for item in os.scandir(folder):
        with suppress(OSError):
            status = item.stat()
            found.append((status.st_mtime_ns, status.st_size, item.path))
    size = sum(bytes_ for _, bytes_, _ in found)
    for _, bytes_, path in sorted(found):
        if size <= most:
            return
        with suppress(OSError):
            os.unlink(path)
            size -= bytes_
