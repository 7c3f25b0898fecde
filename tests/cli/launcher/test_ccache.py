"""ccache before the launcher is right, or the launcher compiles unchanged and says so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.launcher.running import PROJECT, ROOT, Launcher

FLAGS = ("-O2", "-ftree-vectorize", "-march=haswell", f"-I{PROJECT}", "-c", f"{PROJECT}/hot.c")


@pytest.fixture
def behind(launcher: Launcher, tmp_path: Path) -> Launcher:
    """Return the launcher with an environment in which ccache runs it."""
    own = {
        "CCACHE_DIR": str(tmp_path / "ccache"),
        "CCACHE_PREFIX": str(launcher.path),
        "CCACHE_COMPILERCHECK": f"{launcher.path} %compiler% --ccache-key",
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    return replace(launcher, environment={**launcher.environment, **own})


def built(launcher: Launcher, folder: Path, compiler: str = "clang-19", **more: str) -> bytes:
    """Return the object that a build with ccache makes."""
    (folder / "a.o").unlink(missing_ok=True)
    ran = launcher.plain("ccache", compiler, *FLAGS, "-o", "a.o", cwd=folder, **more)
    assert ran.code == 0, ran
    return (folder / "a.o").read_bytes()


def expected(
    launcher: Launcher, folder: Path, compiler: str = "clang-19", start: Sequence[str | Path] = ()
) -> bytes:
    """Return the object of a build without ccache."""
    ran = launcher.plain(*start, compiler, *FLAGS, "-o", "b.o", cwd=folder)
    assert ran.code == 0, ran
    return (folder / "b.o").read_bytes()


@pytest.mark.tools
def test_objects_are_those_of_the_settings(behind: Launcher, tmp_path: Path) -> None:
    """Each the first time and from ccache."""
    plain = expected(behind, tmp_path)
    ours = expected(behind, tmp_path, start=(behind.path,))
    assert plain != ours
    for _ in range(2):
        assert built(behind, tmp_path) == ours
        assert built(behind, tmp_path, ISEL_DISABLE="1") == plain
        # Registers are narrower, so nothing is rewritten.
        assert built(behind, tmp_path, ISEL_FLAGS="--effort=0 --vector-width=64") == plain
    log = behind.log.read_text()
    behind.log.unlink()
    built(behind, tmp_path)
    assert not behind.log.exists(), log  # ccache had it


@pytest.mark.tools
def test_another_compiler_of_the_same_name(behind: Launcher, tmp_path: Path) -> None:
    clang = tmp_path / "clang"
    found = []
    for name in ("clang-16", "clang-19", "clang-16"):
        clang.unlink(missing_ok=True)
        clang.symlink_to(os.path.realpath(shutil.which(name) or name))
        found.append(built(behind, tmp_path, str(clang)))
    assert found[0] == found[2] != found[1]


@pytest.mark.tools
def test_another_version_of_the_tool_and_of_semantics(behind: Launcher, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for name in ("isel", "frontends", "semantics", "equiv_classes"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))

    def key(**more: str) -> str:
        words = ("clang-19", "--ccache-key")
        ran = behind(*words, cwd=tmp_path, PYTHONPATH=str(copy), **more)
        assert (ran.code, ran.err) == (0, "")
        return ran.out

    first = key()
    assert key() == first
    with (copy / "isel" / "verify" / "prove.py").open("a") as file:
        file.write("# another version\n")
    second = key()
    (tmp_path / "own").mkdir()
    third = key(ISEL_SEMANTICS=str(tmp_path / "own"))
    (tmp_path / "own" / "x86.sem").write_text("")
    fourth = key(ISEL_SEMANTICS=str(tmp_path / "own"))
    fifth = key(ISEL_WHATEVER="1")
    assert len({first, second, third, fourth, fifth}) == 5
    assert key(ISEL_LOG="elsewhere") == second


@pytest.mark.tools
@pytest.mark.parametrize(
    "check", ["mtime", "content", "%compiler% --ccache-key", "LAUNCHER clang-16 --ccache-key"]
)
def test_without_the_key_files_are_compiled_unchanged(
    check: str, behind: Launcher, tmp_path: Path
) -> None:
    """And that is said once."""
    plain = expected(behind, tmp_path)
    check = check.replace("LAUNCHER", str(behind.path))
    chained = {"CCACHE_COMPILERCHECK": check, "CCACHE_PREFIX": ""}
    said = ""
    for name in ("a.o", "b.o"):
        words = ("ccache", behind.path, "clang-19", *FLAGS, "-o", name)
        ran = behind.plain(*words, cwd=tmp_path, **chained)
        assert ran.code == 0, ran
        assert (tmp_path / name).read_bytes() == plain
        said += ran.err
        (tmp_path / "ccache" / "ccache.conf").unlink(missing_ok=True)
        shutil.rmtree(tmp_path / "ccache")
    assert said.count("compiled unchanged below ccache") == 1
    assert said.count("\n") == 1


@pytest.mark.tools
def test_a_check_of_the_configuration_file(behind: Launcher, tmp_path: Path) -> None:
    ours = expected(behind, tmp_path, start=(behind.path,))
    (tmp_path / "ccache").mkdir()
    (tmp_path / "ccache" / "ccache.conf").write_text(
        f"compiler_check = {behind.path} %compiler% --ccache-key\n"
    )
    del behind.environment["CCACHE_COMPILERCHECK"]
    assert built(behind, tmp_path) == ours


@pytest.mark.tools
def test_before_the_launcher_of_a_named_compiler(behind: Launcher, tmp_path: Path) -> None:
    """As CMake's list of launchers, ccache first."""
    ours = expected(behind, tmp_path, start=(behind.path,))
    check = {"CCACHE_COMPILERCHECK": "%compiler% clang-19 --ccache-key", "CCACHE_PREFIX": ""}
    words = ("ccache", behind.path, "clang-19", *FLAGS, "-o", "a.o")
    for _ in range(2):
        ran = behind.plain(*words, cwd=tmp_path, **check)
        assert (ran.code, ran.err) == (0, "")
        assert (tmp_path / "a.o").read_bytes() == ours
