"""The server: one answer at a time, to whoever knows the address and nobody else.

What clang reads for the page may be any file of the user's, and every user of the machine reaches
127.0.0.1: the address has a random token.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from tempfile import TemporaryFile
from typing import Final

from isel.cli.limits import SERVE_BYTES, SERVE_DISCARDED, SERVE_PATIENCE, SERVE_SECONDS
from isel.cli.serve.form import page, pieces
from isel.cli.serve.request import STEP, Request, read_request
from isel.errors import IselError
from isel.json_text import to_json
from isel.page import Html, tag, text

HOST: Final = "127.0.0.1"
# -P: not from the current folder
WORDS: Final = (sys.executable, "-P", "-m", "isel.cli.serve.work")
_HEADERS: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with none, the form's own Origin would be null
    "Cache-Control": "no-store",
}


class Server(ThreadingHTTPServer):
    """Serves the page; ``cpus`` are those that may be chosen, ``path`` has the token."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, port: int, cpus: tuple[str, ...]) -> None:
        """Raises :class:`OSError` where the port is in use."""
        super().__init__((HOST, port), Handler)
        self.cpus = cpus
        self.path = f"/{token_urlsafe()}/"
        self.turn = threading.Lock()

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_port}{self.path}"


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    server: Server
    timeout = SERVE_PATIENCE

    def parse_request(self) -> bool:
        """Read what is asked for; refuse whoever lacks the token, and other sites' pages."""
        if not super().parse_request():
            return False
        own = {f"{host}:{self.server.server_port}" for host in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in own:
            self._refuse(HTTPStatus.FORBIDDEN, "not by this name")
        elif origin is not None and origin.removeprefix("http://") not in own:
            self._refuse(HTTPStatus.FORBIDDEN, "not from another site")
        elif not compare_digest(self.path.encode(), self.server.path.encode()):
            self._refuse(HTTPStatus.FORBIDDEN, "not without the address that isel serve printed")
        else:
            return True
        return False

    def do_GET(self) -> None:
        """Send the page with the example."""
        self._send(HTTPStatus.OK, page(Request(), self.server.cpus, None))

    def do_POST(self) -> None:
        """Send what becomes of the code."""
        body = self._body()
        if body is None:
            return
        try:
            request = read_request(body, self.server.cpus)
        except IselError as problem:
            answer = tag("pre", text(problem.message()), "bad")
            self._send(HTTPStatus.BAD_REQUEST, page(Request(), self.server.cpus, answer))
            return
        with suppress(ConnectionError):  # the page was closed: nobody waits any more
            self._answer(request)

    def _body(self) -> bytes | None:
        """Return what is posted, None where it was refused."""
        length = self.headers.get("Content-Length")
        if length is None:
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "how long is the code?")
        elif not (length.isascii() and length.isdigit()):
            self._refuse(HTTPStatus.BAD_REQUEST, "the length of the code is no number")
        elif int(length[:20]) > SERVE_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the code is too long")
        else:
            with suppress(TimeoutError):
                body = self.rfile.read(int(length))
                if len(body) == int(length):
                    return body
            self._refuse(HTTPStatus.BAD_REQUEST, "the code is shorter than its length")
        return None

    def _answer(self, request: Request) -> None:
        """Send the page in pieces: the form, how far the answer is, and the answer."""
        self.connection.settimeout(SERVE_SECONDS)
        start, between, end = pieces(request, self.server.cpus)
        self._send(HTTPStatus.OK, start, whole=False)

        def tell(words: str) -> None:
            self.wfile.write(tag("p", text(words)).encode(errors="replace"))

        tell("another answer comes first" if self.server.turn.locked() else "reading the code")
        with self.server.turn:
            answer = run_request(request, tell)
        self.wfile.write(f"{between}{answer}{end}".encode(errors="replace"))

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        """Say why a request is not answered, then hear out, as far as it is not endless, what is
        still sent: who sends does not listen.
        """
        self.close_connection = True
        self._send(status, f"{why}\n", "text/plain; charset=utf-8")
        left = SERVE_DISCARDED
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while left > 0 and (heard := len(self.connection.recv(left))):
                left -= heard

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no GET or POST, in one line."""
        self._refuse(HTTPStatus(code), HTTPStatus(code).phrase.lower())

    def _send(self, status: HTTPStatus, body: str, kind: str = "", *, whole: bool = True) -> None:
        data = body.encode(errors="replace")
        self.send_response(status)
        for name, value in (_HEADERS | ({"Content-Type": kind} if kind else {})).items():
            self.send_header(name, value)
        if whole:  # else the end of the connection is that of the page
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: the page is the log."""


def run_request(request: Request, tell: Callable[[str], object] = str) -> Html:
    """Return the parts of the answer, made in a process of its own that says how far it is."""
    until, last = time.monotonic() + SERVE_SECONDS, "it said nothing"
    with TemporaryFile("w+") as asked, TemporaryFile("w+", errors="replace") as made:
        asked.write(to_json(asdict(request)))
        asked.seek(0)
        child = subprocess.Popen(
            WORDS, stdin=asked, stdout=made, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        limit = threading.Timer(SERVE_SECONDS, child.kill)
        limit.start()
        try:
            for line in child.stderr or ():
                if line.startswith(STEP):
                    tell(line.strip())
                else:
                    last = line.strip() or last
            child.wait()
        finally:
            limit.cancel()
            child.kill()
            child.communicate()
        if not child.returncode:
            made.seek(0)
            return Html(made.read())
    late = f"it takes over {SERVE_SECONDS} s: less code, or less effort"
    return tag("pre", text(late if time.monotonic() > until else f"isel: bug: {last}"), "bad")
