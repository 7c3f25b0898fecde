"""``isel serve``: start the page and say where it is."""

from __future__ import annotations

import argparse
import sys

from isel.cli.serve.server import HOST, Server
from isel.cli.serve.work import cpus
from isel.errors import file_problem


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel serve``."""
    try:
        server = Server(arguments.port, tuple(cpus()))
    except (OSError, OverflowError) as error:
        problem = error if isinstance(error, OSError) else OSError(str(error))
        raise file_problem(f"{HOST}:{arguments.port}", problem) from None
    sys.stdout.write(f"{server.address} (Ctrl-C ends it)\n")
    sys.stdout.flush()
    with server:
        server.serve_forever()
    return 0
