"""Batches of C functions, compiled by the clang of the package ``ziglang`` for a CPU and a
vector width of the seed's.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from bench.harness.clang import cpu_name
from frontends.llvm.linked import binding
from semantics import target_for
from tests.fuzz.c_functions import function
from tests.fuzz.c_nests import CLAMP, nest
from tests.fuzz.case import Batch, Case
from tests.fuzz.lookups import lookup_loop

FUNCTIONS: Final = 24  # in a file: clang takes longer to start than to compile one
NESTS: Final = 2
TRIPLE: Final = "x86_64-linux-gnu"
ARM_TRIPLE: Final = "aarch64-linux-gnu"
HVX_TRIPLE: Final = "hexagon-linux-musl"
HVX: Final = ["-mcpu=hexagonv66+hvxv66+hvx_length128b", "-mllvm", "-hexagon-autohvx"]
ARM: Final = ("neoverse_n1", "neoverse_v1-sve", "cortex_a55")  # with Neon alone
MARCHES: Final = {
    "x86-64-v2": 1,
    "x86-64-v3": 4,
    "haswell": 4,
    "skylake": 3,
    "znver3": 4,
    "alderlake": 3,
    "x86-64-v4": 8,
    "icelake-server": 8,
    "znver4": 8,
}
_HEADER: Final = "#include <stdint.h>\n" + "".join(
    f"typedef {t} m{t} __attribute__((aligned(1), may_alias));\n"
    for t in (f"{u}int{b}_t" for u in ("", "u") for b in (8, 16, 32, 64))
)


Maker: TypeAlias = Callable[[random.Random, str], tuple[str, Case]]


class ClangFailed(Exception):
    """The compiler does not accept what was generated."""


def machines() -> tuple[str, ...]:
    """Return the CPUs whose code this machine can run."""
    host, target = binding.host_features(), target_for(binding.host_triple())
    return tuple(
        m
        for m in MARCHES
        if {
            f
            for f in target.features(m, "")
            if f.startswith(("avx", "ssse", "sse", "gfni", "v", "bmi"))
        }
        <= host
    )


def flags(rng: random.Random, cpus: Sequence[str]) -> list[str]:
    """Return what a file is compiled with; the most often what keeps loops short, whose windows
    are few.
    """
    chosen = [f"-march={cpu_name(rng.choices(cpus, [MARCHES[c] for c in cpus])[0])}"]
    if rng.random() < 0.6:
        chosen.append(f"-mprefer-vector-width={rng.choice((128, 256, 512, 512))}")
    return chosen + _loops(rng)


def _loops(rng: random.Random) -> list[str]:
    chosen = ["-fno-unroll-loops"] if rng.random() < 0.8 else []
    chosen += ["-mllvm", "-force-vector-interleave=1"] if rng.random() < 0.85 else []
    chosen += (
        ["-mllvm", "-vectorizer-maximize-bandwidth"] if rng.random() < 0.7 else []
    )  # vectors as wide as the narrowest type allows
    chosen += ["-mllvm", "-enable-epilogue-vectorization=0"] if rng.random() < 0.85 else []
    return chosen


def compiled(source: str, more: Sequence[str], triple: str = TRIPLE) -> str:
    """Return the LLVM IR of a C file; raises :class:`ClangFailed`."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "f.ll")
        Path(folder, "f.c").write_text(source)
        command = [
            sys.executable,
            "-m",
            "ziglang",
            "cc",
            "-target",
            triple,
            "-O3",
            "-fno-strict-aliasing",
            "-S",
            "-emit-llvm",
            "-w",
            "-g0",
            "-fomit-frame-pointer",
        ]
        done = subprocess.run(
            [*command, *more, "f.c", "-o", "f.ll"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ClangFailed(done.stderr)
        return out.read_text()


def c_batch(seed: int, cpus: Sequence[str], functions: int = FUNCTIONS) -> Batch:
    """Return the functions of a seed, compiled for one of ``cpus``."""
    rng = random.Random(f"c {seed}")
    made = [function(rng, f"f{k}") for k in range(functions)]
    return _batch(seed, made, flags(rng, cpus), TRIPLE)


def nests_batch(seed: int, cpus: Sequence[str]) -> Batch:
    """Return nested loops of a seed, compiled for one of ``cpus``."""
    rng = random.Random(f"nests {seed}")
    made = [nest(rng, f"f{k}") for k in range(NESTS)]
    made[0] = CLAMP + made[0][0], made[0][1]
    return replace(_batch(seed, made, [*flags(rng, cpus), "-fwrapv"], TRIPLE), generator="nests")


def lookups_batch(seed: int, cpus: Sequence[str]) -> Batch:
    """Return loops of a seed that look bytes up, compiled for one of ``cpus``."""
    rng = random.Random(f"lookups {seed}")
    made = [lookup_loop(rng, f"f{k}") for k in range(FUNCTIONS)]
    return replace(_batch(seed, made, flags(rng, cpus), TRIPLE), generator="lookups")


def arm_batch(seed: int, kind: Maker = function) -> Batch:
    """Return the functions of a seed, compiled for an AArch64 CPU with Neon."""
    rng = random.Random(f"arm {seed}")
    made = [kind(rng, f"f{k}") for k in range(FUNCTIONS)]
    return _batch(seed, made, [f"-mcpu={rng.choice(ARM)}", *_loops(rng)], ARM_TRIPLE)


def hvx_batch(seed: int, kind: Maker = function) -> Batch:
    """Return the functions of a seed, compiled for Hexagon with HVX."""
    rng = random.Random(f"hvx {seed}")
    made = [kind(rng, f"f{k}") for k in range(FUNCTIONS)]
    return _batch(seed, made, [*HVX, *_loops(rng)], HVX_TRIPLE)


def _batch(seed: int, made: Sequence[tuple[str, Case]], more: Sequence[str], triple: str) -> Batch:
    source = f"/* {' '.join(more)} */\n{_HEADER}\n" + "\n".join(text for text, _ in made)
    text = compiled(source, more, triple)
    return Batch("c", seed, text, tuple(case for _, case in made), source=source)
