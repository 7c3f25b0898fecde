"""What loading rewritten functions from numba's cache costs a second process."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

_MODULE: Final = """
import sys
{enable}
import numba
from bench.numba.kernels import KERNELS
for row in KERNELS:
    if row.name in {names!r}:
        compiled = numba.njit(row.signature, cache=True)(row.kernel)
        assert {hits} == sum(compiled.stats.cache_hits.values()), compiled.stats
"""
_ENABLE: Final = "import isel.numba; isel.numba.enable(time_limit=120.0)"
_RUNS: Final = 7


def second_process(names: Sequence[str]) -> float:
    """Return the CPU seconds by which a process that loads these kernels from numba's cache takes
    longer with isel: the median of some runs, in turns.
    """
    ways = "", _ENABLE
    with tempfile.TemporaryDirectory() as folder:
        for enable in ways:
            _run(_MODULE.format(enable=enable, names=names, hits=0), Path(folder))
        texts = [_MODULE.format(enable=enable, names=names, hits=1) for enable in ways]
        runs = [[_run(text, Path(folder)) for text in texts] for _ in range(_RUNS)]
    return median(new - old for old, new in runs)


def _run(text: str, folder: Path) -> float:
    """Return the CPU seconds of a Python process, and of those that it waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    subprocess.run([sys.executable, "-c", text], check=True, env=variables)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
