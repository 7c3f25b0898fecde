"""``isel passes``: every mechanism by name; and the flag that switches some off."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from frontends.llvm.pipeline.stages import STAGES
from frontends.llvm.transform.table import MECHANISMS as TRANSFORMS
from isel.json_text import print_json
from isel.model.mechanisms import SEARCH, Mechanism, read_names

__all__ = ["MECHANISMS", "STAGES", "gather", "run"]

MECHANISMS: Final[tuple[Mechanism, ...]] = (*TRANSFORMS, *SEARCH)


def gather(kind: str, table: Sequence[Mechanism]) -> type[argparse.Action]:
    """Return what gathers names of a table, sorted; it raises :class:`isel.errors.UnknownName`."""

    class Gather(argparse.Action):
        def __call__(
            self,
            parser: argparse.ArgumentParser,
            namespace: argparse.Namespace,
            values: str | Sequence[object] | None,
            option_string: str | None = None,
        ) -> None:
            """See :class:`argparse.Action`."""
            words = (*(getattr(namespace, self.dest) or ()), str(values))
            setattr(namespace, self.dest, read_names(words, table, kind))

    return Gather


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel passes``."""
    rows = (*MECHANISMS, *STAGES)
    if arguments.json:
        return print_json([{"kind": m.kind, "name": m.name, "says": m.says} for m in rows])
    width = max(len(m.name) for m in rows)
    for kind in dict.fromkeys(m.kind for m in rows):
        lines = (f"  {m.name:{width}}  {m.says}\n" for m in rows if m.kind == kind)
        sys.stdout.write(f"{kind}:\n{''.join(lines)}")
    return 0
