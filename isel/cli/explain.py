"""``isel explain``: what an instruction computes, its forms with their prices, and all that is
known of one, tested as it is told.
"""

from __future__ import annotations

import argparse

from frontends.llvm.linked.binding import host_cpu
from isel.api.explain import explain


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel explain``."""
    cpu = host_cpu() if arguments.mcpu == "native" else arguments.mcpu
    print(explain(arguments.name, cpu=cpu), end="")
    return 0
