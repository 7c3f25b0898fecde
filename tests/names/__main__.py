"""``python -m tests.names``: pairs verified and modules rewritten with other names; exit code 1
where a verdict or an output is another one.

``pairs`` are those of the tests, of the suites (``--shared``) and of Alive2's tests (``--alive2``,
or ``$ALIVE2_TESTS``); ``modules`` those of ``python -m tests.house`` (``--kernels``, made where
there are none) and of the same places.  A run that was ended goes on where it was.  ``numbers``
verifies pairs of a folder (``--shared``) with all numbers from 0 to 63 in their names.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from semantics import target_named
from tests.children import Died, Done, Late, in_children
from tests.names import state
from tests.names.cases import ROOT, Case, modules, of_number, pairs, sample
from tests.names.check import PROVED, REFUTED, Found, Task, do, judge, rewrite
from tests.names.state import MODULE, PAIR, Row

_OUT: Final = ROOT / "bench" / "out" / "names"
_SAYS: Final = 20  # cases between two lines of progress


def run(
    kind: str, cases: Sequence[Case], seed: int, path: Path, *, jobs: int, seconds: float
) -> list[Row]:
    """Do what is left of some cases, each half in a child; return the rows of all."""
    for name in ("x86", "arm", "hvx"):
        target_named(name).instructions()  # read once, inherited by all children
    known = {r.key: r for r in state.read(path)}
    todo = [c for c in cases if (kind, c.name, seed) not in known]
    call: Callable[[Case], Found] = judge if kind == PAIR else rewrite
    tasks = [Task(c, s, call) for c in todo for s in (None, seed)]
    halves: dict[int, Done[Found] | Died | Late] = {}
    for k, answer in in_children(do, tasks, jobs=jobs, seconds=seconds):
        halves[k] = answer
        first = k - k % 2
        if first in halves and first + 1 in halves:
            row = _row(kind, tasks[k].case.name, seed, halves.pop(first), halves.pop(first + 1))
            state.append(path, row)
            known[row.key] = row
            if k // 2 % _SAYS == 0:
                sys.stderr.write(f"{kind} {k // 2 + 1}/{len(todo)}\n")
    return [known[kind, c.name, seed] for c in cases]


def _row(
    kind: str,
    name: str,
    seed: int,
    before: Done[Found] | Died | Late,
    after: Done[Found] | Died | Late,
) -> Row:
    if isinstance(before, Done) and isinstance(after, Done):
        return state.compared(kind, name, seed, before.value, after.value)
    return Row(kind, name, seed, problem=f"{_said(before)} | {_said(after)}")


def _said(x: Done[Found] | Died | Late) -> str:
    if isinstance(x, Done):
        return "an answer"
    return x.reason if isinstance(x, Died) else "no answer in time"


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.names",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("pairs", "modules", "all", "numbers"))
    parser.add_argument("--pairs", type=int, default=1 << 20, help="at most so many, of all places")
    parser.add_argument("--modules", type=int, default=300, help="at most so many, of all places")
    parser.add_argument("--only", default="", help="cases whose names contain this")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=600, help="the time limit of a half")
    parser.add_argument("--shared", type=Path, help="a folder with more suites")
    parser.add_argument("--alive2", default=os.environ.get("ALIVE2_TESTS", ""))
    parser.add_argument("--kernels", type=Path, help="the folder of modules of tests.house")
    parser.add_argument("--out", type=Path, default=_OUT, help="the folder of what was done")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run; return 1 if names change a proof, a refutation or an output."""
    options = _arguments(argv)
    if options.what == "numbers":
        return _numbers(options.shared, options.only)
    options.out.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    for kind, most in ((PAIR, options.pairs), (MODULE, options.modules)):
        if options.what in ("all", f"{kind}s"):
            cases = sample([c for c in _cases(kind, options) if options.only in c.name], most)
            path = options.out / f"{kind}s.jsonl"
            rows += run(kind, cases, options.seed, path, jobs=options.jobs, seconds=options.seconds)
    sys.stdout.write("".join(f"{line}\n" for line in state.printed(rows)))
    return 1 if state.wrong(rows) else 0


def _numbers(folder: Path, only: str) -> int:
    """Print how often pairs with each number in their names are answered how, beside what their
    first lines want; return 1 if one is answered wrongly.
    """
    wrong = 0
    for path in sorted(p for p in folder.rglob("*.ll") if only in str(p)):
        cases = [c for k in range(64) if (c := of_number(path, k)) is not None]
        answers = Counter(answer for c in cases for answer, _ in judge(c).answers)
        wanted = path.read_text().removeprefix("; WANT: ")[:3].strip()
        wrong += answers[REFUTED if wanted == "ok" else PROVED]
        if cases:
            found = ", ".join(f"{answer} {n}" for answer, n in sorted(answers.items()))
            sys.stdout.write(f"{path.name}: wanted {wanted}; {found}\n")
    sys.stdout.write(f"answered wrongly {wrong}\n")
    return 1 if wrong else 0


def _cases(kind: str, options: argparse.Namespace) -> Iterator[Case]:
    if kind == PAIR:
        return pairs(options.shared, Path(options.alive2) if options.alive2 else None)
    return modules(_kernels(options), options.shared)


def _kernels(options: argparse.Namespace) -> Path | None:
    """Return the folder of the benchmark's modules, made where it is named and has none."""
    folder: Path | None = options.kernels
    if folder is not None and not any(folder.glob("*.ll")):
        from tests.house.cases import write_modules

        write_modules(folder, None)
    return folder


if __name__ == "__main__":
    sys.exit(main())
