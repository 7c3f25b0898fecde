"""Rewrites vector code of LLVM IR into better instructions of its target, and proves every rewrite.

What is named in ``__all__`` is the API (:mod:`isel.api`), loaded when it is first asked for.  Below
lies the engine: terms, proof, search, cost and cache, which name no instruction set and no front
end.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from isel.api.optimize import Result, optimize
    from isel.errors import IselError as Error

__all__ = ["Error", "Result", "__version__", "optimize"]
__version__ = "0.1.0"

_HOMES = {
    "Error": ("errors", "IselError"),
    "Result": ("api.optimize", "Result"),
    "optimize": ("api.optimize", "optimize"),
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, own = _HOMES[name]
    return getattr(import_module(f"{__name__}.{module}"), own)


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """The folder of the prover has the name of a function of the API, which is what it means here:
    importing the one does not hide the other.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name != "verify":
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
