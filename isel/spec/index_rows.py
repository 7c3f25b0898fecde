"""What the index of a target's instructions holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from isel.spec.instruction import Instruction

Sources = Sequence[tuple[str, str]]


class Row(NamedTuple):
    """One instruction; shapes, immediates, features, classes, stages and terms by their number
    in the tables of the index.
    """

    name: str
    mnemonic: str
    shape: int
    immediates: int
    result: tuple[int, int]
    features: int
    classes: int
    emission: list[str]
    call: str
    stage: int
    block: int
    bound: dict[str, int | str]
    first: int | None
    values: list[tuple[int, int | None]]
    gather: str | None
    enumerable: bool
    moves: bool
    swizzles: list[tuple[int, list[int]]]
    permute: tuple[list[int], list[list[int]]] | None


class CallRow(TypedDict):
    """A target intrinsic: the instruction by number, and its emission and immediates where they
    differ.
    """

    name: str
    instruction: int
    emission: list[str] | None
    immediates: int


class Data(TypedDict):
    """The whole index.

    ``terms`` are operator, attributes and operands, each after its operands; ``blocks`` are source,
    start and end.
    """

    terms: list[tuple[str, list[int | str], list[int]]]
    shapes: list[list[tuple[str, int, int, str]]]
    immediates: list[list[tuple[str, int, list[tuple[int, int]]]]]
    features: list[str]
    classes: list[list[tuple[str, list[tuple[int, ...]]]]]
    stages: list[tuple[str, str, str]]
    blocks: list[tuple[int, int, int]]
    rows: list[Row]
    calls: list[CallRow]


@dataclass(frozen=True, slots=True)
class Entries:
    """Instructions in order, and every target intrinsic with the instruction as its calls apply
    it.
    """

    instructions: tuple[Instruction, ...]
    calls: Mapping[str, Instruction]
