"""What numba compiles, rewritten by isel: call :func:`enable` before that.

Every module that numba compiles for this process's CPU is rewritten once numba has optimised it:
what ``njit``, ``vectorize``, ``guvectorize`` and ``parallel=True`` make.  Callers inline numba's
own code of a function and are rewritten as a whole.  With ``cache=True`` numba keeps the rewritten
machine code, under keys that name isel, its version and the settings; what is loaded from there
needs nothing of isel's engine.  Where isel finds nothing, numba's own module is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar, overload

from isel.numba.settings import MARK, FallbackWarning, Settings, Watch, say

if TYPE_CHECKING:
    from isel.numba.hook import Hook

__all__ = ["FallbackWarning", "disable", "enable", "optimize"]

KNOWN: Final = "0.68"  # the numba whose internals isel.numba.hook names; it pins isel's llvmlite
Function = TypeVar("Function")


def enable(
    cpu: str = "host", effort: int = 1, time_limit: float = 20.0, watch: Watch | None = None
) -> None:
    """Rewrite what numba compiles from now on, in all threads.

    ``cpu`` is ``host`` for the CPU that numba compiles for, the machine's or ``NUMBA_CPU_NAME``,
    always with the features that numba uses; another name says which CPU that has to be.
    ``effort`` is that of :func:`isel.optimize`, ``time_limit`` the seconds that a module may take.
    ``watch`` is called with the name of each library of numba's that isel saw, and its result.

    What isel cannot do is compiled by numba alone, and each reason is said once, as a
    :class:`FallbackWarning`: another version of numba than 0.68, another CPU, an error in isel.
    Functions that are compiled already stay as they are.  Raise :class:`ImportError` where numba
    is not installed.
    """
    if hook := _hook():
        hook.rewrite_all(Settings(cpu, effort, time_limit, watch))


def disable() -> None:
    """Compile as numba alone does from now on, but for functions decorated by :func:`optimize`."""
    if hook := _hook():
        hook.rewrite_all(None)


@overload
def optimize(function: Function, /) -> Function: ...
@overload
def optimize(
    *, cpu: str = ..., effort: int = ..., time_limit: float = ..., watch: Watch | None = ...
) -> Callable[[Function], Function]: ...
def optimize(
    function: Function | None = None,
    /,
    *,
    cpu: str = "host",
    effort: int = 1,
    time_limit: float = 20.0,
    watch: Watch | None = None,
) -> Function | Callable[[Function], Function]:
    """Rewrite one function that ``jit`` or ``njit`` compiles, whatever is enabled.

    It stands below numba's decorator, or above one without signatures; with parentheses it takes
    the parameters of :func:`enable`.  Functions that are called and not inlined are compiled as
    they would be elsewhere.  Raise :class:`ValueError` for a function that is compiled already.
    """
    settings = Settings(cpu, effort, time_limit, watch)

    def mark(function: Function) -> Function:
        if getattr(function, "signatures", None):
            raise ValueError("compiled already: isel.numba.optimize goes below numba's decorator")
        if _hook():
            setattr(function, MARK, settings)
        return function

    return mark if function is None else mark(function)


def _hook() -> Hook | None:
    """Return the hook in numba, set when first asked for; None, said once, in a numba that is not
    known.
    """
    import numba

    if numba.__version__.split(".")[:2] == KNOWN.split("."):
        from isel.numba.hook import HOOK

        return HOOK
    say(f"numba {numba.__version__} compiles alone: isel knows {KNOWN}")
    return None
