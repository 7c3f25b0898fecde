"""``python -m tests.robust mutants|signals --count N --seed S [--keep FOLDER]``: run a battery
and print its totals.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.robust import mutants, signals


def main() -> int:
    """Run a battery; 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.robust")
    parser.add_argument("battery", choices=("mutants", "signals"))
    parser.add_argument("--count", type=int, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=None, help="where to copy what was wrong")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.battery == "mutants":
            totals = mutants.run(
                arguments.count or 1000,
                arguments.seed,
                Path(folder),
                keep=arguments.keep,
                progress=True,
            )
            lines, wrong = list(totals.lines()), len(totals.problems)
        else:
            found = signals.run(arguments.count or 120, arguments.seed, Path(folder), progress=True)
            lines, wrong = list(found.lines()), len(found.problems)
    print(f"seed {arguments.seed}", *lines, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
