"""Attributes, flags and constants that came later: which version first reads each, and how it was
said before.

What is left out makes code at least as defined as it was.  What would change its meaning is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from frontends.llvm.dialect.known import words
from frontends.llvm.dialect.tape import Tape

Say = Callable[
    [Tape, int], str
]  # the words that stand for the one at a place, and for what is in brackets behind it


def _nothing(_: Tape, __: int) -> str:
    return ""


def _refuse(tape: Tape, place: int) -> str:
    raise tape.refused(f"'{tape.tokens[place]}'")


def _captures(tape: Tape, place: int) -> str:
    return "nocapture" if tape.tokens[place + 2 : place + 4] == ["none", ")"] else ""


@dataclass(frozen=True, slots=True)
class Row:
    """A word that LLVM reads since a version, and what says it before."""

    since: int
    before: Say = _nothing


# Words that came later: attributes that are left out, and what nothing older stands for.
WORDS: Final[Mapping[str, Row]] = {
    **{x: Row(int(v)) for x, v in words()["left out"].items()},
    **{x: Row(int(v), _refuse) for x, v in words()["refused"].items()},
    "captures": Row(20, _captures),
}
# Flags by instruction: each since a version; without it the result is defined more often.
FLAGS: Final[Mapping[str, Mapping[str, int]]] = {
    opcode.removeprefix("flag of "): {x: int(v) for x, v in found.items()}
    for opcode, found in words().items()
    if opcode.startswith("flag of ")
}
# Forms: "inrange" with bounds was a word on an index before; "expected" is an origin of weights.
_FORMS: Final = {"splat": 18, "inrange": 19, "memory": 16, "errnomem": 21, "expected": 19}


def say_words(tape: Tape) -> None:
    """Say attributes, flags and vectors of one repeated constant in older words."""
    k = 0
    while k < len(tape.tokens):
        token = tape.tokens[k]
        row = WORDS.get(token)
        if token[:3] == "!DI" and tape.at(k + 1) == "(":
            k = tape.close[k + 1]
        elif tape.is_label(k):
            pass
        elif row is not None and tape.version < row.since:
            _say_row(tape, k, row)
        elif token in FLAGS:
            _say_flags(tape, k, FLAGS[token])
        elif token == "memory" and tape.at(k + 1) == "(":
            _say_memory(tape, k)
        elif token == "target" and tape.at(k + 1) == "(" and tape.version < 16:
            raise tape.refused("the type 'target(…)'")
        elif (
            token == '!"branch_weights"'
            and tape.at(k + 2) == '!"expected"'
            and tape.version < _FORMS["expected"]
        ):
            tape.drop(k + 1, k + 2)
        k += 1
    if tape.version < _FORMS["splat"]:
        _say_splats(tape)


def _say_row(tape: Tape, place: int, row: Row) -> None:
    last = tape.close[place + 1] if tape.at(place + 1) == "(" else place
    text = row.before(tape, place)
    tape.drop(place, last)
    tape.replace(place, text)


def _say_flags(tape: Tape, place: int, flags: Mapping[str, int]) -> None:
    k = place + 1
    while tape.at(k) in flags:
        if tape.version < flags[tape.tokens[k]]:
            tape.drop(k, k)
        k += 1
    if tape.at(k) == "inrange" and tape.at(k + 1) == "(" and tape.version < _FORMS["inrange"]:
        tape.drop(k, tape.close[k + 1])


def _say_memory(tape: Tape, place: int) -> None:
    """Say ``memory(…)`` without places of memory, or without the words, that an older LLVM does
    not know.
    """
    effects = {"": "none"}
    for first, last in tape.arguments(place + 1):
        effects[tape.tokens[first] if last > first else ""] = tape.tokens[last]
    if tape.version >= _FORMS["errnomem"]:
        return
    unknown = set(effects) - {"", "argmem", "inaccessiblemem", "errnomem"}
    if unknown:
        raise tape.refused(f"'{min(unknown)}'")
    if tape.version >= _FORMS["memory"] and "errnomem" not in effects:
        return
    others = _union(effects[""], effects.get("errnomem", effects[""]))
    places = {name: effects.get(name, effects[""]) for name in ("argmem", "inaccessiblemem")}
    said = _memory(others, places) if tape.version >= _FORMS["memory"] else _words(others, places)
    tape.drop(place, tape.close[place + 1])
    tape.replace(place, said)


def _union(one: str, other: str) -> str:
    kinds = {one, other} - {"none"}
    return "none" if not kinds else next(iter(kinds)) if len(kinds) == 1 else "readwrite"


def _memory(others: str, places: Mapping[str, str]) -> str:
    parts = [f"{name}: {effect}" for name, effect in places.items() if effect != others]
    if others != "none" or not parts:
        parts.insert(0, others)
    return "" if parts == ["readwrite"] else f"memory({', '.join(parts)})"


def _words(others: str, places: Mapping[str, str]) -> str:
    """Return the attributes of LLVM 15 that promise no more than the effects on each place say."""
    touched = [name for name, effect in places.items() if effect != "none"]
    whole = _union(others, _union(places["argmem"], places["inaccessiblemem"]))
    kind = {"none": "readnone", "read": "readonly", "write": "writeonly", "readwrite": ""}[whole]
    if others != "none" or not touched:
        return kind
    where = (
        {"argmem": "argmemonly", "inaccessiblemem": "inaccessiblememonly"}[touched[0]]
        if len(touched) == 1
        else "inaccessiblemem_or_argmemonly"
    )
    return f"{where} {kind}".rstrip()


def _say_splats(tape: Tape) -> None:
    """Write out each ``splat (type constant)``, as long as the vector type before it on its
    level of brackets or on one around it.
    """
    lanes: list[str] = [""]
    ends: list[int] = []
    k = 0
    while k < len(tape.tokens):
        while ends and ends[-1] == k:
            ends.pop()
            lanes.pop()
        if tape.tokens[k] == "<" and _begins_vector(tape, k):
            lanes[-1] = tape.tokens[k + 1]
        elif tape.tokens[k] == "splat" and tape.at(k + 1) == "(":
            _say_splat(tape, k, lanes[-1])
        if k in tape.close:
            ends.append(tape.close[k])
            lanes.append(lanes[-1])
        k += 1


def _begins_vector(tape: Tape, place: int) -> bool:
    count = tape.at(place + 1)
    return count == "vscale" or (count.isdecimal() and tape.at(place + 2) == "x")


def _say_splat(tape: Tape, place: int, lanes: str) -> None:
    if not lanes.isdecimal():
        raise tape.refused("'splat' of a scalable vector")
    last = tape.close[place + 1]
    element = tape.between(place + 2, last - 1)
    tape.drop(place, last)
    tape.replace(place, f"<{', '.join([element] * int(lanes))}>")
