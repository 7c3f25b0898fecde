"""Counts of a run reach the rewriter by the step that makes IR; what clang says and writes of a
profile is what it says and writes without the launcher.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.launcher.running import Launcher
from tests.cli.launcher.test_same_object import SCALAR, SOURCES, compiled

FLAGS = ("-O2", "-ftree-vectorize", "-march=haswell")
LOOP = """
void {0}(unsigned char *restrict out, const unsigned char *restrict a,
         const unsigned char *restrict b, long n) {{
    for (long i = 0; i < n; ++i) {{
        int difference = a[i] - b[i];
        out[i] = difference < 0 ? 0 : difference;
    }}
}}
"""
TWO = LOOP.format("first") + LOOP.format("second")
# What makes clang instrument a function, and its counters where it is called so many times.
INSTRUMENTED = {
    "-fprofile-use": ("-fprofile-generate", ("{0}000", "{0}")),
    "-fprofile-instr-use": ("-fprofile-instr-generate", ("{0}", "{0}000", "{0}00")),
}
_HASH = re.compile(r"^@__profd_(\w+) = .*?\{ i64 -?\d+, i64 (-?\d+), ", re.MULTILINE)


def write_profile(
    launcher: Launcher, path: Path, use: str, calls: Mapping[str, int], *, outdated: int = 0
) -> None:
    """Write a profile of ``two.c`` as a run would: to link that needs a library which clang's
    package does not bring along.
    """
    if use == "-fprofile-sample-use":
        sample = "{0}:{1}000:{1}\n 3: {1}000\n 4: {1}000\n 5: {1}000\n"
        path.write_text("".join(sample.format(name, n) for name, n in calls.items()))
        return
    generate, counters = INSTRUMENTED[use]
    words = ("clang-19", *FLAGS, generate, "-S", "-emit-llvm", "two.c", "-o", "counted.ll")
    assert launcher.plain(*words, cwd=path.parent).code == 0
    text = ":ir\n" if use == "-fprofile-use" else ""
    for name, key in _HASH.findall((path.parent / "counted.ll").read_text()):
        rows = [name, str(int(key) % 2**64 + outdated), str(len(counters))]
        text += "\n".join([*rows, *(c.format(calls[name]) for c in counters), "\n"])
    (path.parent / "counts").write_text(text)
    merged = launcher.plain("llvm-profdata-19", "merge", "counts", "-o", path, cwd=path.parent)
    assert merged.code == 0, merged


@pytest.mark.tools
@pytest.mark.parametrize("use", [*INSTRUMENTED, "-fprofile-sample-use"])
def test_the_function_that_ran_most_is_searched_first(
    use: str, launcher: Launcher, tmp_path: Path
) -> None:
    """Another profile in the same file is another order, whatever is kept of the one before."""
    (tmp_path / "two.c").write_text(TWO)
    words = ("clang-19", *FLAGS, f"{use}=profile", "-MD", "-c", "two.c")
    log = tmp_path / "log"
    more = {"ISEL_FLAGS": "", "ISEL_LOG": str(log)}
    for names in (("first", "second"), ("second", "first")):
        calls = dict(zip(names, (300, 100), strict=True))
        write_profile(launcher, tmp_path / "profile", use, calls)
        ran = launcher(*words, cwd=tmp_path, **more)
        assert (ran.code, ran.out, ran.err) == (0, "", "")
        said = log.read_text()
        assert re.findall(r"@(\w+) comes first: ", said) == list(names)
        assert ", 4 rewritten, " in said
        log.unlink()
    made = (tmp_path / "two.o").read_bytes()
    assert launcher(*words, cwd=tmp_path, **more, ISEL_CACHE="off").code == 0
    assert (tmp_path / "two.o").read_bytes() == made
    rule = (tmp_path / "two.d").read_text()
    assert launcher.plain(*words, cwd=tmp_path).code == 0
    assert (tmp_path / "two.d").read_text() == rule


@pytest.mark.tools
def test_what_clang_says_of_a_profile_is_said_once(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one that fits, one of another source, one that is none and one that is not there."""
    monkeypatch.setitem(SOURCES, "two.c", TWO)
    (tmp_path / "two.c").write_text(TWO)
    (tmp_path / "none").write_text("no profile\n")
    place = tmp_path / "place"
    place.mkdir()
    said, calls = set(), {"first": 9, "second": 99}
    for use in INSTRUMENTED:
        write_profile(launcher, tmp_path / "good", use, calls)
        write_profile(launcher, tmp_path / "old", use, calls, outdated=1)
        for name in ("good", "old", "none", "missing"):
            words = ["clang-19", *FLAGS, *SCALAR, "-g", f"{use}={tmp_path / name}", "-MD", "-c"]
            plain = compiled(launcher, words, "two.c", place)
            assert compiled(launcher, [str(launcher.path), *words], "two.c", place) == plain, words
            said.add((name, plain[0], bool(plain[1])))
    assert said == {("good", 0, False), ("old", 0, True), ("none", 1, True), ("missing", 1, True)}
