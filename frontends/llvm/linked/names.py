"""Which CPUs and features a back end knows: asked of LLVM, which lists them on standard error
only.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from functools import lru_cache

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import quiet
from isel.errors import UnknownName
from isel.forks import fork


@dataclass(frozen=True, slots=True)
class TargetNames:
    """What LLVM lists for a back end, sorted."""

    cpus: tuple[str, ...]
    features: tuple[str, ...]


def target_names(triple: str) -> TargetNames:
    """Return the CPUs and features of the triple's back end; raises :class:`UnknownName` for an
    unknown triple.
    """
    if not binding.known_triple(triple):
        raise UnknownName("target triple", triple)
    return _names(triple.partition("-")[0])


def check_names(triple: str, cpu: str, features: str) -> None:
    """Raise :class:`UnknownName` for a triple, CPU or feature (of ``+a,-b``) that LLVM would
    ignore.
    """
    names = target_names(triple)
    if cpu and cpu not in names.cpus:
        raise UnknownName("CPU", cpu, names.cpus)
    for item in features.split(","):
        name = item.strip()
        name = name.removeprefix(name[:1] if name[:1] in ("+", "-") else "")
        if name and name not in names.features:
            raise UnknownName("feature", name, names.features)


@lru_cache(maxsize=16)
def _names(architecture: str) -> TargetNames:
    # The list is written once a process, so every back end gets a process of its own.
    with tempfile.TemporaryFile() as out:
        pid = fork()
        if not pid:
            try:
                quiet()
                os.dup2(out.fileno(), 2)
                binding.describe_target(f"{architecture}-unknown-linux")
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        out.seek(0)
        text = out.read().decode(errors="replace")
    cpus, _, features = text.partition("Available features")
    return TargetNames(_list_all(cpus), _list_all(features))


def _list_all(section: str) -> tuple[str, ...]:
    rows = (
        line.strip().split(" - ", 1)
        for line in section.splitlines()
        if line.startswith("  ") and " - " in line
    )
    return tuple(sorted({row[0].strip() for row in rows}))
