"""``isel serve``: what is asked for, and what is answered."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from http.client import HTTPConnection
from pathlib import Path

import pytest

from isel.cli.grammar.builds import serve_parser
from isel.cli.remarks.build import Build
from isel.cli.remarks.page import build_page
from isel.cli.serve import command, front, server, work
from isel.cli.serve.form import page
from isel.cli.serve.request import Request, read_request
from isel.cli.serve.server import Server, run_request
from isel.errors import IselError
from tests.cli.modules import WINDOW, Run
from tests.cli.remarks.builds import ROWS
from tests.cli.serve.asking import CPUS, ask, form, started
from tests.page.browser import chromium, look

BAD = "</textarea><script>alert('x')</script>"


def test_the_page_and_an_answer(running: Server) -> None:
    status, text = ask(running, "GET", running.path)
    assert status == 200 and "<script" not in text and "q15" in text
    status, text = ask(running, "POST", running.path, form(effort="2"))
    assert status == 200 and "<p>haswell 2</p>" in text
    assert "<option selected>haswell</option>" in text


@pytest.mark.parametrize(
    ("body", "status", "what"),
    [
        (form(code="  "), 400, "there is no code"),
        (form(cpu="haswel"), 400, "did you mean &#x27;haswell&#x27;?"),
        (form(effort="9"), 400, "expected a number from 0 to 4"),
        (form(code="x" * 200_001), 400, "at most 200000 are taken"),
        (form(code="x" * (1 << 20)), 413, "the code is too long"),
        ("", 400, "there is no code"),
    ],
)
def test_what_cannot_be_asked(running: Server, body: str, status: int, what: str) -> None:
    found, text = ask(running, "POST", running.path, body)
    assert (found, what in text) == (status, True)


def test_only_this_machine_and_nothing_from_elsewhere(running: Server) -> None:
    assert running.server_address[0] == "127.0.0.1"
    connection = HTTPConnection("127.0.0.1", running.server_port, timeout=60)
    connection.request("GET", running.path)
    answer = connection.getresponse()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert "http" not in answer.read().decode()


def test_a_port_in_use_is_one_line(isel: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = isel("serve", "--port", str(port))
    assert (ran.code, ran.err) == (1, f"isel: 127.0.0.1:{port}: error: address already in use\n")
    ran = isel("serve", "--port", "99999")
    assert ran.code == 1 and ran.err.startswith("isel: 127.0.0.1:99999: error: ")
    assert isel("serve", "--port", "many").code == 1


def test_the_command_says_where_the_page_is(isel: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Short(Server):
        def serve_forever(self, poll_interval: float = 0.5) -> None:
            """End at once."""

    monkeypatch.setattr(command, "Server", Short)
    ran = isel("serve", "--port", "0")
    assert ran.code == 0 and ran.out.startswith("http://127.0.0.1:")
    assert serve_parser().parse_args([]).port == 8731


def test_what_is_written_is_escaped() -> None:
    made = page(Request(BAD), CPUS, None)
    assert "<script" not in made and "&lt;/textarea&gt;" in made


def test_requests_are_read() -> None:
    request = read_request(form(code="a\r\nb", cpu="haswell", effort="0").encode(), CPUS)
    assert request == Request("a\nb", "haswell", 0)
    assert not request.is_ir and not Request().is_ir
    assert Request("; x\ndefine void @f() {\n").is_ir
    with pytest.raises(IselError):
        read_request(b"\xff\xfe", CPUS)


def test_all_priced_cpus_can_be_chosen() -> None:
    found = work.cpus()
    assert found["haswell"] == "x86" and found["neoverse-v1"] == "arm"
    assert Request().cpu in found


def test_ir_is_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = Request(WINDOW.read_text(), "sapphirerapids", 1)
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(asdict(request))))
    assert work.main() == 0
    out = capsys.readouterr().out
    for part in (
        "1 of 1 window rewritten, all proved", "input:13", "vpmulhrsw (zmm)", "<svg", "cycles by",
        "The ladder of effort", "What changed in the LLVM IR", "<details open>",
    ):  # fmt: skip
        assert part in out, part


@pytest.mark.parametrize("code", ["define void @f(", "define i32 @f() {\n  ret i64 0\n}\n"])
def test_ir_that_is_none(
    code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(asdict(Request(code)))))
    assert work.main() == 0
    out = capsys.readouterr().out
    assert out.startswith('<pre class="bad">input:') and "error: " in out


def test_no_clang_and_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isel.cli.serve.front.shutil.which", lambda name: None)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(IselError, match="there is no clang for C: give LLVM IR"):
        front.clang()
    monkeypatch.setattr(front, "clang", lambda: ("clang",))

    def slow(*words: object, **more: object) -> None:
        raise subprocess.TimeoutExpired("clang", 1)

    monkeypatch.setattr(subprocess, "run", slow)
    with pytest.raises(IselError):
        front.compile_c("int x;", "x86_64-unknown-linux-gnu", "haswell")


def child(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(server, "WORDS", (sys.executable, "-c", code))


def test_a_process_that_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    child(monkeypatch, "raise ValueError('<x>')")
    assert run_request(Request()) == '<pre class="bad">isel: bug: ValueError: &lt;x&gt;</pre>'
    child(monkeypatch, "import os; os._exit(1)")
    assert run_request(Request()) == '<pre class="bad">isel: bug: it said nothing</pre>'
    child(monkeypatch, "import time; time.sleep(99)")
    monkeypatch.setattr(server, "SERVE_SECONDS", 0)
    assert "it takes over 0 s" in run_request(Request())


def test_the_page_says_how_far_the_answer_is(
    running: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "print('\\teffort 1: <b> 3 of 8', file=sys.stderr); print('<p>done</p>')"
    child(monkeypatch, f"import sys; {lines}")
    monkeypatch.setattr(server, "run_request", run_request)
    _, text = ask(running, "POST", running.path, form())
    step, answer = text.index("<p>effort 1: &lt;b&gt; 3 of 8</p>"), text.index("<p>done</p>")
    assert text.index(".steps p:not(:last-child)") < text.index('<div class="steps') < step
    assert step < text.index("<style>.steps { display: none }") < answer < text.index("</html>")


def test_a_search_says_now_and_then_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(asdict(Request(WINDOW.read_text())))))
    assert work.main() == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "\teffort 0: functions read 1 of 1"
    assert any(line.startswith("\teffort 1: ") for line in lines)


def test_a_page_that_is_closed_ends_its_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told goes nowhere: the process of its own is not waited for."""

    def closed(words: str) -> None:
        raise BrokenPipeError(words)

    child(
        monkeypatch, "import sys, time; print('\\tx', file=sys.stderr, flush=True); time.sleep(99)"
    )
    with pytest.raises(BrokenPipeError):
        run_request(Request(), closed)


@pytest.fixture(scope="module")
def answered() -> Iterator[str]:
    """The page with the answer to the example, as a browser gets it."""
    with started(Server(0, tuple(work.cpus()))) as made:
        status, text = ask(made, "POST", made.path, form(cpu=Request().cpu))
        assert status == 200 and "<p>effort " in text
        yield text


@pytest.mark.tools
def test_c_is_answered_in_the_users_names(answered: str) -> None:
    assert "out[0] = u16((s32(left[0]) * s32(right[0]) + 16384) &gt;&gt;u 15)" in answered
    assert "input.c:6" in answered and ">left<title>left</title>" in answered
    wrong = run_request(Request("int f(void) { return x; }\n"))
    assert "undeclared identifier" in wrong and wrong.startswith('<pre class="bad">input.c')
    arm = run_request(replace(Request(), cpu="neoverse-v1"))
    assert "sqrdmulh" in arm or "windows" in arm


@pytest.mark.tools
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["serve", "build"])
def test_nothing_scrolls_sideways_and_nothing_is_covered(
    answered: str, tmp_path: Path, width: int, name: str
) -> None:
    build = build_page(
        Build(tuple(sorted(ROWS, key=lambda f: f.order)), 2, (("x.sarif", "cut"),)), "/p"
    )
    picture = tmp_path / f"{name}-{width}.png"
    seen = look(answered if name == "serve" else build, width, tmp_path, picture)
    assert seen.width == width and seen.needed <= width
    assert seen.covered == () and seen.inner == ()
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.tools
def test_something_that_is_covered_or_too_wide_is_seen(tmp_path: Path) -> None:
    over = '<div style="position: absolute; top: 0; left: 0; width: 99px; height: 99px"></div>'
    seen = look(f"<!DOCTYPE html><body><p>text</p>{over}</body>", 360, tmp_path)
    assert seen.covered and seen.needed == 360
    wide = '<!DOCTYPE html><body><div style="width: 700px">text</div></body>'
    assert look(wide, 360, tmp_path).needed > 360


@pytest.mark.tools
def test_the_page_in_a_browser(running: Server, tmp_path: Path) -> None:
    said = chromium(running.address, tmp_path, "--dump-dom")
    assert '<textarea id="code"' in said and "Rewrite" in said
