"""``isel explain``: what an instruction computes, its forms with their prices, and all that is
known of one, tested as it is told.
"""

from __future__ import annotations

import argparse

from frontends.llvm.linked.binding import host_cpu
from isel.api.explain import explain, known_forms
from isel.cli.listing import as_json
from isel.json_text import print_json


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel explain``."""
    cpu = host_cpu() if arguments.mcpu == "native" else arguments.mcpu
    if arguments.json:
        return print_json(
            [
                as_json(e.instruction)
                | {"semantics": e.semantics, "selected": e.selected, "cycles": {**e.prices}}
                | {"executed": e.executed, "proof": e.proof}
                for e in known_forms(arguments.name, cpu=cpu)[1]
            ]
        )
    print(explain(arguments.name, cpu=cpu), end="")
    return 0
