"""Emission templates: what is left to fill in when the immediates are known.

A line ``when <expression>`` begins lines that hold where the expression of immediates is not zero;
the first that do are taken.  ``$n`` is an immediate, ``${expression}`` an integer of immediates,
and ``$[i < N: expression]`` a shuffle mask of N elements (``<N x i32> <…>``; negative elements are
poison).  Expressions are those of the ``.sem`` language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from isel.spec.sem_meaning import integer
from isel.spec.sem_syntax import Node, parse_text

WHEN: Final = "when "
HOLE: Final = re.compile(
    r"\$(?:(?P<imm>[A-Za-z_]\w*)|\{(?P<scalar>[^}]*)\}|\[\s*(?P<var>\w+)\s*<(?P<count>[^:]*):(?P<body>[^\]]*)\])"
)


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
    """Return the lines of an emission with the immediates filled in; operands, temporaries and
    ``%r`` stay.

    Raises ``KeyError`` for an immediate that is not given, ``ValueError`` where no lines hold.
    """
    return tuple(
        HOLE.sub(lambda m: _filled(m, immediates), line) if "$" in line else line
        for line in _holding(emission, immediates)
    )


def _holding(emission: Sequence[str], immediates: Mapping[str, int]) -> Sequence[str]:
    starts = [k for k, line in enumerate(emission) if line.startswith(WHEN)]
    if not starts:
        return emission
    for start, end in zip(starts, [*starts[1:], len(emission)], strict=True):
        if integer(parse_text(emission[start].removeprefix(WHEN)), immediates):
            return emission[start + 1 : end]
    raise ValueError(f"no lines of the emission hold for {dict(immediates)}")


def _filled(m: re.Match[str], immediates: Mapping[str, int]) -> str:
    if m["imm"] is not None:
        return str(immediates[m["imm"]])
    if m["scalar"] is not None:
        return str(integer(parse_text(m["scalar"]), immediates))
    return mask_text(
        m["var"], integer(parse_text(m["count"]), immediates), parse_text(m["body"]), immediates
    )
