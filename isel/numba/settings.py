"""How what numba compiles is rewritten, and what a user is told where it is not."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import isel

if TYPE_CHECKING:
    from isel import Result

Watch: TypeAlias = "Callable[[str, Result[Module]], object]"
MARK: Final = "__isel__"  # attribute of a decorated function, which numba copies from Python's
_SAID: Final = set[str]()


class Module(Protocol):
    """A ``ModuleRef`` of llvmlite."""

    def as_bitcode(self) -> bytes:
        """Return the module as bitcode."""
        ...


class FallbackWarning(UserWarning):
    """Numba compiled alone what isel was to rewrite, for the reason in the text."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The parameters of :func:`isel.numba.enable`."""

    cpu: str
    effort: int
    time_limit: float
    watch: Watch | None

    @property
    def key(self) -> str:
        """What numba's cache has to tell apart, beside numba's version, its CPU and features."""
        return f"isel {isel.__version__}, effort {self.effort}, {self.time_limit} s"


def say(reason: str) -> None:
    """Warn of a reason to let numba compile alone, once in a process."""
    if reason not in _SAID:
        _SAID.add(reason)
        warnings.warn(reason, FallbackWarning, stacklevel=4)
