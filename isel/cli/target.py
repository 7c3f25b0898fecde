"""The flags that name a target: checked, and ``native`` replaced by what this machine is."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from isel.api.asked import check_machine, host_machine

if TYPE_CHECKING:
    from frontends.llvm.pipeline.options import Options


def target_flags(arguments: argparse.Namespace, text: str) -> tuple[str, str, str]:
    """Return triple, CPU and features; raises :class:`isel.errors.UnknownName` for what LLVM would
    ignore.

    The triple is empty unless it was given; CPU and features are checked against the module's own.
    """
    triple = arguments.mtriple or ""
    cpu, features = spell_native(arguments.mcpu or "", arguments.mattr or "")
    check_machine(text, triple, cpu, features)
    return triple, cpu, features


def short_options(arguments: argparse.Namespace, text: str) -> Options:
    """Return what flags for a target and a short search say of a module; raises as above."""
    from frontends.llvm.pipeline.options import Options
    from isel.workers import processors

    effort = 1 if arguments.effort is None else arguments.effort
    jobs = arguments.jobs or processors()
    return Options(*target_flags(arguments, text), effort, jobs, strict=False)


def spell_native(cpu: str, features: str) -> tuple[str, str]:
    """Return a CPU and features with what this machine is in place of ``native``."""
    return host_machine(features) if cpu == "native" else (cpu, features)


def cpu_of(machine: str, cpu: str, features: str) -> tuple[str, str]:
    """Return CPU and features as given, of the usual CPU of a machine where none is named."""
    from semantics import isa_named

    cpu, features = spell_native(cpu, features)
    if cpu:
        return cpu, features
    usual = isa_named(machine).usual
    return usual.cpu, ",".join(x for x in (usual.features, features) if x)


def tell_no_vectors(name: str, text: str, triple: str = "") -> bool:
    """Say on the standard error what makes vectors of a module for Hexagon that has none; tell
    whether it has none.
    """
    hexagon = triple.startswith("hexagon") or 'target triple = "hexagon' in text
    if not hexagon or "\ndefine " not in text:
        return False
    from isel.cli.launcher.vectors import has_vectors

    lacks = not has_vectors(text.encode(errors="surrogateescape"))
    if lacks:
        sys.stderr.write(
            f"isel: note: '{name}' has no vectors: clang makes them of loops for HVX where it is "
            "given -mllvm -hexagon-autohvx\n"
        )
    return lacks
