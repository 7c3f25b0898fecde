"""``isel-cc bisect -- COMMAND``: builds with a part of the rewrites find the one that breaks a
program or slows it down.

Rewrites have an order: by file, function and window.  With the first ``n`` of them all is well,
with one more it is not; so one is found also where several have a part in it.
"""

from __future__ import annotations

import gc
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from functools import partial
from typing import TypeAlias

from isel.cli.launcher import children
from isel.cli.launcher.light import suppress
from isel.cli.launcher.limits import BISECT_RATIO, BISECT_RUNS
from isel.cli.launcher.switched import OFF, Module, keep, modules_in
from isel.cli.limits import JOURNAL_OLD
from isel.cli.remarks.findings import REWRITTEN, Finding

Flags: TypeAlias = Sequence[str | None]  # of modules: see switched.Module


class Ended(Exception):
    """Why nothing is found."""


@dataclass
class Bisect:
    """A search in a folder of modules.  ``measure`` builds, and returns 1 where COMMAND fails and
    else 0, or seconds, of which ``ratio`` times as many are too many.
    """

    folder: str
    measure: Callable[[], float]
    ratio: float = 0.0
    builds: int = 0
    most: float = 0.5  # of what is measured where all is well
    modules: list[Module] = field(default_factory=list)

    def run(self) -> Iterator[str]:
        """Yield the lines that say what is found; raises :class:`Ended`."""
        slow = self._build("all rewrites")
        if not self.ratio and not (slow and self._build("all rewrites again")):
            raise Ended("COMMAND fails at times" if slow else "COMMAND passes with all rewrites")
        self.modules += modules_in(self.folder)
        order = [(k, name) for k, m in enumerate(self.modules) for name in _functions(m)]
        if not order:
            raise Ended("COMMAND compiled nothing that was rewritten; it must build from scratch")
        with open(os.path.join(self.folder, OFF), "wb"):
            fast = self._build("no rewrite", [None] * len(self.modules))
        if slow <= fast * max(self.ratio, 1):
            raise Ended(f"COMMAND {self._say(fast)} without any rewrite")
        self.most = (slow + fast) / 2
        last = self._first(len(order), "functions", lambda n: self._only(order[:n]))
        k, name = order[last - 1]
        yield from self._window(k, name, self._only(order[:last]))
        order.remove((k, name))
        found = self._say(self._build("all but this function", self._only(order)))
        flags = f"{self.modules[k].order.flags} --only-function=(?!{_pattern([name])}$).*".strip()
        yield f"without this function COMMAND {found}: ISEL_FLAGS={shlex.quote(flags)}"
        yield "please report it, with this text and the source"

    def _window(self, k: int, name: str, flags: Flags) -> Iterator[str]:
        """Yield what there is about the last function that is on: of the first window that is bad,
        if it is bad alone.
        """
        m, alone, n = self.modules[k], f"--only-function={_pattern([name])} --bisect-limit", 0
        count = sum(f.function == name for f in _findings(m.remarks))

        def limit(n: int) -> Flags:
            return [*flags[:k], f"{alone}={n}", *flags[k + 1 :]]

        if len(_functions(m)) == 1 or self._build(f"@{name} alone", limit(count)) > self.most:
            n = self._first(count, f"windows of @{name}", limit)
        yield f"{m.order.source}: @{name} in {m.order.output}"
        yield from _difference(m, f"{alone}={max(n - 1, 0)}", f"{alone}={n or count}")

    def _only(self, on: Sequence[tuple[int, str]]) -> Flags:
        """Return the flags with which some functions are rewritten."""
        found: list[str | None] = []
        for k, m in enumerate(self.modules):
            names = [name for at, name in on if at == k]
            some = "" if names == _functions(m) else f"--only-function={_pattern(names)}"
            found.append(some if names else None)
        return found

    def _first(self, count: int, what: str, flags: Callable[[int], Flags]) -> int:
        """Return the first number that is bad, from 1 to ``count``, which is."""

        def is_bad(n: int) -> bool:
            return self._build(f"{n} of {count} {what}", flags(n)) > self.most

        return bisect_left(range(1, count), True, key=is_bad) + 1

    def _build(self, what: str, flags: Flags = ()) -> float:
        for k, new in enumerate(flags):
            if new != self.modules[k].flags:
                self.modules[k] = self.modules[k]._replace(flags=new)
                keep(self.folder, self.modules[k])
                _make_old(self.modules[k])
        found = self.measure()
        self.builds += 1
        _tell(f"build {self.builds}, {what}: COMMAND {self._say(found)}")
        return found

    def _say(self, found: float) -> str:
        return f"takes {found:.3f} s" if self.ratio else "fails" if found else "passes"


def seconds(run: Callable[[], int], clock: Callable[[], float]) -> float:
    """Return the median of how long COMMAND takes once all is built; raises :class:`Ended`."""
    times = []
    for _ in range(BISECT_RUNS + 1):
        start = clock()
        if run():
            raise Ended("COMMAND fails; look for that without --slower")
        times.append(clock() - start)
    return sorted(times[1:])[BISECT_RUNS // 2]


def main(words: list[str]) -> int:
    """Run what is behind ``isel-cc bisect`` and return the exit code."""
    asked = re.fullmatch(r"(--slower(=\d+(\.\d+)?)? )?-- .*", " ".join(words), re.DOTALL)
    if asked is None:
        os.write(2, "usage: isel-cc bisect [--slower[=RATIO]] -- COMMAND…\n".encode())
        return 1
    gc.enable()
    run = partial(children.run, words[words.index("--") + 1 :])
    ratio = max(float((asked[2] or f"={BISECT_RATIO}")[1:]), 1.0) if asked[1] else 0.0
    measure = partial(seconds, run, time.monotonic) if ratio else lambda: float(run() != 0)
    folder = tempfile.mkdtemp(prefix="isel-bisect-")
    # what else keeps objects does not know what is on
    os.environ.update(ISEL_BISECT=folder, ISEL_JOURNAL="off", ISEL_SERVER="off", CCACHE_DISABLE="1")
    os.environ["ISEL_REMARKS"] = os.path.join(folder, "remarks")
    try:
        children.answer_signals()
        for line in Bisect(folder, measure, ratio).run():
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        return 0
    except (Ended, OSError, children.Interrupted) as why:
        ended = why
    finally:
        with children.Held():
            _restore(folder)
    if isinstance(ended, children.Interrupted):
        children.die_of(ended.number)
    _tell(str(ended))
    return 1


def _restore(folder: str) -> None:
    """Make what is not as an ordinary build makes it old, and forget all."""
    old = [m for m in modules_in(folder) if m.flags != ""]
    for m in old:
        _make_old(m)
    shutil.rmtree(folder, ignore_errors=True)
    if old:
        _tell(f"the next build makes {len(old)} objects again, with all rewrites")


def _make_old(m: Module) -> None:
    """Have make and Ninja build an object again; one that is not there they build anyhow."""
    with suppress(OSError):
        os.utime(m.order.output, (JOURNAL_OLD, JOURNAL_OLD), follow_symlinks=False)


def _difference(m: Module, *flags: str) -> Iterator[str]:
    """Yield what a module has more with the latter of two flags."""
    before, after = (m._replace(flags=f).decide() for f in flags)
    known = {f.root for f in _findings(before.remarks)}
    more = (f for f in _findings(after.remarks) if f.root not in known)
    yield from (f"%{f.root} at {f.file}:{f.line}: {f.message}" for f in more)
    old, new = (str(r.new or m.text).split("\n") for r in (before, after))
    yield from unified_diff(old, new, "before", "after", lineterm="")


def _findings(remarks: str) -> list[Finding]:
    """Return what is rewritten."""
    found = (Finding(*row) for row in json.loads(remarks or "[[]]")[0])
    return [f for f in found if f.rule == REWRITTEN]


def _functions(m: Module) -> list[str]:
    return list(dict.fromkeys(f.function for f in _findings(m.remarks)))


def _pattern(names: list[str]) -> str:
    """Return a pattern of names without what has to be quoted in flags."""
    return "|".join(re.sub(r"\W", ".", name.strip('"')) for name in names)


def _tell(text: str) -> None:
    with suppress(OSError):
        os.write(2, f"isel-cc: bisect: {text}\n".encode(errors="surrogateescape"))
