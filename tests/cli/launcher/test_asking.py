"""Who asks for a server: by which name, whom, and what answers are none."""

from __future__ import annotations

import fcntl
import os
import socket
import time
from pathlib import Path

import pytest

from isel.cli.launcher import light, limits, server, stamps
from isel.cli.launcher.places import server_folder
from tests.cli.launcher.homes import ir


def test_the_name_of_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of the tool, other settings, another user and another machine: no other asks
    a server of these."""
    text = Path(ir(tmp_path)).read_bytes()
    environment = {"HOME": "/x", "ISEL_LOG": "1", "OTHER": "1"}
    name = server.name_of(text, environment)
    assert name == server.name_of(text, {"HOME": "/x", "ISEL_LOG": "2"})
    others = [
        server.name_of(text, {**environment, key: "2"})
        for key in ("HOME", "ISEL_ANY", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    ]
    others.append(server.name_of(text.replace(b"x86_64", b"aarch64"), environment))
    before = os.umask(0o027)
    others.append(server.name_of(text, environment))
    os.umask(before)
    monkeypatch.setattr(stamps, "tool_stamps", lambda environment: iter(["newer"]))
    others.append(server.name_of(text, environment))
    assert len({name, *others}) == 8


@pytest.fixture
def asker(tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Return an order for a process without a server, which is to start none."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", place)
    monkeypatch.setenv("ISEL_SERVER", "on")
    monkeypatch.setattr(server, "_start", None)
    return (ir(tmp_path),)


def listen(order: tuple[str, ...]) -> socket.socket:
    """Return a socket at the place of the server."""
    place = Path(server_folder(os.environ))
    place.mkdir(mode=0o700, exist_ok=True)
    made = socket.socket(socket.AF_UNIX)
    made.bind(str(place / server.name_of(Path(order[0]).read_bytes(), os.environ)))
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


def test_a_compile_starts_a_server(asker: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one; not while another is at it, where one answers or where none is wanted."""
    started: list[str] = []
    monkeypatch.setattr(server, "_start", lambda path, *_: started.append(os.path.realpath(path)))
    monkeypatch.setenv("ISEL_SERVER", "off")
    server.start(asker)
    place = Path(server_folder(os.environ))
    assert not place.exists()
    monkeypatch.setenv("ISEL_SERVER", "on")
    server.start(asker)
    assert started == []
    server.start(asker)
    assert started == [str(place / server.name_of(Path(asker[0]).read_bytes(), os.environ))]
    folder = os.open(place, os.O_DIRECTORY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    server.start(asker)
    os.close(folder)
    with listen(asker):
        server.start(asker)
    assert len(started) == 1
    server.start(asker)
    assert len(started) == 2


@pytest.mark.parametrize(
    ("age", "recent"), [(1, True), (limits.SERVER_IDLE + 1, False), (-60, False)]
)
def test_a_compile_follows_another_of_late(age: float, recent: bool, tmp_path: Path) -> None:
    """Not one of long ago, nor of a clock that was set back; it is marked then."""
    mark = tmp_path / "mark"
    assert not server._follows_another(str(mark))
    os.utime(mark, (time.time() - age,) * 2)
    assert server._follows_another(str(mark)) == recent
    assert server._follows_another(str(mark))


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
