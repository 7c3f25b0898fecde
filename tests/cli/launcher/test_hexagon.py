"""C for Hexagon behind the launcher: a loop of bytes becomes averages of whole registers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.launcher.running import Launcher

AVERAGE = """\
void average(const unsigned char *restrict a, const unsigned char *restrict b,
             unsigned char *restrict to) {
  for (int i = 0; i < 4096; i++) to[i] = (unsigned char)((a[i] + b[i] + 1) >> 1);
}
"""
CPU = "-mcpu=hexagonv66+hvxv66+hvx_length128b"


@pytest.mark.tools
def test_a_loop_is_rewritten(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "average.c").write_text(AVERAGE)
    clang = (sys.executable, "-m", "ziglang", "cc", "-target", "hexagon-linux-musl", CPU)
    flags = ("-O3", "-mllvm", "-hexagon-autohvx", "-S", "average.c", "-o")
    found: list[str] = []
    for run, name in ((launcher.plain, "plain.s"), (launcher, "ours.s")):
        assert run(*clang, *flags, name, cwd=tmp_path).code == 0
        found.append((tmp_path / name).read_text())
    plain, ours = found
    assert "vavg" not in plain and "vavg(" in ours and ":rnd" in ours
    assert ours.count("}") < plain.count("}")
