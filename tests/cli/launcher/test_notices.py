"""What the launcher says itself: once a build folder and day, and never to a configure step."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.launcher.notices import is_check, name_other, say_once


def said(capfd: pytest.CaptureFixture[str]) -> list[str]:
    return capfd.readouterr().err.splitlines()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A build folder, and an environment that remembers elsewhere."""
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path / "build")
    return {"XDG_STATE_HOME": str(tmp_path / "state"), "PATH": "/usr/bin:/bin"}


def test_once_a_folder_and_day(
    place: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for _ in range(3):
        say_once("note: this", ["-c", "a.c"], place)
    say_once("note: that", ["-c", "a.c"], place)
    assert said(capfd) == ["isel-cc: note: this", "isel-cc: note: that"]
    monkeypatch.chdir(tmp_path)
    say_once("note: this", ["-c", "a.c"], place)
    assert said(capfd) == ["isel-cc: note: this"]
    folder = tmp_path / "state" / "isel" / "said"
    assert len(list(folder.iterdir())) == 3
    for path in folder.iterdir():
        path.rename(folder / path.name.replace(path.name[:10], "2001-01-01"))
    say_once("note: this", ["-c", "a.c"], place)  # another day
    assert said(capfd) == ["isel-cc: note: this"]
    assert len(list(folder.iterdir())) == 1  # what was said on other days is forgotten


def test_nothing_where_it_cannot_be_remembered(
    place: dict[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state").write_text("a file")
    say_once("note: this", ["-c", "a.c"], place)
    assert said(capfd) == []


@pytest.mark.parametrize(
    ("folder", "words", "check"),
    [
        ("/b", ["-c", "a.c"], False),
        ("/b", ["-c", "conftest.c"], True),
        ("/b", ["-o", "x/conftest.o", "-c", "x/conftest.cpp"], True),
        ("/b/CMakeFiles/CMakeTmp", ["-c", "a.c"], True),
        ("/b", ["-c", "/b/CMakeFiles/CMakeScratch/TryCompile-1/a.c"], True),
        ("/b/meson-private/tmp1", ["-c", "a.c"], True),
        ("/b", ["-Dconftest", "-c", "a.c"], False),
    ],
)
def test_what_belongs_to_a_configure_step(folder: str, words: list[str], check: bool) -> None:
    assert is_check(words, folder) is check


@pytest.mark.parametrize(
    ("name", "version", "words", "what"),
    [
        ("/bin/cat", 0, ["-c", "a.c"], "cat is not LLVM's clang"),
        ("env", 0, ["sh", "-c", "a.c"], "env runs sh where isel-cc does not see it"),
        ("cat", 31, ["-c", "a.c"], "cat is clang 31, whose code is not read"),
    ],
)
def test_another_compiler_is_named(
    place: dict[str, str],
    name: str,
    version: int,
    words: list[str],
    what: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    name_other(name, version, words, place)
    name_other(name, version, words, place)
    (line,) = said(capfd)
    assert line.startswith(f"isel-cc: note: {what}")
    assert line.endswith(": compiled unchanged")
