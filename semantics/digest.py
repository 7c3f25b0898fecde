"""The semantics as files: their text and their hash, without reading what they say."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

ISAS: Final = ("x86",)  # every instruction set, by the name of its package
_FOLDERS: Final = ("generated", "views")
_TABLES: Final = ("emission/emissions.tsv", "intrinsics.tsv")  # what else decides what an instruction is


def sources(isa: str) -> tuple[tuple[str, str], ...]:
    """Return name and text of each ``.sem`` file of an instruction set: those made from the vendor's text, then the others."""
    return _read(isa)[0]


@cache
def _read(isa: str) -> tuple[tuple[tuple[str, str], ...], str]:
    root = files("semantics").joinpath(isa)
    found: list[tuple[str, bytes]] = []
    for folder in _FOLDERS:
        texts = [file for file in root.joinpath(folder).iterdir() if file.name.endswith(".sem")]
        found.extend((f"{folder}/{file.name}", file.read_bytes()) for file in sorted(texts, key=lambda f: f.name))
    made = hashlib.sha256()
    for name, data in (*found, *((name, root.joinpath(name).read_bytes()) for name in _TABLES)):
        made.update(b"%s\0%d\0" % (name.encode(), len(data)))
        made.update(data)
    return tuple((name, data.decode()) for name, data in found), made.hexdigest()


def digest(isa: str) -> str:
    """Return the hash of an instruction set's semantics and emissions; part of every cache key."""
    return _read(isa)[1]
