"""The command lines of both steps, and the look at the text between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.launcher.classify import Compile, classify
from isel.cli.launcher.compiler import Compiler
from isel.cli.launcher.job import Job, back, front
from isel.cli.launcher.remarks import LOCATED, Wanted
from isel.cli.launcher.rewriting import holds_vectors

CLANG = Compiler(("ccache", "clang-19"), ("clang-19",))


def job(remarks: Wanted | None) -> Job:
    words = ["-O2", "-Iinclude", "-fPIC", "-c", "x/a.c", "-o", "y/a.o"]
    what = classify(words, {})
    assert isinstance(what, Compile)
    return Job(CLANG, tuple(words), 19, what, "f", remarks)


def test_the_steps_of_a_compile() -> None:
    plain = front(job(None))
    assert plain[:4] == ["ccache", "clang-19", "-O2", "-Iinclude"]
    assert plain[-3:] == ["-o", "f/a.ll", "x/a.c"]
    assert LOCATED not in plain
    second = back(job(None), "f/a.ll")
    assert "-Iinclude" not in second and second[-3:] == ["-o", "f/isel.o", "f/a.ll"]


def test_remarks_need_lines() -> None:
    plain, located = front(job(None)), front(job(Wanted("told", ())))
    assert [w for w in located if w not in plain] == [LOCATED]
    assert back(job(Wanted("told", ())), "x") == back(job(None), "x")


@pytest.mark.parametrize(
    ("text", "vectors"), [("  %a = add <4 x i32> %b, %c\n", True), ("  ret i32 0\n", False)]
)
def test_vectors(tmp_path: Path, text: str, vectors: bool) -> None:
    path = tmp_path / "a.ll"
    path.write_text(f"{text}uselistorder i32 0, {{ 1, 0 }}\n")
    assert holds_vectors(str(path), {}) is vectors
    assert path.read_text() == text
