"""What is not of the kind that a rule is for."""

from __future__ import annotations


class Left(Exception):
    """Something is left as it is; why."""


def require(holds: bool, why: str) -> None:
    """Raise :class:`Left` where something does not hold."""
    if not holds:
        raise Left(why)
