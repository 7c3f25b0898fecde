"""Cases through ``isel opt`` and ``isel verify``, each in a fork of one process that has loaded
both: what a case finds in memory is the same for all.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from isel.cli import main
from tests.house.cases import Case

_DIGITS: Final = 12
_OUTPUTS: Final = ("text", "verdicts", "report")
Row: TypeAlias = tuple[str, ...]  # the hashes of input, text, verdicts and report


@dataclass(frozen=True, slots=True)
class Ran:
    """A case that was run: its hashes, and the processor seconds of both commands."""

    case: Case
    row: Row
    seconds: float


def load() -> None:
    """Import what the commands import when they run."""
    from isel.api.tools import tool_identity
    from semantics import searched_for

    tool_identity()
    for triple in ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"):
        searched_for(triple).instructions()


def run_all(cases: Sequence[Case], folder: Path, cache: Path, jobs: int) -> Iterator[Ran]:
    """Run cases, so many at a time, with outputs in a folder; yield them as they end."""
    waiting, running = list(cases)[::-1], dict[int, Case]()
    while waiting or running:
        while waiting and len(running) < jobs:
            case = waiting.pop()
            job = _job(case, folder, cache)
            running[_forked(job)] = case
        pid, _, usage = os.wait4(-1, 0)
        case = running.pop(pid)
        yield Ran(case, _hashes(case, folder), usage.ru_utime + usage.ru_stime)


def _job(case: Case, folder: Path, cache: Path) -> Callable[[], None]:
    text, out = folder / f"{case.name}.in", folder / f"{case.name}.text"
    stats, verdicts = folder / f"{case.name}.report", folder / f"{case.name}.verdicts"

    def job() -> None:
        for path in (out, stats, verdicts):
            path.unlink(missing_ok=True)
        text.write_text(case.text)
        _redirect(folder / f"{case.name}.said")
        flags = ("-S", "-j1", f"--cache={cache}", f"--stats-json={stats}", *case.flags)
        code = main(["opt", str(text), "-o", str(out), *flags])
        if not out.exists():
            out.write_text(f"exit code {code}\n")
        pairs = re.search(r"^define .*@(src|tgt)\b", case.text, re.MULTILINE)
        _redirect(verdicts)
        _say(f"opt {code}")
        if pairs:
            _say(f"verify {main(['verify', str(text)])}")
        elif out.read_text() != case.text and not code:
            _say(f"verify {main(['verify', str(text), str(out)])}")

    return job


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _redirect(path: Path) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for stream in (1, 2):
        os.dup2(file, stream)
    os.close(file)


def _forked(job: Callable[[], None]) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        job()
    finally:
        os._exit(0)


def _hashes(case: Case, folder: Path) -> Row:
    """Return the hashes of a case; the folder is no part of what is said."""
    outputs = (folder / f"{case.name}.{what}" for what in _OUTPUTS)
    texts = (p.read_text(errors="replace") if p.exists() else "" for p in outputs)
    return tuple(_hash(t.replace(f"{folder}/", "")) for t in (case.text, *texts))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
