"""Emission templates: what is left to fill in when the immediates are known.

``$n`` is an immediate, ``${expression}`` an integer of immediates, and ``$[i < N: expression]`` a shuffle mask of N
elements (``<N x i32> <…>``; negative elements are poison).  Expressions are those of the ``.sem`` language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from isel.spec.sem_meaning import integer
from isel.spec.sem_syntax import Node, parse_text

HOLE: Final = re.compile(r"\$(?:(?P<imm>[A-Za-z_]\w*)|\{(?P<scalar>[^}]*)\}|\[\s*(?P<var>\w+)\s*<(?P<count>[^:]*):(?P<body>[^\]]*)\])")


def mask_text(variable: str, count: int, body: Node, env: Mapping[str, int]) -> str:
    """Return a shuffle mask as IR text."""
    here = dict(env)
    items: list[str] = []
    for k in range(count):
        here[variable] = k
        value = integer(body, here)
        items.append("i32 poison" if value < 0 else f"i32 {value}")
    return f"<{count} x i32> <{', '.join(items)}>"


def emitted(emission: Sequence[str], immediates: Mapping[str, int]) -> tuple[str, ...]:
    """Return the lines of an emission with the immediates filled in; operands, temporaries and ``%r`` stay.

    Raises ``KeyError`` for an immediate that is not given.
    """
    return tuple(HOLE.sub(lambda m: _filled(m, immediates), line) if "$" in line else line for line in emission)


def _filled(m: re.Match[str], immediates: Mapping[str, int]) -> str:
    if m["imm"] is not None:
        return str(immediates[m["imm"]])
    if m["scalar"] is not None:
        return str(integer(parse_text(m["scalar"]), immediates))
    return mask_text(m["var"], integer(parse_text(m["count"]), immediates), parse_text(m["body"]), immediates)
