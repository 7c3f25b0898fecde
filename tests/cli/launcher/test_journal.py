"""Quick by default: what is left is in the journal, and a batch that searches it gives the objects
of effort 1.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from isel.cli.launcher import journal, limits
from isel.cli.launcher.journal import Entry
from tests.cli.launcher.homes import home_in, isel
from tests.cli.launcher.running import Launcher, Ran

IMAGES = Path(__file__).parent / "images"
FLAGS = ("-O3", "-march=haswell")
ENTRY = Entry("/x/a.o", "a.c", 19, 3, "", "", "define void @f() {\n  ret void\n}\n")


@pytest.fixture
def quick(launcher: Launcher, tmp_path: Path) -> Launcher:
    """Return the launcher without settings, with an empty cache and a journal of its own."""
    return home_in(tmp_path / "home", launcher)


def entries(launcher: Launcher) -> list[Path]:
    """Return the files of the journal."""
    return sorted((Path(launcher.environment["XDG_STATE_HOME"]) / "isel" / "journal").glob("*"))


def compiled(launcher: Launcher, folder: Path, **more: str) -> bytes:
    """Compile a file of which a portion of the search leaves something."""
    words = ("clang-19", *FLAGS, "-c", IMAGES / "mix.c", "-o", "a.o")
    assert launcher(*words, cwd=folder, **more) == Ran(0, "", "")
    return (folder / "a.o").read_bytes()


def batch(launcher: Launcher, folder: Path, *words: str) -> Ran:
    """Search the journal."""
    return isel(launcher, folder, "batch", "--journal", "-j1", *words)


@pytest.mark.tools
def test_what_is_left_is_searched_later(quick: Launcher, tmp_path: Path) -> None:
    first = compiled(quick, tmp_path)
    assert re.search(r"a\.o: .* \d+ left,", quick.log.read_text())
    (entry,) = entries(quick)
    assert entry.stat().st_mode & 0o777 == 0o600
    assert entry.parent.stat().st_mode & 0o777 == 0o700
    assert compiled(quick, tmp_path) == first
    done = batch(quick, tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"1 modules searched, 1 objects would change\n  {tmp_path}/a.o\n"
    assert entries(quick) == []
    later = compiled(quick, tmp_path)
    assert later != first
    # A whole search gives the same, whatever is kept.
    (tmp_path / "empty").mkdir(mode=0o700)
    for cache in (quick.environment["ISEL_CACHE"], str(tmp_path / "empty")):
        assert compiled(quick, tmp_path, ISEL_FLAGS="--effort=1", ISEL_CACHE=cache) == later
        assert compiled(quick, tmp_path, SOURCE_DATE_EPOCH="1", ISEL_CACHE=cache) == later
    assert entries(quick) == []
    assert batch(quick, tmp_path).out == "0 modules searched, 0 objects would change\n"


@pytest.mark.tools
@pytest.mark.parametrize("tool", ["make", "ninja"])
def test_a_build_makes_again_what_would_change(tool: str, quick: Launcher, tmp_path: Path) -> None:
    for name in ("mix.c", "pause.c", "hot.h"):
        shutil.copy(IMAGES / name, tmp_path)
    command = f"{quick.path} clang-19 {' '.join(FLAGS)} -MD -MF"
    (tmp_path / "Makefile").write_text(
        f"all: mix.o pause.o\n%.o: %.c\n\t{command} $*.d -c $< -o $@\n-include *.d\n"
    )
    (tmp_path / "build.ninja").write_text(
        f"rule cc\n command = {command} $out.d -c $in -o $out\n depfile = $out.d\n deps = gcc\n"
        "build mix.o: cc mix.c\nbuild pause.o: cc pause.c\n"
    )
    assert quick.plain(tool, cwd=tmp_path).code == 0
    first = (tmp_path / "mix.o").read_bytes()
    done = batch(quick, tmp_path, "--touch")
    assert done.out.splitlines()[1:] == [f"  {tmp_path}/mix.o: will be built again"]
    assert (tmp_path / "mix.o").read_bytes() == first
    again = quick.plain(tool, cwd=tmp_path)
    assert "mix.o" in again.out
    assert "pause.o" not in again.out
    assert (tmp_path / "mix.o").read_bytes() != first
    assert re.search(
        "nothing to be done|no work", quick.plain(tool, cwd=tmp_path).out, re.IGNORECASE
    )


@pytest.mark.tools
def test_no_journal_where_it_is_off_or_cannot_be(quick: Launcher, tmp_path: Path) -> None:
    first = compiled(quick, tmp_path, ISEL_JOURNAL="off")
    assert entries(quick) == []
    folder = Path(quick.environment["XDG_STATE_HOME"]) / "isel" / "journal"
    folder.write_text("a file")
    assert compiled(quick, tmp_path) == first
    assert batch(quick, tmp_path).code == 1


def test_a_file_of_the_journal_that_is_cut(quick: Launcher, tmp_path: Path) -> None:
    """At any byte: it is said, and gone; whole ones are searched."""
    for k, keep in enumerate((0, 1, 30, -1)):
        entry = ENTRY._replace(output=f"/x/{k}.o")
        journal.add(entry, quick.environment)
        path = Path(journal.path_of(entry.output, quick.environment))
        path.write_bytes(path.read_bytes()[:keep])
        assert journal.read(str(path)) is None
    journal.add(ENTRY, quick.environment)
    done = batch(quick, tmp_path)
    assert done.out.startswith("5 modules searched, 0 objects would change\n")
    assert done.err.count("not a whole entry of the journal") == 4
    assert done.code == 1
    assert entries(quick) == []


def test_an_entry_is_read_as_it_was_written(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    other = ENTRY._replace(output="/x/b.o", source="\udcff.c", text="; \udcff\n")
    for entry in (ENTRY, other, ENTRY._replace(flags="--vector-width=128")):
        journal.add(entry, environment)
        assert journal.read(journal.path_of(entry.output, environment)) == entry
    assert len(journal.paths(environment)) == 2
    journal.remove(ENTRY.output, environment)
    assert journal.paths(environment) == [journal.path_of("/x/b.o", environment)]


def test_the_journal_does_not_grow_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    monkeypatch.setattr(limits, "JOURNAL_LARGEST", 2000)
    for k in range(40):
        entry = ENTRY._replace(output=f"/x/{k}.o")
        journal.add(entry, environment)
        os.utime(journal.path_of(entry.output, environment), (k, k))
    left = journal.paths(environment)
    assert sum(os.path.getsize(p) for p in left) <= 2000
    assert journal.path_of("/x/39.o", environment) in left
    assert journal.path_of("/x/0.o", environment) not in left


def test_one_batch_at_a_time(quick: Launcher, tmp_path: Path) -> None:
    import fcntl

    folder = Path(quick.environment["XDG_STATE_HOME"]) / "isel" / "journal"
    folder.mkdir(parents=True)
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    done = batch(quick, tmp_path)
    os.close(lock)
    assert done.code == 1
    assert "another batch is searching this journal" in done.err


@pytest.mark.parametrize("word", ["--effort=2", "in.ll", "-oout", "-mcpu=haswell"])
def test_what_does_not_go_with_a_journal(word: str, quick: Launcher, tmp_path: Path) -> None:
    done = batch(quick, tmp_path, word)
    assert done.code == 1
    assert done.err.startswith(
        "isel: error: --journal takes -j, --cache, --touch and --measure only"
    )
