"""``python -m tests.mutants --seed S --count N``: run tests against a sample of mutants of the
verifier; exit code 1 if one survives without a verdict.
"""

from __future__ import annotations

import argparse
import glob
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Final, assert_never

from isel.places import cache_folder
from tests.children import Died, Done, Late, in_children
from tests.mutants.battery import ROOT, Job, Ran, files_for, preload, run, sound
from tests.mutants.cover import Seen, chosen, statement
from tests.mutants.mutate import Mutant, drawn
from tests.mutants.record import Outcome, Result, append, known, open_and_judged, read, row, totals

MODULES: Final = (
    "isel/verify/prove.py", "isel/verify/windows.py", "isel/verify/choices.py", "isel/verify/recorded.py", "frontends/llvm/refine/*.py", "frontends/llvm/paths/*.py", "frontends/llvm/splicing/check.py", "frontends/llvm/splicing/printed.py",
    "frontends/llvm/meaning/border.py", "frontends/llvm/meaning/lower.py", "frontends/llvm/meaning/lanes.py", "frontends/llvm/windows/regions.py", "frontends/llvm/text/identity.py",
    "frontends/llvm/text/layout.py", "frontends/llvm/splicing/loads.py", "frontends/llvm/meaning/choice.py", "frontends/llvm/meaning/executor.py", "frontends/llvm/cuts/*.py", "frontends/llvm/function/*.py",
    "frontends/llvm/passes/load_lanes.py", "isel/verify/partition.py", "isel/verify/read.py",
)  # fmt: skip
_FIRST: Final = 12  # tests that ended mutants of a module, run before its others
_MEGABYTES: Final = 12_000


def texts(patterns: Sequence[str]) -> dict[str, str]:
    """Return the text of modules, given as files below the root, by their names."""
    found = sorted({name for p in patterns for name in glob.glob(p, root_dir=ROOT)})
    return {name.removesuffix(".py").replace("/", "."): (ROOT / name).read_text() for name in found}


def result(mutant: Mutant, found: Done[Ran] | Died | Late) -> Result:
    """Return what became of a mutant; one that ends its process is killed."""
    of = partial(
        Result,
        mutant.key,
        mutant.module,
        mutant.where,
        mutant.line,
        mutant.kind,
        mutant.before,
        mutant.after,
    )
    match found:
        case Done(Ran(failed), seconds):
            return of(Outcome.KILLED if failed else Outcome.SURVIVED, failed, round(seconds, 2))
        case Died("ended by SIGXCPU", seconds):
            return of(Outcome.TIMEOUT, "", round(seconds, 2))
        case Died(reason, seconds):
            return of(Outcome.KILLED, reason, round(seconds, 2))
        case Late(seconds):
            return of(Outcome.TIMEOUT, "", round(seconds, 2))
        case _:
            assert_never(found)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument(
        "modules",
        nargs="*",
        default=MODULES,
        help="files below the repository's root; default: what proves and refines",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument(
        "--kind", default="", help="only changes of this kind, such as 'operands swapped'"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=180, help="the time limit of a mutant")
    parser.add_argument(
        "--quick",
        type=float,
        default=10,
        help="seconds of tests that a mutant is run by at first; survivors are run by all with --again",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "mutants.jsonl",
        help="results, which a later run takes up",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="run survivors without a verdict again, by all tests of their modules",
    )
    parser.add_argument("--slow", action="store_true", help="run slow tests, too, after the others")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run."""
    options = _arguments(argv)
    sources = texts(options.modules)
    sample = drawn(sources, options.count, options.seed, options.kind)
    old = read(options.out)
    again = (
        {r.key for r in open_and_judged(list(old.values()), known())[0]}
        if options.again
        else set[str]()
    )
    done = old.keys() - again
    todo = [m for m in sample if m.key not in done]
    with tempfile.TemporaryDirectory() as folder:
        _own_places(Path(folder))
        preload()
        seen = _sound(options, sorted({m.module for m in todo}))
        if seen is None:
            return 1
        _run(todo, old, seen, sources, options)
    results = read(options.out)
    return _report(sample, [results[m.key] for m in sample if m.key in results], sources)


def _own_places(folder: Path) -> None:
    """Keep what mutants write out of the user's cache: a copy of its index is theirs."""
    here = cache_folder(os.environ)
    if here is not None and here.is_dir():
        shutil.copytree(here, folder / "isel")
    os.environ.update(
        {
            "XDG_CACHE_HOME": str(folder),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
            "TMPDIR": str(folder),
        }
    )
    os.environ.pop("ISEL_CACHE", None)
    tempfile.tempdir = None


def _sound(options: argparse.Namespace, modules: Sequence[str]) -> dict[str, Seen] | None:
    """Run the tests without a mutant and return what each executes; None where one fails by
    itself: nothing can be said then.
    """
    ((_, found),) = in_children(
        sound, [modules], jobs=1, seconds=20 * options.seconds, megabytes=_MEGABYTES
    )
    if isinstance(found, Done) and found.value.seen and not found.value.failed:
        sys.stderr.write(f"{len(found.value.seen)} tests in {found.seconds:.1f} s\n")
        return found.value.seen
    sys.stderr.write(
        f"without any mutant: {found.value.failed if isinstance(found, Done) else found}\n"
    )
    return None


def _run(
    todo: Sequence[Mutant],
    old: dict[str, Result],
    seen: dict[str, Seen],
    sources: dict[str, str],
    options: argparse.Namespace,
) -> None:
    killers = Counter((r.module, r.by) for r in old.values() if "::" in r.by)
    size = 12 * options.jobs  # after so many, what was learnt about killers is used
    done = 0
    for at in range(0, len(todo), size):
        part = todo[at : at + size]
        jobs = [_job(m, killers, seen, sources[m.module], options) for m in part]
        for index, found in in_children(
            run, jobs, jobs=options.jobs, seconds=options.seconds, megabytes=_MEGABYTES
        ):
            r = result(part[index], found)
            append(options.out, r)
            killers.update([(r.module, r.by)] if "::" in r.by else [])
            done += 1
            sys.stderr.write(
                f"{done}/{len(todo)} {r.outcome.value} {r.seconds:.1f} s {r.module}:{r.line} {r.kind}: {r.before[:60]} -> {r.after[:60]}  {r.by}\n"
            )


def _job(
    mutant: Mutant,
    killers: Counter[tuple[str, str]],
    seen: dict[str, Seen],
    source: str,
    options: argparse.Namespace,
) -> Job:
    """Choose tests for a mutant: those that ended most others, then the fastest, of those that
    execute the statement; all of them with ``--again``.
    """
    line = statement(source, mutant.line)
    tests = chosen(seen, files_for(mutant.module), None if line is None else (mutant.module, line))
    first = sorted(
        (t for t in tests if killers[mutant.module, t]), key=lambda t: -killers[mutant.module, t]
    )[:_FIRST]
    given = {t: seen[t].seconds for t in (*first, *tests)}
    return Job(
        mutant.module,
        mutant.source,
        given if options.again else _quick(given, options.quick),
        options.again,
        options.slow,
    )


def _quick(tests: dict[str, float], seconds: float) -> dict[str, float]:
    """Return the first tests that take so many seconds together."""
    until = accumulate(tests.values())
    return {
        t: s
        for (t, s), total in zip(tests.items(), until, strict=True)
        if total <= seconds or total == s
    }


def _report(sample: Sequence[Mutant], results: Sequence[Result], sources: dict[str, str]) -> int:
    verdicts = known()
    left, _ = open_and_judged(results, verdicts)
    by_key = {m.key: m for m in sample}
    for r in left:
        sys.stdout.write(f"{row(r)}\n{by_key[r.key].diff(sources[r.module])}\n")
    for what, n in totals(results, verdicts).items():
        sys.stdout.write(f"{n:6} {what}\n")
    killed = sorted(r.seconds for r in results if r.outcome is Outcome.KILLED)
    if killed:
        sys.stdout.write(
            f"{killed[len(killed) // 2]:6.1f} s for a killed mutant (median), {sum(killed) / len(killed):.1f} s on average\n"
        )
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
