"""Reading the Intrinsics Guide's XML (versions 3.5 and 3.6): its entries with their lines, and
which of them are imported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final
from xml.parsers import expat

from semantics.importing.problems import SpecProblem

_VECTOR: Final = re.compile(r"__m(128|256|512)i$")
_MASK: Final = re.compile(r"__mmask(8|16|32|64)$")
RESERVED: Final = {"i": "x"}  # the lane number of the formulas
_SCALARS: Final = {
    "char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16,
    "int": 32, "unsigned int": 32, "__int32": 32, "unsigned long": 32,
    "__int64": 64, "unsigned __int64": 64, "_MM_CMPINT_ENUM": 32, "_MM_PERM_ENUM": 32,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter or the result: its C type without ``const``, its element type (``UI8``,
    ``M128``, ``IMM`` …), the width of an immediate.
    """

    name: str
    type: str
    etype: str
    immwidth: int = 0

    @property
    def bits(self) -> int:
        """The size of the C type in bits, 0 where it is none of an integer, a mask or an
        integer vector.
        """
        if m := _VECTOR.match(self.type) or _MASK.match(self.type):
            return int(m[1])
        return _SCALARS.get(self.type, 0)

    @property
    def is_vector(self) -> bool:
        """Tell whether this is ``__m128i``, ``__m256i`` or ``__m512i``."""
        return bool(_VECTOR.match(self.type))

    @property
    def is_mask(self) -> bool:
        """Tell whether this is a ``__mmask`` type."""
        return bool(_MASK.match(self.type))

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal values of an immediate: the guide does not say."""
        return ()

    @property
    def is_immediate(self) -> bool:
        """Tell whether this must be a constant."""
        return self.etype == "IMM"

    @property
    def element(self) -> tuple[bool, int]:
        """Whether elements are signed, and their width (0 where the guide does not say)."""
        m = re.fullmatch(r"([SU])I(\d+)", self.etype)
        return (m[1] == "S", int(m[2])) if m else (False, 0)


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """One entry of the guide; ``line`` and ``operation_line`` are lines of the file, from 1."""

    name: str
    cpuids: tuple[str, ...]
    result: Parameter
    parameters: tuple[Parameter, ...]
    operation: str
    instructions: tuple[tuple[str, str], ...]
    line: int
    operation_line: int
    category: str = ""
    vex: bool = False  # whether the instruction has a VEX form as well, whose name begins with v

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What tells entries apart: some names occur twice, for the VEX and the EVEX
        instruction.
        """
        return self.name, self.cpuids


def selected(entry: Intrinsic) -> bool:
    """Tell whether an entry is an integer-vector, register-only one.

    It has an instruction and an operation; it returns something; its result and parameters are
    integer vectors, masks and integers, never pointers, floating point, tiles or ``__m64``; and at
    least one of them is a vector or a mask.  Those of Knights Corner, whose instructions no x86-64
    CPU has, are left out.
    """
    operates = "KNCNI" not in entry.cpuids and bool(entry.operation.strip())
    return operates and is_integer_vector(entry)


def is_integer_vector(entry: Intrinsic) -> bool:
    """Tell whether an entry has an instruction, and all its types are integers, masks or integer
    vectors, with a vector or mask among them.
    """
    values = (entry.result, *entry.parameters)
    wide = any(p.is_vector or p.is_mask for p in values)
    return wide and bool(entry.instructions) and all(p.bits for p in values)


def has_vector(entry: Intrinsic) -> bool:
    """Tell whether a selected entry has a vector operand or result, and not only masks."""
    return any(p.is_vector for p in (entry.result, *entry.parameters))


def renamed(entry: Intrinsic) -> Intrinsic:
    """Return an entry whose parameters have no name that means something in a formula."""
    if not any(p.name in RESERVED for p in entry.parameters):
        return entry
    parameters = tuple(replace(p, name=RESERVED.get(p.name, p.name)) for p in entry.parameters)
    operation = re.sub(rf"\b({'|'.join(RESERVED)})\b", lambda m: RESERVED[m[1]], entry.operation)
    return replace(entry, parameters=parameters, operation=operation)


@dataclass
class _Draft:
    name: str
    line: int
    attributes: dict[str, str]
    cpuids: list[str] = field(default_factory=list)
    result: Parameter | None = None
    parameters: list[Parameter] = field(default_factory=list)
    operation: str = ""
    operation_line: int = 0
    category: str = ""
    instructions: list[tuple[str, str]] = field(default_factory=list)


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.version = ""
        self.entries: list[Intrinsic] = []
        self.problems: list[SpecProblem] = []
        self.draft: _Draft | None = None
        self.text = ""
        self.root = ""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.data

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self.text = ""
        if not self.root:
            self.root = tag
            self.version = attributes.get("version", "")
            if tag != "intrinsics_list":
                what = f"the file begins with <{tag}>, expected <intrinsics_list>"
                self.problems.append(SpecProblem(self.file, line, "", what))
        elif tag == "intrinsic":
            self.draft = _Draft(attributes.get("name", ""), line, attributes)
        elif self.draft is not None:
            self.inside(self.draft, tag, attributes, line)

    def inside(self, draft: _Draft, tag: str, attributes: dict[str, str], line: int) -> None:
        if tag == "return":
            draft.result = _parameter(attributes, "dst")
        elif tag == "parameter" and attributes.get("type") != "void":
            draft.parameters.append(_parameter(attributes, ""))
        elif tag == "operation":
            draft.operation_line = line
        elif tag == "instruction":
            name, form = attributes.get("name", "").lower(), attributes.get("form", "")
            draft.instructions.append((name, form))

    def data(self, text: str) -> None:
        self.text += text

    def end(self, tag: str) -> None:
        draft = self.draft
        if draft is None:
            return
        if tag == "CPUID":
            draft.cpuids.append(self.text.strip().partition("/")[0])  # 3.5 has AVX512F/KNCNI
        elif tag == "operation":
            draft.operation = self.text
        elif tag == "category" and not draft.category:
            draft.category = self.text.strip()
        elif tag == "intrinsic":
            self.draft = None
            if not draft.name:
                what = "an intrinsic without a name"
                self.problems.append(SpecProblem(self.file, draft.line, "", what))
                return
            self.entries.append(_intrinsic(draft))


def _intrinsic(draft: _Draft) -> Intrinsic:
    return Intrinsic(
        name=draft.name,
        cpuids=tuple(sorted(draft.cpuids)),
        result=draft.result or Parameter("dst", draft.attributes.get("rettype", "void"), ""),
        parameters=tuple(draft.parameters),
        operation=draft.operation,
        instructions=tuple(draft.instructions),
        line=draft.line,
        operation_line=draft.operation_line,
        category=draft.category,
        vex=draft.attributes.get("vexEq", "").upper() == "TRUE",
    )


def _parameter(attributes: dict[str, str], name: str) -> Parameter:
    kind = attributes.get("type", "").replace("const ", "").strip()
    width = attributes.get("immwidth", "")
    etype = attributes.get("etype", "")
    width = width or {"_MM_PERM_ENUM": "8", "_MM_CMPINT_ENUM": "3"}.get(kind, "")
    name = attributes.get("varname", "") or name
    return Parameter(name, kind, etype, int(width) if width.isdigit() else 0)


@dataclass(frozen=True, slots=True)
class Guide:
    """What a file holds, and what is wrong with it; entries before a break in the XML are kept."""

    version: str
    entries: tuple[Intrinsic, ...]
    problems: tuple[SpecProblem, ...]


def read_guide(data: bytes, file: str) -> Guide:
    """Read the guide's XML; nothing is raised, mistakes are in ``problems``."""
    reader = _Reader(file)
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        inside = reader.draft.name if reader.draft is not None else ""
        what = f"{expat.ErrorString(error.code)}, expected well-formed XML up to </intrinsics_list>"
        reader.problems.append(SpecProblem(file, error.lineno, inside, what))
    if reader.root == "intrinsics_list" and not reader.entries and not reader.problems:
        reader.problems.append(SpecProblem(file, 1, "", "no <intrinsic> in the file"))
    return Guide(reader.version, tuple(reader.entries), tuple(reader.problems))
