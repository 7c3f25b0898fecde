"""Books of learned rules for a test, beside those that are written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from isel.egraph import saturate, tables
from isel.rules import books, proofs
from isel.rules.parse import parse_rules
from isel.rules.record import write_proofs
from isel.rules.syntax import Sizes
from isel.synth import lift

HOME = Path(books.__file__).parent
NATURAL: tuple[Sizes, ...] = ((8,), (16,), (32,), (64,))


def listed(text: str, widths: tuple[Sizes, ...] = NATURAL) -> str:
    """Return a list that says that the rules of a book were proved."""
    found = parse_rules(text, "x.rules", books.definitions()).rules
    return write_proofs((r, widths) for r in found)


@contextmanager
def shelved(folder: Path, texts: Mapping[str, str]) -> Iterator[None]:
    """Let the shipped books have others beside them: files of the learned by their names."""
    for path in (*HOME.glob("*.rules"), HOME / proofs.FILE):
        shutil.copy(path, folder)
    (folder / "learned").mkdir()
    for name, text in texts.items():
        (folder / "learned" / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        for module in (books, proofs):
            patch.setattr(module, "home", lambda: folder)
        _forget()
        yield
    _forget()


def _forget() -> None:
    for kept in (
        *(books.book, books._text, books._reader, books._every, books.every_learned, proofs.proofs),
        *(tables.rules, tables._ready, saturate._fit_rules, lift.lifter_of, lift._lift),
    ):
        kept.cache_clear()
