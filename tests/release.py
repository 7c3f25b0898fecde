"""``python -m tests.release``: build the wheel and the source distribution of HEAD, try both in
environments that hold nothing else, under every Python on PATH that isel supports, and say what to
upload. Needs git, tar and an index of packages; 1 where anything fails.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
EXAMPLE: Final = ROOT / "examples" / "dot4.ll"
CPU: Final = "sapphirerapids"
EXPECTED: Final = "@llvm.x86.avx512.vpdpbusd.512"  # what becomes of the example for that CPU
_PROBE: Final = "import ensurepip, sys, venv; print('%d.%d.%d' % sys.version_info[:3])"
_NOT_FOUND: Final = 127  # what shells, and the shims of version managers, say of no such program
_SECONDS: Final = 1800


class Failed(Exception):
    """A command that failed, with the end of what it said."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python to try a distribution with."""

    path: Path
    version: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a candidate says when asked for its version."""

    code: int
    version: str = ""


def run(*words: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> str:
    """Return the standard output of a command; :class:`Failed` where it fails."""
    command = [str(w) for w in words]
    try:
        done = subprocess.run(
            command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Failed(f"{' '.join(command)}: {problem}") from None
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()[-12:]
        raise Failed("\n  ".join([f"{' '.join(command)}: exit code {done.returncode}", *said]))
    return done.stdout


def asked(path: Path) -> Answer:
    """Ask a candidate for its version; it must be able to make environments."""
    try:
        done = subprocess.run(
            [path, "-I", "-c", _PROBE], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return Answer(1)
    return Answer(done.returncode, done.stdout.strip())


def candidates(path: str, least: tuple[int, int]) -> list[list[Path]]:
    """Return the programs ``pythonX.Y`` of the folders of a PATH, by version, the oldest first."""
    found: dict[tuple[int, int], list[Path]] = {}
    for folder in dict.fromkeys(path.split(os.pathsep)):
        for file in sorted(Path(folder).glob("python3.*")) if folder else []:
            named = re.fullmatch(r"python(\d+)\.(\d+)", file.name)
            if named and (version := (int(named[1]), int(named[2]))) >= least:
                found.setdefault(version, []).append(file)
    return [files for _, files in sorted(found.items())]


def interpreters(
    path: str, least: tuple[int, int], ask: Callable[[Path], Answer] = asked
) -> tuple[list[Interpreter], list[str]]:
    """Return an interpreter a version, the first on the PATH, and a line for each that is there
    and cannot be tried.  A name behind which there is no program is no interpreter.
    """
    good: list[Interpreter] = []
    bad: list[str] = []
    for files in candidates(path, least):
        for file in files:
            answer = ask(file)
            if answer.code == 0:
                good.append(Interpreter(file, answer.version))
                break
            if answer.code != _NOT_FOUND:
                bad.append(
                    f"{file}: makes no environment; on Debian type: apt install {file.name}-venv"
                )
                break
    return good, bad


def least_version() -> tuple[int, int]:
    """Return the oldest Python that pyproject.toml admits."""
    wanted = _project()["requires-python"]
    named = re.fullmatch(r">=(\d+)\.(\d+)", str(wanted))
    if named is None:
        raise Failed(f"pyproject.toml: requires-python is {wanted}, expected >=X.Y")
    return int(named[1]), int(named[2])


def _project() -> dict[str, object]:
    read: dict[str, dict[str, object]] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return read["project"]


def commit() -> str:
    """Return the commit that is released; :class:`Failed` where files differ from it."""
    changed = run("git", "status", "--porcelain", "--untracked-files=no").splitlines()
    if changed:
        raise Failed(
            "\n  ".join(["a release is a commit, and these files differ from it:", *changed])
        )
    return run("git", "rev-parse", "HEAD").strip()


def build(revision: str, folder: Path, out: Path) -> list[Path]:
    """Return the distributions of a commit, built apart from the checkout, dated by the commit."""
    tree = folder / "tree"
    run("git", "archive", "--output", folder / "tree.tar", revision)
    tree.mkdir()
    run("tar", "-xf", folder / "tree.tar", "-C", tree)
    date = run("git", "show", "--no-patch", "--format=%ct", revision).strip()
    env = {**outside(os.environ), "SOURCE_DATE_EPOCH": date}
    run(
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--directory",
        folder / "dist",
        cwd=tree,
        env=env,
    )
    out.mkdir(parents=True, exist_ok=True)
    built = sorted((folder / "dist").iterdir())
    if sorted(p.name.removesuffix(".gz").rpartition(".")[2] for p in built) != ["tar", "whl"]:
        raise Failed(f"built {', '.join(p.name for p in built)}, expected a wheel and a .tar.gz")
    return [p.rename(out / p.name) for p in built]


def outside(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which nothing leads to this checkout or to a user's settings of isel."""
    return {
        k: v
        for k, v in environment.items()
        if not k.startswith(("ISEL_", "XDG_", "PYTHON", "MAKE"))
    }


def tried(python: Interpreter, file: Path, folder: Path) -> str:
    """Return the example as the installed distribution rewrites it, in an environment made for it."""
    home = folder / "home"
    home.mkdir(parents=True)
    env = outside(os.environ)
    run(python.path, "-m", "venv", folder / "venv", cwd=folder, env=env)
    programs = folder / "venv" / "bin"
    pip = (programs / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, file, cwd=folder, env=env)
    env["HOME"] = str(home)
    version = file.name.removesuffix(".tar.gz").split("-")[1]
    for words in (
        (programs / "isel", "--version"),
        (programs / "python", "-I", "-c", "import isel; print('isel', isel.__version__)"),
    ):
        said = run(*words, cwd=home, env=env).splitlines()
        if said[:1] != [f"isel {version}"]:
            raise Failed(f"{words[0]} says {said[:1]}, expected isel {version}")
    out = folder / "out.ll"
    run(programs / "isel", "opt", EXAMPLE, f"-mcpu={CPU}", "-S", "-o", out, cwd=home, env=env)
    text = out.read_text()
    if EXPECTED not in text:
        raise Failed(f"isel opt {EXAMPLE.name} -mcpu={CPU}: no {EXPECTED} in what it wrote")
    return text


def check_metadata(files: Sequence[Path], folder: Path) -> str:
    """Return what ``twine check --strict`` says of distributions; :class:`Failed` where it objects."""
    run(sys.executable, "-m", "venv", folder / "tools")
    python = folder / "tools" / "bin" / "python"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "--require-hashes", "-r", ROOT / "requirements" / "tools.lock")
    return run(python, "-m", "twine", "--no-color", "check", "--strict", *files)


def to_upload(files: Sequence[Path]) -> list[str]:
    """Return what to upload: each file with its bytes and SHA-256, and the command."""
    rows = [
        f"{p.name}\t{p.stat().st_size} bytes\tsha256 {hashlib.sha256(p.read_bytes()).hexdigest()}"
        for p in files
    ]
    return [*rows, f"upload: twine upload {' '.join(map(str, files))}"]


def _try_all(files: Sequence[Path], pythons: Sequence[Interpreter], folder: Path) -> list[str]:
    """Return a line for each trial that failed; what is written must be the same everywhere."""
    failures: list[str] = []
    texts: set[str] = set()
    for python in pythons:
        for file in files:
            name = f"Python {python.version}, {file.name}"
            try:
                texts.add(tried(python, file, folder / f"{python.version}-{file.suffix[1:]}"))
                _say(f"{name}: installs, answers and rewrites {EXAMPLE.name}")
            except Failed as problem:
                failures.append(f"{name}: {problem}")
    if len(texts) > 1:
        failures.append(f"{EXAMPLE.name} is rewritten in {len(texts)} ways, expected one")
    return failures


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Make a release's files."""
    parser = argparse.ArgumentParser(prog="python -m tests.release", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder (default: dist)")
    given = parser.parse_args()
    pythons, failures = interpreters(os.environ.get("PATH", ""), least_version())
    if not pythons:
        failures.append("no Python on PATH that isel supports")
    try:
        with tempfile.TemporaryDirectory() as name:
            revision = commit()
            files = build(revision, Path(name), given.out)
            _say(f"built {', '.join(p.name for p in files)} of commit {revision}")
            failures += _try_all(files, pythons, Path(name))
            _say(check_metadata(files, Path(name)).strip())
    except Failed as problem:
        failures.append(str(problem))
    if failures:
        _say("\n".join(["not to be uploaded:", *failures]))
        return 1
    _say("\n".join(to_upload(files)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
