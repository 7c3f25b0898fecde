"""How often the blocks of a function run for one call, as far as LLVM IR says it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.limits import SPLIT_STEP, TRIPS_DEEP, TRIPS_NEAR, TRIPS_UNLIKELY
from frontends.llvm.text.rewording import LABEL
from isel.cost.loops import loops_of
from isel.cost.runs import UNKNOWN, Runs

_NAME: Final = r'%(?:"(?:[^"\\]|\\.)*"|[\w.$-]+)'
_TARGET: Final = re.compile(rf"\blabel ({_NAME})")
_PHI: Final = re.compile(rf"^ *({_NAME}) = phi [^\[]*(\[.*)")
_INCOMING: Final = re.compile(rf"\[ ([^,\]]+), ({_NAME}) \]")
_STEP: Final = re.compile(rf"^ *({_NAME}) = add (?:nuw |nsw )*i\d+ ({_NAME}), (-?\d+)$")
_TEST: Final = re.compile(rf"^ *({_NAME}) = icmp (?:samesign )?\w+ i\d+ ({_NAME}), ([^ ,]+)$")
_OR: Final = re.compile(rf"^ *({_NAME}) = or i1 ({_NAME}), ({_NAME})$")
_BRANCH: Final = re.compile(rf"^ *br i1 ({_NAME}), ")
_BOTH: Final = re.compile(rf"(?:and|or) i1 ({_NAME}), ({_NAME})$")
_CHECK: Final = re.compile(rf"icmp ult i64 ({_NAME}), (-\d+|{SPLIT_STEP})$")
_SUM: Final = re.compile(rf"(?:add i64 ({_NAME}), -?\d+|sub i64 -\d+, {_NAME})$")
_LOW_BITS: Final = re.compile(rf"^ *({_NAME}) = and i\d+ {_NAME}, (\d+)$")
_VALUE: Final = re.compile(rf"^ *({_NAME}) = (.*)")
_NUMBER: Final = re.compile(r"-?\d+$")
_FLAG: Final = re.compile(r"(true|false)$")
_OPERAND: Final = re.compile(_NAME)


@dataclass(slots=True)
class _Body:
    """The lines of a function by block."""

    names: list[str] = field(default_factory=list)
    lines: list[list[str]] = field(default_factory=list)

    def successors(self) -> dict[int, list[int]]:
        index = {name: k for k, name in enumerate(self.names)}
        return {
            k: [index[t] for line in lines for t in _TARGET.findall(line) if t in index]
            for k, lines in enumerate(self.lines)
        }

    def targets(self) -> list[str]:
        """Return where branches go, as often as they do."""
        return [t for lines in self.lines for x in lines for t in _TARGET.findall(x)]


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop: its blocks, header first, and the loop around it; what counts its passes, how far
    that goes in one, where it starts, and what it is compared with.
    """

    blocks: tuple[int, ...]
    around: int | None
    counter: str = ""
    after: str = ""
    step: int = 0
    start: str = ""
    bound: str = ""
    passes: int = 1  # that one does


def runs_of(lines: Sequence[str], *, twice: bool = False) -> dict[str, Runs]:
    """Return how often the blocks run whose lines, those of a function between its braces, are
    given, by name.

    A loop of constant bounds runs as often as they say, any other ten times, and a loop that does
    what is left over half as often as it can, but no more than the loop before it.  One that also
    ends where the next pass would runs half as often: a pass does what two did.  One that ends
    with a flag that is true and then false runs twice, and what the flag decides runs in one of
    these passes.  Where a check of addresses fails, code seldom runs.  ``twice`` looks for loops
    whose counter is one number and then another, too.
    """
    body = _read(lines)
    successors = body.successors()
    loops = [_count(body, blocks, around, twice) for blocks, around in _nest(loops_of(successors))]
    values = {m[1]: m[2] for line in lines if (m := _VALUE.match(line))}
    masks = {m[1]: int(m[2]) for line in lines if (m := _LOW_BITS.match(line))}
    passes = [_constant(x) for x in loops]
    rests = [False] * len(loops)
    for k, loop in enumerate(loops):
        if passes[k] is None:
            left = _leave(loop, loops, values, masks)
            rests[k] = left is not None
            passes[k] = UNKNOWN if left is None else max(1.0, min(UNKNOWN, left))
    found: dict[str, Runs] = {}
    halves = set[str]().union(*(_arms(body, loop) for loop in loops))
    unlikely = set(_unlikely(body, values))
    for b, name in enumerate(body.names):
        inside = [k for k, loop in enumerate(loops) if b in loop.blocks]
        count = 1.0
        for k in inside[:TRIPS_DEEP]:
            count *= (passes[k] or UNKNOWN) / loops[k].passes
        count *= 0.5 if name in halves else 1.0
        count *= TRIPS_UNLIKELY if name in unlikely else 1.0
        found[name] = Runs(count, any(rests[k] for k in inside))
    return found


def _read(lines: Sequence[str]) -> _Body:
    body = _Body(["%"], [[]])
    for line in lines:
        if label := LABEL.match(line):
            if body.lines[-1] or len(body.names) > 1:
                body.names.append("%" + label[1])
                body.lines.append([])
            else:
                body.names[-1] = "%" + label[1]
        else:
            body.lines[-1].append(line.partition(", !")[0].partition(" #")[0].rstrip())
    return body


def _nest(loops: Sequence[tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], int | None]]:
    """Yield loops with the number of the least one around each; outer loops come first."""
    for k, blocks in enumerate(loops):
        around = [n for n in range(k) if set(blocks) < set(loops[n])]
        yield blocks, around[-1] if around else None


def _count(body: _Body, blocks: tuple[int, ...], around: int | None, twice: bool) -> _Loop:
    """Find what counts the passes of a loop: a sum with a constant that decides a way out."""
    inside = {body.names[b] for b in blocks}
    phis = {m[1]: m[2] for x in body.lines[blocks[0]] if (m := _PHI.match(x))}
    every = [line for b in blocks for line in body.lines[b]]
    steps = {m[2]: (m[1], int(m[3])) for x in every if (m := _STEP.match(x)) and m[2] in phis}
    tests = {m[1]: (m[2], m[3]) for x in every if (m := _TEST.match(x))}
    ors = {m[1]: (m[2], m[3]) for x in every if (m := _OR.match(x)) and m[2] in tests}
    ahead = {m[1]: (m[2], int(m[3])) for x in every if (m := _STEP.match(x))}
    later = {test: ahead.get(tests.get(other, ("", ""))[0]) for test, (_, other) in ors.items()}
    tests |= {test: tests[first] for test, (first, _) in ors.items()}
    ways = [(m[1], {*_TARGET.findall(x)}) for x in every if (m := _BRANCH.match(x))]
    leaving = [test for test, to in ways if not to <= inside]
    for counter, (after, step) in steps.items():
        start = [v for v, b in _INCOMING.findall(phis[counter]) if b not in inside]
        for test in leaving:
            compared, bound = tests.get(test, ("", ""))
            if step and compared in (counter, after) and len(start) == 1:
                end = bound if len(leaving) == 1 else "?"
                passes = 1 + (later.get(test) == (after, step / 2))
                size = abs(step) // passes
                return _Loop(blocks, around, counter, after, size, start[0], end, passes)
    flags = [x for x in leaving if _is_pair(_INCOMING.findall(phis.get(x, "")), inside, _FLAG)]
    numbers = twice and any(_is_pair(_INCOMING.findall(p), inside) for p in phis.values())
    if numbers or len(flags) == len(leaving) == 1:
        return _Loop(blocks, around, "".join(flags), step=1, start="0", bound="2")
    return _Loop(blocks, around)


def _arms(body: _Body, loop: _Loop) -> set[str]:
    """Return the blocks that one of two passes of a loop goes through."""
    inside = (x for b in loop.blocks for x in body.lines[b] if loop.counter)
    decided = [x for x in inside if (m := _BRANCH.match(x)) and m[1] == loop.counter]
    ways = {*_TARGET.findall("\n".join(decided))} & {body.names[b] for b in loop.blocks}
    return {x for x in ways if body.targets().count(x) == 1}


def _unlikely(body: _Body, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the blocks where checks of ours fail."""
    for x in (x for lines in body.lines for x in lines):
        if (m := _BRANCH.match(x)) and _is_check(m[1], values):
            yield _TARGET.findall(x)[-1]


def _is_check(name: str, values: Mapping[str, str]) -> bool:
    """Tell whether a value says that addresses lie apart, as it is computed by our checks."""
    text = values.get(name, "")
    if both := _BOTH.match(text):
        return all(_is_check(x, values) for x in both.groups())
    m = _CHECK.match(text)
    moved = _SUM.match(values.get(m[1], "")) if m else None
    if m is None or moved is None:
        return False
    return m[2] == str(SPLIT_STEP) or values.get(moved[1], "").startswith("sub i64 ")


def _is_pair(
    incoming: Sequence[tuple[str, str]], inside: set[str], written: re.Pattern[str] = _NUMBER
) -> bool:
    """Tell whether a value is a number at first and another one in all later passes."""
    values = [v for v, _ in incoming]
    back = [b in inside for _, b in incoming]
    return len({*values}) == 2 and sorted(back) == [False, True] and all(map(written.match, values))


def _constant(loop: _Loop) -> float | None:
    try:
        distance = abs(int(loop.bound) - int(loop.start))
    except ValueError:
        return None
    return float(max(1, -(-distance // loop.step)))


def _leave(
    loop: _Loop, loops: Sequence[_Loop], values: Mapping[str, str], masks: Mapping[str, int]
) -> float | None:
    """Return the mean number of passes of a loop that goes on where another ended, or counts the
    lowest bits of what that did not do; None for other loops.
    """
    if not loop.step:
        return None
    if loop.start == "0" and masks.get(loop.bound, 0) & (masks.get(loop.bound, 0) + 1) == 0:
        most = masks.get(loop.bound, 0) / loop.step
        return most / 2 if most else None
    reached = _reach(loop.start, values)
    longer = [
        other.step
        for other in loops
        if other.around == loop.around
        and other.step > loop.step
        and reached & {other.counter, other.after, other.bound}
    ]
    return (min(longer) / loop.step - 1) / 2 if longer else None


def _reach(start: str, values: Mapping[str, str]) -> set[str]:
    """Return the values that a start is made of, near to it."""
    found, last = {start}, {start}
    for _ in range(TRIPS_NEAR):
        last = {o for v in last for o in _OPERAND.findall(values.get(v, "")) if o not in found}
        found |= last
    return found
