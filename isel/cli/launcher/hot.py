"""Which functions of a module are worth a look, and which first, by its text alone: nothing is
parsed, and a loop is what a branch to an earlier block closes.

What is known of a program's run goes before loops: counts that ``-fprofile-use`` left in the IR, or
a list of weights and names as ``perf report --stdio`` prints it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from isel.cli.launcher.limits import HOT_DEEPEST

VARIABLE: Final = "ISEL_HOT"
_VECTOR: Final = re.compile(r"<\d+ x i\d+>")
_BLOCK: Final = re.compile(r'^("[^"]*"|[-\w$.]+):', re.MULTILINE)
_TARGET: Final = re.compile(r'label %("[^"]*"|[-\w$.]+)')
_NAME: Final = re.compile(r'@("[^"]*"|[-\w$.]+)\(')
_WEIGHT: Final = re.compile(r"\s*(\d+(?:\.\d+)?)%?\s+(\S.*?)\s*$")
_KIND: Final = re.compile(r".*\[[.k]\]\s+")  # before the name in a line of perf
_ENTRY: Final = '!"function_entry_count"'
_COUNT: Final = re.compile(
    r'^(!\d+) = .*!"(?:function_entry_count|branch_weights)"(.*)\}$', re.MULTILINE
)
_PROFILE: Final = re.compile(r"!prof (!\d+)")
_NUMBER: Final = re.compile(r"i(?:32|64) (\d+)")


class Found(NamedTuple):
    """A function with vectors of integers: how hot a run says that it is, the most loops around
    such code, how much of it is in loops, tenfold a loop, how much of it is in any, and its lines.
    """

    weight: float
    depth: int
    heat: int
    vectors: int
    lines: int
    name: str


def by_heat(text: str, listed: Mapping[str, float]) -> list[Found]:
    """Return the functions of a module with vectors of integers, the hottest first."""
    weights = listed or _weights_in(text)
    found = [
        Found(weights.get(_base(name), 0.0), *_heat(body), body.count("\n"), name)
        for name, body in bodies(text)
        if _VECTOR.search(body)
    ]
    return sorted(found, key=lambda f: (-f.weight, -f.depth, -f.heat, f.name))


def names_in(text: str) -> Iterator[str]:
    """Yield the names of the functions that a module defines, without quotes."""
    return (name for name, _ in bodies(text))


def bodies(text: str) -> Iterator[tuple[str, str]]:
    """Yield the functions that a module defines: names without quotes, and lines."""
    place = 0 if text.startswith("define ") else text.find("\ndefine ") + 1
    while place or text.startswith("define ", place):
        end = text.find("\n}", place)
        body = text[place : end + 2 if end >= 0 else len(text)]
        named = _NAME.search(body)
        if named is not None:
            yield named[1].strip('"'), body
        place = text.find("\ndefine ", place + len(body) - 1) + 1
        if not place:
            return


def read_list(text: str) -> dict[str, float]:
    """Return the weights by name of a list of lines with a weight, perhaps what ran, and a name;
    other lines are passed over.
    """
    found: dict[str, float] = {}
    for line in text.splitlines():
        if (m := _WEIGHT.match(line)) is not None:
            name = _base(_KIND.sub("", m[2]))
            found[name] = found.get(name, 0.0) + float(m[1])
    return found


def _base(name: str) -> str:
    """Return a name without what compilers put behind the names of parts and copies."""
    return name if name.startswith(".") else name.split(".")[0]


def _weights_in(text: str) -> dict[str, float]:
    """Return which part of all blocks that a profile counted each function ran at most, in
    hundredths; without a profile nothing: what a programmer expects of a branch counts no runs.
    """
    if _ENTRY not in text:
        return {}
    notes = {m[1]: sum(map(int, _NUMBER.findall(m[2]))) for m in _COUNT.finditer(text)}
    most = {
        _base(name): max((notes.get(n, 0) for n in _PROFILE.findall(body)), default=0)
        for name, body in bodies(text)
    }
    every = sum(most.values()) or 1
    return {name: 100 * count / every for name, count in most.items()}


def _heat(body: str) -> tuple[int, int, int]:
    """Return the most loops around vectors, how many instructions have some, tenfold a loop, and
    how many in loops.
    """
    blocks, follow = _blocks(body)
    depths = _depths(follow)
    counts = (sum(map(bool, map(_VECTOR.search, b.splitlines()))) for b in blocks)
    inside = [(d, n) for d, n in zip(depths, counts, strict=True) if d and n]
    heat = sum(n * 10 ** min(d, HOT_DEEPEST) for d, n in inside)
    return max((d for d, _ in inside), default=0), heat, sum(n for _, n in inside)


def _blocks(body: str) -> tuple[list[str], list[list[int]]]:
    """Return the text of each block, and which blocks may follow it."""
    heads = list(_BLOCK.finditer(body))
    starts = [0, *(m.end() for m in heads)]
    blocks = [body[a:b] for a, b in zip(starts, [*starts[1:], len(body)], strict=True)]
    places = {m[1]: k for k, m in enumerate(heads, 1)}
    return blocks, [[places[t] for t in _TARGET.findall(b) if t in places] for b in blocks]


def _depths(follow: list[list[int]]) -> list[int]:
    """Return the number of loops around each block, the first of which is the entry."""
    before: list[list[int]] = [[] for _ in follow]
    for k, targets in enumerate(follow):
        for t in targets:
            before[t].append(k)
    loops: dict[int, set[int]] = {}  # by header
    for last, head in _back_edges(follow):
        inside = loops.setdefault(head, {head})
        waiting = [last]
        while waiting:
            if (block := waiting.pop()) not in inside:
                inside.add(block)
                waiting += before[block]
    return [sum(k in inside for inside in loops.values()) for k in range(len(follow))]


def _back_edges(follow: list[list[int]]) -> Iterator[tuple[int, int]]:
    """Yield the edges to a block on the way to where they begin, as a walk in depth meets them."""
    path, met, on = [(0, iter(follow[0]))], {0}, {0}
    while path:
        block, rest = path[-1]
        target = next(rest, None)
        if target is None:
            path.pop()
            on.discard(block)
        elif target in on:
            yield block, target
        elif target not in met:
            met.add(target)
            on.add(target)
            path.append((target, iter(follow[target])))
