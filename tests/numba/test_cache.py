"""numba's own cache with isel: what is kept, under which key, and what a second process loads."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest

import isel
import isel.numba
from tests.numba.conftest import Rewriter, added

SOURCE = """
import numba

@numba.njit(cache=True)
def plus(x):
    for i in range(x.size):
        x[i] += 77

@numba.guvectorize(["void(int64[::1], int64[::1])"], "(n)->(n)", cache=True)
def each(x, out):
    for i in range(x.size):
        out[i] = x[i] + 77
"""
HELD = """
import sys, numpy, isel.numba
isel.numba.enable()
import cached
cached.plus(numpy.zeros(99, "int64"))
print(sum(cached.plus.stats.cache_hits.values()), "isel.api.optimize" in sys.modules)
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "cached.py"
    path.write_text(SOURCE)
    return path


def fresh(path: Path) -> ModuleType:
    """Import the module anew."""
    spec = importlib.util.spec_from_file_location("cached", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load(path: Path) -> tuple[int, int, bool]:
    """Return what the functions of the module, imported anew, add, and whether the first was loaded
    from numba's cache.
    """
    module = fresh(path)
    found = added(module.plus), int(module.each(np.zeros(99, np.int64))[-1])
    return *found, bool(module.plus.stats.cache_hits)


def test_keys_tell_with_from_without(rewriter: Rewriter, source: Path) -> None:
    assert load(source) == (77, 77, False)
    assert load(source) == (77, 77, True)
    isel.numba.enable()
    assert load(source) == (78, 78, False)
    calls = len(rewriter.calls)
    assert load(source) == (78, 78, True) and len(rewriter.calls) == calls
    isel.numba.disable()
    assert load(source) == (77, 77, True)


@pytest.mark.parametrize("change", ["version", "effort", "limit"])
def test_keys_tell_versions_and_settings(
    rewriter: Rewriter, source: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    isel.numba.enable()
    load(source)
    assert load(source)[2]
    if change == "version":
        monkeypatch.setattr(isel, "__version__", "another")
    effort, limit = 1 + (change == "effort"), 20.0 - (change == "limit")
    isel.numba.enable(effort=effort, time_limit=limit)
    assert load(source) == (78, 78, False)


def test_callers_of_what_was_loaded_link_what_numba_made(rewriter: Rewriter, source: Path) -> None:
    """Numba's own bitcode lies beside the rewritten machine code."""
    isel.numba.enable()
    load(source)
    plus = fresh(source).plus
    assert added(plus) == 78 and plus.stats.cache_hits
    isel.numba.disable()
    caller = numba.njit("void(int64[::1])")(lambda x: plus(x))
    text = caller.inspect_llvm()[caller.signatures[0]]
    assert "(i64 77)" in text and "(i64 78)" not in text


def test_a_second_process_needs_no_engine(source: Path, tmp_path: Path) -> None:
    variables = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), str(source.parent)]),
        "NUMBA_CACHE_DIR": str(tmp_path / "numba"),
        "ISEL_CACHE": str(tmp_path / "isel"),
    }
    command = [sys.executable, "-c", HELD]
    runs = [
        subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert [run.split() for run in runs] == [["0", "True"], ["1", "False"]]
