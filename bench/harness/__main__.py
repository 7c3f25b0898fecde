"""``make bench`` and ``make bench-quick``: measure the kernels, write CSV, HTML and
``RESULTS.md``.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
from pathlib import Path

from bench.harness import machine
from bench.harness.kernels import Kernel, registered
from bench.harness.markdown import markdown
from bench.harness.page import page
from bench.harness.records import Run
from bench.harness.run import Settings, run
from bench.harness.summary import summarise
from bench.harness.table import csv_text
from frontends.halide.targets import resolve
from isel.errors import IselError, UsageProblem
from isel.timing import Plan
from isel.workers import processors

HERE = Path(__file__).parents[1]
FAILED = 1
OTHERS = {"halide": ("halide",), "all": ("halide", "c"), "none": ()}


def main(words: list[str] | None = None) -> int:
    """Run what the command line asks for; 0 if every kernel went through, 1 otherwise."""
    arguments = _parser().parse_args(words)
    try:
        chosen = _chosen(arguments)
        settings = Settings(
            arguments.registry,
            resolve("x86", cpu=machine.host_cpu()),
            arguments.seed,
            Plan(arguments.rounds, arguments.round_ms * 1_000_000),
            arguments.jobs or processors(),
            arguments.out / "kernels",
            OTHERS["none" if arguments.quick else arguments.others],
            arguments.resume,
            not arguments.no_variant,
            arguments.effort,
        )
    except IselError as error:
        print(f"isel bench: error: {error.message()}", file=sys.stderr)
        return FAILED
    settings.folder.mkdir(parents=True, exist_ok=True)
    done = run(chosen, settings, lambda line: print(line, flush=True))
    _write(done, arguments)
    return FAILED if done.failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.harness", description=__doc__)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="only the kernels marked quick, and not with the cache of the others",
    )
    parser.add_argument(
        "--kernels",
        default="",
        metavar="R",
        help="only kernels whose whole name matches this regular expression",
    )
    parser.add_argument(
        "--others",
        choices=OTHERS,
        default="halide",
        help="which kernels are compiled with the cache of all others, too (default halide)",
    )
    parser.add_argument(
        "--no-variant",
        action="store_true",
        help="do not compile the kernels under their other schedule",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keep compiles of an earlier run in --out that still hold",
    )
    parser.add_argument("--rounds", type=int, default=15, help="timed rounds (default 15)")
    parser.add_argument(
        "--round-ms",
        type=int,
        default=50,
        help="least milliseconds of a round of one version (default 50)",
    )
    parser.add_argument("--seed", type=int, default=2024, help="seed of the inputs (default 2024)")
    parser.add_argument(
        "-j", "--jobs", type=int, default=0, help="workers of a compile (default: one a processor)"
    )
    parser.add_argument("--effort", type=int, default=1, help="effort of the search (default 1)")
    parser.add_argument(
        "--registry",
        default="bench.kernels",
        metavar="MODULE",
        help="whose KERNELS are measured: bench.kernels (default) or bench.ten",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=HERE / "out",
        help="folder for CSV, HTML and work files (default bench/out)",
    )
    parser.add_argument(
        "--results", type=Path, default=None, help="where RESULTS.md is written (default: in --out)"
    )
    parser.add_argument("--command", default="make bench", help=argparse.SUPPRESS)
    return parser


def _chosen(arguments: argparse.Namespace) -> tuple[Kernel, ...]:
    try:
        pattern = re.compile(arguments.kernels or ".*")
    except re.error as error:
        raise UsageProblem(
            f"--kernels '{arguments.kernels}' is no regular expression: {error}"
        ) from None
    chosen = tuple(
        k
        for k in registered(arguments.registry)
        if pattern.fullmatch(k.name) and (k.quick or not arguments.quick)
    )
    if not chosen:
        raise UsageProblem(f"no kernel matches '{arguments.kernels}'")
    if arguments.rounds < 1 or arguments.round_ms < 1:
        raise UsageProblem("--rounds and --round-ms take a number above 0")
    return chosen


def _write(done: Run, arguments: argparse.Namespace) -> None:
    out: Path = arguments.out
    text = markdown(done, arguments.command)
    (out / "results.csv").write_text(csv_text(done))
    (out / "report.html").write_text(page(done))
    (arguments.results or out / "RESULTS.md").write_text(text)
    for s in summarise(done.records):
        print(
            f"{s.comparison.title}: geomean {s.mean:.3f} over {s.kernels} kernels, "
            f"{s.group_mean:.3f} over {s.groups} groups"
        )
    for record in done.failed:
        print(f"FAILED {record.name}: {record.error}")
    print(
        f"wrote {out / 'report.html'}, {out / 'results.csv'}, "
        f"{arguments.results or out / 'RESULTS.md'}"
    )


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that children are ended, too
    sys.exit(main())
