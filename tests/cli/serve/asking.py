"""A server on a port of its own, and what a program may ask it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import urlencode

from isel.cli.serve.request import EXAMPLE
from isel.cli.serve.server import Server

CPUS = ("haswell", "sapphirerapids", "neoverse-v1")


@contextmanager
def started(made: Server) -> Iterator[Server]:
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


def ask(made: Server, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", made.server_port, timeout=600)
    connection.request(method, path, body.encode() or None, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def send(made: Server, head: str) -> bytes:
    """Send bytes and nothing behind them, without closing; return all that comes back."""
    with socket.create_connection(("127.0.0.1", made.server_port), timeout=60) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode("latin-1"))
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def form(**fields: str) -> str:
    return urlencode({"code": EXAMPLE, "cpu": "haswell", "effort": "1"} | fields)
