"""Learn the emissions: ``python -m semantics.x86.emission.make intel-intrinsics.xml [jobs]`` prints
the table ``emissions.tsv``.

Needs the clang of the package ``ziglang``; takes some minutes.  The result is the same bytes every
time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from semantics.emission.make import table
from semantics.x86.emission.c import CLANG
from semantics.x86.emission.entries import entries_of
from semantics.x86.importer.spec import read_guide
from semantics.x86.selection import PRINTED


def main(arguments: Sequence[str]) -> int:
    """Print the table; what has no emission goes to standard error with its reason."""
    path = Path(arguments[0])
    jobs = int(arguments[1]) if len(arguments) > 1 else 1
    head = "python -m semantics.x86.emission.make", path.read_bytes()
    guide = read_guide(head[1], str(path))
    if guide.problems:
        raise guide.problems[0]
    text, missing = table(entries_of(guide.entries), CLANG, PRINTED, head, jobs)
    sys.stdout.write(text)
    for e, why in missing.items():
        sys.stderr.write(f"{e.name} ({' '.join(e.cpuids)}): {why}" + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
