"""Terms that equal one or two instructions, through ``isel opt``: which stay dearer than these,
``python -m bench.terms --isel COMMAND --suite FOLDER``.

A module with all terms is more than a file may cost, and what is over stays as it is; so a few
terms at a time are put to the suite's own ``run.py``, whose counts are added.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

_TOGETHER: Final = 12  # terms in a module
_SUMMARY: Final = re.compile(r"SUMMARY terms (\d+), dearer (\d+) .*CPU (\d+) s")
_UNPRICED: Final = re.compile(r"without a price (\d+)")


def names_of(table: Path) -> list[str]:
    """Return the names of a table's terms."""
    rows = (line.split("#")[0].split() for line in table.read_text(encoding="utf-8").splitlines())
    return [row[0] for row in rows if row]


def chunks(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the names, a module's worth at a time."""
    for first in range(0, len(names), _TOGETHER):
        yield names[first : first + _TOGETHER]


def main(argv: Sequence[str] | None = None) -> int:
    """Print every row that is dearer, then the counts by width; exit code 1 where some are."""
    parser = argparse.ArgumentParser(prog="python -m bench.terms", description=__doc__)
    parser.add_argument("--isel", required=True, help="the command isel")
    parser.add_argument("--suite", type=Path, default=Path("../shared/suites/terms"))
    parser.add_argument("--target", choices=("x86", "arm"), default="x86")
    parser.add_argument("--bits", default="8,16,32")
    parser.add_argument("--only", default="", help="names, by commas")
    parser.add_argument("--extra", default="", help="further options of isel opt")
    args = parser.parse_args(argv)
    every = [
        n for n in names_of(args.suite / "terms.txt") if not args.only or n in args.only.split(",")
    ]
    terms = dearer = seconds = unpriced = 0
    by_width = dict.fromkeys(args.bits.split(","), 0)
    for some in chunks(every):
        command = [sys.executable, str(args.suite / "run.py"), "--isel", args.isel]
        command += ["--target", args.target, "--bits", args.bits, f"--extra={args.extra}"]
        done = subprocess.run(
            [*command, "--only", ",".join(some)], capture_output=True, text=True, check=False
        )
        counts = _SUMMARY.search(done.stdout)
        if counts is None:
            print(done.stdout, done.stderr, sep="", file=sys.stderr)
            return 2
        for line in done.stdout.splitlines():
            if line.startswith("dearer"):
                print(line, flush=True)
                by_width[line.split()[2][1:]] += 1
        found = _UNPRICED.search(done.stdout)
        unpriced += int(found[1]) if found else 0
        terms += int(counts[1])
        dearer += int(counts[2])
        seconds += int(counts[3])
    widths = ", ".join(f"{n} at {w} bits" for w, n in by_width.items())
    print(
        f"{args.target}: terms {terms}, dearer {dearer} ({widths}), "
        f"without a price {unpriced}, CPU {seconds} s"
    )
    return int(dearer > 0)


if __name__ == "__main__":
    sys.exit(main())
