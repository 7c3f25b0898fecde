"""``python -m tests.alive2 FOLDER``: hold the verifier against Alive2's tests in a checkout;
exit code 1 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

from frontends.llvm.linked.binding import llvm_version
from semantics import target_named
from tests.alive2.conventions import Case, cases
from tests.alive2.judge import Answer, Grade, Judged, judge
from tests.alive2.table import Row, of, printed, section
from tests.children import Died, Done, Late, in_children
from tests.evidence import EVIDENCE, write_section


def judged(found: Done[Judged] | Died | Late) -> Judged:
    """Return the answer of a child: one that died is a crash, one that was late is unknown."""
    match found:
        case Done(value):
            return value
        case Died(reason):
            return Judged(Answer.CRASHED, reason)
        case Late(seconds):
            return Judged(Answer.UNKNOWN, f"no answer within {seconds:g} s of time")
        case _:
            assert_never(found)


def rows(some: Sequence[Case], *, jobs: int, seconds: float) -> list[Row]:
    """Judge tests, each in a child, in their order."""
    target_named("x86").instructions()  # read once, inherited by all children
    found: dict[int, Judged] = {}
    for index, answer in in_children(judge, some, jobs=jobs, seconds=seconds):
        found[index] = judged(answer)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{len(found)}/{len(some)}")
    return [Row(c, found[k]) for k, c in enumerate(some)]


def _commit(folder: Path) -> str:
    if shutil.which("git") is None:
        return ""
    done = subprocess.run(
        ["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.alive2", description=__doc__)
    parser.add_argument("folder", help="a checkout of Alive2, or a folder of tests in it")
    parser.add_argument(
        "--only",
        default="",
        help="tests whose names contain this; docs/evidence.md is left alone then",
    )
    parser.add_argument(
        "--commit", default="", help="the commit, where the folder is no git checkout"
    )
    parser.add_argument("--seconds", type=float, default=60, help="the time limit of a test")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--all", action="store_true", help="print every answer")
    parser.add_argument("--no-evidence", action="store_true", help="leave docs/evidence.md alone")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run; return 1 if an answer is wrong or there are no tests."""
    options = _arguments(argv)
    folder = Path(options.folder)
    some = [c for c in cases(folder) if options.only in c.name] if options.folder else []
    if not some:
        sys.stderr.write(
            "no tests of Alive2 (*.srctgt.ll): name a checkout of github.com/AliveToolkit/alive2 by $ALIVE2_TESTS\n"
        )
        return 1
    found = rows(some, jobs=options.jobs, seconds=options.seconds)
    if options.all:
        sys.stdout.write(
            "".join(
                f"{r.grade.value}\t{r.case.name}\t{r.judged.answer.value}\t{r.judged.reason}\n"
                for r in found
            )
        )
    sys.stdout.write(printed(found))
    commit = options.commit or _commit(folder)
    if not options.only and not options.no_evidence:
        if commit:
            write_section(
                EVIDENCE,
                "Alive2's tests",
                section(found, f"commit `{commit}`", "make alive2", llvm_version()),
            )
        else:
            sys.stderr.write(
                f"{EVIDENCE.name} is not written: the folder is no git checkout and --commit is not given\n"
            )
    return 1 if of(found, Grade.WRONG) else 0


if __name__ == "__main__":
    sys.exit(main())
