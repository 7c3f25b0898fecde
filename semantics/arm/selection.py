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
from semantics.selection import table

_COMMENT: Final = re.compile(r"//.*")
# Between the registers of scalars and of vectors, or from an accumulator's register.
_MOVE: Final = re.compile(
    r"f?mov (?:[wx]\d+, [sd]\d+|[sd]\d+, [wx]\d+|v0\.(16|8)b, v\d+\.\1b|d0, d\d+|w\d+, w\d+)"
    r"|[us]?mov [wx]\d+, v\d+\.[bhsd]\[0\]|mov v\d+\.[bhsd]\[0\], [wx]\d+"
)

# The same operation on the same registers under another name: an alias that the printer prefers, a
# comparison with its operands swapped, a copy by another instruction, a form without an upper half.
# Left: what is written; right: what LLVM may print.
_SAME: Final[tuple[tuple[str, str], ...]] = (
    (r"mvn|not", r"(?:mvn|not)"),
    (r"cmle|cmge", r"cm(?:ge|le)"),
    (r"cmlt|cmgt", r"cm(?:gt|lt)|sshr"),
    (r"cmls|cmhs", r"cm(?:hs|ls)"),
    (r"cmlo|cmhi", r"cm(?:hi|lo)"),
    (r"bsl|bit|bif", r"(?:bsl|bit|bif)"),
    (r"dup|ins|mov|umov", r"(?:dup|ins|f?mov|umov|zip[12]|ext|trn[12])"),
    (r"smov", r"(?:smov|umov|f?mov)"),
    (r"(zip|uzp|trn)([12])", r"(?:(?:zip|uzp|trn)\2|ext|ins|mov|dup)"),
    (r"rev64", r"(?:rev64|ext)"),
    (r"ext", r"(?:ext|mov|zip\d|rev64|dup)"),
    (r"([su])shll(2?)", r"(?:\1shll\2|\1xtl\2|shll\2)"),
    (r"(r?shrn|xtn)(2?)", r"(?:\1\2|uzp[12])"),
    (r"orn", r"(?:orn|orr|mvn)"),
    (r"saddlp|uaddlp", r"[su]addlp"),
    (r"addp", r"(?:addp|addv)"),
    (r"([su])(max|min)p", r"\1\2(?:p|v)"),
    (r"shl", r"(?:shl|add|lsl)"),
    (r"sshr", r"(?:sshr|asr)"),
    (r"ushr", r"(?:ushr|lsr)"),
    (r"xar", r"(?:xar|eor)"),
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
        wanted = expected.lower()
        return wanted == printed or any(
            re.fullmatch(m.expand(names), printed)
            for pattern, names in _SAME
            if (m := re.fullmatch(pattern, wanted))
        )


PRINTED: Final = ArmPrinted()


def main() -> None:
    """Print the table."""
    sys.stdout.write(table(isa_named("arm").shipped(), PRINTED))


if __name__ == "__main__":
    main()
