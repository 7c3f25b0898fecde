"""Versions of the tool and of everything that has a say in its answers."""

from __future__ import annotations

from isel import __version__
from isel.distributions import package_version
from isel.smt.versions import solver_versions, uncounted
from semantics.digest import digests


def version_text() -> str:
    """Return the lines of ``isel --version``."""
    from frontends.llvm.linked.version import llvm_version

    lines = [
        f"isel {__version__}",
        f"LLVM {llvm_version()} (llvmlite {package_version('llvmlite')})",
        *(_solver(name, installed) for name, installed in solver_versions().items()),
        *(f"semantics of {name} {digest}" for name, digest in digests()),
    ]
    return "\n".join(lines) + "\n"


def _solver(name: str, installed: str) -> str:
    why = uncounted(name, installed)
    return f"{name} {installed}" + (f" ({why})" if why else "")
