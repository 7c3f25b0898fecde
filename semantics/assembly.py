"""Reading LLVM's assembly output: functions, basic blocks and loops, as code that can be priced.

What a line means is asked of a dialect, so that this file knows directives, labels, control flow
and object formats only.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from isel.cost.code import AsmLine, Block, Code, Dialect, Loop, Operation
from isel.cost.loops import loops_of
from isel.cost.runs import ways_through

_LABEL = re.compile(r'^(?P<name>"(?:[^"\\]|\\.)+"|[\w.$@?]+):')
_DECLARED: Final = re.compile(
    r'\s+\.(?:type\s+(?P<elf>"(?:[^"\\]|\\.)+"|[^\s,]+),\s*@function'
    r'|def\s+(?P<coff>"(?:[^"\\]|\\.)+"|[^\s;]+);)'
)
# what debug information and tables of exceptions point at: no branch goes there
_TEMPORARY: Final = re.compile(r"^\.?Ltmp\d+$")
_END = re.compile(
    r"^(?:\.Lfunc_end\d*:|Lfunc_end\d*:|\s+\.size\s|\s+\.globl\s|\s+\.section\s|\s+\.seh_endproc|\s+\.cfi_endproc)"
)
# Mach-O: names of functions begin with an underscore and nothing declares them
_MACHO: Final = re.compile(r"^\.subsections_via_symbols$", re.MULTILINE)
_SECTION: Final = re.compile(r"^\s+\.section\s+(?P<name>\S+)")
_MACHO_CODE: Final = "__TEXT,__text,regular,pure_instructions"
# what LLVM says behind a label, and of a block that has none
_SOURCE: Final = re.compile(
    r'^(?:\S+:|(?:#|//|;) %bb\.\d+:)\s+(?:#|//|;) (?P<name>%(?:"(?:[^"\\]|\\.)*"|[\w.$-]+))\s*$'
)
_NO_CODE: Final = (".", "//", ";")  # directives and LLVM's remarks on inline assembly


@dataclass(slots=True)
class _Draft:
    label: str
    operations: list[Operation]
    targets: list[str]
    falls_through: bool = True
    source: str = ""
    passes: int = 0


def read_functions(text: str, dialect: Dialect) -> dict[str, Code]:
    """Return the functions of an assembly file by name; returns carry no cost and are left out."""
    return {name: read_function(name, body, dialect) for name, body in _functions(text)}


def instructions_of(text: str, name: str, dialect: Dialect) -> list[str]:
    """Return the instructions of a function in an assembly file as they are written, labels and
    directives left out.
    """
    found = next((body for of, body in _functions(text) if of == name), ())
    lines = dialect.lines(itertools.takewhile(lambda line: not _END.match(line), found))
    given = (line.split(dialect.comment, 1)[0] for line in lines if not _LABEL.match(line))
    texts = (" ".join(line.split()) for line in given)
    return [x for x in texts if x not in ("", "{") and not x.startswith(_NO_CODE)]


def _functions(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each function's name and the lines from its label on."""
    lines = text.splitlines()
    named = ((i, _function_label(line, lines, i)) for i, line in enumerate(lines))
    plain = ((i, name) for i, name in named if name is not None)
    starts = [*(_macho_labels(lines) if _MACHO.search(text) else plain)]
    ends = [*(start for start, _ in starts[1:]), len(lines)]
    for (start, name), end in zip(starts, ends, strict=False):  # there may be no function at all
        yield name, lines[start + 1 : end]


def _macho_labels(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    section = ""
    for i, line in enumerate(lines):
        entered = _SECTION.match(line)
        section = entered["name"] if entered is not None else section
        label = _LABEL.match(line)
        if label is not None and section == _MACHO_CODE and label["name"].strip('"')[0] == "_":
            yield i, label["name"].strip('"')[1:]


def _function_label(line: str, lines: Sequence[str], at: int) -> str | None:
    label = _LABEL.match(line)
    if label is None:
        return None
    found = (_DECLARED.match(before) for before in lines[max(0, at - 12) : at])
    declared = {(m["elf"] or m["coff"]).strip('"') for m in found if m is not None}
    name = label["name"].strip('"')
    return name if name in declared else None


def read_function(name: str, lines: Sequence[str], dialect: Dialect) -> Code:
    """Read the lines behind a function's label up to its end."""
    drafts: list[_Draft] = [_Draft("", [], [])]
    for raw in dialect.lines(lines):
        if _END.match(raw):
            break
        line = raw.split(dialect.comment, 1)[0].rstrip() if '"' not in raw else raw.rstrip()
        label = _LABEL.match(line)
        if label is not None:
            if not _TEMPORARY.match(label["name"]):
                drafts.append(_Draft(label["name"].strip('"'), [], []))
            line = line[label.end() :]
        if (said := _SOURCE.match(raw)) is not None and not drafts[-1].operations:
            drafts[-1].source = said["name"]
            continue
        body = line.strip()
        if not body or body.startswith((*_NO_CODE, dialect.comment)):
            continue
        _add(drafts, dialect.read(body))
    return _with_loops(
        name, [d for i, d in enumerate(drafts) if d.operations or d.targets or d.label or i == 0]
    )


def _add(drafts: list[_Draft], line: AsmLine) -> None:
    block = drafts[-1]
    if not line.returns:
        block.operations.append(line.operation)
    if not line.branches:
        return
    if line.target:
        block.targets.append(line.target)
        block.passes = line.passes
    block.falls_through = line.falls_through
    drafts.append(_Draft("", [], []))


def _with_loops(name: str, drafts: Sequence[_Draft]) -> Code:
    index = {d.label: i for i, d in enumerate(drafts) if d.label}
    successors = {i: _successors(i, d, index, len(drafts)) for i, d in enumerate(drafts)}
    loops = loops_of(successors)
    depths = [0] * len(drafts)
    for loop in loops:
        for i in loop:
            depths[i] += 1
    blocks = (
        Block(d.label, tuple(d.operations), depths[i], i in successors[i], d.source)
        for i, d in enumerate(drafts)
    )
    numbers = {i: n for n, i in enumerate(i for i, d in enumerate(drafts) if d.operations)}
    own = tuple(b for b in blocks if b.operations)
    return Code(name, own, tuple(_loop(loop, drafts, numbers, successors) for loop in loops))


def _loop(
    blocks: Sequence[int],
    drafts: Sequence[_Draft],
    numbers: Mapping[int, int],
    successors: Mapping[int, Sequence[int]],
) -> Loop:
    """Return a loop, with the passes that a jump back to where it is entered names."""
    entered = drafts[blocks[0]].label
    named = (drafts[b].passes for b in blocks if entered in drafts[b].targets)
    ways = (blocks, *ways_through(blocks, successors))
    own, *through = (tuple(numbers[b] for b in way if b in numbers) for way in ways)
    return Loop(own, max(named, default=0), tuple(through))


def _successors(i: int, draft: _Draft, index: Mapping[str, int], count: int) -> tuple[int, ...]:
    jumps = [index[t] for t in draft.targets if t in index]
    return tuple(
        dict.fromkeys([*jumps, *([i + 1] if draft.falls_through and i + 1 < count else [])])
    )
