"""What is hashed of the tool, compilers and variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.batch import journal as batch
from isel.cli.launcher import ccache, tool
from isel.cli.launcher.compiler import Compiler
from isel.cli.launcher.stamps import own_settings, stamp_of, tool_stamps
from isel.trust import Signer


def test_files_by_stamp(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert stamp_of(str(path)) == ""
    path.write_text("one")
    first = stamp_of(str(path))
    other = tmp_path / "b"
    other.write_text("one")
    other.replace(path)
    assert stamp_of(str(path)) != first


def test_our_variables_count_and_the_log_does_not() -> None:
    environment = {"ISEL_X": "1", "ISEL_LOG": "2", "CPATH": "3", "OTHER": "4"}
    assert list(own_settings(environment)) == ["ISEL_X=1"]


def test_the_key_for_ccache_is_of_the_compiler(tmp_path: Path) -> None:
    one, two = (Compiler((name,), (name,)) for name in ("/bin/sh", "/bin/ls"))
    assert ccache.key_of(one, {}) == ccache.key_of(one, {"ISEL_LOG": "x"})
    assert (
        len({ccache.key_of(one, {}), ccache.key_of(two, {}), ccache.key_of(one, {"ISEL_A": ""})})
        == 3
    )
    assert not ccache.is_unasked(one, {}, named=True)  # nothing of ccache runs this


def test_the_identity_of_the_tool_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def find_out() -> str:
        asked.append(1)
        return "tool\0of\nlines"

    monkeypatch.setattr(tool, "_find_out", find_out)
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    signer = Signer(b"k" * 32)
    assert {tool.identity(environment, signer) for _ in range(3)} == {"tool\0of\nlines"}
    assert len(asked) == 1
    file = tmp_path / "isel" / "tool"
    file.write_text(file.read_text().replace("lines", "lies"))
    assert tool.identity(environment, signer) == "tool\0of\nlines"
    assert tool.identity(environment, None) == "tool\0of\nlines"
    assert len(asked) == 3
    own = tmp_path / "own"
    own.mkdir()
    before = list(tool_stamps({"ISEL_SEMANTICS": str(own)}))
    (own / "a.sem").write_text("")
    assert list(tool_stamps({"ISEL_SEMANTICS": str(own)})) != before


def test_an_entry_that_was_written_anew_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.left"
    path.write_text("one")
    stamp = stamp_of(str(path))
    other = tmp_path / "b"
    other.write_text("two")
    other.replace(path)
    batch._remove(str(path), stamp)
    assert path.read_text() == "two"
    batch._remove(str(path), stamp_of(str(path)))
    assert not path.exists()
