"""``make costs``: make the shipped price tables again from llvm-mca; those of
some CPUs: ``python -m bench.costs CPU …``.

Needs Debian's llvm-19; the result is the same bytes on every machine with that version.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.costs import arm, x86
from semantics.arm import costs as arm_costs
from semantics.x86 import costs as x86_costs


def main(named: Sequence[str]) -> int:
    """Write the tables of the CPUs named, or of all."""
    for tables, table_of in ((x86_costs, x86.table_of), (arm_costs, arm.table_of)):
        for cpu in (c for c in tables.TABLES if c in (named or tables.TABLES)):
            path = Path(str(tables.__file__)).with_name(f"{cpu}.tsv")
            path.write_text(table_of(cpu), encoding="utf-8")
            sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} kB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
