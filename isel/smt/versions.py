"""The solvers' versions: limits count a solver's own steps, of which another version takes more or
fewer for the same question, so one version each gives the results that are the same everywhere.
"""

from __future__ import annotations

from typing import Final

from isel.distributions import package_version

PACKAGES: Final = {"bitwuzla": "bitwuzla", "z3": "z3-solver"}  # by solver, what holds it
COUNTED: Final = {"bitwuzla": "0.9.1", "z3": "5.4.0.0"}  # what pyproject.toml pins


def solver_versions() -> dict[str, str]:
    """Return the installed version of each solver; ``missing`` where there is none."""
    return {name: package_version(package) for name, package in PACKAGES.items()}


def uncounted(name: str, installed: str) -> str:
    """Say what an installed version means for results; empty where it is the one that counts."""
    counted = COUNTED[name]
    if installed == counted:
        return ""
    return (
        f"limits count steps of {counted}, so results may differ: "
        f"pip install {PACKAGES[name]}=={counted}"
    )
