"""The table of builds: sums, and what is most above the plain compile."""

from __future__ import annotations

from pathlib import Path

from bench.builds.table import File, table


def test_a_table() -> None:
    one = File(Path("a.c"), "clang-19", ["-O2"], 0.1, 0.6, 0.12, 0.2, 3.0, 1, 2, 2)
    two = File(Path("b.cpp"), "clang-19", ["-O2"], 1.0, 1.1, 0.9, 1.0, 1.2, 0, 0, 1)
    assert one.command() == ["clang-19", "-O2", "-c", "a.c", "-o", "a.c.o"]
    assert two.command()[0] == "clang++-19"
    text = table([one, two], 4.0).splitlines()
    assert text[3].split() == ["all", "1.10", "1.70", "1.02", "1.20", "4.20", "1", "2", "3"]
    assert text[4] == "most above plain: first 0.50, warm 0.02"
    assert text[5] == "journal: 4.0"
