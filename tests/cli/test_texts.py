"""A text file is written whole, or what was there stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.texts import folder_for, write_whole
from isel.errors import FileProblem


def test_nothing_is_left_beside_what_was_written(tmp_path: Path) -> None:
    folder = folder_for(str(tmp_path / "new"))
    write_whole(folder / "a.txt", "one\n")
    write_whole(folder / "a.txt", "two\n")
    assert [(p.name, p.read_text()) for p in folder.iterdir()] == [("a.txt", "two\n")]


def test_a_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileProblem):
        write_whole(tmp_path / "none" / "a.txt", "")
    with pytest.raises(FileProblem):
        folder_for(str(tmp_path / "file"))
    assert folder_for(str(tmp_path / "new" / "one")).is_dir()
