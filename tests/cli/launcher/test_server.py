"""The process that stays: with it, without it and with one that dies, objects are the same bytes."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from isel.cli.launcher import light, limits, server, stamps
from isel.cli.launcher.places import server_folder
from tests.cli.launcher.homes import home_in
from tests.cli.launcher.running import PROJECT, Launcher, Ran, files_in

FLAGS = ("-O2", "-ftree-vectorize", "-march=haswell", f"-I{PROJECT}")
HOT = ("clang-19", *FLAGS, "-c", str(PROJECT / "hot.c"), "-o", "a.o")


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
def place() -> Iterator[str]:
    """Return a folder for sockets: their names have at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="isel-") as folder:
        yield folder


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


def plain(home: Launcher, folder: Path) -> bytes:
    """Return the object that is made without a server."""
    assert home(*HOT, cwd=folder, ISEL_SERVER="off") == Ran(0, "", "")
    assert not Path(server_folder(home.environment)).exists()
    return (folder / "a.o").read_bytes()


def forget(home: Launcher) -> None:
    """Remove what was found, so that it is searched again."""
    for path in Path(home.environment["ISEL_CACHE"]).glob("*.sqlite*"):
        path.unlink()


@pytest.mark.tools
def test_the_same_bytes_with_and_without(home: Launcher, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    right = plain(home, folder)
    assert processes(home) == []
    for _ in range(3):
        forget(home)
        assert home(*HOT, cwd=folder) == Ran(0, "", "")
        assert (folder / "a.o").read_bytes() == right
    assert home.log.read_text().count("1 served") == 3
    assert home.stats(folder)["files rewritten by the server"] == 3
    (pid,) = processes(home, "isel-server")
    assert os.getsid(pid) != os.getsid(0)
    held = {os.readlink(f"/proc/{pid}/fd/{n}") for n in os.listdir(f"/proc/{pid}/fd")}
    place = server_folder(home.environment)
    assert {x for x in held if not x.startswith(("socket:", place))} == {"/dev/null"}
    kept = [Path(place), *Path(place).iterdir()]
    assert [oct(p.stat().st_mode)[-3:] for p in kept] == ["700", "600"]
    kill(home)
    assert home(*HOT, cwd=folder) == Ran(0, "", "")
    assert home.log.read_text().count("1 served") == 4
    assert files_in(folder) == ["a.o"]


@pytest.mark.tools
def test_what_is_wrong_is_as_without(home: Launcher, tmp_path: Path) -> None:
    """A child that fails has not answered."""
    folder = tmp_path / "work"
    said = [home(*HOT, cwd=folder, ISEL_SERVER=x, ISEL_FLAGS="--no") for x in ("off", "on")]
    assert "ISEL_FLAGS" in said[0].err
    assert said[1] == Ran(0, "", "")  # said today
    assert home.log.read_text().count("kept: ISEL_FLAGS") == 2
    assert "served" not in home.log.read_text()


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
    assert home(*HOT, cwd=folder) == Ran(0, "", "")
    assert (folder / "a.o").read_bytes() == right
    assert "served" not in home.log.read_text()
    assert processes(home) == []


@pytest.mark.tools
def test_builds_at_once_have_one_server(home: Launcher, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    right = plain(home, folder)
    forget(home)
    names = [f"{k}.o" for k in range(4)]
    running = [
        subprocess.Popen(
            [home.path, *HOT[:-1], name], cwd=folder, env=home.environment, stderr=subprocess.PIPE
        )
        for name in names
    ]
    for process in running:
        assert (process.communicate(timeout=300)[1], process.returncode) == (b"", 0)
    assert {(folder / name).read_bytes() for name in names} == {right}
    assert home.log.read_text().count("1 served") == 4
    assert len(processes(home, "isel-server")) == 1


@pytest.mark.tools
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_who_asks_is_ended(number: signal.Signals, home: Launcher, tmp_path: Path) -> None:
    """So is what was asked for, and no folder is left but after a kill."""
    folder = tmp_path / "work"
    plain(home, folder)
    assert home(*HOT, cwd=folder).code == 0
    (folder / "a.o").unlink()
    forget(home)
    (pid,) = processes(home, "isel-server")
    begun = subprocess.Popen(
        [home.path, *HOT],
        cwd=folder,
        env=home.environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    children = Path(f"/proc/{pid}/task/{pid}/children")
    while not children.read_text().split()[:1] and begun.poll() is None:
        time.sleep(0.005)
    begun.send_signal(number)
    assert begun.wait(60) == -number
    deadline = time.monotonic() + 30
    while len(processes(home)) > 1 and time.monotonic() < deadline:
        time.sleep(0.02)  # but for a child that nobody waited for
    assert processes(home) == [pid]
    assert (files_in(folder) == []) or number == signal.SIGKILL


@pytest.mark.tools
def test_builds_with_a_server_that_dies(home: Launcher, tmp_path: Path) -> None:
    """``BUILDS=100`` makes a hundred, in some minutes."""
    folder = tmp_path / "work"
    right = plain(home, folder)
    moments, builds = random.Random(68), int(os.environ.get("BUILDS", "20"))
    for k in range(builds):
        if k % 2:
            forget(home)
        building = subprocess.Popen(
            [home.path, *HOT], cwd=folder, env=home.environment, stderr=subprocess.PIPE
        )
        time.sleep(moments.random() * (1.5 if k % 4 == 1 else 0.4))
        kill(home)
        assert (building.communicate(timeout=300)[1], building.returncode) == (b"", 0)
        assert (folder / "a.o").read_bytes() == right
        assert files_in(folder) == ["a.o"]
        (folder / "a.o").unlink()
    assert builds // 10 < home.log.read_text().count("1 served") < builds


def ir(folder: Path, triple: str = "x86_64-pc-linux-gnu") -> str:
    """Return a file of IR."""
    path = folder / f"{triple}.ll"
    path.write_text(f'; ModuleID = "a"\ntarget triple = "{triple}"\n')
    return str(path)


def test_the_name_of_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of the tool, other settings, another user and another machine: no other asks
    a server of these."""
    path, environment = ir(tmp_path), {"HOME": "/x", "ISEL_LOG": "1", "OTHER": "1"}
    name = server.name_of((path,), environment)
    assert name == server.name_of((path,), {"HOME": "/x", "ISEL_LOG": "2"})
    others = [
        server.name_of((path,), {**environment, key: "2"})
        for key in ("HOME", "ISEL_ANY", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    ]
    others.append(server.name_of((ir(tmp_path, "aarch64-linux"),), environment))
    before = os.umask(0o027)
    others.append(server.name_of((path,), environment))
    os.umask(before)
    monkeypatch.setattr(stamps, "tool_stamps", lambda environment: iter(["newer"]))
    others.append(server.name_of((path,), environment))
    assert len({name, *others}) == 8


@pytest.fixture
def asker(tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Return an order for a process without a server, which starts none."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", place)
    monkeypatch.setenv("ISEL_SERVER", "on")
    monkeypatch.setattr(server, "_start", lambda path, order: None)
    return (ir(tmp_path),)


def listen(order: tuple[str, ...]) -> socket.socket:
    """Return a socket at the place of the server."""
    place = Path(server_folder(os.environ))
    place.mkdir(mode=0o700)
    made = socket.socket(socket.AF_UNIX)
    made.bind(str(place / server.name_of(order, os.environ)))
    made.listen()
    return made


def test_a_socket_of_another_user_is_not_used(
    asker: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with listen(asker) as other:
        monkeypatch.setattr(server, "is_own", lambda link: False)
        assert server.ask(asker, "answer", "said") is None
        other.settimeout(5)
        link, _ = other.accept()
        with link:
            assert link.recv(9) == b""


def test_a_user_is_known_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = socket.socketpair()
    with one, two:
        assert server.is_own(one)
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
        assert not server.is_own(one)


@pytest.mark.parametrize("said", [b"", b"x", b"+", b"+12", b"+x\n"])
def test_an_answer_that_is_none(
    said: bytes, asker: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a server that ends in the middle, or does not take what is asked for."""
    with listen(asker) as other:
        pid = os.fork()
        if not pid:
            link, _ = other.accept()
            link.recv(1 << 16)
            link.sendall(said)
            os._exit(0)
        assert server.ask(asker, "answer", "said") is None
        os.waitpid(pid, 0)


def test_nobody_answers(asker: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    listen(asker).close()
    assert server.ask(asker, "answer", "said") is None
    monkeypatch.setenv("ISEL_SERVER", "off")
    assert server.ask(asker, "answer", "said") is None


def test_a_server_ends_when_it_is_idle_or_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(light.signal, "signal", lambda *_: None)
    with socket.socket(socket.AF_UNIX) as link:
        link.bind("")
        link.listen()
        monkeypatch.setattr(limits, "SERVER_IDLE", 0.01)
        with pytest.raises(TimeoutError):
            server._answer(link)
        monkeypatch.setattr(limits, "SERVER_IDLE", 1000.0)
        monkeypatch.setattr(limits, "SERVER_MEMORY", 1)
        server._answer(link)
