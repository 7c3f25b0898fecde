"""Arm's list of Neon intrinsics: its entries, and which of them are imported."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from semantics.importing.problems import SpecProblem

_VECTOR: Final = re.compile(r"(u?int|poly)(8|16|32|64)x(\d+)(?:x([234]))?_t$")
_SCALAR: Final = re.compile(r"(u?int|poly)(8|16|32|64|128)_t$")
_RESERVED: Final = {"i": "x", "r": "acc"}  # the lane number, and the result of emissions
Json: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CKind:
    """A C type: what its elements are (``int``, ``uint``, ``poly``), their width and number (0 for
    a scalar), and how many registers it takes.
    """

    base: str
    width: int
    lanes: int
    registers: int = 1

    @property
    def signed(self) -> bool:
        """Tell whether elements are signed."""
        return self.base == "int"

    @property
    def bits(self) -> int:
        """The size of one register."""
        return self.width * max(self.lanes, 1)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A register's value, an immediate with its legal values, or the result."""

    name: str
    kind: CKind
    legal: tuple[int, ...] = ()
    immwidth: int = 0

    @property
    def bits(self) -> int:
        """Its size in bits."""
        return self.kind.bits

    @property
    def is_vector(self) -> bool:
        """Tell whether this is a vector; a scalar of 128 bits is one of two elements."""
        return self.kind.lanes > 0 or self.kind.width > 64

    @property
    def is_mask(self) -> bool:
        """Tell whether this is a register of predicates: there are none."""
        return False

    @property
    def is_immediate(self) -> bool:
        """Tell whether this must be a constant."""
        return bool(self.legal)

    @property
    def element(self) -> tuple[bool, int]:
        """Whether elements are signed, and their width."""
        return self.kind.signed, min(self.kind.width, 64)


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of the C function: values (several for a tuple of vectors), and the register that
    the list gives it (``Vn.8B``), empty where it gives none.
    """

    name: str
    kind: CKind
    register: str
    legal: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """One entry of the list."""

    name: str
    result: Parameter
    arguments: tuple[Argument, ...]
    instructions: tuple[str, ...]
    operands: str
    group: str
    returned: str

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The registers and immediates, in C order; those of a tuple are numbered."""
        return tuple(p for a in self.arguments for p in parameters_of(a))

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What tells entries apart."""
        return self.name, ()


def parameters_of(a: Argument) -> list[Parameter]:
    """Return the parameters of an argument: one, or one a register of a tuple."""
    kind = CKind(a.kind.base, a.kind.width, a.kind.lanes)
    if a.kind.registers == 1:
        return [Parameter(a.name, kind, a.legal)]
    return [Parameter(f"{a.name}_{k}", kind) for k in range(a.kind.registers)]


def kind_of(c_type: str) -> CKind | None:
    """Return an integer type of C or of ``arm_neon.h``, None for any other."""
    if c_type in ("int", "const int"):
        return CKind("int", 32, 0)
    if m := _VECTOR.match(c_type):
        return CKind(m[1], int(m[2]), int(m[3]), int(m[4] or 1))
    if m := _SCALAR.match(c_type):
        return CKind(m[1], int(m[2]), 0)
    return None


def read_list(data: bytes, file: str) -> tuple[list[Intrinsic], list[SpecProblem]]:
    """Return the entries that the importer is for, and mistakes of the file.

    An entry counts if its types are integers and vectors of integers, in registers; it returns one
    register; and it is one machine instruction that is no cast.
    """
    try:
        rows = json.loads(data)
    except ValueError as problem:
        line = getattr(problem, "lineno", 1)
        return [], [SpecProblem(file, line, "", f"is no JSON: {getattr(problem, 'msg', problem)}")]
    if not isinstance(rows, list):
        return [], [SpecProblem(file, 1, "", "holds no list of intrinsics")]
    found: list[Intrinsic] = []
    problems: list[SpecProblem] = []
    text = data.decode("utf-8", "replace")
    for row in rows:
        try:
            entry = _entry(cast(Json, row))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as problem:
            name = row.get("name", "") if isinstance(row, dict) else ""
            at = text.find(f'"name": "{name}"')
            line = text.count("\n", 0, max(at, 0)) + 1
            problems.append(
                SpecProblem(file, line, str(name), f"{type(problem).__name__}: {problem}")
            )
            continue
        if entry is not None:
            found.append(entry)
    return found, problems


def _entry(row: Json) -> Intrinsic | None:
    returned = str(cast(Json, row["return_type"])["value"])
    instructions = tuple(str(x) for x in cast(Sequence[object], row["base_instruction"]))
    if len(instructions) != 1 or instructions[0] == "NOP":
        return None
    result = kind_of(returned)
    given = [str(a).rsplit(" ", 1) for a in cast(Sequence[object], row["arguments"])]
    kinds = [kind_of(t.strip()) for t, _ in given]
    if result is None or result.registers > 1 or any(k is None for k in kinds):
        return None
    prepared = cast(Mapping[str, Mapping[str, str]], row["Arguments_Preparation"])
    arguments: list[Argument] = []
    for (_, name), kind in zip(given, kinds, strict=True):
        assert kind is not None
        how = prepared.get(name, {})
        legal = (
            tuple(range(int(how["minimum"]), int(how["maximum"]) + 1)) if "minimum" in how else ()
        )
        arguments.append(
            Argument(_RESERVED.get(name, name), kind, str(how.get("register", "")), legal)
        )
    group = str(row["instruction_group"]).split("|")[0]
    operands = str(row["operands"]).strip()
    return Intrinsic(
        str(row["name"]), Parameter("result", result), tuple(arguments), instructions, operands,
        group, returned,
    )  # fmt: skip
