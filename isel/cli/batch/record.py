"""What is kept of a module beside its output, and whether that still holds: by a hash of its
bytes, the flags and the tool.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from isel.cli.batch.task import Answer, Fate, Task
from isel.json_text import to_json
from isel.trust import UNREADABLE

_FORMAT: Final = "isel batch 1"
REWRITTEN: Final = "rewritten"
UNCHANGED: Final = "unchanged"
_SETTLED: Final = (REWRITTEN, UNCHANGED, str(Fate.REFUSED))


def key_of(task: Task) -> str:
    """Return a hash of everything that an answer depends on; the cache and the number of
    processes are no part of it.
    """
    made = hashlib.sha256()
    for part in (_FORMAT, task.tool, task.name, task.suffix, *task.flags):
        made.update(part.encode(errors="surrogateescape") + b"\0")
    made.update(task.data)
    return made.hexdigest()


def record(task: Task, answer: Answer) -> str:
    """Return what is written beside the output: what ``--stats-json`` has, and how it ended."""
    stats = json.loads(answer.stats) if answer.fate is Fate.DONE else {"file": task.name}
    status = str(answer.fate)
    if answer.fate is Fate.DONE:
        status = REWRITTEN if stats["windows_rewritten"] else UNCHANGED
        stats["output"] = _hash(answer.output)
    record = {**stats, "status": status, "error": answer.said, "key": key_of(task)}
    return f"{to_json(record, indent=2, sort_keys=True)}\n"


def still_true(text: str, task: Task, output: Path) -> bool:
    """Tell whether a record is that of a task, and its output is there."""
    try:
        found = json.loads(text)
        if (
            not isinstance(found, Mapping)
            or found["key"] != key_of(task)
            or found["status"] not in _SETTLED
        ):
            return False
        return bool(
            found["status"] == Fate.REFUSED or found["output"] == _hash(output.read_bytes())
        )
    except (*UNREADABLE, OSError):
        return False


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
