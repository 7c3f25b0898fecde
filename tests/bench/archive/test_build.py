"""The archive: the same bytes each time, run by Python alone here, and its code for AArch64 by an
emulator.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench.archive.build import archive, linked, objects, retargeted, symbol
from bench.archive.levels import LEVELS
from bench.archive.table import read
from bench.harness.kernels import find
from bench.harness.measure import inputs_of
from bench.measure.timing import SEED
from frontends.llvm.linked import binding

KERNEL = find("bench.kernels", "c_saturating_add")
MAIN = """\
#include <stdio.h>
#include <stdint.h>
static uint8_t a[1 << 16], b[1 << 16], out[1 << 16];
void %s(int64_t, void *, void *, void *, int64_t);
int main(int count, char **names) {
  FILE *f = fopen(names[1], "rb"), *g = fopen(names[2], "rb");
  fread(a, 1, sizeof a, f);
  fread(b, 1, sizeof b, g);
  %s(1, a, b, out, %d);
  fwrite(out, 1, %d, stdout);
}
"""


def test_levels_have_files_of_their_own() -> None:
    assert len({x.file for x in LEVELS}) == len(LEVELS)


@pytest.mark.parametrize("level", LEVELS, ids=lambda x: x.file)
def test_ir_is_for_the_system_of_the_level(level: object) -> None:
    triple = next(x for x in LEVELS if x is level).triple
    text = binding.normalise(retargeted("define void @f() {\n  ret void\n}\n", triple))
    assert f'target triple = "{triple}"' in text and "target datalayout" in text


def test_an_archive_is_the_same_again_and_python_alone_runs_it(tmp_path: Path) -> None:
    said: list[str] = []
    first, second = (archive([KERNEL], LEVELS[:1], said.append) for _ in range(2))
    assert first == second and said == ["x86-64-v3 for Linux"] * 2
    (tmp_path / "b.pyz").write_bytes(first)
    command = [sys.executable, "-I", "-S", "b.pyz", "--quick"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (row,) = read(done.stdout, "table").rows
    assert (row.level, row.kernel) == ("x86-64-v3", KERNEL.name)


@pytest.mark.tools
def test_code_for_aarch64_computes_what_is_known(tmp_path: Path) -> None:
    """There is no Python for it here: a program of C calls the loops that the library has."""
    emulator = shutil.which("qemu-aarch64")
    assert emulator is not None, "qemu-aarch64 is missing: apt-get install qemu-user"
    level = next(x for x in LEVELS if x.name == "neon")
    code = objects([KERNEL], level)
    arrays, output = inputs_of(KERNEL, SEED, 0), KERNEL.empty_output()
    for k, array in enumerate(arrays):
        (tmp_path / str(k)).write_bytes(array.tobytes())
    for version in ("before", "after"):
        name = symbol(KERNEL.name, version, 32)
        main = tmp_path / "main.c"
        main.write_text(MAIN % (name, name, output.size, output.nbytes))
        program = tmp_path / version
        program.write_bytes(linked(code, level, [str(main), "-static", "-O1"]))
        program.chmod(0o755)
        done = subprocess.run([emulator, program, "0", "1"], cwd=tmp_path, capture_output=True)
        expected = KERNEL.reference(arrays)
        assert np.array_equal(np.frombuffer(done.stdout, expected.dtype), expected.reshape(-1))
