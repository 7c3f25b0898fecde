"""What a command was given or made that no file of its command line holds: a reproducer has it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

# By the name of the file in the reproducer, until the next command.
_given: Final[ContextVar[tuple[tuple[str, bytes], ...]]] = ContextVar("given", default=())


def forget() -> None:
    """Begin a command: nothing was given."""
    _given.set(())


def note(name: str, data: bytes) -> bytes:
    """Remember what was given under a name, ``*`` in it standing for its number; return it."""
    have = _given.get()
    _given.set((*have, (name.replace("*", str(len(have) + 1)), data)))
    return data


def recall() -> dict[str, bytes]:
    """Return what the command was given by name."""
    return dict(_given.get())
