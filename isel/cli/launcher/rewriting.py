"""What becomes of IR: a look at its text, and the rewriter in a process of its own."""

from __future__ import annotations

import os

from isel.cli.launcher import children, counters
from isel.cli.launcher.job import Job
from isel.cli.launcher.notices import say_once
from isel.cli.launcher.settings import wrong_flags
from isel.cli.launcher.vectors import SCALABLE, has_vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from isel.cli.launcher.server import Values

READING: Final = 15  # the oldest clang that reads what is written
_ORDER: Final = b"uselistorder"


def holds_vectors(path: str, counts: dict[str, int]) -> bool:
    """Tell whether IR has vectors of integers.  Orders of uses of constants, which clang does not
    always read as it writes them, are taken out of the file.
    """
    with open(path, "rb") as file:
        text = file.read()
    if b"\n" + _ORDER in text:
        lines = (x for x in text.splitlines(keepends=True) if not x.startswith(_ORDER))
        text = b"".join(lines)
        with open(path, "wb") as file:
            file.write(text)
    if SCALABLE in text:
        counts["kept: scalable vectors: compile with +nosve"] = 1
    return has_vectors(text)


def rewritten(job: Job, counts: dict[str, int]) -> str:
    """Run the rewriter; return ``text`` or ``object`` for what it wrote, nothing where it
    changed or could do nothing.
    """
    from isel.cli.launcher.server import ask, carry_out

    said, answer = (os.path.join(job.folder, name) for name in ("isel.said", "isel.answer"))
    order = order_of(job)
    spent = ask(order, answer, said)
    code = 0
    if spent is None:
        code = children.run_forked(lambda: carry_out(order, answer), said=said)
    else:
        counts |= {"served": 1, "milliseconds": spent}
    if code:
        counts[_why_kept(job, code, said)] = 1
        return ""
    with open(answer, encoding="utf-8", errors="replace") as file:
        for line in file:
            n, _, name = line.rstrip("\n").partition(" ")
            if n.isdigit():
                counts[name] = int(n)
            elif n == "warning:":
                say_once(line.strip(), job.arguments, os.environ)
            else:  # why a function is as it was
                counters.log(f"{job.what.output}: {line.strip()}")
    if not counts.get("rewritten"):
        return ""
    counts["rewritten files"] = 1
    return "text" if job.version >= READING else "object"


def _why_kept(job: Job, code: int, said: str) -> str:
    """Say why the rewriter did nothing, and log its last words, which are in the file ``said``."""
    if wrong_flags(os.environ.get("ISEL_FLAGS", ""), job.arguments, os.environ):
        return "kept: ISEL_FLAGS"
    with open(said, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    last = next((x for x in reversed(lines) if x.strip()), "it said nothing")
    counters.log(f"{job.what.output}: the rewriter ended with {code}: {last}")
    return "kept: the rewriter failed"


def order_of(job: Job) -> Values:
    """Return the values of an order."""
    flags = os.environ.get("ISEL_FLAGS", "")
    return (
        job.ir,
        job.rewritten,
        job.what.source,
        job.version if job.version >= READING else 0,
        job.what.level,
        flags,
        "" if job.remarks is None else job.notes,
        "effort" not in flags and not os.environ.get("SOURCE_DATE_EPOCH"),
        os.path.abspath(job.what.output),
    )
