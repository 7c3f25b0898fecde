"""The integer-vector, register-only entries of the Intrinsics Guide: prototypes, features,
immediates and mnemonics.

Only what a C compiler needs is read here; the operation texts are the importer's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from isel.errors import IselError
from semantics.emission.prototype import CType, Key, Kind

VECTORS: Final[Mapping[str, int]] = {"__m128i": 128, "__m256i": 256, "__m512i": 512}
MASKS: Final[Mapping[str, int]] = {"__mmask8": 8, "__mmask16": 16, "__mmask32": 32, "__mmask64": 64}
SCALARS: Final[Mapping[str, int]] = {
    "char": 8,
    "unsigned char": 8,
    "__int8": 8,
    "short": 16,
    "unsigned short": 16,
    "__int16": 16,
    "int": 32,
    "const int": 32,
    "constexpr int": 32,
    "unsigned": 32,
    "unsigned int": 32,
    "const unsigned int": 32,
    "__int32": 32,
    "unsigned __int32": 32,
    "_MM_CMPINT_ENUM": 32,
    "_MM_PERM_ENUM": 32,
    "__int64": 64,
    "unsigned __int64": 64,
    "long long": 64,
    "size_t": 64,
    "unsigned long": 64,
}
_SPELLED: Final[Mapping[str, str]] = {
    "__int8": "char",
    "__int16": "short",
    "__int32": "int",
    "unsigned __int32": "unsigned int",
    "__int64": "long long",
    "unsigned __int64": "unsigned long long",
    "const int": "int",
    "constexpr int": "int",
    "const unsigned int": "unsigned int",
    "_MM_CMPINT_ENUM": "int",
}

# The Guide's names of features that LLVM spells otherwise than in lower case without separators.
_FEATURES: Final[Mapping[str, str]] = {
    "SSE4.1": "sse4.1",
    "SSE4.2": "sse4.2",
    "PCLMULQDQ": "pclmul",
    "BMI1": "bmi",
    "AVX512IFMA52": "avx512ifma",
    "AVX512_VP2INTERSECT": "avx512vp2intersect",
    "KEYLOCKER": "kl",
    "KEYLOCKER_WIDE": "widekl",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter in C order; ``immediate`` is the number of bits of its constant, 0 for a
    value.
    """

    name: str
    type: str
    element: str
    immediate: int

    @property
    def bits(self) -> int:
        """The size of the C type."""
        return bits_of(self.type)

    @property
    def c(self) -> CType:
        """The C type."""
        return c_type(self.type)


@dataclass(frozen=True, slots=True)
class Entry:
    """One intrinsic: its key is the name with the sorted CPUIDs, as 20 names appear twice."""

    name: str
    cpuids: tuple[str, ...]
    result: str
    element: str
    parameters: tuple[Parameter, ...]
    instructions: tuple[str, ...]
    forms: tuple[str, ...]

    @property
    def key(self) -> Key:
        """What names the entry."""
        return self.name, self.cpuids

    @property
    def features(self) -> tuple[str, ...]:
        """LLVM's names of the features, sorted; with those of the register or mask where the
        Guide leaves them out.
        """
        return features_of(
            self.cpuids, any(p.type in MASKS for p in self.parameters), self.result == "__m512i"
        )

    @property
    def immediates(self) -> tuple[Parameter, ...]:
        """The parameters that are constants."""
        return tuple(p for p in self.parameters if p.immediate)

    @property
    def returned(self) -> CType:
        """The C type of the result."""
        return c_type(self.result)


def bits_of(c_type: str) -> int:
    """Return the size of an integer, mask or integer-vector type, 0 for any other."""
    return VECTORS.get(c_type) or MASKS.get(c_type) or SCALARS.get(c_type) or 0


def c_type(name: str) -> CType:
    """Return a C type of the guide; clang has vectors as ``<n x i64>``."""
    bits = bits_of(name)
    if name in VECTORS:
        return CType(Kind.VECTOR, bits, f"<{bits // 64} x i64>")
    return CType(Kind.MASK if name in MASKS else Kind.SCALAR, bits, f"i{bits}")


def spelled(c_type: str) -> str:
    """Return the type as clang's C knows it."""
    return _SPELLED.get(c_type, c_type)


def feature(cpuid: str) -> str:
    """Return LLVM's name of a feature of the Guide."""
    return _FEATURES.get(cpuid) or cpuid.lower().replace("_", "")


def features_of(cpuids: Sequence[str], masked: bool, widest: bool) -> tuple[str, ...]:
    """Return LLVM's names of the features, sorted; with those of a mask of bytes or of 512 bits
    where the Guide leaves them out.
    """
    named = {feature(c) for c in cpuids}
    if "gfni" in named and masked:
        named.add("avx512bw")
    if named == {"vpclmulqdq"} and widest:
        named.add("avx512f")
    return tuple(sorted(named))


def read_guide(path: Path) -> tuple[Entry, ...]:
    """Return every integer-vector, register-only entry with an instruction, in the file's order.

    An entry counts if a result or parameter is an integer vector or a mask, if none is a pointer,
    floating-point or void, and if it names at least one instruction.  Raises :class:`BadGuide` for
    a file that is not the Guide.
    """
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as problem:
        raise BadGuide(str(path), *problem.position, "is no XML") from None
    except OSError as problem:
        raise BadGuide(str(path), 0, 0, problem.strerror or "cannot be read") from None
    if root.tag != "intrinsics_list":
        raise BadGuide(
            str(path),
            1,
            0,
            f"holds <{root.tag}>, expected <intrinsics_list> of the Intrinsics Guide",
        )
    found: dict[Key, Entry] = {}
    for node in root.iter("intrinsic"):
        entry = _entry(node)
        if entry is not None and is_integer_vector(entry):
            found.setdefault(entry.key, entry)
    return tuple(found.values())


def is_integer_vector(entry: Entry) -> bool:
    """Tell whether all types are integers, masks or integer vectors, with a vector or mask
    among them.
    """
    types = (entry.result, *(p.type for p in entry.parameters))
    return (
        all(map(bits_of, types))
        and any(t in VECTORS or t in MASKS for t in types)
        and bool(entry.instructions)
    )


def _entry(node: ElementTree.Element) -> Entry | None:
    result = node.find("return")
    if result is None:
        return None
    instructions = [i for i in node.findall("instruction") if i.get("name")]
    return Entry(
        node.get("name", ""),
        tuple(sorted(c.text or "" for c in node.findall("CPUID"))),
        result.get("type", "").strip(),
        result.get("etype", ""),
        tuple(_parameter(p) for p in node.findall("parameter") if p.get("type") != "void"),
        tuple(dict.fromkeys(i.get("name", "").lower() for i in instructions)),
        tuple(dict.fromkeys(i.get("form", "") for i in instructions)),
    )


def _parameter(node: ElementTree.Element) -> Parameter:
    kind = re.sub(r"\s+", " ", node.get("type", "")).strip()
    width = int(node.get("immwidth") or 8) if node.get("etype") == "IMM" else 0
    return Parameter(node.get("varname", ""), kind, node.get("etype", ""), width)


class BadGuide(IselError):
    """The file is not the Intrinsics Guide's XML."""

    def __init__(self, path: str, line: int, column: int, what: str) -> None:
        super().__init__(path, line, column, what)
        self.path, self.line, self.column, self.what = path, line, column, what

    def message(self) -> str:
        """Say where and what."""
        return f"{self.path}:{self.line}:{self.column + 1}: error: {self.what}"
