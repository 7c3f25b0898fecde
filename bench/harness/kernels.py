"""Kernels of a registry, by name."""

from __future__ import annotations

from importlib import import_module

from bench.kernel import Kernel
from isel.errors import UnknownName

__all__ = ["Kernel", "find", "registered"]


def registered(registry: str) -> tuple[Kernel, ...]:
    """Return the ``KERNELS`` of a module."""
    kernels: tuple[Kernel, ...] = import_module(registry).KERNELS
    return kernels


def find(registry: str, name: str) -> Kernel:
    """Return the kernel of that name; raises :class:`UnknownName`."""
    kernels = registered(registry)
    found = next((k for k in kernels if k.name == name), None)
    if found is None:
        raise UnknownName("kernel", name, tuple(k.name for k in kernels))
    return found
