"""``python -m tests.fuzz``: rewrite random functions with ``isel opt`` and run both versions.

``run`` does COUNT functions or what is left of them, ``report`` writes what came of it to a page,
``one`` looks at functions of :mod:`tests.fuzz.generate` one by one, with target intrinsics and the
reference interpreter on request.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.fuzz import one, state
from tests.fuzz.campaign import ROOT, Campaign, run_campaign, run_parts
from tests.fuzz.generators import GENERATORS
from tests.fuzz.report import write

# The share of each in turn: small functions are rewritten most often, C has the loops and the
# memory, carried loops what is loaded again, composed ones what only equality saturation lifts.
TURNS: Final = (
    "small",
    "c",
    "small",
    "carried",
    "c",
    "small",
    "composed",
    "c",
    "small",
    "nests",
    "vector",
)
FLAGS: Final = ("--cache=off", "--effort=0", "-j1", "--strict")
FOLDER: Final = ROOT / "bench" / "out" / "fuzz"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="a campaign, resumed where there is one")
    run.add_argument(
        "--out", type=Path, default=FOLDER, help="the folder of its state and of what it finds"
    )
    run.add_argument("--count", type=int, default=1000, help="how many functions")
    run.add_argument(
        "--seed", type=int, default=1, help="the seed of the first batch; the others follow"
    )
    run.add_argument("--jobs", type=int, default=1, help="how many processes")
    run.add_argument(
        "--generators",
        default=",".join(TURNS),
        help=f"in turn, with commas: {', '.join(GENERATORS)}",
    )
    run.add_argument(
        "--opt-flag",
        action="append",
        help=f"a flag of isel opt in place of {' '.join(FLAGS)}, such as --opt-flag=--effort=1",
    )
    run.add_argument("--no-shrink", action="store_true", help="keep what is found as it is")
    run.add_argument("--part", type=int, default=0, help=argparse.SUPPRESS)
    run.add_argument("--parts", type=int, default=1, help=argparse.SUPPRESS)
    report = commands.add_parser("report", help="write the totals of a campaign to a page")
    report.add_argument("--out", type=Path, default=FOLDER, help="the folder of the campaign")
    report.add_argument(
        "--page",
        type=Path,
        default=ROOT / "docs" / "evidence.md",
        help="the page; other sections stay as they are",
    )
    one.add_arguments(commands.add_parser("one", help="functions one by one"))
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Obey; return 1 if anything was found."""
    words = list(sys.argv[1:] if argv is None else argv)
    options = _parser().parse_args(words)
    if options.command == "one":
        return one.run(options)
    if options.command == "report":
        write(options.page, state.read(options.out))
        return 0
    if options.jobs > 1:
        return 0 if run_parts(words, options.jobs) else 1
    generators = tuple(options.generators.split(","))
    unknown = set(generators) - GENERATORS.keys()
    if unknown:
        print(f"no generator '{unknown.pop()}', expected {', '.join(GENERATORS)}", file=sys.stderr)
        return 2
    flags = FLAGS if options.opt_flag is None else tuple(options.opt_flag)
    campaign = Campaign(
        options.out,
        options.count,
        options.seed,
        generators,
        flags,
        options.part,
        options.parts,
        not options.no_shrink,
    )
    return 0 if run_campaign(campaign, lambda line: print(line, flush=True)) else 1


if __name__ == "__main__":
    sys.exit(main())
