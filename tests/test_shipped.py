"""Tables beside code: rows, comments, and rows below others."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.shipped import groups_of, rows_in, rows_of, text_of


def test_rows_are_lines_without_comments_and_blank_ones() -> None:
    assert list(rows_in("# a\tb\n\na\tb c\n\td#\t\n")) == [["a", "b c"], ["", "d#", ""]]


def test_a_file_is_found_beside_the_module(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "t.tsv").write_text("é\t1\n", encoding="utf-8")
    module = str(tmp_path / "m.py")
    assert text_of(module, "x", "t.tsv") == "é\t1\n"
    assert list(rows_of(module, "x", "t.tsv")) == [["é", "1"]]
    with pytest.raises(FileNotFoundError):
        text_of(module, "t.tsv")


def test_rows_that_begin_with_a_tab_belong_to_the_one_above(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("a\t1\n\tx\n# y\n\tz\t\nb\n")
    found = groups_of(str(tmp_path / "m.py"), "t.tsv")
    assert found == [(["a", "1"], [["x"], ["z", ""]]), (["b"], [])]
