"""``make house``: the table by room; ``--list MEASURE`` names what was counted, ``--record`` writes
what got less to ``limits.tsv`` (never what got more), ``--loaded`` runs ``isel opt`` as well.
"""

from __future__ import annotations

import argparse
import sys

from tests.roof.loaded import loaded, loaded_by_loop
from tests.roof.table import MEASURES, counted, passed, record, text
from tests.roof.trusted import trusted


def main() -> int:
    """Print the table; 1 where a limit is passed."""
    parser = argparse.ArgumentParser(prog="make house", description=__doc__)
    parser.add_argument("--list", choices=tuple(MEASURES), help="name what a measure counts")
    parser.add_argument("--record", action="store_true", help="write what got less as new limits")
    parser.add_argument("--loaded", action="store_true", help="run isel opt and count its lines")
    parser.add_argument("--quiet", action="store_true", help="say only which limits are passed")
    asked = parser.parse_args()
    if asked.list:
        sys.stdout.writelines(f"{x}\n" for room in counted(asked.list).values() for x in room)
        return 0
    values = {m: {r: len(x) for r, x in counted(m).items()} for m in MEASURES}
    values["trusted"] = dict(trusted())
    if asked.loaded:
        values |= {"loaded": dict(loaded()), "loop": dict(loaded_by_loop())}
    if not asked.quiet:
        sys.stdout.write(f"{text(values)}\n")
    if asked.record:
        record(values)
    over = passed(values)
    sys.stderr.writelines(
        f"{line} (make house; limits are in tests/roof/limits.tsv)\n" for line in over
    )
    return 1 if over else 0


sys.exit(main())
