"""``isel passes``: every mechanism by name; and the flag that switches some off."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from frontends.llvm.transform.table import MECHANISMS as TRANSFORMS
from isel.model.mechanisms import SEARCH, Mechanism, read_disabled

MECHANISMS: Final[tuple[Mechanism, ...]] = (*TRANSFORMS, *SEARCH)


class Disable(argparse.Action):
    """Gathers names to switch off, sorted; raises :class:`isel.errors.UnknownName`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """See :class:`argparse.Action`."""
        before = getattr(namespace, self.dest) or ()
        setattr(namespace, self.dest, read_disabled((*before, str(values)), MECHANISMS))


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel passes``."""
    width = max(len(m.name) for m in MECHANISMS)
    for kind in dict.fromkeys(m.kind for m in MECHANISMS):
        rows = (f"  {m.name:{width}}  {m.says}\n" for m in MECHANISMS if m.kind == kind)
        sys.stdout.write(f"{kind}:\n{''.join(rows)}")
    return 0
