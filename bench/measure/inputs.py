"""Can a function be run alone, and what it is given then.

Sizes are made: a function with one integer gets a length with a rest, one with several (sides and
strides of pictures) a small square; whether memory is large enough for them is found out by
running.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bench.jit import Value
from bench.measure.memory import BEFORE, SIZE
from frontends.llvm.text.ast import Argument, Function, IntType, Module, PtrType, VectorType

_LENGTHS: Final = (1003, 16)  # of what one integer counts, tried in turn; a loop has a rest
_SIDES: Final = (64, 8)  # likewise of each of several
_LITTLE: Final = 3  # for integers of at most eight bits, which are seldom sizes
_CALL: Final = re.compile(r"\b(?:call|invoke|callbr)\b.*?[ *]([@%][\w.$-]+|@\"[^\"]*\")\(")
_ASSEMBLY: Final = re.compile(r"\b(?:call|invoke|callbr)\b[^\"]* asm ")
_QUOTED: Final = re.compile(r'(?<!@)"[^"]*"|(?:, )?![\w.]+(?: !\d+)?|;.*')
_SYMBOL: Final = re.compile(r'@(?:[\w.$-]+|"[^"]*")')
_CONSTANT: Final = re.compile(r'^(@(?:[\w.$-]+|"[^"]*")) = .*?\bconstant\b', re.MULTILINE)
_FOLLOWED: Final = re.compile(r" = load (?:volatile )?(?:ptr|<\d+ x ptr>)\b|\binttoptr\b")
_CONVENTION: Final = re.compile(r"\b(?:\w*cc|cc \d+)\b")
_OWN: Final = ("byval", "byref", "sret", "inalloca", "preallocated", "swift", "nest")
_RANGE: Final = re.compile(r"range\(i\d+ (-?\d+), (-?\d+)\)")


@dataclass(frozen=True, slots=True)
class NotRun:
    """A function that is not measured, and why."""

    why: str

    def __str__(self) -> str:
        return f"not measured: {self.why}"


def why_not(module: Module, function: Function, arch: str) -> str:
    """Say why a function cannot be run alone, nothing where it may be; ``arch`` is that of this
    machine in triples.
    """
    made_for = module.triple.partition("-")[0] or arch
    if made_for != arch:
        return f"it is for {made_for}, and this machine is {arch}"
    return next(_obstacles(module, function), "")


def _obstacles(module: Module, function: Function) -> Iterator[str]:
    constants = set(_CONSTANT.findall(module.text))
    head = function.head.partition("@")[0]
    if _CONVENTION.search(head):
        yield "it is called in a way of its own"
    if "..." in function.head:
        yield "it takes any number of arguments"
    yield from filter(None, map(_passed, function.arguments))
    for line in module.lines[function.first + 1 : function.last]:
        bare = _QUOTED.sub("", line)
        if _ASSEMBLY.search(line):
            yield "it has assembly in it"
        called = _CALL.search(bare)
        if called and not called[1].startswith("@llvm."):
            yield (
                f"it calls {called[1][1:]}"
                if called[1].startswith("@")
                else "it calls what it is given"
            )
        others = {s for s in _SYMBOL.findall(bare) if not s.startswith("@llvm.")} - constants
        if others:
            yield f"it uses the global {min(others)[1:]}"
        if _FOLLOWED.search(bare):
            yield "it follows pointers in memory"


def _passed(argument: Argument) -> str:
    words = " ".join(argument.attributes)
    own = next((w for w in _OWN if w in words), "")
    if own:
        return f"an argument is passed in a way of its own ({own})"
    kind = argument.type
    return (
        ""
        if isinstance(kind, PtrType | VectorType | IntType) or str(kind) in ("float", "double")
        else f"it takes a {kind}"
    )


def tries() -> range:
    """Return the numbers of the inputs that are tried, until one is not too large."""
    return range(len(_LENGTHS))


def made(function: Function, seed: int, number: int) -> list[Value]:
    """Return the arguments: contents of memory for pointers, vectors and floats."""
    rng = random.Random(seed)
    sizes = [a for a in function.arguments if isinstance(a.type, IntType) and a.type.bits > 8]
    size = (_LENGTHS if len(sizes) == 1 else _SIDES)[number]
    return [
        _number(a, a.type, size) if isinstance(a.type, IntType) else rng.randbytes(SIZE)
        for a in function.arguments
    ]


def _number(argument: Argument, kind: IntType, size: int) -> int:
    """Return a value for an integer, within the range that it is said to have."""
    value = size if kind.bits > 8 else _LITTLE & ((1 << kind.bits) - 1)
    bounds = _RANGE.search(" ".join(argument.attributes))
    if bounds is None:
        return value
    low, high = int(bounds[1]), int(bounds[2]) - 1
    return value if low > high else max(low, min(high, value))


def given(arguments: Sequence[Value]) -> list[Value]:
    """Return arguments that somebody has, with memory around theirs that may be touched."""
    return [bytes(BEFORE) + a + bytes(BEFORE) if isinstance(a, bytes) else a for a in arguments]
