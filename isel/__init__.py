"""Rewrites vector code of LLVM IR into better instructions of its target, and proves every rewrite.

What is named in ``__all__`` is the API (:mod:`isel.api`), loaded when it is first asked for.  Below
lies the engine: terms, proof, search, cost and cache, which name no instruction set and no front
end.
"""

from __future__ import annotations

import sys

ModuleType = type(sys)  # to import types would take longer than all of this

__all__ = ["Error", "Result", "Verdict", "explain", "optimize", "verify", "windows"]
__version__ = "0.1.0"

_HOMES = {
    "Error": ("isel.errors", "IselError"),
    "Result": ("isel.api.optimize", "Result"),
    "Verdict": ("isel.api.verify", "Verdict"),
    "explain": ("isel.api.explain", "explain"),
    "optimize": ("isel.api.optimize", "optimize"),
    "verify": ("isel.api.verify", "verify"),
    "windows": ("isel.api.optimize", "windows"),
}


class _Package(ModuleType):
    """Loads what the API names.  ``verify`` is its function wherever the prover's folder, which
    has that name too, was imported: folders are imported by their whole names.
    """

    def __getattr__(self, name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        from isel.collector import rarely

        module, own = _HOMES[name]
        with rarely():
            globals()[name] = getattr(import_module(module), own)
        return globals()[name]

    def __setattr__(self, name: str, value: object) -> None:
        if name != "verify":
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*__all__, "__version__"]


sys.modules[__name__].__class__ = _Package
