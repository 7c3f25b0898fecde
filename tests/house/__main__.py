"""``python -m tests.house``: which outputs are others than ``tests/house.tsv`` says; 1 where one is.

Outputs stay in a folder, those that agreed with the table apart from those that do not, so that
``diff`` shows what a step did.  ``--record`` writes the table.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from isel.workers import processors
from tests.house.cases import Case, cases, write_modules
from tests.house.running import Ran, Row, load, run_all

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = ROOT / "tests" / "house.tsv"
COLUMNS: Final = ("module", "text", "verdicts", "report")
_STB: Final = "stb_image"


def main() -> int:
    """Run the guard."""
    given = _parser().parse_args()
    modules, new = given.out / "modules", given.out / "new"
    new.mkdir(parents=True, exist_ok=True)
    if given.make or not modules.exists():
        write_modules(modules, given.stb)
    known = read_table(TABLE)
    chosen = [c for c in cases(modules) if re.fullmatch(given.cases, c.name)]
    chosen = chosen[:: max(1, len(chosen) // given.sample)] if given.sample else chosen
    load()
    cache = given.cache or given.out / "cache.sqlite"
    rows: dict[str, Row] = {}
    seconds = 0.0
    differing = 0
    for ran in run_all(chosen, new, cache, given.jobs):
        rows[ran.case.name] = ran.row
        seconds += ran.seconds
        others = differences(ran.row, known.get(ran.case.name))
        if others:
            differing += 1
            _say(f"{ran.case.name}: {', '.join(others)}")
        if given.record or not others:
            _keep(ran, new, given.out / "good")
    for name in _left_out(chosen, known, given):
        _say(f"{name}: not looked at: it is made of --stb FILE with --make")
    _say(f"{len(rows)} modules, {differing} of them differ; {seconds:.0f} s of CPU")
    if given.record:
        write_table(TABLE, {**known, **rows})
        return 0
    return 1 if differing else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.house", description=__doc__)
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="about so many modules")
    parser.add_argument("--cases", default=".*", metavar="R", help="modules by name")
    parser.add_argument("--record", action="store_true", help="write the table")
    parser.add_argument("--make", action="store_true", help="make the modules again")
    parser.add_argument("--stb", type=Path, metavar="FILE", help="stb_image.h")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="of searches; default in --out")
    parser.add_argument("--jobs", "-j", type=int, default=processors())
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "out" / "house")
    return parser


def _left_out(
    chosen: Sequence[Case], known: Mapping[str, Row], given: argparse.Namespace
) -> list[str]:
    """Return what the table has and a complete run did not see."""
    if given.sample or given.cases != ".*":
        return []
    return sorted(known.keys() - {c.name for c in chosen} & {_STB})


def differences(row: Row, known: Row | None) -> list[str]:
    """Return which columns are others than before."""
    if known is None:
        return ["not in the table"]
    return [c for c, a, b in zip(COLUMNS, row, known, strict=True) if a != b]


def _keep(ran: Ran, new: Path, good: Path) -> None:
    good.mkdir(exist_ok=True)
    for path in new.glob(f"{ran.case.name}.*"):
        if path.stem == ran.case.name:
            shutil.copy(path, good / path.name)


def read_table(path: Path) -> dict[str, Row]:
    """Return the hashes of each module, by name."""
    if not path.exists():
        return {}
    rows = (line.split("\t") for line in path.read_text().splitlines()[1:])
    return {name: tuple(hashes) for name, *hashes in rows}


def write_table(path: Path, rows: Mapping[str, Row]) -> None:
    """Write the hashes of each module, by name."""
    lines = ["\t".join(("name", *COLUMNS)), *("\t".join((n, *r)) for n, r in sorted(rows.items()))]
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
