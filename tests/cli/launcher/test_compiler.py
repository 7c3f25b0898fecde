"""Which words are the compiler, which clang it is, and what is remembered of that."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from isel.cli.launcher.compiler import Compiler, clang_version, compiler_in
from isel.cli.launcher.zig import for_zig
from tests.cli.launcher.running import Launcher


def tool(path: Path, says: str = "clang version 17.0.6") -> str:
    path.write_text(f'#!/bin/sh\necho "$0" >> {path.parent}/asked\necho "{says}"\n')
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole $PATH, and a package ``ziglang``."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    (tmp_path / "site" / "ziglang").mkdir(parents=True)
    tool(tmp_path / "site" / "ziglang" / "zig")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site")])
    return folder


def test_the_compiler_and_its_arguments(on_path: Path, tmp_path: Path) -> None:
    zig = str(tmp_path / "site" / "ziglang" / "zig")
    python = tool(on_path / "python3")
    wheel, own = Compiler((zig, "cc"), (zig, "cc")), ("-c", "a.c")
    rows = {
        ("clang-19", *own): Compiler(("clang-19",), ("clang-19",)),
        ("/x/clang++", *own): Compiler(("/x/clang++",), ("/x/clang++",)),
        ("ccache", "clang", *own): Compiler(("ccache", "clang"), ("clang",)),
        ("isel-clang", *own): wheel,
        ("isel-clang++", *own): Compiler((zig, "c++"), (zig, "c++")),
        ("ccache", "isel-clang", *own): Compiler(("ccache", zig, "cc"), (zig, "cc")),
        ("zig", "cc", *own): Compiler(("zig", "cc"), ("zig", "cc")),
        (python, "-m", "ziglang", "cc", *own): Compiler(
            (python, "-m", "ziglang", "cc"), (python, "-m", "ziglang", "cc")
        ),
        (sys.executable, "-m", "ziglang", "cc", *own): wheel,
        own: wheel,
    }
    assert {words: compiler_in(list(words)) for words in rows} == {
        words: (found, list(own)) for words, found in rows.items()
    }


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("-O2 -march=x86-64-v4 -c a.c", "-O2 -march=x86_64_v4 -c a.c"),
        ("-march=corei7-avx", "-march=sandybridge"),
        ("-march=haswell -mtune=icelake-server", "-march=haswell"),
        ("-march=native", "-march=native"),
        ("-mcpu=neoverse-n1+crypto+nosimd", "-mcpu=neoverse_n1+crypto-neon"),
        ("-march=armv8.2-a+fp16", "-march=generic+v8_2a+fullfp16"),
        ("-c -fsyntax-only a.c", "-E -Xclang -fsyntax-only a.c"),
    ],
)
def test_zig_is_told_what_clang_would_take(given: str, taken: str, on_path: Path) -> None:
    assert compiler_in(["isel-clang", *given.split()])[1] == taken.split()
    assert for_zig(given.split()) == taken.split()
    assert compiler_in(["zig", "cc", *given.split()])[1] == given.split()


def test_clang_of_the_path_comes_before_the_wheel(on_path: Path) -> None:
    tool(on_path / "clang")
    assert compiler_in(["-c", "a.c"]) == (Compiler(("clang",), ("clang",)), ["-c", "a.c"])


def test_an_existing_file_is_no_compiler(
    on_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.o").write_text("")
    assert compiler_in(["main.o", "-o", "main"])[1] == ["main.o", "-o", "main"]


def test_there_may_be_none(on_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    assert compiler_in(["-c", "a.c"]) == (None, ["-c", "a.c"])
    assert compiler_in(["isel-clang", "-c", "a.c"]) == (None, ["-c", "a.c"])


@pytest.mark.parametrize(
    ("says", "version"),
    [
        ("clang version 22.1.8", 22),
        ("Debian clang version 19.1.7 (3~deb12u1)", 19),
        ("Ubuntu clang version 14.0.0-1ubuntu1.1", 14),
        ("some wrapper\nclang version 15.0.7", 15),
        ("Apple clang version 15.0.0 (clang-1500.3.9.4)", 0),
        ("AMD clang version 17.0.0", 0),
        ("gcc (Debian 12.2.0) 12.2.0", 0),
        ("", 0),
    ],
)
def test_versions(says: str, version: int, tmp_path: Path) -> None:
    path = tool(tmp_path / "cc", says)
    assert (
        clang_version(Compiler((path,), (path,)), {"XDG_CACHE_HOME": str(tmp_path / "cache")})
        == version
    )


def test_a_compiler_is_asked_once_while_it_is_the_same(tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    path = tool(tmp_path / "cc")
    it = Compiler(("ccache", path), (path,))
    assert [clang_version(it, environment) for _ in range(3)] == [17] * 3
    assert len((tmp_path / "asked").read_text().splitlines()) == 1
    tool(tmp_path / "cc", "clang version 18.1.0")
    os.utime(path, ns=(1, 1))
    assert clang_version(it, environment) == 18
    (tmp_path / "cache" / "isel" / "compilers").write_bytes(b"\xff damaged\n")
    assert clang_version(it, environment) == 18


def test_a_folder_that_cannot_be_written_costs_a_question(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tool(tmp_path / "cc")
    assert [
        clang_version(Compiler((path,), (path,)), {"XDG_CACHE_HOME": str(tmp_path / "file")})
        for _ in range(2)
    ] == [17, 17]


@pytest.mark.tools
@pytest.mark.parametrize(
    ("cpu", "code"), [("x86-64-v4", 0), ("corei7-avx", 0), ("skylake-avx512", 0), ("none", 1)]
)
def test_the_clang_of_the_package_knows_cpus_of_clang(
    cpu: str, code: int, launcher: Launcher, tmp_path: Path
) -> None:
    (tmp_path / "a.c").write_text("#ifdef __AVX__\nint x;\n#else\n#error AVX\n#endif\n")
    words = ("isel-clang", "-O1", f"-march={cpu}")
    assert launcher(*words, "-c", "a.c", cwd=tmp_path).code == code
    assert launcher(*words, "-fsyntax-only", "a.c", cwd=tmp_path).code == code
