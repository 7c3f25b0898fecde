"""The semantics as files: their text and their hash, without reading what they say."""

from __future__ import annotations

import hashlib
from importlib.resources import files

ISAS = ("x86",)  # every instruction set, by the name of its package


def sources(isa: str) -> tuple[tuple[str, str], ...]:
    """Return name and text of each ``.sem`` file of an instruction set, by name."""
    folder = files("semantics").joinpath(isa, "sem")
    return tuple((f.name, f.read_text(encoding="utf-8")) for f in sorted(folder.iterdir(), key=lambda f: f.name) if f.name.endswith(".sem"))


def digest(isa: str) -> str:
    """Return the hash of an instruction set's semantics; part of every cache key."""
    return hashlib.sha256("\0".join(part for source in sources(isa) for part in source).encode()).hexdigest()
