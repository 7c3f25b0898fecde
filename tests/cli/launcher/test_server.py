"""The process that stays: with it, without it and with one that dies, objects are the same bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from isel.cli.launcher.places import server_folder
from tests.cli.launcher.homes import home_in, ir
from tests.cli.launcher.running import PROJECT, Launcher, Ran, files_in

FLAGS = ("-O2", "-ftree-vectorize", "-march=haswell", f"-I{PROJECT}")
HOT = ("clang-19", *FLAGS, "-c", str(PROJECT / "hot.c"), "-o", "a.o")
ENTRY = "from isel.cli.launcher import entry, server"
START = f"{ENTRY}; import sys; [server.start((sys.argv[1], '', '', 19, 2, '')) for _ in 'ab']"
# A server that loads when the folder of the compile that started it is gone, and says so.
LATE = f"""{ENTRY}
import os, time
def late(order, sample, load=server._load):
    while os.path.exists(os.path.dirname(order[0])):
        time.sleep(0.01)
    load(order, sample)
    open(os.environ["ISEL_LOG"] + "-loaded", "w").close()
server._load = late
entry()"""


def processes(home: Launcher, name: str = "") -> list[int]:
    """Return the processes of a user, all or those of a name."""
    found = []
    place = home.environment["XDG_STATE_HOME"].encode()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            is_theirs = b"XDG_STATE_HOME=" + place in (path / "environ").read_bytes().split(b"\0")
            if is_theirs and name in (path / "comm").read_text():
                found.append(int(path.name))
        except OSError:
            continue
    return found


def kill(home: Launcher, name: str = "isel-server") -> None:
    """End processes of a user."""
    for pid in processes(home, name):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


@pytest.fixture
def home(launcher: Launcher, tmp_path: Path, place: str) -> Iterator[Launcher]:
    """Return a user with a server, of which nothing survives."""
    (tmp_path / "work").mkdir()
    made = home_in(tmp_path / "home", launcher, ISEL_SERVER="on", XDG_RUNTIME_DIR=place)
    yield made
    deadline = time.monotonic() + 60
    while processes(made) and time.monotonic() < deadline:
        kill(made, "")
        time.sleep(0.05)
    assert not processes(made)


def server_of(home: Launcher) -> int:
    """Return the one process of a user, a server, once it has its name."""
    deadline = time.monotonic() + 60
    while len(found := processes(home)) != 1 or found != processes(home, "isel-server"):
        assert time.monotonic() < deadline, found
        time.sleep(0.02)
    return found[0]


def served(home: Launcher) -> int:
    """Return how many compiles a server has answered."""
    return home.log.read_text().count("1 served")


def begin(home: Launcher, folder: Path, **more: str) -> int:
    """Start a server without a compile; return its process."""
    done = home.plain(sys.executable, "-c", START, ir(folder), cwd=folder, **more)
    assert done == Ran(0, "", "")
    return server_of(home)


def start(home: Launcher, folder: Path, *files: int, name: str = "a.o") -> subprocess.Popen[bytes]:
    """Start a compile with open files, which an interrupt ends."""
    return subprocess.Popen(
        [str(home.path), *HOT[:-1], name],
        cwd=folder,
        env=home.environment,
        stderr=subprocess.PIPE,
        pass_fds=files,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def plain(home: Launcher, folder: Path) -> bytes:
    """Return the object that is made without a server."""
    assert home(*HOT, cwd=folder, ISEL_SERVER="off") == Ran(0, "", "")
    assert not Path(server_folder(home.environment)).exists()
    return (folder / "a.o").read_bytes()


def forget(home: Launcher) -> None:
    """Remove what was found, so that it is searched again."""
    for path in Path(home.environment["ISEL_CACHE"]).glob("*.sqlite*"):
        path.unlink()


def search_once(home: Launcher, folder: Path) -> None:
    """Compile what has to be searched, and forget it: the next one that searches leaves a server."""
    forget(home)
    assert home(*HOT, cwd=folder) == Ran(0, "", "")
    assert processes(home) == []
    forget(home)


@pytest.mark.tools
def test_the_same_bytes_with_and_without(home: Launcher, tmp_path: Path) -> None:
    """The second that searches leaves a server, with nothing of the build, for those that follow."""
    folder = tmp_path / "work"
    right = plain(home, folder)
    search_once(home, folder)
    assert (folder / "a.o").read_bytes() == right
    with (tmp_path / "open").open("w") as file:
        assert start(home, folder, file.fileno()).communicate(timeout=300)[1] == b""
    assert (folder / "a.o").read_bytes() == right
    pid = server_of(home)
    for _ in range(3):
        forget(home)
        assert home(*HOT, cwd=folder) == Ran(0, "", "")
        assert (folder / "a.o").read_bytes() == right
    assert served(home) == 3
    assert home.stats(folder)["files rewritten by the server"] == 3
    assert server_of(home) == pid
    assert os.getsid(pid) == pid
    held = {os.readlink(f"/proc/{pid}/fd/{n}") for n in os.listdir(f"/proc/{pid}/fd")}
    place = server_folder(home.environment)
    assert {x for x in held if not x.startswith(("socket:", place))} == {"/dev/null"}
    kept = [Path(place), *Path(place).iterdir()]
    assert [oct(p.stat().st_mode)[-3:] for p in kept] == ["700", "600", "600"]
    kill(home)
    forget(home)
    for n in (3, 4):
        assert home(*HOT, cwd=folder) == Ran(0, "", "")
        assert (folder / "a.o").read_bytes() == right
        assert served(home) == n
        assert server_of(home) != pid
    assert files_in(folder) == ["a.o"]


@pytest.mark.tools
@pytest.mark.parametrize("flags", ["", "--effort=0"])
def test_what_searches_nothing_leaves_no_server(flags: str, home: Launcher, tmp_path: Path) -> None:
    """Neither code without vectors, nor a module or a window that is known."""
    folder = tmp_path / "work"
    (folder / "scalar.c").write_text("int f(int x) { return x + 1; }\n")
    home = replace(home, environment={**home.environment, "ISEL_FLAGS": flags})
    plain(home, folder)
    assert "1 loaded the search" in home.log.read_text()
    for own in (HOT, (*HOT, "-Dsubtract=other"), ("clang-19", "-c", "scalar.c")):
        assert home(*own, cwd=folder) == Ran(0, "", "")
        assert processes(home) == []
        assert not Path(server_folder(home.environment)).exists()
    search_once(home, folder)
    (mark,) = Path(server_folder(home.environment)).iterdir()
    os.utime(mark, (1e9, 1e9))  # too long ago to say what comes next
    search_once(home, folder)
    assert home(*HOT, cwd=folder) == Ran(0, "", "")
    server_of(home)


@pytest.mark.tools
def test_a_compile_ends_before_its_server_has_loaded(home: Launcher, tmp_path: Path) -> None:
    """Which then needs no file of it."""
    folder = tmp_path / "work"
    words = (*HOT[:-1], str(folder / "a.o"))
    search_once(home, folder)
    assert changed(home, tmp_path, LATE)(*words, cwd=folder) == Ran(0, "", "")
    right = (folder / "a.o").read_bytes()
    forget(home)
    assert home(*words, cwd=folder) == Ran(0, "", "")
    assert Path(f"{home.log}-loaded").exists()
    assert (served(home), files_in(folder)) == (1, ["a.o"])
    assert (folder / "a.o").read_bytes() == right


@pytest.mark.tools
@pytest.mark.parametrize(("code", "what"), [(0, "open(os.sep)"), (-15, "os.kill(os.getpid(), 15)")])
def test_a_server_that_does_not_start(code: int, what: str, home: Launcher, tmp_path: Path) -> None:
    """A compile is what it would be, also when it is ended meanwhile."""
    folder = tmp_path / "work"
    right = plain(home, folder)
    search_once(home, folder)
    (folder / "a.o").unlink()
    patch = f"{ENTRY}; import os; server._start = lambda *_: {what}; entry()"
    assert changed(home, tmp_path, patch)(*HOT, cwd=folder) == Ran(code, "", "")
    assert (folder / "a.o").read_bytes() == right
    assert files_in(folder) == ["a.o"]
    assert processes(home) == []


def changed(home: Launcher, folder: Path, code: str) -> Launcher:
    """Return the launcher of a user as code makes it."""
    path = folder / "changed"
    path.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{code}' \"$@\"\n")
    path.chmod(0o755)
    return replace(home, path=path)


@pytest.mark.tools
def test_what_is_wrong_is_as_without(home: Launcher, tmp_path: Path) -> None:
    """A child that fails has not answered; a compile that fails starts no server."""
    folder = tmp_path / "work"
    said = [home(*HOT, cwd=folder, ISEL_SERVER=x, ISEL_FLAGS="--no") for x in ("off", "on")]
    assert processes(home) == []
    pid = begin(home, tmp_path, ISEL_FLAGS="--no")
    said.append(home(*HOT, cwd=folder, ISEL_FLAGS="--no"))
    assert "ISEL_FLAGS" in said[0].err
    assert said[1:] == [Ran(0, "", "")] * 2  # said today
    assert home.log.read_text().count("kept: ISEL_FLAGS") == 3
    assert served(home) == 0
    assert server_of(home) == pid


@pytest.mark.tools
@pytest.mark.parametrize("place", ["/dev/full", "/nowhere/x", "folder"])
def test_no_place_for_a_socket(place: str, home: Launcher, tmp_path: Path) -> None:
    """A full disk, a home that cannot be written, and a folder that others may enter."""
    folder = tmp_path / "work"
    right = plain(home, folder)
    path = Path(server_folder(home.environment))
    if place == "folder":
        path.mkdir(mode=0o755)
    else:
        path.symlink_to(place)
    forget(home)
    assert home(*HOT, cwd=folder) == Ran(0, "", "")
    assert (folder / "a.o").read_bytes() == right
    assert "served" not in home.log.read_text()
    assert processes(home) == []


@pytest.mark.tools
def test_builds_at_once_have_one_server(home: Launcher, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    right = plain(home, folder)
    names = [f"{k}.o" for k in range(4)]
    found = []
    for _ in range(2):  # without a server, then with one
        forget(home)
        found.append(served(home))
        running = [start(home, folder, name=name) for name in names]
        for process in running:
            assert (process.communicate(timeout=300)[1], process.returncode) == (b"", 0)
        assert {(folder / name).read_bytes() for name in names} == {right}
        found.append(server_of(home))
    assert served(home) - found[2] == 4
    assert found[1] == found[3]


@pytest.mark.tools
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_who_asks_is_ended(number: signal.Signals, home: Launcher, tmp_path: Path) -> None:
    """So is what was asked for, and no folder is left but after a kill."""
    folder = tmp_path / "work"
    begin(home, tmp_path)
    assert home(*HOT, cwd=folder).code == 0
    assert served(home) == 1  # so it has loaded
    (folder / "a.o").unlink()
    forget(home)
    pid = server_of(home)
    begun = start(home, folder)
    children = Path(f"/proc/{pid}/task/{pid}/children")
    while not children.read_text().split()[:1] and begun.poll() is None:
        time.sleep(0.005)
    begun.send_signal(number)
    assert (begun.communicate(timeout=60)[1], begun.returncode) == (b"", -number)
    deadline = time.monotonic() + 30
    while len(processes(home)) > 1 and time.monotonic() < deadline:
        time.sleep(0.02)  # but for a child that nobody waited for
    assert processes(home) == [pid]
    assert (files_in(folder) == []) or number == signal.SIGKILL


@pytest.mark.tools
def test_builds_with_a_server_that_dies(home: Launcher, tmp_path: Path) -> None:
    """``BUILDS=100`` makes a hundred, in some minutes."""
    folder = tmp_path / "work"
    begun = time.monotonic()
    right = plain(home, folder)
    usual = time.monotonic() - begun
    moments, builds = random.Random(68), int(os.environ.get("BUILDS", "20"))
    answered = 0
    for k in range(builds):
        if k % 3:  # else there is one of the build before, or none
            begin(home, tmp_path)
        if k % 3 == 1:  # so it has loaded
            assert home(*HOT, cwd=folder) == Ran(0, "", "")
        if k % 2:
            forget(home)
        before = served(home)
        building = start(home, folder)
        time.sleep(moments.random() * usual / (1 if k % 2 else 4))
        kill(home)
        assert (building.communicate(timeout=300)[1], building.returncode) == (b"", 0)
        assert (folder / "a.o").read_bytes() == right
        assert files_in(folder) == ["a.o"]
        (folder / "a.o").unlink()
        answered += served(home) - before
    assert builds // 10 < answered < builds
