"""A cache for other machines: finished rows by key, over HTTP, to read only."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from isel.cache.limits import SERVING_PATIENCE
from isel.cache.remote import FIELDS, PATH
from isel.cache.store import Store
from isel.json_text import to_json

_ASKED: Final = re.compile(re.escape(PATH) + r"([0-9a-f]{64})")


def server(host: str, port: int, make: Callable[[], Store | None]) -> ThreadingHTTPServer:
    """Return a server on an address (port 0: any that is free); ``make`` opens the cache, once for
    each connection.  Raises :class:`OSError`.
    """

    class Handler(BaseHTTPRequestHandler):
        """Answers one connection."""

        protocol_version = "HTTP/1.1"
        timeout = SERVING_PATIENCE
        server_version = "isel"
        sys_version = ""

        def setup(self) -> None:
            """Open the cache."""
            super().setup()
            self._store = make()

        def finish(self) -> None:
            """Close the cache."""
            super().finish()
            if self._store is not None:
                self._store.close()

        def do_GET(self) -> None:
            """Answer with a row, or that there is none."""
            asked = _ASKED.fullmatch(self.path)
            row = self._store.result(asked[1]) if asked and self._store is not None else None
            fields = {} if row is None else {name: asdict(row)[name] for name in FIELDS}
            body = to_json(fields).encode() if fields else b""
            self.send_response(200 if fields else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: object) -> None:  # noqa: A002 — its name there
            """Say nothing of requests."""

    made = ThreadingHTTPServer((host, port), Handler)
    made.daemon_threads = True
    return made
