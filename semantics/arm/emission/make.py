"""Learn the emissions: ``python -m semantics.arm.emission.make intr.json [jobs]`` prints the table
``emissions.tsv`` of the entries that are imported.

Needs the clang of the package ``ziglang``; takes some minutes.  The result is the same bytes every
time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from isel.spec.sem import read_entries
from semantics.arm.emission.c import CLANG
from semantics.arm.emission.entries import entries_of
from semantics.arm.importer.patches import corrected
from semantics.arm.importer.spec import read_list
from semantics.arm.selection import PRINTED
from semantics.emission.make import table

GENERATED: Final = Path(__file__).parents[1] / "generated"


def main(arguments: Sequence[str]) -> int:
    """Print the table; what has no emission goes to standard error with its reason."""
    path = Path(arguments[0])
    data = path.read_bytes()
    listed, _ = read_list(data, path.name)
    imported = {
        i.name: i.features
        for file in sorted(GENERATED.glob("*.sem"))
        for i in read_entries(file.read_text(), file.name, check=False, bare=True).instructions
    }
    jobs = int(arguments[1]) if len(arguments) > 1 else 1
    entries = entries_of([corrected(e)[0] for e in listed], imported)
    head = "python -m semantics.arm.emission.make", data
    text, missing = table(entries, CLANG, PRINTED, head, jobs)
    sys.stdout.write(text)
    for e, why in missing.items():
        sys.stderr.write(f"{e.name}: {why}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
