"""``isel doctor``: what this machine has, what is missing and what that costs.

Plain text, no network.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Final

from frontends.llvm.linked import binding
from isel.cache.store import open_store
from isel.cli.versions import version_text
from isel.distributions import package_version
from isel.json_text import print_json
from isel.workers import processors
from semantics.digest import digests

_VECTOR: Final = (
    "sse2", "ssse3", "sse4.1", "avx", "avx2", "avxvnni", "avx512f", "avx512bw", "avx512vl",
    "avx512vbmi", "avx512vnni", "gfni", "amx-int8",
)  # fmt: skip
_TOOLS: Final = (
    (
        ("llvm-mca-19", "llvm-mca"),
        "no 'make costs', and the test that holds the price tables against it fails",
    ),
    (("clang-19", "clang"), "nothing is lost, the examples are made with the clang of ziglang"),
    (
        ("qemu-aarch64",),
        "no AArch64 code can be run here, nor 'isel semantics fuzz' of it: install qemu-user",
    ),
    (("qemu-hexagon",), "no Hexagon code can be run here"),
)
_MODULES: Final = (
    ("halide", "halide", "there is no 'isel halide', and the Halide examples cannot be made again"),
    ("ziglang", "ziglang", "the C examples cannot be made again"),
    ("matplotlib", "matplotlib", "the ablation cannot be plotted"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked for: whether it is there, and what its absence costs."""

    name: str
    present: bool
    detail: str


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel doctor``."""
    if arguments.json:
        versions = [*version_text().splitlines(), f"Python {platform.python_version()}"]
        return print_json({"versions": versions, "findings": [asdict(f) for f in findings()]})
    sys.stdout.write(version_text())
    print(
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, "
        f"{processors()} processors"
    )
    for f in findings():
        print(f"{'ok     ' if f.present else 'missing'} {f.name}: {f.detail}")
    return 0


def findings() -> Iterator[Finding]:
    """Yield everything that is looked for, in a fixed order."""
    yield _cpu()
    yield from _solvers()
    yield from (Finding(f"semantics {name}", True, digest) for name, digest in digests())
    yield _cache()
    for module, distribution, use in _MODULES:
        there = find_spec(module) is not None
        yield Finding(
            module, there, package_version(distribution) if there else f"without it {use}"
        )
    for names, use in _TOOLS:
        path = next((p for p in map(shutil.which, names) if p), None)
        what = f"{path} {_tool_version(path)}".strip() if path else f"without it {use}"
        yield Finding(names[0], path is not None, what)


def _cpu() -> Finding:
    have, cpu = binding.host_features(), binding.host_cpu()
    known = " ".join(name for name in _VECTOR if name in have)
    if not known:
        return Finding("CPU", False, f"{cpu}: no vector features known here")
    lacking = " ".join(name for name in _VECTOR if name not in have)
    cost = f"; lacks {lacking}: code for these cannot be run or timed here" if lacking else ""
    return Finding("CPU", True, f"{cpu} with {known}{cost}")


def _solvers() -> Iterator[Finding]:
    from isel.ir.build import ne
    from isel.ir.expr import term, var
    from isel.smt.bitwuzla_solver import BitwuzlaSolver
    from isel.smt.query import Query, Solver, Unsat
    from isel.smt.versions import solver_versions, uncounted
    from isel.smt.z3_solver import Z3Solver

    a, b = var("a", 8), var("b", 8)
    query = Query((ne(term("add", a, b), term("add", b, a)),))
    solvers: tuple[Solver, ...] = (BitwuzlaSolver(), Z3Solver())
    versions = solver_versions()
    for solver in solvers:
        answers = isinstance(solver.check(query, 1_000_000), Unsat)
        installed = versions[solver.name]
        why = uncounted(solver.name, installed)
        what = "does not prove a + b = b + a: proofs rest on the other solver"
        if answers:
            what = f"{installed} answers{'; ' if why else ''}{why}"
        yield Finding(solver.name, answers, what)


def _cache() -> Finding:
    store = open_store(None)
    if store is None:
        return Finding("cache", False, "off by $ISEL_CACHE: every search is done again")
    with closing(store):
        seed = f"seed of {store.seed.counts()[0]} results" if store.seed else "no seed"
        if store.overlay is None:
            why = f"no file of this user's can be written ({seed}): new results are not kept"
            return Finding("cache", False, why)
        kept = f"{store.overlay.path}, {store.overlay.counts()[0]} results; {seed}"
        return Finding("cache", True, kept)


def _tool_version(path: str) -> str:
    try:
        command, env = [path, "--version"], {**os.environ, "LC_ALL": "C"}
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=10, check=False, env=env
        )
    except (OSError, subprocess.SubprocessError):
        return "(does not start)"
    return next(
        (line.strip() for line in done.stdout.splitlines() if "version" in line.lower()), ""
    )
