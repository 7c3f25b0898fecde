"""The lines that one ``isel opt`` with a search loads, workers and children included."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from bench.harness.clang import ir_of
from tests.roof.sources import ROOT, length, modules, room_of

MODULE: Final = "examples/q15_multiply.ll"
LOOP: Final = "bench/c/matmul_u8i8.c"
# An audit hook stays in what is forked; a process writes one word at a time.
_RUN = """
import os, sys
out = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
sys.addaudithook(lambda event, words: event == "import" and os.write(out, words[0].encode() + b"\\n"))
sys.argv = ["isel", *sys.argv[2:]]
from isel.cli import entry
entry()
"""


def loaded(module: str = MODULE) -> Counter[str]:
    """Return the lines that rewriting a module loads, by room; ``.rules`` are read as well."""
    found: Counter[str] = Counter()
    for name in sorted(imported(module)):
        found[room_of(name)] += length(name)
    found["isel/rules"] += sum(
        len(p.read_text().splitlines()) for p in (ROOT / "isel" / "rules").glob("*.rules")
    )
    return found


def loaded_by_loop() -> Counter[str]:
    """Return the same for a C loop that transforms change and prove."""
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder, "loop.ll")
        module.write_text(ir_of(ROOT / LOOP, "znver4", wide=True))
        return loaded(str(module))


def imported(module: str) -> set[str]:
    """Return the modules of the product that rewriting a module imports."""
    with tempfile.TemporaryDirectory() as folder:
        names, home = Path(folder, "names"), Path(folder, "home")
        names.touch()
        command = [sys.executable, "-c", _RUN, str(names), "opt", module, "-S", "-o", os.devnull]
        environment = {**os.environ, "XDG_CACHE_HOME": str(home), "XDG_STATE_HOME": str(home)}
        subprocess.run(
            [*command, "--cache=off", "-j2"], cwd=ROOT, env=environment, check=True, timeout=300
        )
        words = set(names.read_text().split())
    whole = {".".join(w.split(".")[:k]) for w in words for k in range(1, w.count(".") + 2)}
    return whole & modules().keys()
