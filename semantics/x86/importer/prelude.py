"""Functions that the guide's operations use without defining them, in the operation language itself."""

from __future__ import annotations

from functools import cache
from typing import Final

from semantics.x86.importer.parser import parse_operation
from semantics.x86.importer.syntax import Define, Table

_TEXT: Final = ""


@cache
def prelude() -> tuple[dict[str, Define], dict[str, Table]]:
    """Return the functions and tables by name."""
    statements = parse_operation(_TEXT)
    functions = {s.name: s for s in statements if isinstance(s, Define)}
    return functions, {s.name: s for s in statements if isinstance(s, Table)}
