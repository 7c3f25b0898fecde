"""What is fuzzed: functions of pointers and integers, with the calls that both versions are run
on.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final, TypeAlias

from tests.fuzz.writer import corners

LOOP: Final = "loop"
IN_PLACE: Final = "in place"
OVERLAP: Final = "overlap"
STRIDED: Final = "strided"
REDUCTION: Final = "reduction"
MISALIGNED: Final = "misaligned"


@dataclass(frozen=True, slots=True)
class Pointer:
    """An argument: the address of byte ``offset`` of a region."""

    region: int
    offset: int = 0


Argument: TypeAlias = Pointer | int


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the contents of the memory that it may touch, and its arguments.

    Each region ends at a page that cannot be touched if ``high``, and starts after one if not.
    """

    regions: tuple[bytes, ...]
    arguments: tuple[Argument, ...]
    high: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A function ``void name(pointers and integers)``; ``kinds`` says what is particular about
    its memory.
    """

    name: str
    calls: tuple[Call, ...]
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Batch:
    """A module whose functions are rewritten and run together; ``source`` is the C that it was made
    of, or empty.

    ``cpu`` is what ``isel opt`` is told.  Without cases only the exit status of ``isel opt`` is of
    interest.
    """

    generator: str
    seed: int
    text: str
    cases: tuple[Case, ...]
    cpu: str = ""
    source: str = ""


def contents(rng: random.Random, size: int) -> bytes:
    """Return ``size`` bytes: random, constant, corner values of one width, or small values."""
    kind = rng.random()
    if kind < 0.4:
        return rng.randbytes(size)
    if kind < 0.5:
        return bytes([rng.choice((0, 1, 0x7F, 0x80, 0xFF))]) * size
    width = rng.choice((1, 2, 4, 8))
    values: Sequence[int] = corners(8 * width) if kind < 0.85 else range(16)
    return b"".join(rng.choice(values).to_bytes(width, "little") for _ in range(size // width + 1))[
        :size
    ]


def call_to_json(call: Call) -> dict[str, object]:
    """Return a call as what JSON can hold."""
    arguments = [asdict(a) if isinstance(a, Pointer) else a for a in call.arguments]
    return {"regions": [r.hex() for r in call.regions], "arguments": arguments, "high": call.high}


def call_from_json(row: dict[str, object]) -> Call:
    """Return the call that :func:`call_to_json` was given."""
    regions, arguments = row["regions"], row["arguments"]
    assert isinstance(regions, list) and isinstance(arguments, list)
    return Call(
        tuple(bytes.fromhex(r) for r in regions),
        tuple(
            Pointer(a["region"], a["offset"]) if isinstance(a, dict) else int(a) for a in arguments
        ),
        bool(row["high"]),
    )
