"""The ``.sem`` text of what was imported: entries that differ in sizes, features and
predication only are one block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from isel.spec.instruction import Immediate, Operand
from isel.spec.sem_show import ranges
from semantics.importing.formulas import Body

_COLUMNS: Final = ("N", "M", "L", "R", "T")
_LINE: Final = 150


@dataclass(frozen=True, slots=True)
class Entry:
    """An imported intrinsic: its name among all entries, what it takes and gives, its formulas,
    and the patches applied to its text.
    """

    name: str
    key: tuple[str, tuple[str, ...]]
    operands: tuple[Operand, ...]
    immediates: tuple[Immediate, ...]
    width: int
    lanes: int
    body: Body
    patches: tuple[str, ...]
    features: tuple[str, ...]
    mnemonic: str
    category: str


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A block without what may differ: ``{0}``, ``{1}`` … are element counts, ``{name}`` and
    the like stay.
    """

    lines: tuple[str, ...]
    stage: tuple[str, str]


def _pattern(entry: Entry) -> tuple[_Pattern, tuple[int, ...]]:
    stage = entry.body.stage
    counts: list[int] = []
    lines: list[str] = []
    text = entry.body.lines()
    implied = {stage.mask}
    if stage.source and not re.search(rf"\b{stage.source}\b", " ".join(text)):
        implied.add(stage.source)
    for group in _alike([o for o in entry.operands if o.name not in implied]):
        counts.append(group[0].lanes)
        lines.append(
            f"{group[0].role.value} {', '.join(o.name for o in group)}: \0{len(counts) - 1}\0 x "
            f"{group[0].width}"
        )
    lines.extend(f"imm {m.name}: {m.width} in {ranges(m)}" for m in entry.immediates)
    counts.append(entry.lanes)
    lines.append(f"result \0{len(counts) - 1}\0 x {entry.width}")
    lines.extend(text)
    if entry.patches:
        lines.append(f"patched {' '.join(entry.patches)}")
    return _Pattern(tuple(lines), (stage.mask or "k", stage.source)), tuple(counts)


def _alike(operands: Sequence[Operand]) -> list[list[Operand]]:
    groups: list[list[Operand]] = []
    for o in operands:
        last = groups[-1][0] if groups else None
        if last and (o.role, o.width, o.lanes) == (last.role, last.width, last.lanes):
            groups[-1].append(o)
        else:
            groups.append([o])
    return groups


def blocks(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """Return the blocks of entries with the category of each, in the order of their first
    entries.
    """
    groups: dict[_Pattern, list[tuple[Entry, tuple[int, ...]]]] = {}
    for entry in entries:
        pattern, counts = _pattern(entry)
        key = pattern
        if not pattern.stage[1]:  # fits any source of a block with the same formulas
            alike = (p for p in groups if p.lines == pattern.lines)
            key = next((p for p in alike if p.stage[0] in (pattern.stage[0], "k")), pattern)
        elif pattern not in groups:
            loose = _Pattern(pattern.lines, ("k", ""))
            if loose in groups and _only_plain(groups[loose], pattern.stage[0]):
                groups = {pattern if p == loose else p: v for p, v in groups.items()}
        groups.setdefault(key, []).append((entry, counts))
    return [(rows[0][0].category, _block(pattern, rows)) for pattern, rows in groups.items()]


def _only_plain(rows: Sequence[tuple[Entry, tuple[int, ...]]], mask: str) -> bool:
    return all(e.body.stage.kind == "none" or e.body.stage.mask == mask for e, _ in rows)


def _block(pattern: _Pattern, rows: Sequence[tuple[Entry, tuple[int, ...]]]) -> str:
    columns: dict[str, list[str]] = {"name": [e.name for e, _ in rows]}
    count_names: list[str] = []
    for k in range(len(rows[0][1])):
        values = [str(counts[k]) for _, counts in rows]
        if len(set(values)) == 1:
            count_names.append(values[0])
            continue
        known = (name for name in columns if name in _COLUMNS and columns[name] == values)
        same = next(known, None) or next(name for name in _COLUMNS if name not in columns)
        columns[same] = values
        count_names.append(same)
    stages = [e.body.stage.kind for e, _ in rows]
    features = [" ".join(e.features) for e, _ in rows]
    mnemonics = [e.mnemonic for e, _ in rows]
    shown: dict[str, str] = {}
    for name, cells in (("P", stages), ("F", features), ("I", mnemonics)):
        if len(set(cells)) > 1:
            columns[name] = cells
            shown[name] = f"{{{name}}}"
        else:
            shown[name] = cells[0]
    if len(rows) == 1:
        lines = [f"instruction {columns['name'][0]}"]
    else:
        lines = ["instruction {name}", *_loop(columns)]
    for line in pattern.lines:
        for k, name in enumerate(count_names):
            line = line.replace(f"\0{k}\0", name)
        lines.append(_wrapped(line))
    mask, source = pattern.stage
    if shown["P"] != "none":
        names = f"{mask}, {source}" if source else mask
        lines.append(f"predication {shown['P']}({names})")
    lines.append(f"features {shown['F']}")
    lines.append(f"mnemonic {shown['I']}")
    return "\n  ".join(lines) + "\n"


def _loop(columns: Mapping[str, Sequence[str]]) -> list[str]:
    rows = list(columns["name"])
    if len(columns) > 1:
        rows = [f"({', '.join(cells)})" for cells in zip(*columns.values(), strict=True)]
    lines = [f"for {', '.join(columns)} in"]
    for row in rows:
        if len(lines[-1]) + len(row) > _LINE:
            lines.append("  ...")
        lines[-1] += f" {row}"
    return lines


def _wrapped(line: str) -> str:
    """Break a long line at spaces outside of names."""
    lines, here = [], line
    while len(here) > _LINE:
        cut = here.rfind(" ", 0, _LINE)
        if cut <= 8:
            break
        lines.append(here[:cut])
        here = f"  ...{here[cut:]}"
    return "\n  ".join([*lines, here])
