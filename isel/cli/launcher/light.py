"""Stand-ins for what takes longer to import than the launcher runs: :class:`typing.NamedTuple`,
:func:`contextlib.suppress` and the numbers of :mod:`signal` without enumerations.
"""

from __future__ import annotations

__all__ = ["Record", "signal", "suppress"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from contextlib import suppress
    from typing import NamedTuple as Record
else:
    import _signal as signal

    class Record:
        """Values by the names that a class annotates, defaults as it gives them; equal by value."""

        def __init__(self, *values, **named):
            self.__dict__.update(zip(self.__annotations__, values, strict=False), **named)

        def __eq__(self, other):
            return type(self) is type(other) and self._values() == other._values()

        def __hash__(self):
            return hash(self._values())

        def __repr__(self):
            return f"{type(self).__name__}{self._values()}"

        def _values(self):
            return tuple(getattr(self, name) for name in self.__annotations__)

    class suppress:  # noqa: N801
        """Go on behind the block after one of these exceptions."""

        def __init__(self, *kinds):
            self._kinds = kinds

        def __enter__(self):
            return None

        def __exit__(self, kind, value, trace):
            return kind is not None and issubclass(kind, self._kinds)
