"""How AArch64 prints what LLVM makes of an emission:
``python -m semantics.arm.selection > semantics/arm/forms.tsv`` asks for each, compiled alone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from semantics import isa_named
from semantics.arm.asm import read_operation
from semantics.machine import Machine
from semantics.selection import is_same, table

_COMMENT: Final = re.compile(r"//.*")
# Between the registers of scalars and of vectors, or from an accumulator's register.
_MOVE: Final = re.compile(
    r"f?mov (?:[wx]\d+, [sd]\d+|[sd]\d+, [wx]\d+|v0\.(16|8)b, v\d+\.\1b|d0, d\d+|w\d+, w\d+)"
    r"|[us]?mov [wx]\d+, v\d+\.[bhsd]\[0\]|mov v\d+\.[bhsd]\[0\], [wx]\d+"
)


@dataclass(frozen=True, slots=True)
class ArmPrinted:
    """Implements :class:`semantics.selection.Printed`."""

    machine: Machine = isa_named("arm").machine

    def body(self, lines: Sequence[str]) -> list[tuple[str, str]]:
        """See :class:`semantics.selection.Printed`."""
        texts = [
            re.sub(r"\s+", " ", text)
            for raw in lines
            if raw.startswith("\t")
            and (text := _COMMENT.sub("", raw).strip())
            and not text.startswith(".")
            and text != "ret"
        ]
        own = [text for text in texts if not _MOVE.fullmatch(text)] or texts[:1]
        return [(read_operation(text).form, text.split()[0]) for text in own]

    def equivalent(self, expected: str, printed: str) -> bool:
        """See :class:`semantics.selection.Printed`."""
        return is_same("arm", expected.lower(), printed)


PRINTED: Final = ArmPrinted()


def main() -> None:
    """Print the table."""
    sys.stdout.write(table(isa_named("arm").shipped(), PRINTED))


if __name__ == "__main__":
    main()
