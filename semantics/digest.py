"""The semantics as files: their text and their hash, without reading what they say."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from isel.errors import FileProblem, file_problem
from isel.spec.kept import hash_of
from semantics import isa_named, isas

OWN: Final = "ISEL_SEMANTICS"  # a folder of the user's, with a folder for each instruction set
_FOLDERS: Final = ("generated", "views")


def sources(isa: str) -> tuple[tuple[str, str], ...]:
    """Return name and text of each ``.sem`` file of an instruction set: those made from the
    vendor's text, then the others.
    """
    return _read(isa)[0]


@cache
def _read(isa: str) -> tuple[tuple[tuple[str, str], ...], str]:
    root = files("semantics").joinpath(isa)
    found: list[tuple[str, bytes]] = []
    for folder in filter(lambda f: root.joinpath(f).is_dir(), _FOLDERS):
        texts = [file for file in root.joinpath(folder).iterdir() if file.name.endswith(".sem")]
        found.extend(
            (f"{folder}/{file.name}", file.read_bytes())
            for file in sorted(texts, key=lambda f: f.name)
        )
    made = hashlib.sha256()
    for name, data in (
        *found,
        *((name, root.joinpath(name).read_bytes()) for name in isa_named(isa).tables),
    ):
        made.update(b"%s\0%d\0" % (name.encode(), len(data)))
        made.update(data)
    return tuple((name, data.decode()) for name, data in found), made.hexdigest()


def own_sources(isa: str) -> tuple[tuple[str, str], ...]:
    """Return name and text of each ``.sem`` file that the user adds to an instruction set;
    raises :class:`FileProblem`.
    """
    return _own(os.environ.get(OWN, ""), isa)


@cache
def _own(folder: str, isa: str) -> tuple[tuple[str, str], ...]:
    if not folder:
        return ()
    root = Path(folder)
    try:
        if any(p.suffix == ".sem" for p in root.iterdir()):
            names = ", ".join(i.name for i in isas())
            what = f"expected them in folders named for instruction sets ({names})"
            raise FileProblem(folder, f"has .sem files, {what}")
        found = sorted((root / isa).glob("*.sem"))
        return tuple((str(p), p.read_text(encoding="utf-8")) for p in found)
    except OSError as error:
        raise file_problem(f"${OWN}: {error.filename or folder}", error) from None
    except UnicodeDecodeError:
        raise FileProblem(folder, "holds a .sem file that is not UTF-8") from None


def digest(isa: str) -> str:
    """Return the hash of an instruction set's semantics and emissions, the user's with them;
    part of every cache key.
    """
    return digest_with(isa, own_sources(isa))


def digests() -> list[tuple[str, str]]:
    """Return the name of each instruction set and the head of its hash."""
    return [(isa.name, digest(isa.name)[:16]) for isa in isas()]


def digest_with(isa: str, own: Sequence[tuple[str, str]]) -> str:
    """Return the hash of what is shipped of an instruction set and of these names and texts;
    the names do not count.
    """
    made = _read(isa)[1]
    return hash_of(made.encode(), *(text.encode() for _, text in own)) if own else made
