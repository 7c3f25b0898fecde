"""One search for all: a machine proves what another one found, and believes nothing else."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from isel.cache import limits, remote
from isel.cache.remote import PATH, Remote
from tests.cli.launcher.homes import home_in, isel
from tests.cli.launcher.running import ROOT, Launcher, Ran

IMAGES = Path(__file__).parent / "images"
WORDS = ("clang-19", "-O3", "-march=haswell", "-c", "mix.c", "-o", "a.o")


@pytest.fixture
def first(launcher: Launcher, tmp_path: Path) -> Launcher:
    """Return a machine that has searched a file to the end."""
    home = home_in(tmp_path / "first", launcher)
    compiled(home, tmp_path / "one")
    assert isel(home, tmp_path, "batch", "--journal", "-j1").code == 0
    return home


def compiled(home: Launcher, folder: Path, said: str = "") -> bytes:
    """Compile a file in a folder, hold what is said, and return the object."""
    folder.mkdir(exist_ok=True)
    for name in ("mix.c", "hot.h"):
        shutil.copy(IMAGES / name, folder)
    home.log.unlink(missing_ok=True)
    assert home(*WORDS, cwd=folder) == Ran(0, "", said)
    return (folder / "a.o").read_bytes()


def counted(home: Launcher) -> tuple[int, int, int]:
    """Return how many windows were left, searched, and proved as others found them."""
    found = re.search(r"(\d+) left, (\d+) searched, (\d+) proved from", home.log.read_text())
    assert found, home.log.read_text()
    return int(found[1]), int(found[2]), int(found[3])


@contextlib.contextmanager
def served(home: Launcher) -> Iterator[str]:
    """Serve the cache of a machine; yield the address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "isel", "cache", "serve", "--port=0"],
        env={**home.environment, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 130


@contextlib.contextmanager
def answering(answer: Callable[[str], tuple[int, bytes]]) -> Iterator[tuple[str, list[str]]]:
    """Serve what a function answers to a path; yield the address and the paths as they come."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            code, body = answer(self.path)
            self.send_response(code)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = False  # they end with the block
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def keys(home: Launcher, table: str) -> set[str]:
    """Return the keys of a table of a cache."""
    path = Path(home.environment["ISEL_CACHE"]) / "cache.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as database:
        return {key for (key,) in database.execute(f"SELECT key FROM {table}")}


@pytest.mark.tools
def test_a_second_machine_searches_nothing_and_proves_all(
    first: Launcher, launcher: Launcher, tmp_path: Path
) -> None:
    expected = compiled(first, tmp_path / "one")
    with served(first) as url:
        second = home_in(tmp_path / "second", launcher, ISEL_REMOTE_CACHE=url)
        shutil.rmtree(tmp_path / "second" / "state", ignore_errors=True)  # a key of its own
        assert compiled(second, tmp_path / "two") == expected
        left, searched, proved = counted(second)
        assert (left, searched) == (0, 0)
        assert proved >= 2
    # What was proved is signed here, and used without the other.
    assert "0 bad, 0 unsigned" in isel(second, tmp_path, "cache", "check").out
    alone = {**second.environment, "ISEL_REMOTE_CACHE": ""}
    second.environment.update(alone)
    assert compiled(second, tmp_path / "two") == expected
    # Keys are made of contents and versions.
    assert keys(second, "results") <= keys(first, "results")
    assert keys(second, "functions") <= keys(first, "functions")


def lies(first: Launcher) -> Callable[[str], tuple[int, bytes]]:
    """Return answers that have another window's programs, which are none of this one."""
    path = Path(first.environment["ISEL_CACHE"]) / "cache.sqlite"
    query = "SELECT key, target, window, programs, reason, steps, tool FROM results"
    with contextlib.closing(sqlite3.connect(path)) as database:
        rows = database.execute(query).fetchall()
    found = [row for row in rows if "text" in row[3]]
    assert len({row[3] for row in found}) > 1

    def answer(asked: str) -> tuple[int, bytes]:
        row = next((r for r in rows if r[0] == asked.removeprefix(PATH)), None)
        if row is None:
            return 404, b""
        other = next(r for r in found if r[2] != row[2] and r[3] != row[3])
        fields = dict(zip(remote.FIELDS, row[1:], strict=True), programs=other[3])
        return 200, json.dumps(fields).encode()

    return answer


@pytest.mark.tools
@pytest.mark.parametrize("bad", ["lies", "no row", "500", "cut"])
def test_what_is_not_proved_is_not_used(
    bad: str, first: Launcher, launcher: Launcher, tmp_path: Path
) -> None:
    """The object is that of a machine alone, it is said once, and nobody asks again."""
    alone = home_in(tmp_path / "alone", launcher)
    expected = compiled(alone, tmp_path / "two")
    answer = {
        "lies": lies(first),
        "no row": lambda path: (200, b'{"window": 1}'),
        "500": lambda path: (500, b""),
        "cut": lambda path: (200, b'{"win'),
    }[bad]
    with answering(answer) as (url, asked):
        second = home_in(tmp_path / "second", launcher, ISEL_REMOTE_CACHE=url)
        words = {
            "lies": "it sent what is not proved",
            "500": "status 500",
        }.get(bad, "an answer that is no row")
        line = f"isel-cc: warning: the cache {url} is not used for a minute: {words}\n"
        assert compiled(second, tmp_path / "two", line) == expected
        count = len(asked)
        assert compiled(second, tmp_path / "two") == expected
        assert len(asked) == count
    assert "0 bad, 0 unsigned" in isel(second, tmp_path, "cache", "check").out


@pytest.mark.tools
def test_a_cache_that_is_gone(launcher: Launcher, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    home = home_in(tmp_path / "home", launcher, ISEL_REMOTE_CACHE=url)
    why = "[Errno 111] Connection refused"
    line = f"isel-cc: warning: the cache {url} is not used for a minute: {why}\n"
    made = compiled(home, tmp_path / "one", line)
    assert compiled(home, tmp_path / "one") == made


def test_a_cache_that_is_slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not answer, or answers for ever."""
    monkeypatch.setattr(limits, "REMOTE_READ", 0.05)
    for said in (b"", b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 10):
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()
            threading.Thread(target=_drip, args=(server, said), daemon=True).start()
            url = f"http://127.0.0.1:{server.getsockname()[1]}"
            asked = Remote(url, tmp_path / str(len(said)))
            assert asked.result("0" * 64) is None
            assert asked.problem.endswith("no answer in time")
            assert Remote(url, tmp_path / str(len(said))).result("0" * 64) is None


def _drip(server: socket.socket, said: bytes) -> None:
    with contextlib.suppress(OSError):
        client, _ = server.accept()
        with client:
            while True:
                client.sendall(said)
                time.sleep(0.001)


def test_an_answer_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMOTE_LARGEST", 1000)
    with answering(lambda path: (200, b"x" * 2000)) as (url, _):
        asked = Remote(url, tmp_path / "away")
        assert asked.result("0" * 64) is None
        assert asked.problem.endswith("an answer that is too long")


@pytest.mark.parametrize("url", ["https://127.0.0.1:1", "nowhere", "http://", "http://[::1"])
def test_an_address_that_is_none(url: str, tmp_path: Path) -> None:
    asked = Remote(url, tmp_path / "away")
    assert asked.result("0" * 64) is None
    assert asked.problem


def test_only_rows_are_served(launcher: Launcher, tmp_path: Path) -> None:
    import http.client

    home = home_in(tmp_path / "home", launcher)
    with served(home) as url:
        host = url.removeprefix("http://")
        for method, path, code in (
            ("GET", PATH + "0" * 64, 404),
            ("GET", "/", 404),
            ("GET", PATH + "../" * 20 + "etc/passwd", 404),
            ("PUT", PATH + "0" * 64, 501),
            ("POST", PATH + "0" * 64, 501),
            ("DELETE", PATH + "0" * 64, 501),
        ):
            connection = http.client.HTTPConnection(host, timeout=30)
            connection.request(method, path)
            assert connection.getresponse().status == code
            connection.close()
