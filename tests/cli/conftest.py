"""Runs command lines in this process or in one of their own, with a cache of their own."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from isel.cache import store
from isel.cli import main
from isel.places import cache_folder
from semantics import targets

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def indices(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """The indices of all targets, made once for the commands that start with a cache folder of
    their own; copies, since other processes may tidy the user's folder.
    """
    folder = cache_folder(os.environ)
    for target in targets():
        assert target.instructions()
    if folder is None:
        return ()
    copies = tmp_path_factory.mktemp("indices")
    for index in folder.glob("*.index"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copy(index, copies)
    return tuple(copies.iterdir())


@pytest.fixture(autouse=True)
def _own_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, indices: tuple[Path, ...]
) -> Iterator[None]:
    (tmp_path / "own-cache").mkdir(mode=0o700)
    for index in indices:
        shutil.copy(index, tmp_path / "own-cache")
    monkeypatch.setenv("ISEL_CACHE", str(tmp_path / "own-cache"))
    monkeypatch.setattr(store, "seed_path", lambda: tmp_path / "no-seed")
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def strictly(words: tuple[str | Path, ...]) -> list[str]:
    """Return a command line that lets bugs end the run: in tests no failure may pass for a
    window that is left alone.
    """
    return [str(w) for w in words] + [
        "--strict"
        for command in words[:1]
        if command in ("opt", "halide") and "--help" not in words
    ]


@pytest.fixture
def isel(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Ran]:
    """Run a command line in this process, with ``--strict`` where ``strict`` is not False."""

    def run(*words: str | Path, strict: bool = True) -> Ran:
        capfdbinary.readouterr()
        code = main(strictly(words) if strict else [str(w) for w in words])
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode(errors="replace"), err.decode(errors="replace"))

    return run


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a command in a process of its own."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


@pytest.fixture
def spawned() -> Callable[..., Ran]:
    """Run a command line in a process of its own."""

    def run(*words: str | Path, stdin: bytes = b"", **more: str) -> Ran:
        command = [sys.executable, "-m", "isel", *strictly(words)]
        done = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            env=environment(**more),
            timeout=100,
            check=False,
        )
        return Ran(
            done.returncode,
            done.stdout.decode(errors="replace"),
            done.stderr.decode(errors="replace"),
        )

    return run
