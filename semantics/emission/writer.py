"""The text form of a table of emissions, which :func:`semantics.emission.table.read` reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from isel.spec.instruction import runs_text
from semantics.emission.table import Emission

_WORDS: Final = (
    "add|sub|mul|and|or|xor|shl|lshr|ashr|icmp|eq|ne|s[lg][te]|u[lg][te]|zext|sext|trunc"
    "|smax|smin|umax|umin|fshl|fshr|ctpop|ctlz|abs|sadd|ssub|uadd|usub"
)
_VARIES: Final = re.compile(rf"@llvm\.[\w.]+|(?<=[ =])(?:{_WORDS})(?= )|\d+")
_FREE: Final = re.compile(r"%\d|(?<=%t)\d+|(?<=\{{)\d+(?=\}})")


def write(emissions: Iterable[Emission], head: Sequence[str]) -> str:
    """Return the table: comments, templates, rows in the order given."""
    some = list(emissions)
    texts = [_text(e).replace("{", "{{").replace("}", "}}") for e in some]
    shapes: dict[str, list[int]] = {}
    for k, text in enumerate(texts):
        shapes.setdefault(_holes(text)[0], []).append(k)
    templates: list[str] = []
    filled: dict[int, tuple[int, tuple[str, ...]]] = {}
    for number, (shape, members) in enumerate(shapes.items()):
        columns = list(zip(*(_holes(texts[k])[1] for k in members), strict=True))
        slots: dict[tuple[str, ...], int] = {}
        pieces = [
            c[0] if len(set(c)) == 1 else f"{{{slots.setdefault(c, len(slots))}}}" for c in columns
        ]
        literal = shape.split("\0")
        templates.append("".join(a + b for a, b in zip(literal, [*pieces, ""], strict=True)))
        for at, k in enumerate(members):
            filled[k] = (number, tuple(column[at] for column in slots))
    rows = [_row(e, *filled[k]) for k, e in enumerate(some)]
    return (
        "\n".join([*(f"# {line}" for line in head), *(f"template\t{t}" for t in templates), *rows])
        + "\n"
    )


def _holes(text: str) -> tuple[str, list[str]]:
    kept = [(m.start(), m.end()) for m in _FREE.finditer(text)]
    inside = {k for a, b in kept for k in range(a, b)}
    found: list[str] = []

    def hole(m: re.Match[str]) -> str:
        if m.start() in inside or m.end() - 1 in inside:
            return m[0]
        found.append(m[0])
        return "\0"

    return _VARIES.sub(hole, text), found


def _row(e: Emission, template: int, values: Sequence[str]) -> str:
    names = [n for n, _ in e.learned.operands] + (
        [f"${e.learned.immediate}"] if e.learned.immediate else []
    )
    outcome = "" if e.single else " ".join(e.becomes) or "nothing"
    single = e.becomes[0] if e.single else ""
    key, features = e.key
    words = (" ".join(features), " ".join(names), str(template), " ".join(values))
    return "\t".join((key, *words, single, outcome)).rstrip("\t")


def _text(e: Emission) -> str:
    """Return an emission as one line; operands by position."""
    learned = e.learned
    places = {name: f"%{k}" for k, (name, _) in enumerate(learned.operands, 1)}
    kinds = " ".join(kind.replace(" ", "") for _, kind in learned.operands)
    sections = " || ".join(
        f"{runs_text(s.values, ',')}: {' ; '.join(s.lines)}" if s.values else " ; ".join(s.lines)
        for s in learned.sections
    )
    placed = re.sub(r"%(?!t\d+\b|r\b)[\w.]+", lambda m: places[m[0][1:]], sections)
    if learned.immediate:
        placed = re.sub(rf"(?<![\w%]){re.escape(learned.immediate)}\b", "m", placed)
    result = learned.result.replace(" ", "")
    return f"{kinds} -> {result} | {learned.legal}/{learned.period} | {placed}"
