"""A compile whose object may be kept: given back where it was made before, kept where it is new."""

from __future__ import annotations

import os

from isel.cli.launcher import children, counters
from isel.cli.launcher.job import Job, front
from isel.cli.launcher.objects import Outputs, Request, look_up, stamp_of


def is_made_before(job: Job, request: Request) -> bool:
    """Put what was made before of the same into its place; tell whether there was such."""
    made = look_up(request)
    if made is None:
        return False
    _write(job.object, made.object)
    if job.dependencies:
        _write(job.own_dependencies, made.dependencies)
    if made.said:
        os.write(2, made.said)
    deliver_dependencies(job)
    os.replace(job.object, job.what.output)
    counters.add({"files": 1, "made before": 1}, os.environ)
    what = ", ".join(f"{n} {name}" for name, n in made.counts.items() if name != "milliseconds")
    counters.log(f"{job.what.output}: made before: {what}")
    return True


def run_front(job: Job) -> int:
    """Run the first step, and pass on what it has to say; return its exit code."""
    if job.request is None:
        return children.run(front(job))
    code = children.run(front(job), errors=job.front_said)
    if code in (0, 1) and (said := _read(job.front_said)):
        os.write(2, said)
    return code


def deliver_dependencies(job: Job) -> None:
    """Put the dependency file into its place, where the compiler wrote it elsewhere."""
    if job.request is None or not job.dependencies or not os.path.exists(job.own_dependencies):
        return
    try:
        os.replace(job.own_dependencies, job.dependencies)
    except OSError:  # another file system
        with open(job.dependencies, "wb") as out:
            out.write(_read(job.own_dependencies))


def remember(job: Job, request: Request, started: int, counts: dict[str, int]) -> None:
    """Keep what was made, before it is put in its place, unless it cannot be told what was read."""
    from isel.cli.launcher.keeping import Unknown, keep

    try:
        if counts.get("cut") or {"kept: the rewriter failed", "kept: ISEL_FLAGS"} & counts.keys():
            raise Unknown("another time it may be rewritten further")
        if os.path.exists(errors := os.path.join(job.folder, "isel.errors")) and _read(errors):
            raise Unknown("the back end has something to say")
        made, listed, said = map(_read, (job.object, job.own_dependencies, job.front_said))
        outputs = Outputs(made, listed, said, counts)
        keep(request, job, started, outputs, _pending(job, counts))
    except (Unknown, OSError, ValueError) as problem:
        counters.log(f"{job.what.output}: will be made again: {problem}")


def _pending(job: Job, counts: dict[str, int]) -> tuple[str, str]:
    """Return the entry of the journal that holds what is left, with its stamp."""
    if not counts.get("left"):
        return "", ""
    from isel.cli.launcher import journal
    from isel.cli.launcher.keeping import Unknown

    if not journal.is_on(os.environ):
        return "", ""
    path = journal.path_of(os.path.abspath(job.what.output), os.environ)
    if not (stamp := stamp_of(path)):
        raise Unknown("there is no journal")
    return path, stamp


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as out:
        out.write(data)
