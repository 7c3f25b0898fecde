"""How x86 prints what LLVM makes of an emission:
``python -m semantics.x86.selection > semantics/x86/forms.tsv`` asks for each, compiled alone.

The forms price the instruction; one machine instruction of the expected name is what an emission
should become.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from semantics import isa_named
from semantics.machine import Machine
from semantics.selection import is_same, table
from semantics.x86.asm import read_operation

_GLUE: Final = re.compile(r"kmov[bwdq]|movz[bw]l|ret[lq]?|vzeroupper")
_RETURN: Final = re.compile(r"v?mov(?:dq[au](?:8|16|32|64)?|[au]p[sd])\s+%([xyz])mm\d+, %\1mm0")
# A mask of less than eight lanes goes to and from memory through a general register.
MASK_MOVES: Final = frozenset(
    f
    for s, r in (("b", "r8"), ("w", "r16"), ("l", "r32"), ("q", "r64"))
    for f in (f"mov{s} mem,{r}", f"mov{s} {r},mem")
)
_BITWISE: Final = re.compile(r"(p(?:and|or|xor|andn)|movdq[au])(?:[dq]|8|16|32|64)$")


@dataclass(frozen=True, slots=True)
class X86Printed:
    """Implements :class:`semantics.selection.Printed`."""

    machine: Machine = isa_named("x86").machine

    def body(self, lines: Sequence[str]) -> list[tuple[str, str]]:
        """See :class:`semantics.selection.Printed`."""
        own = _without_return(list(_instructions(lines)))
        forms = [(read_operation(line).form, _mnemonic(line)) for line in own]
        return [f for f in forms if f[0] not in MASK_MOVES]

    def equivalent(self, expected: str, printed: str) -> bool:
        """See :class:`semantics.selection.Printed`."""
        return equivalent(expected, printed)


PRINTED: Final = X86Printed()


def equivalent(expected: str, printed: str) -> bool:
    """Tell whether a printed mnemonic names the expected operation; legacy names lack the ``v``."""
    return is_same("x86", expected.removeprefix("v"), printed.removeprefix("v"))


def plain_name(mnemonic: str) -> str:
    """Return what a mnemonic is called in all encodings: without the ``v``, and without the
    element size of AVX-512's bitwise operations.
    """
    name = mnemonic.lower().removeprefix("v")
    return _BITWISE.sub(r"\1", name)


def _instructions(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        text = line.partition("#")[0].strip()
        if (
            line.startswith("\t")
            and text
            and not text.startswith(".")
            and not _GLUE.fullmatch(_mnemonic(text))
        ):
            yield text


def _without_return(lines: list[str]) -> list[str]:
    """Drop the copy of a result that lies in its accumulator's register."""
    return lines[:-1] if len(lines) > 1 and _RETURN.fullmatch(lines[-1]) else lines


def _mnemonic(line: str) -> str:
    return next(word for word in line.split() if not word.startswith("{"))


def main() -> None:
    """Print the table."""
    sys.stdout.write(table(isa_named("x86").shipped(), PRINTED, frozenset({"avx2"})))


if __name__ == "__main__":
    main()
