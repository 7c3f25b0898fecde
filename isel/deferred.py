"""Modules that are imported when something of them is first used: a run that finds all answers
in the cache needs few.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class _Deferred(ModuleType):
    """Stands for a module; takes over its contents when an attribute is first asked for."""

    def __getattr__(self, name: str) -> object:
        module = import_module(self.__name__)
        self.__dict__.update(vars(module))
        found: object = getattr(module, name)
        return found


def deferred(name: str) -> ModuleType:
    """Return what acts as module ``name``, which must be installed, and imports it later."""
    return _Deferred(name)
