"""Lock files: exact versions with hashes, one version a package, of all that pyproject.toml asks for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
LOCKS = ("all", "base", "quick", "test", "tools")
EXTRAS = {"base": (), "quick": ("clang", "halide"), "test": ("test",)}  # all has each
ROW = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[^ ;]+)(?P<marker> ; [^\\]+)?")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def rows(lock: str) -> dict[str, str]:
    """The versions of a lock file by package; each must have a hash, and nothing else may be said."""
    text = (ROOT / "requirements" / f"{lock}.lock").read_text()
    found = {}
    for entry in re.sub(r"(?m)^#.*\n", "", text).replace(" \\\n    ", "\0").splitlines():
        name, *hashes = entry.split("\0")
        said = ROW.fullmatch(name)
        assert said and hashes and all(map(HASH.fullmatch, hashes)), name
        assert said["name"] not in found, name
        found[said["name"]] = said["version"]
    return found


def asked(lock: str) -> list[Requirement]:
    read = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = read["project"]
    extras = project["optional-dependencies"]
    wanted = [*read["build-system"]["requires"], *project["dependencies"]]
    for extra in EXTRAS.get(lock, tuple(extras)):
        wanted += extras[extra]
    return [Requirement(r) for r in wanted]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_row_is_exact_and_has_hashes(lock: str) -> None:
    assert len(rows(lock)) > 10


def test_a_package_has_one_version() -> None:
    whole = rows("all")
    assert {k: v for lock in EXTRAS for k, v in rows(lock).items() if whole[k] != v} == {}


@pytest.mark.parametrize("lock", [*EXTRAS, "all"])
def test_what_pyproject_asks_for_is_locked(lock: str) -> None:
    found = rows(lock)
    wrong = [
        str(r)
        for r in asked(lock)
        if not r.specifier.contains(found.get(r.name.lower(), "0"), prereleases=True)
    ]
    assert wrong == [], "type: make lock"


def test_the_tools_of_a_release_are_locked() -> None:
    assert {"uv", "twine"} <= rows("tools").keys()
