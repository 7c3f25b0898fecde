"""What machine and tools a run had: CPU model and vector features, versions, load; no host
names, no paths.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Final

from frontends.llvm.linked import binding
from isel import __version__
from isel.api.tools import tool_digest
from isel.distributions import package_version
from isel.errors import IselError
from isel.workers import processors
from semantics import target_for
from semantics.digest import digests
from semantics.pricing import priced_cpus

CPUS: Final = (
    "sapphirerapids",
    "znver4",
    "haswell",
)  # with price tables, the widest vectors first, for hosts that have none


class NoCpu(IselError):
    """The host has none of the instruction sets that kernels are compiled for."""

    def message(self) -> str:
        """Return the line to print."""
        return "this CPU has no AVX2: nothing can be timed"


def host_cpu() -> str:
    """Return the host's own CPU if it has a table of prices, else the first of :data:`CPUS` whose
    vector instructions the host has all; raises :class:`NoCpu`.

    The host may lack features of its CPU, a virtual machine for example.
    """
    target = target_for(binding.host_triple())
    used = frozenset(f for i in target.instructions() for f in i.features)
    host = binding.host_features()
    own = (c for c in priced_cpus(target) if c == binding.host_cpu())
    for cpu in (*own, *CPUS):
        if target.features(cpu, "") & used <= host:
            return cpu
    raise NoCpu


def vector_features() -> tuple[str, ...]:
    """Return the host's vector features by LLVM's names, sorted."""
    return tuple(
        sorted(
            f
            for f in binding.host_features()
            if f.startswith(("sse", "ssse", "avx", "amx", "gfni", "bmi", "fma"))
        )
    )


def cpu_model(text: str) -> str:
    """Return the model name in the text of ``/proc/cpuinfo``."""
    return next(
        (
            line.partition(":")[2].strip()
            for line in text.splitlines()
            if line.startswith("model name")
        ),
        "unknown",
    )


def load() -> float:
    """Return how many processes wanted a processor during the last minute."""
    return os.getloadavg()[0]


def facts(seed: int, cpu: str) -> tuple[tuple[str, str], ...]:
    """Return what the figures depend on, by name."""
    info = Path("/proc/cpuinfo")
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 30)
    return (
        ("cpu", cpu_model(info.read_text() if info.exists() else "")),
        ("compiled for", cpu),
        ("vector features", " ".join(vector_features())),
        ("processors", str(processors())),
        ("memory", f"{memory:.0f} GiB"),
        ("system", f"{platform.system()} {platform.machine()}"),
        ("python", platform.python_version()),
        ("isel", f"{__version__}, sources {tool_digest()[:16]}"),
        *((f"semantics of {name}", digest) for name, digest in digests()),
        ("LLVM", f"{binding.llvm_version()} (llvmlite {package_version('llvmlite')})"),
        ("Halide", package_version("halide")),
        ("clang", f"of ziglang {package_version('ziglang')}"),
        ("bitwuzla", package_version("bitwuzla")),
        ("z3", package_version("z3-solver")),
        ("numpy", package_version("numpy")),
        ("seed", str(seed)),
    )
