"""Making what was found small: fewer instructions, fewer calls, shorter and emptier memory, as long
as both versions still differ.

The reducer knows only LLVM's text: a line goes, and whoever used its value gets an operand of the
same type or zero.  A candidate counts only if the code before is still one thing: LLVM's -O0 and
-O3 must agree on it, after the flags that may make poison are gone.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.parse import parse_module
from isel.errors import IselError
from tests.fuzz.case import Call, Case
from tests.fuzz.check import EXITS, Optimiser
from tests.fuzz.guarded import After, Code, run
from tests.fuzz.harness import first_difference

_SECONDS: Final = 20.0
_TRIES: Final = 3000  # candidates, a last resort
_FLAGS: Final = re.compile(r"\b(nuw|nsw|nneg|disjoint|inbounds|exact|samesign) ")
_RANGE: Final = re.compile(r", !\w+ !\d+|, !range [^,]*")
_EDGE: Final = re.compile(r'br i1 [^,]+, label %("[^"]*"|[\w.$-]+), label %("[^"]*"|[\w.$-]+)')
_ZERO: Final = {"ptr": "null"}


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The least module and case found for which both versions still do not do the same."""

    text: str
    case: Case


def shrunk(
    text: str, case: Case, optimise: Optimiser, cpu: str = "", *, code: Code | None = None
) -> Shrunk:
    """Return a small module whose rewritten version goes wrong, from one that does; the given
    one where nothing smaller does.
    """
    with LlvmWorker(seconds=_SECONDS) as worker:
        return _Shrinker(
            worker, optimise, cpu, (code,) if code else (Code(), Code(3, pipeline=True))
        ).run(Shrunk(named(binding.normalise(text)), case))


def named(text: str) -> str:
    """Return LLVM's text with names for numbers, so that a line can be taken out without
    counting the others again.
    """
    lines: list[str] = []
    entry = ""
    for line in text.splitlines():
        if entry and line.strip():
            lines += [] if re.match(r'("[^"]*"|[\w.$-]+):', line) else [entry]
            entry = ""
        if line.startswith("define "):
            entry = f"v{len(re.findall(r'%[0-9]+(?=[,)])', line))}:"
        line = re.sub(r"^(\d+):", r"v\1:", line)
        lines.append(line if line.startswith("!") else re.sub(r"%(\d+)(?![\w.$-])", r"%v\1", line))
    return "\n".join(lines) + "\n"


class _Shrinker:
    def __init__(
        self, worker: LlvmWorker, optimise: Optimiser, cpu: str, codes: tuple[Code, ...]
    ) -> None:
        self._worker, self._optimise, self._cpu, self._codes = worker, optimise, cpu, codes
        self._tries = 0
        self._known: dict[tuple[str, Case], bool] = {}

    def run(self, given: Shrunk) -> Shrunk:
        """Go over calls, lines and memory again and again, and keep whatever is smaller and
        still wrong.
        """
        best = given
        while self._wrong(given):
            size = _size(best)
            for ways in (_calls(best), _whole(best.text, best)):
                best = self._first(best, ways)
            for key in reversed(_keys(best.text)):
                smaller = self._first(
                    best, (replace(best, text=x) for x in _without(best.text, key))
                )
                if smaller is not best:
                    best = self._first(
                        smaller, iter((replace(smaller, text=_alive(smaller.text)),))
                    )
            best = self._emptied(best)
            if _size(best) >= size or self._tries >= _TRIES:
                break
        return best

    def _first(self, best: Shrunk, candidates: Iterator[Shrunk]) -> Shrunk:
        for candidate in candidates:
            smaller = self._accepted(candidate) if self._tries < _TRIES else None
            if smaller is not None and _size(smaller) < _size(best):
                return smaller
        return best

    def _emptied(self, best: Shrunk) -> Shrunk:
        while True:
            smaller = self._first(best, _memory(best))
            if smaller is best:
                return best
            best = smaller

    def _accepted(self, candidate: Shrunk) -> Shrunk | None:
        try:
            text = named(binding.normalise(candidate.text))
        except IselError:
            return None
        made = replace(candidate, text=text)
        key = (text, made.case)
        if key not in self._known:
            self._tries += 1
            self._known[key] = self._wrong(made)
        return made if self._known[key] else None

    def _wrong(self, s: Shrunk) -> bool:
        plain = run(self._worker, s.text, [s.case], Code(0))
        if isinstance(plain, WorkerFailed):
            return False
        done = self._optimise(s.text, self._cpu)
        if done.status not in EXITS or not any(
            self._differs(s, plain[0], done.text, code) for code in self._codes
        ):
            return False
        return run(self._worker, s.text, [s.case], Code(3, pipeline=True)) == plain

    def _differs(self, s: Shrunk, expected: Sequence[After], text: str, code: Code) -> bool:
        after = run(self._worker, text, [s.case], code)
        return (
            isinstance(after, WorkerFailed)
            or first_difference([c.regions for c in s.case.calls], expected, after[0]) != ""
        )


def _size(s: Shrunk) -> tuple[int, int, int, int]:
    memory = [r for c in s.case.calls for r in c.regions]
    flags = len(_FLAGS.findall(s.text))
    return (
        len(s.case.calls),
        _lines(s.text),
        len(s.text) + flags,
        sum(map(len, memory)) + sum(len(r) - r.count(0) for r in memory),
    )


def _lines(text: str) -> int:
    return sum(1 for line in text.splitlines() if line.strip())


def _calls(s: Shrunk) -> Iterator[Shrunk]:
    if len(s.case.calls) > 1:
        for c in s.case.calls:
            yield replace(s, case=replace(s.case, calls=(c,)))


def _whole(text: str, s: Shrunk) -> Iterator[Shrunk]:
    yield replace(s, text=_FLAGS.sub("", _RANGE.sub("", text)))
    with contextlib.suppress(IselError):
        yield replace(s, text=binding.tidy(text))
    yield replace(s, text=_unneeded(text))


def _unneeded(text: str) -> str:
    """Drop metadata and declarations; LLVM puts back what is used."""
    lines = [x for x in text.splitlines() if not x.startswith(("!", "; ", "source_filename"))]
    used = "\n".join(x for x in lines if not x.startswith("declare"))
    return (
        re.sub(
            r", !\w+(\.\w+)* !\d+",
            "",
            "\n".join(x for x in lines if not x.startswith("declare") or _callee(x) in used),
        )
        + "\n"
    )


def _callee(declaration: str) -> str:
    found = re.search(r"@[\w.$-]+", declaration)
    return found[0] if found else ""


def _keys(text: str) -> list[str]:
    """Return what names every instruction: its value, or its line where it has none."""
    module = parse_module(text)
    return [
        i.name or module.lines[i.line] for f in module.functions for b in f.blocks for i in b.instrs
    ]


def _without(text: str, key: str) -> Iterator[str]:
    """Yield the text without an instruction, with each of what may stand for it, or with a
    branch decided.
    """
    module = parse_module(text)
    lines = [*module.lines]
    for block, instr in ((b, i) for f in module.functions for b in f.blocks for i in b.instrs):
        line = lines[instr.line]
        if key != (instr.name or line):
            continue
        rest = lines[: instr.line] + lines[instr.line + 1 :]
        edge = _EDGE.search(line)
        if edge:
            yield from (
                _decided(lines, instr.line, block.label, keep, lose)
                for keep, lose in ((edge[1], edge[2]), (edge[2], edge[1]))
            )
        elif instr.name:
            yield from (
                "\n".join(_renamed(rest, instr.name, value)) + "\n" for value in _instead(instr)
            )
        elif not line.strip().startswith(("br ", "ret ", "switch ", "unreachable")):
            yield "\n".join(rest) + "\n"
        return


def _alive(text: str) -> str:
    """Return the text without values that nothing uses."""
    while True:
        module = parse_module(text)
        dead = [
            i.line
            for f in module.functions
            for b in f.blocks
            for i in b.instrs
            if i.name and not re.search(rf"%{re.escape(i.name)}(?![\w.$-])", _after(text, i.name))
        ]
        if not dead:
            return text
        text = "\n".join(x for n, x in enumerate(module.lines) if n not in dead) + "\n"


def _after(text: str, name: str) -> str:
    """Return the text without the definition of a value."""
    return re.sub(rf"^\s*%{re.escape(name)} = .*$", "", text, flags=re.MULTILINE)


def _instead(instr: Instr) -> list[str]:
    """Return what may stand for a value: operands of its type, then zero."""
    kind = str(instr.type)
    operands = [
        f"%{o.name}"
        for o in instr.operands
        if isinstance(o, Local) and str(o.type) == kind and o.name != instr.name
    ]
    zero = _ZERO.get(
        kind, "zeroinitializer" if kind.startswith("<") else "0" if kind != "i1" else "false"
    )
    return [*dict.fromkeys(operands), zero]


def _renamed(lines: list[str], name: str, value: str) -> list[str]:
    pattern = re.compile(rf"%{re.escape(name)}(?![\w.$-])")
    return [pattern.sub(lambda _: value, x) for x in lines]


def _decided(lines: list[str], at: int, block: str, keep: str, lose: str) -> str:
    """Return the text with a branch that always goes to ``keep``; the block ``lose`` is no
    longer reached from there.
    """
    out = [*lines]
    out[at] = f"  br label %{keep}"
    if keep != lose:
        start = next((n for n, x in enumerate(out) if x.startswith(f"{lose}:")), None)
        n = len(out) if start is None else start + 1
        while n < len(out) and " = phi " in out[n]:
            out[n] = re.sub(rf",? \[ [^\]]*, %{re.escape(block)} \]", "", out[n]).replace(
                "phi", "phi", 1
            )
            n += 1
    return "\n".join(out) + "\n"


def _memory(s: Shrunk) -> Iterator[Shrunk]:
    """Halve regions at either end, and clear their contents piece by piece."""
    for i, c in enumerate(s.case.calls):
        for k, region in enumerate(c.regions):
            half = len(region) // 2
            if half:
                yield _with(s, i, replace(c, regions=_set(c, k, region[:half])))
                yield _with(s, i, replace(c, regions=_set(c, k, region[half:])))
            for piece in (len(region), half, len(region) // 4):
                for start in range(0, len(region), piece) if piece else ():
                    cleared = (
                        region[:start]
                        + bytes(len(region[start : start + piece]))
                        + region[start + piece :]
                    )
                    if cleared != region:
                        yield _with(s, i, replace(c, regions=_set(c, k, cleared)))
        for k, argument in enumerate(c.arguments):
            if isinstance(argument, int) and argument > 1:
                arguments = (*c.arguments[:k], argument // 2, *c.arguments[k + 1 :])
                yield _with(s, i, replace(c, arguments=arguments))


def _set(c: Call, k: int, region: bytes) -> tuple[bytes, ...]:
    return (*c.regions[:k], region, *c.regions[k + 1 :])


def _with(s: Shrunk, i: int, c: Call) -> Shrunk:
    calls = (*s.case.calls[:i], c, *s.case.calls[i + 1 :])
    return replace(s, case=replace(s.case, calls=calls))
