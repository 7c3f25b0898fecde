"""Hexagon's list of HVX intrinsics: its entries, and which of them are imported.

Two files say what there is: the list of C intrinsics with their assembly and LLVM's names (after
clang's ``hvx_hexagon_protos.h``), and the bodies of the instructions, in C with QEMU's macros.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from semantics.importing.problems import SpecProblem

VECTOR_BITS: Final = 1024
_BITS: Final = {
    "HVX_Vector": VECTOR_BITS,
    "HVX_VectorPair": 2 * VECTOR_BITS,
    "HVX_VectorPred": 128,
    "Word32": 32,
    "Word64": 64,
}
_PROTOTYPE: Final = re.compile(r"(?P<result>\w+) (?P<name>\w+)\((?P<parameters>[^)]*)\)$")
_IMMEDIATE: Final = re.compile(r"I([us])(\d+)$")
_VIEW: Final = re.compile(r"\b(?P<register>[VQR][a-z]{1,2})\d+(?:\.(?P<view>u?[bhwn]))?\b")
_WIDTHS: Final = {"b": 8, "h": 16, "w": 32, "n": 4}
_FLOATING: Final = re.compile(r"\.(?:sf|hf|qf16|qf32|bf|f8)\b|\bvfmv\b")
_MEMORY: Final = re.compile(r"fEA_|fLOADMMV|fSTOREMMV|GATHER|SCATTER|fLOG_VTCM|vhist|vwhist")
# how far a vector is shifted: the low bits of a general register, which also is a constant at times
_COUNT: Final = re.compile(r"RtV & \(?(?P<most>0x[0-9a-fA-F]+|\d+)(?P<less> ?- ?1)?")
_SHIFTS: Final = re.compile(r"V6_v(?:asl|asr|lsr)")
_GROUPS: Final = (
    ("CVI_VA", "arithmetic"),
    ("CVI_VX", "multiply"),
    ("CVI_VS", "shift"),
    ("CVI_VP", "permute"),
)
_CONSTANT: Final = re.compile(r"_n$|(?<=_VVR)_\d+$")
# predicates go through vectors in C: a vector is made of the result, predicates of operands
_WRAPPERS: Final = frozenset(("V6_vandqrt", "V6_vandvrt"))


# A general register whose low seven bits say by how many bytes.
CHOSEN: Final = dict.fromkeys(("V6_valignb", "V6_vlalignb", "V6_vror"), tuple(range(128)))
# A general register whose bits say which bits of a byte's number are exchanged with the one that
# tells the vectors of a pair apart, one after the other: of the 128 those with neighbouring ones.
SWAPPING: Final = ("V6_vshuffvdd", "V6_vdealvdd")
SWAPS: Final = tuple(sorted((1 << high) - (1 << low) for high in range(8) for low in range(high)))


@dataclass(frozen=True, slots=True)
class Parameter:
    """A register's value, an immediate with its legal values, or the result.

    ``c_type`` is its type in C, ``register`` what the body calls it, ``view`` how elements are
    read: their width, 0 where the assembly does not say, and whether they are signed.
    """

    name: str
    c_type: str
    register: str
    view: tuple[bool, int] = (False, 0)
    legal: tuple[int, ...] = ()
    immwidth: int = 0

    @property
    def bits(self) -> int:
        """Its size in bits."""
        return _BITS[self.c_type]

    @property
    def is_vector(self) -> bool:
        """Tell whether it is elements: a vector, or a general register that is read as some."""
        return self.bits >= VECTOR_BITS or (not self.is_mask and 0 < self.view[1] < self.bits)

    @property
    def is_mask(self) -> bool:
        """Tell whether this is a predicate: a bit for each byte of a vector."""
        return self.c_type == "HVX_VectorPred"

    @property
    def is_immediate(self) -> bool:
        """Tell whether this must be a constant."""
        return bool(self.legal)

    @property
    def element(self) -> tuple[bool, int]:
        """Whether elements are signed, and their width, 0 where nobody says."""
        return self.view


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """An entry: its C name, what it takes and gives, LLVM's name, which is the body's, and general
    registers that are numbers, by what the body calls them.
    """

    name: str
    result: Parameter
    parameters: tuple[Parameter, ...]
    builtin: str
    assembly: str
    category: str
    body: str
    constants: Mapping[str, int] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What tells entries apart."""
        return self.name, ()

    @property
    def mnemonic(self) -> str:
        """The instruction's name in assembly."""
        found = re.search(r"=\s*([\w.]+)\(", self.assembly)
        return found[1] if found else self.builtin.removeprefix("V6_")


def read_list(
    data: bytes, file: str, bodies: Mapping[str, str]
) -> tuple[list[Intrinsic], dict[str, str], list[SpecProblem]]:
    """Return the entries of integers in registers, why other such entries are left out, and
    mistakes of the file.
    """
    try:
        rows = json.loads(data)
    except ValueError as problem:
        line = getattr(problem, "lineno", 1)
        what = f"is no JSON: {getattr(problem, 'msg', problem)}"
        return [], {}, [SpecProblem(file, line, "", what)]
    if not isinstance(rows, dict):
        return [], {}, [SpecProblem(file, 1, "", "holds no intrinsics by name")]
    found: list[Intrinsic] = []
    missing: dict[str, str] = {}
    problems: list[SpecProblem] = []
    for name, row in rows.items():
        try:
            entry = _entry(str(name), cast(Mapping[str, object], row), bodies)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as problem:
            problems.append(SpecProblem(file, 1, str(name), f"{type(problem).__name__}: {problem}"))
            continue
        if isinstance(entry, str):
            missing[name] = entry
        elif entry is not None:
            found.append(entry)
    return found, missing, problems


def read_bodies(data: bytes) -> dict[str, str]:
    """Return the bodies of instructions, C with macros, by name; raise :class:`ValueError`."""
    rows = json.loads(data)
    return {str(name): str(row["code"]) for name, row in rows.items()}


def _entry(
    name: str, row: Mapping[str, object], bodies: Mapping[str, str]
) -> Intrinsic | str | None:
    assembly = str(row["asm"])
    builtins = [str(x) for x in cast(Sequence[object], row["builtins"])]
    shape = _PROTOTYPE.match(str(row["proto"]))
    if shape is None:
        raise ValueError(f"a prototype that is not understood: {row['proto']}")
    inner = builtins[1:] if shape["result"] == "HVX_VectorPred" else builtins
    own = [x for x in inner if x not in _WRAPPERS] or inner
    body = bodies.get(own[0], "")
    if shape["result"] == "void" or _is_other(assembly, body):
        return None
    given = [x.strip() for x in shape["parameters"].split(",") if x.strip() not in ("", "void")]
    if "*" in shape["parameters"]:
        return "a second result by pointer"
    views = {m["register"]: m["view"] or "" for m in _VIEW.finditer(assembly)}
    parameters = tuple(_parameter(x, views) for x in given)
    written = _VIEW.match(re.sub(r"^if \(.*?\) ", "", assembly))
    if written is None:
        raise ValueError(f"an assembly that is not understood: {assembly}")
    result = Parameter(
        "result", shape["result"], written["register"] + "V", _view(written["view"] or "")
    )
    return Intrinsic(name, result, parameters, own[0], assembly, _group(str(row["type"])), body)


def _is_other(assembly: str, body: str) -> bool:
    """Tell whether an instruction is of floating point or memory."""
    of_memory = _MEMORY.search(body) or "vmem" in assembly
    return bool(of_memory or _FLOATING.search(assembly))


def _group(kind: str) -> str:
    """Return what instructions of a class of resources are about."""
    return next((group for begin, group in _GROUPS if kind.startswith(begin)), "other")


def with_constants(entry: Intrinsic) -> list[Intrinsic]:
    """Return an entry as it is imported: general registers that choose elements are constants, of
    which some make an entry each.
    """
    legal = CHOSEN.get(entry.builtin)
    if legal is not None:
        return [replace(entry, parameters=_with_legal(entry, legal))]
    counted = _COUNT.search(entry.body) if _SHIFTS.match(entry.builtin) else None
    if counted is not None and any(p.name == "Rt" for p in entry.parameters):
        legal = tuple(range(int(counted["most"], 0) + (0 if counted["less"] else 1)))
        constant = _with_legal(entry, legal)
        return [entry, replace(entry, name=f"{entry.name}_n", parameters=constant)]
    values = SWAPS if entry.builtin in SWAPPING else ()
    rest = tuple(p for p in entry.parameters if p.name != "Rt")
    return [
        replace(entry, name=f"{entry.name}_{v}", parameters=rest, constants={"RtV": v})
        for v in values
    ] or [entry]


def _with_legal(entry: Intrinsic, legal: tuple[int, ...]) -> tuple[Parameter, ...]:
    """Return the parameters with the general register as an immediate of some values."""
    return tuple(replace(p, legal=legal) if p.name == "Rt" else p for p in entry.parameters)


def listed_name(name: str) -> str:
    """Return the entry of the list that an entry of :func:`with_constants` is of."""
    return _CONSTANT.sub("", name)


def _parameter(text: str, views: Mapping[str, str]) -> Parameter:
    c_type, name = text.rsplit(" ", 1)
    immediate = _IMMEDIATE.match(name)
    if immediate is not None:
        sign, width = immediate[1], int(immediate[2])
        least = -(1 << (width - 1)) if sign == "s" else 0
        legal = tuple(range(least, least + (1 << width)))
        return Parameter("imm", c_type, f"{sign}iV", legal=legal, immwidth=width)
    return Parameter(name, c_type, f"{name}V", _view(views.get(name, "")))


def _view(text: str) -> tuple[bool, int]:
    return (not text.startswith("u"), _WIDTHS[text[-1]]) if text else (False, 0)
