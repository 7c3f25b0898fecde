"""Who does not know the address that ``isel serve`` printed, and what is no request, get one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.serve import server
from isel.cli.serve.request import Request
from isel.cli.serve.server import Server, run_request
from tests.cli.serve.asking import CPUS, ask, form, send


def secret(folder: Path) -> str:
    """Return C whose error messages have what only the owner may read."""
    file = folder / "secret"
    file.write_text("hunter2\n")
    file.chmod(0o600)
    return f'#include "{file}"\n'


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/x{token}", {}),
        ("/{half}/", {}),
        ("/{token}/../{token}", {}),
        ("/{token}/?x", {}),
        ("/\xe9/", {}),
        ("/etc/passwd", {}),
        ("/{token}/", {"Host": "evil.example"}),
        ("/{token}/", {"Host": "evil.example:{port}"}),
        ("/{token}/", {"Origin": "https://evil.example"}),
        ("/{token}/", {"Origin": "http://127.0.0.1:1"}),
        ("/{token}/", {"Origin": "null"}),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "OPTIONS"])
def test_a_stranger_is_refused(
    running: Server,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    method: str,
    path: str,
    headers: dict[str, str],
) -> None:
    monkeypatch.setattr(server, "run_request", run_request)
    token = running.path.strip("/")
    known = {"token": token, "half": token[: len(token) // 2], "port": str(running.server_port)}
    body = form(code=secret(tmp_path))
    own = {"Host": f"127.0.0.1:{running.server_port}"} | headers
    lines = [f"{k}: {v.format(**known)}\n" for k, v in own.items()]
    head = f"{method} {path.format(**known)} HTTP/1.1\n{''.join(lines)}"
    said = send(running, f"{head}Content-Length: {len(body)}\n\n{body}").decode()
    start, _, text = said.partition("\r\n\r\n")
    assert start.startswith("HTTP/1.0 403 ") and text.startswith("not ") and text.count("\n") == 1
    assert "hunter2" not in said and token not in said


def test_the_owner_is_answered_under_both_names(running: Server) -> None:
    for name in ("127.0.0.1", "localhost"):
        own = f"{name}:{running.server_port}"
        assert ask(running, "GET", running.path, Host=own)[0] == 200
        status, text = ask(running, "POST", running.path, form(), Host=own, Origin=f"http://{own}")
        assert status == 200 and "<p>haswell 1</p>" in text


def test_every_server_has_a_token_of_its_own() -> None:
    made = [Server(0, CPUS) for _ in range(2)]
    for one in made:
        one.server_close()
        assert one.address == f"http://127.0.0.1:{one.server_port}{one.path}"
        assert len(one.path) >= 32
    assert made[0].path != made[1].path


def test_the_page_does_not_hold_its_token(running: Server) -> None:
    """What a user keeps of the page, or shows to others, opens nothing."""
    for page in (ask(running, "GET", running.path), ask(running, "POST", running.path, form())):
        assert running.path.strip("/") not in page[1]


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("", 411),
        ("Transfer-Encoding: chunked\n", 411),
        ("Content-Length:\n", 400),
        ("Content-Length: \xb2\n", 400),  # a digit, though no decimal one
        ("Content-Length: 1\xb9\n", 400),
        ("Content-Length: -1\n", 400),
        ("Content-Length: +1\n", 400),
        ("Content-Length: 1_0\n", 400),
        ("Content-Length: 1 0\n", 400),
        ("Content-Length: 0x10\n", 400),
        ("Content-Length: 1.0\n", 400),
        ("Content-Length: 5\n", 400),  # and no body
        ("Content-Length: 1048577\n", 413),
        (f"Content-Length: {'9' * 5000}\n", 413),  # longer than int() takes
    ],
)
def test_a_length_that_is_none_is_refused(running: Server, lines: str, status: int) -> None:
    own = f"Host: 127.0.0.1:{running.server_port}\n"
    said = send(running, f"POST {running.path} HTTP/1.1\n{own}{lines}\n").decode()
    start, _, text = said.partition("\r\n\r\n")
    assert start.startswith(f"HTTP/1.0 {status} ") and text.count("\n") == 1


@pytest.mark.parametrize("head", ["x\n\n", "GET / HTTP/9.9\n\n", "GET\n\n", "GET / x y\n\n"])
def test_what_is_no_request_is_refused_in_one_line(running: Server, head: str) -> None:
    said = send(running, head).decode()
    assert said.rpartition("\r\n\r\n")[2].count("\n") == 1 and "<" not in said


def test_a_method_that_is_not_served_is_refused_in_one_line(running: Server) -> None:
    assert ask(running, "PUT", running.path, form()) == (501, "not implemented\n")


def test_a_long_code_of_a_stranger_is_heard_out(running: Server) -> None:
    status, text = ask(running, "POST", "/", form(code="x" * (1 << 21)))
    assert status == 403 and text.count("\n") == 1


def test_the_current_folder_has_no_code_of_ours(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A module beside the user's files that is called like one of Python's is not imported."""
    for name in ("contextlib", "json", "isel"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    answer = run_request(Request("define void @f() {\n  ret void\n}\n"))
    assert "Nothing rewritten" in answer and not (tmp_path / "ran").exists()
