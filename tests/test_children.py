"""Calls in children: what they return, how they die, and that nothing of them is left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from select import select

from tests.children import Died, Done, Late, in_children


def _act(what: str) -> str:
    match what:
        case "raise":
            raise ValueError("two\nlines")
        case "abort":
            os.abort()
        case "exit":
            os._exit(0)
        case "sleep":
            time.sleep(60)
        case "print":
            sys.stdout.write("not seen")
        case "memory":
            return str(len(bytearray(1 << 30)))
    return f"{what} done" * (1 + (what == "long") * 100_000)


def test_answers() -> None:
    words = ["a", "raise", "abort", "exit", "sleep", "print", "long", "memory"]
    found = dict(in_children(_act, words, jobs=3, seconds=2, megabytes=900))
    told = {words[k]: v for k, v in found.items()}
    reasons = {w: v.reason for w, v in told.items() if isinstance(v, Died)}
    assert reasons == {
        "raise": "ValueError: two lines",
        "abort": "ended by SIGABRT",
        "exit": "ended without an answer",
        "memory": "MemoryError: ",
    }
    assert isinstance(told["sleep"], Late)
    assert {w: len(v.value) for w, v in told.items() if isinstance(v, Done)} == {
        "a": 6,
        "print": 10,
        "long": 900_009,
    }


def _leaves_a_child(pipe: int) -> str:
    subprocess.Popen(["sleep", "60"], pass_fds=[pipe])
    return "gone"


def test_a_child_leaves_nothing_behind() -> None:
    """What a call started ends with it: the last end of the pipe is closed."""
    ours, theirs = os.pipe()
    ((_, found),) = in_children(_leaves_a_child, [theirs], jobs=1, seconds=30)
    os.close(theirs)
    assert isinstance(found, Done)
    assert select([ours], [], [], 20)[0] == [ours]
    os.close(ours)
