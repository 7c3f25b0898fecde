"""One module of a batch: ``isel opt`` on bytes, in a folder of its own, the same in a warm
worker and as ``python -m isel.cli.batch.task``.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from isel.errors import FileProblem, IselError, file_problem
from isel.json_text import to_json

_OUT: Final = "rewritten"
_STATS: Final = "stats.json"


class Fate(StrEnum):
    """How a task ended."""

    DONE = "done"
    REFUSED = "refused"  # what is wrong with the module or its flags will be wrong again
    LOST = "lost"  # another time it may go well
    BUG = "bug"
    FOREIGN = "foreign"  # this process is of another tool, whose answer may differ


@dataclass(frozen=True, slots=True)
class Task:
    """A module: its name in messages, the suffix of what becomes of it, flags of ``isel opt``,
    its cache, the tool that may do it (any if empty).
    """

    name: str
    suffix: str
    flags: tuple[str, ...]
    data: bytes
    cache: str | None = None
    tool: str = ""
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a task: the new module and its statistics (JSON), or what is wrong."""

    fate: Fate
    said: str = ""
    stats: str = ""
    output: bytes = b""


def perform(task: Task, scratch: Path | None = None) -> Answer:
    """Do a task in this process; no exception but an interrupt leaves this function."""
    try:
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            return _perform(task, Path(folder))
    except FileProblem as problem:
        return Answer(Fate.LOST, problem.message())
    except IselError as problem:
        return Answer(Fate.REFUSED, problem.message())
    except OSError as problem:
        where = str(problem.filename or task.name)
        return Answer(Fate.LOST, file_problem(where, problem).message())
    except MemoryError:
        return Answer(Fate.LOST, "out of memory")
    except RecursionError:
        return Answer(Fate.REFUSED, "the input is nested too deeply")
    except Exception as problem:
        return Answer(Fate.BUG, f"bug: {type(problem).__name__}: {' '.join(str(problem).split())}")


def _perform(task: Task, folder: Path) -> Answer:
    """Run ``isel opt`` where the module lies under its name, which messages and statistics have."""
    from isel.cli.parser import parse_arguments

    place = folder / "in" / task.name
    place.parent.mkdir(parents=True)
    place.write_bytes(task.data)
    out, stats = folder / f"{_OUT}{task.suffix}", folder / _STATS
    cache = () if task.cache is None else (f"--cache={task.cache}",)
    flags = (*task.flags, *cache, f"-j{task.jobs}", f"--stats-json={stats}")
    silent = contextlib.redirect_stderr(io.StringIO())  # no line of progress of its own
    with contextlib.chdir(folder / "in"), silent:
        command = parse_arguments(["opt", *flags, "-o", str(out), "--", task.name])
        assert command is not None
        command()
    return Answer(Fate.DONE, "", stats.read_text(encoding="utf-8"), out.read_bytes())


def start(task: Task, seconds: float | None = None) -> Answer:
    """Do a task in a process of its own, which ends with the thread that waits for it."""
    command = [sys.executable, "-P", "-m", "isel.cli.batch.task"]  # -P: not from the current folder
    try:
        done = subprocess.run(
            command, input=to_bytes(task), capture_output=True, check=False, timeout=seconds
        )
        return read_answer(done.stdout)
    except subprocess.TimeoutExpired:
        return Answer(Fate.LOST, f"no answer within {seconds:g} s")
    except ValueError:
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        words = (f"the process ended with status {done.returncode}", *said)
        return Answer(Fate.LOST, ": ".join(words))


def to_bytes(whole: Task | Answer) -> bytes:
    """Return a task or an answer as bytes: a line of JSON, then the module."""
    module = whole.data if isinstance(whole, Task) else whole.output
    head = {k: v for k, v in asdict(whole).items() if not isinstance(v, bytes)}
    return to_json(head).encode() + b"\n" + module


def read_answer(data: bytes) -> Answer:
    """Read an answer; raises ``ValueError`` for what is none."""
    head, newline, module = data.partition(b"\n")
    if not newline:
        raise ValueError("not a whole answer")
    found = json.loads(head)
    return Answer(Fate(found["fate"]), str(found["said"]), str(found["stats"]), module)


def _read_task(data: bytes) -> Task:
    head, _, module = data.partition(b"\n")
    found = json.loads(head)
    return Task(**{**found, "flags": tuple(found["flags"]), "data": module})


def main() -> None:
    """Do the task on standard input and print its answer."""
    from isel.forks import be_a_child

    be_a_child(os.getppid())
    answers = os.dup(1)
    os.dup2(2, 1)  # what libraries print is no part of the answer
    task = _read_task(sys.stdin.buffer.read())
    with os.fdopen(answers, "wb") as out:
        out.write(to_bytes(_check(task)))


def _check(task: Task) -> Answer:
    from isel.api.tools import tool_identity

    if task.tool and task.tool != tool_identity():
        what = "another version of isel, of LLVM or of a solver is installed there"
        return Answer(Fate.FOREIGN, what)
    return perform(task)


if __name__ == "__main__":
    main()
