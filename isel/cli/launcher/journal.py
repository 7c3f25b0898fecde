"""The journal: modules of which something was left to search, one file for each object, in a folder
that nobody else reads.

A file is a line of JSON and the module, compressed; one that is not whole is no entry.  It is
written beside its place and renamed.  The oldest files go where all together are too large.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from typing import Final, NamedTuple

from isel.cli.launcher import limits
from isel.cli.launcher.light import suppress
from isel.cli.launcher.places import journal_folder
from isel.cli.launcher.whole import keep_within, write_whole
from isel.json_text import to_json

VARIABLE: Final = "ISEL_JOURNAL"
OFF: Final = "off"
_SUFFIX: Final = ".left"


class Entry(NamedTuple):
    """A module and what was asked: the object's absolute path, the source's name, the LLVM that
    reads what is written, the level of code generation, flags as of ``isel opt``, and a hash of
    what was written, empty where nothing was rewritten.
    """

    output: str
    source: str
    version: int
    level: int
    flags: str
    written: str
    text: str


def is_on(environment: Mapping[str, str]) -> bool:
    """Tell whether a journal is kept."""
    return environment.get(VARIABLE) != OFF


def path_of(output: str, environment: Mapping[str, str]) -> str:
    """Return the file of an object's entry."""
    name = hashlib.sha256(output.encode(errors="surrogateescape")).hexdigest()[:32]
    return os.path.join(journal_folder(environment), name + _SUFFIX)


def add(entry: Entry, environment: Mapping[str, str]) -> None:
    """Write an entry in the place of an earlier one of its object; raises :class:`OSError`."""
    path = path_of(entry.output, environment)
    head = to_json(entry._replace(text="")).encode()
    body = zlib.compress(entry.text.encode(errors="surrogateescape"), limits.JOURNAL_FAST)
    write_whole(path, head + b"\n" + body)
    keep_within(os.path.dirname(path), limits.JOURNAL_LARGEST)


def remove(output: str, environment: Mapping[str, str]) -> None:
    """Remove the entry of an object, if there is one."""
    with suppress(OSError):
        os.unlink(path_of(output, environment))


def paths(environment: Mapping[str, str]) -> list[str]:
    """Return the files of all entries, by name."""
    folder = journal_folder(environment)
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith(_SUFFIX)]


def read(path: str) -> Entry | None:
    """Return an entry, or None where it is not whole or not there."""
    try:
        with open(path, "rb") as file:
            head, _, body = file.read().partition(b"\n")
        unpacked = zlib.decompressobj()
        text = unpacked.decompress(body, limits.JOURNAL_MODULE).decode(errors="surrogateescape")
        output, source, version, level, flags, written, _ = json.loads(head)
        if not unpacked.eof:
            return None
        return Entry(
            str(output), str(source), int(version), int(level), str(flags), str(written), text
        )
    except (OSError, ValueError, TypeError, zlib.error):
        return None
