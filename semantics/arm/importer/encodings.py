"""The A64 encodings of an ASL file: opcode patterns with fields, and the text that decodes and
executes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_MARKS: Final = ("    __encoding", "    __execute", "    __postdecode")
_FIELD: Final = re.compile(r"__field (\w+) (\d+) \+: (\d+)")
_OPCODE: Final = re.compile(r"__opcode '([01x ]+)'")
_FUNCTION: Final = re.compile(r"^[a-z(][\w() ,*+]*? ?\b([A-Za-z_]\w*)\((?!\d)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Text:
    """Lines of a file; ``first`` is the number of the first, from 1."""

    lines: tuple[str, ...]
    first: int


@dataclass(frozen=True, slots=True)
class Encoding:
    """One encoding: the bits of ``mask`` are those of ``value``; fields are offset and width."""

    name: str
    mask: int
    value: int
    fields: Mapping[str, tuple[int, int]]
    decode: Text
    execute: Text

    def matches(self, word: int) -> bool:
        """Tell whether an instruction may be of this encoding."""
        return word & self.mask == self.value


def read_encodings(text: str) -> tuple[Encoding, ...]:
    """Return the A64 encodings, those with more fixed bits first."""
    lines = text.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith("__instruction ")]
    found: list[Encoding] = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        found.extend(_instruction(lines, start, end))
    return tuple(sorted(found, key=lambda e: -e.mask.bit_count()))


def _instruction(lines: Sequence[str], start: int, end: int) -> Iterator[Encoding]:
    marks = [k for k in range(start, end) if lines[k].startswith(_MARKS)]
    execute = next((k for k in marks if "__execute" in lines[k]), end)
    body = Text(tuple(lines[execute + 1 : end]), execute + 2)
    for at, stop in zip(marks, [*marks[1:], end], strict=True):
        if "__encoding" not in lines[at] or not any(
            "__instruction_set A64" in line for line in lines[at : at + 3]
        ):
            continue
        head = next((k for k in range(at, stop) if lines[k].strip() == "__decode"), stop)
        text = "\n".join(lines[at:head])
        opcode = _OPCODE.search(text)
        if opcode is None:
            continue
        bits = opcode[1].replace(" ", "")
        yield Encoding(
            lines[at].split()[-1],
            int(bits.replace("0", "1").replace("x", "0"), 2),
            int(bits.replace("x", "0"), 2),
            {m[1]: (int(m[2]), int(m[3])) for m in _FIELD.finditer(text)},
            Text(tuple(lines[head + 1 : stop]), head + 2),
            body,
        )


def read_functions(text: str) -> dict[str, Text]:
    """Return the functions of a file by name, as text; of several with a name the first."""
    lines = text.splitlines()
    found: dict[str, Text] = {}
    for k, line in enumerate(lines):
        m = _FUNCTION.match(line)
        if m is None or line.rstrip().endswith(";") or "=" in line:
            continue
        end = k + 1
        while end < len(lines) and (not lines[end].strip() or lines[end][0] in " \t"):
            end += 1
        found.setdefault(m[1], Text(tuple(lines[k:end]), k + 1))
    return found
