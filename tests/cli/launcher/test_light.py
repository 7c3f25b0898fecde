"""What a compile without vectors imports, and what stands in for slower modules."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isel.cli.launcher import light
from isel.cli.launcher.classify import Compile
from isel.cli.launcher.vectors import has_vectors

SLOW = {"collections", "contextlib", "dataclasses", "enum", "functools", "pathlib", "re", "signal"}


def test_the_launcher_imports_nothing_slow() -> None:
    code = "import sys; from isel.cli.launcher import run; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "isel.cli.launcher.run" in loaded
    assert not loaded & (SLOW | {"subprocess", "typing"})


PIECES = ("<", "4", "16", " x i", "8", "32", ">", "[", " x ", "i", "a", "\n")


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_vectors_are_found_as_by_a_pattern(text: str) -> None:
    assert has_vectors(text.encode()) == bool(re.search(r"<\d+ x i\d", text))


def test_records_are_values() -> None:
    one = Compile("a.c", "a.o", ("-w",), ())
    assert one == Compile(source="a.c", output="a.o", front=("-w",), back=(), level=1)
    assert one != Compile("a.c", "a.o", ("-w",), (), level=2)
    assert len({one, Compile("a.c", "a.o", ("-w",), ())}) == 1
    assert (one.level, one.kept, one.stem) == (1, None, "a")


def test_suppress_lets_only_what_it_names_pass() -> None:
    with light.suppress(OSError, ValueError):
        int("x")
    with pytest.raises(KeyError), light.suppress(OSError):
        {}["x"]  # type: ignore[index]
    with contextlib.nullcontext(), light.suppress(OSError):
        raise FileNotFoundError
