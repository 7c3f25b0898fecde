"""What LLVM 22 knows that LLVM 15 did not, and since when: ``since.tsv``, which
:mod:`bench.older` writes.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from frontends.llvm.text.tokens import rows_of

FILE: Final = Path(__file__).with_name("since.tsv")
X86: Final = "x86_64-unknown-linux-gnu"
ARM: Final = "aarch64-unknown-linux-gnu"
_X86: Final = re.compile(r"i[3-6]86-|x86_64|amd64")
_ARM: Final = re.compile(r"aarch64(?!_be)|arm64")


def list_all(triple: str) -> str:
    """Return the triple of the target by whose CPUs and features a module's are known, empty for
    a target whose are not listed.
    """
    return X86 if _X86.match(triple) else ARM if _ARM.match(triple) else ""


def kind_of(what: str, triple: str) -> str:
    """Return what the table calls CPUs and features (``what``) of a target."""
    return what if list_all(triple) == X86 else f"aarch64 {what}"


@cache
def words() -> dict[str, dict[str, str]]:
    """Return what older LLVMs have no word for (``words.tsv``)."""
    return rows_of(FILE.with_name("words.tsv"))


# Targets whose intrinsics are not listed.
ELSEWHERE: Final = frozenset(words()["elsewhere"])


@cache
def _table() -> dict[str, dict[str, int]]:
    rows = rows_of(FILE).items()
    return {kind: {name: int(v) for name, v in own.items()} for kind, own in rows}


def since(intrinsic: str) -> int:
    """Return the first LLVM from 15 on that has an intrinsic, given with the types in its name;
    22 for a target whose intrinsics are not listed.
    """
    table = _table()["intrinsic"]
    parts = intrinsic.removeprefix("llvm.").split(".")
    if parts[0] in ELSEWHERE:
        return 22
    for n in range(len(parts), 0, -1):
        found = table.get(".".join(parts[:n]))
        if found is not None:
            return found
    return 15


def knows_cpu(name: str, version: int, triple: str) -> bool:
    """Tell whether an LLVM knows a CPU; names that none knows are everybody's."""
    return _table()[kind_of("cpu", triple)].get(name, 15) <= version


def knows_feature(name: str, version: int, triple: str) -> bool:
    """Tell whether an LLVM knows a feature."""
    return _table()[kind_of("feature", triple)].get(name, 15) <= version
