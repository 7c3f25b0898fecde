"""The server: this machine's own requests, one answer at a time, nothing from elsewhere."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import asdict
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from isel.cli.limits import SERVE_BYTES, SERVE_DISCARDED, SERVE_SECONDS
from isel.cli.serve.form import page
from isel.cli.serve.request import Request, read_request
from isel.errors import IselError
from isel.json_text import to_json
from isel.page import Html, tag, text

HOST: Final = "127.0.0.1"
_HEADERS: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Server(ThreadingHTTPServer):
    """Serves the page; ``cpus`` are those that may be chosen."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, port: int, cpus: tuple[str, ...]) -> None:
        """Raises :class:`OSError` where the port is in use."""
        super().__init__((HOST, port), Handler)
        self.cpus = cpus
        self.turn = threading.Lock()

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    server: Server
    timeout = SERVE_SECONDS

    def do_GET(self) -> None:
        """Send the page with the example."""
        if self._is_ours("/"):
            self._send(HTTPStatus.OK, page(Request(), self.server.cpus, None))

    def do_POST(self) -> None:
        """Send what becomes of the code."""
        if not self._is_ours("/"):
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > SERVE_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the code is too long")
            return
        try:
            request = read_request(self.rfile.read(int(length)), self.server.cpus)
        except IselError as problem:
            answer = tag("pre", text(problem.message()), "bad")
            self._send(HTTPStatus.BAD_REQUEST, page(Request(), self.server.cpus, answer))
            return
        with self.server.turn:
            answer = run_request(request)
        self._send(HTTPStatus.OK, page(request, self.server.cpus, answer))

    def _is_ours(self, path: str) -> bool:
        """Tell whether a request is from our own page: other sites' pages must not reach this."""
        own = {f"{host}:{self.server.server_port}" for host in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in own:
            self._refuse(HTTPStatus.FORBIDDEN, "not by this name")
        elif origin is not None and origin.removeprefix("http://") not in own:
            self._refuse(HTTPStatus.FORBIDDEN, "not from another site")
        elif self.path != path:
            self._refuse(HTTPStatus.NOT_FOUND, "there is one page only: /")
        else:
            return True
        return False

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        """Say why a request is not answered; what it sends is read first, as far as it is not
        endless, since a client that is still sending does not listen.
        """
        self.close_connection = True
        length = self.headers.get("Content-Length", "")
        if length.isdigit():
            self.rfile.read(min(int(length), SERVE_DISCARDED))
        self._send(status, f"{why}\n", "text/plain; charset=utf-8")

    def _send(self, status: HTTPStatus, body: str, kind: str = "") -> None:
        data = body.encode(errors="replace")
        self.send_response(status)
        for name, value in (_HEADERS | ({"Content-Type": kind} if kind else {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: the page is the log."""


def run_request(request: Request) -> Html:
    """Return the parts of the answer, made in a process of its own."""
    words = [sys.executable, "-m", "isel.cli.serve.work"]
    try:
        done = subprocess.run(
            words,
            input=to_json(asdict(request)),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SERVE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return tag(
            "pre", text(f"it takes over {SERVE_SECONDS} s: less code, or less effort"), "bad"
        )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        return tag("pre", text(f"isel: bug: {last}"), "bad")
    return Html(done.stdout)


def serve(server: Server) -> None:
    """Serve until an interrupt."""
    stop = partial(server.shutdown)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        thread.join()
    finally:
        stop()
        server.server_close()
