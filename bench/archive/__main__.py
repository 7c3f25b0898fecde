"""``python -m bench.archive make -o FILE`` builds the archive (``make bench-archive``),
``python -m bench.archive read TABLE...`` prints what came back as one table of Markdown.

Exit codes: 0 done; 1 a file that is not there, is no table, or a library that cannot be built.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.archive.levels import LEVELS
from bench.archive.table import markdown, read
from isel.errors import IselError, file_problem


def main(words: Sequence[str] | None = None) -> int:
    """Do what is asked; 1 for an error, in a line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.archive",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(dest="action", required=True)
    make = actions.add_parser("make", help="build the archive")
    make.add_argument("-o", dest="output", type=Path, required=True, metavar="FILE.pyz")
    make.add_argument("--only", default="", help="only kernels whose name holds this")
    make.add_argument(
        "--level", action="append", choices=sorted({x.name for x in LEVELS}), help="only these"
    )
    reader = actions.add_parser("read", help="check tables that came back, and merge them")
    reader.add_argument("tables", nargs="+", type=Path, metavar="TABLE")
    asked = parser.parse_args(words)
    try:
        sys.stdout.write(_read(asked.tables) if asked.action == "read" else _make(asked))
    except IselError as problem:
        sys.stderr.write(f"bench.archive: error: {problem.message()}\n")
        return 1
    return 0


def _read(paths: Sequence[Path]) -> str:
    tables = []
    for path in paths:
        try:
            tables.append(read(path.read_text(encoding="utf-8", errors="replace"), str(path)))
        except OSError as problem:
            raise file_problem(str(path), problem) from None
    return markdown(tables)


def _make(asked: argparse.Namespace) -> str:
    from bench.archive.build import archive
    from bench.kernels import KERNELS

    kernels = [k for k in KERNELS if k.kind == "c" and asked.only in k.name]
    levels = [x for x in LEVELS if asked.level is None or x.name in asked.level]
    data = archive(kernels, levels, partial(print, file=sys.stderr))
    asked.output.parent.mkdir(parents=True, exist_ok=True)
    asked.output.write_bytes(data)
    size = f"{len(data) // 1024} KiB"
    return f"wrote {asked.output}, {size}: python3 {asked.output.name} prints a table\n"


if __name__ == "__main__":
    sys.exit(main())
