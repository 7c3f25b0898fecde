"""``isel batch --journal``: what the launcher left to search is searched, into the cache, and the
objects that would change are listed.

An entry is done when it is gone; a batch that ends early goes on with the others another time.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from isel.cli.batch.summary import show
from isel.cli.edge import BUG, OK, USER_ERROR
from isel.cli.launcher import journal
from isel.cli.launcher.places import journal_folder
from isel.cli.launcher.rewriter import Order, decide, hash_of
from isel.cli.launcher.stamps import stamp_of
from isel.cli.limits import JOURNAL_OLD
from isel.cli.progress import progress
from isel.cli.texts import hold
from isel.errors import IselError, UsageProblem
from isel.workers import Failed, Pool, processors

_ALONE: Final = ("inputs", "output", "text", "scheduler", "mtriple", "mcpu", "mattr", "effort")
_MORE: Final = ("time_limit", "vector_width", "only_function", "disabled", "assume_no_undef")
_BUG: Final = "bug: "


@dataclass(frozen=True, slots=True)
class Searched:
    """What became of an entry: its object, whether that would change now, why it cannot be
    searched, if so, and what was measured.
    """

    output: str
    changes: bool = False
    problem: str = ""
    measured: tuple[str, ...] = ()


def run(arguments: argparse.Namespace) -> int:
    """Search everything in the journal."""
    _check(arguments)
    folder = Path(journal_folder(os.environ))
    with hold(folder, "another batch is searching this journal", mode=0o700):
        jobs, search = arguments.jobs or processors(), partial(_search_one, cache=arguments.cache)
        found = _search(jobs, partial(search, last=not arguments.measure))
        if arguments.measure:  # nothing else runs meanwhile
            found = _search(1, partial(search, measure=True))
    changed = [s.output for s in found if s.changes]
    sys.stdout.write(f"{len(found)} modules searched, {len(changed)} objects would change\n")
    for output in changed:
        sys.stdout.write(f"  {show(output)}{_touch(output) if arguments.touch else ''}\n")
    return _say(found)


def _check(arguments: argparse.Namespace) -> None:
    """Raise :class:`isel.errors.UsageProblem` for what does not go with ``--journal``."""
    for name in (*_ALONE, *_MORE):
        if getattr(arguments, name) not in (None, False, []):
            raise UsageProblem(
                "--journal takes -j, --cache, --touch and --measure only, not "
                f"{name.replace('_', '-')}: what was asked for is in the journal"
            )


def _say(found: Sequence[Searched]) -> int:
    """Say what was measured and what cannot be searched; return the exit code."""
    sys.stdout.writelines(f"  {show(s.output)} {line}\n" for s in found for line in s.measured)
    failed = [s for s in found if s.problem]
    for s in failed:
        sys.stderr.write(f"isel: {show(s.output)}: error: {s.problem}\n")
    if any(s.problem.startswith(_BUG) for s in failed):
        return BUG
    return USER_ERROR if failed else OK


def _search(jobs: int, search: Callable[[str], Searched]) -> list[Searched]:
    """Search every entry, the largest first."""
    paths = sorted(journal.paths(os.environ), key=_size, reverse=True)
    found: list[Searched] = []
    answers = Pool(jobs).each(search, paths)
    with progress("modules") as tell, contextlib.closing(answers):
        for index, answer in answers:
            if isinstance(answer, Failed):
                answer = Searched(paths[index], False, answer.reason)
            found.append(answer)
            tell("modules", len(found), len(paths))
    return sorted(found, key=lambda s: s.output)


def _size(path: str) -> int:
    with contextlib.suppress(OSError):
        return os.stat(path).st_size
    return 0


def _search_one(path: str, cache: str | None, measure: bool = False, last: bool = True) -> Searched:
    """Search what an entry asks for; with the ``last`` look at it, it goes."""
    before = stamp_of(path)
    found = _look(path, cache, measure) if before else Searched(path)
    if last:
        _remove(path, before)
    return found


def _remove(path: str, stamp: str) -> None:
    """Remove an entry, unless the build has written another since."""
    if stamp_of(path) == stamp:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _look(path: str, cache: str | None, measure: bool) -> Searched:
    entry = journal.read(path)
    if entry is None:
        return Searched(path, False, "not a whole entry of the journal; compile again")
    order = Order("", "", entry.source, entry.version, entry.level, entry.flags, late=True)
    try:
        result, _ = decide(order._replace(measure=measure), entry.text, cache)
    except IselError as problem:
        return Searched(entry.output, False, " ".join(problem.message().split()))
    except Exception as bug:  # it costs its own module
        said = " ".join(str(bug).split())
        return Searched(entry.output, False, f"{_BUG}{type(bug).__name__}: {said}")
    return Searched(entry.output, hash_of(result) != entry.written, measured=result.measured)


def _touch(output: str) -> str:
    """Make an object older than its source, so that the next build makes it again; say how that
    went.
    """
    try:
        os.utime(output, (JOURNAL_OLD, JOURNAL_OLD), follow_symlinks=False)
    except OSError as error:
        return f": {(error.strerror or str(error)).lower()}"
    return ": will be built again"
