"""A server whose answers are what was asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from isel.cli.serve import server
from isel.cli.serve.server import Server
from isel.page import Html
from tests.cli.serve.asking import CPUS, started


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(server, "run_request", lambda r, tell: Html(f"<p>{r.cpu} {r.effort}</p>"))
    with started(Server(0, CPUS)) as made:
        yield made
