"""Rewrites put into a module's text: new lines before the root, dead source instructions out, the
rest as it was.

The last new instruction takes the root's own name, so its uses and debug records stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from frontends.llvm.splicing.emit import EmissionError, Emitted, emit
from frontends.llvm.text.ast import Function, Instr, Module
from frontends.llvm.windows.scene import Site
from isel.model.program import Program
from isel.spec.instruction import Instruction

LOCAL: Final = re.compile(r'%("(?:[^"\\]|\\.)*"|[-A-Za-z$._0-9]+)')
_OURS: Final = re.compile(r"%isel\.(\d+)")
_DEFINITION: Final = re.compile(r'\s*%("(?:[^"\\]|\\.)*"|[-A-Za-z$._0-9]+) = ')


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A window and the program that replaces it."""

    site: Site
    program: Program


@dataclass(frozen=True, slots=True)
class Edits:
    """What the lines of a function become, counted from its first, and the declarations that
    they need by name.
    """

    lines: Mapping[int, tuple[str, ...]]
    declarations: Mapping[str, str]


def splice(
    module: Module, rewrites: Sequence[Rewrite], instructions: Mapping[str, Instruction]
) -> str:
    """Return the module's text with every rewrite applied; raise :class:`EmissionError` if one
    cannot be written.
    """
    return edit(module, edits(module, rewrites, instructions))


def edits(
    module: Module, rewrites: Sequence[Rewrite], instructions: Mapping[str, Instruction]
) -> dict[str, Edits]:
    """Return what rewrites make of each function that has some; raise :class:`EmissionError` if
    one cannot be written.
    """
    found: dict[str, Edits] = {}
    for function in module.functions:
        own = [r for r in rewrites if r.site.function == function.name]
        if own:
            found[function.name] = _edits(module, function, own, instructions)
    return found


def edit(module: Module, changes: Mapping[str, Edits]) -> str:
    """Return the module's text with the lines of some functions replaced."""
    lines: dict[int, tuple[str, ...]] = {}
    declarations: dict[str, str] = {}
    for function in module.functions:
        own = changes.get(function.name)
        if own is not None:
            lines.update((function.first + k, new) for k, new in own.lines.items())
            declarations.update(own.declarations)
    missing = [
        text for name, text in sorted(declarations.items()) if name not in module.declarations
    ]
    at = _declarations_line(module)
    out: list[str] = []
    for k, line in enumerate(module.lines):
        if k == at:
            out.extend(_space(missing))
        out.extend(lines.get(k, (line,)))
    if at == len(module.lines):
        out.extend(_space(missing))
    return "\n".join(out) + "\n"


def compose(first: Edits, then: Edits, length: int) -> Edits:
    """Return two changes of a function as one: of its ``length`` lines, and of the lines that the
    first leaves.
    """
    lines: dict[int, tuple[str, ...]] = {}
    at = 0
    for k in range(length):
        old = first.lines.get(k)
        if old is None and at in then.lines:
            lines[k] = then.lines[at]
        elif old is not None:
            new = (then.lines.get(at + n, (text,)) for n, text in enumerate(old))
            lines[k] = tuple(x for texts in new for x in texts)
        at += 1 if old is None else len(old)
    return Edits(lines, {**first.declarations, **then.declarations})


def emitted_lines(
    module: Module, rewrite: Rewrite, instructions: Mapping[str, Instruction]
) -> tuple[str, ...]:
    """Return the lines that replace a window."""
    function = next(f for f in module.functions if f.name == rewrite.site.function)
    fresh = fresh_names(module, function)
    emitted = emit(rewrite.program, rewrite.site.inputs, instructions, lambda: next(fresh))
    before = (*(text for _, text in emitted.placed), *emitted.hoisted)
    return (*before, *_body(module, rewrite.site, emitted))


def _space(declarations: Sequence[str]) -> Iterator[str]:
    for d in declarations:
        yield d
        yield ""


def _declarations_line(module: Module) -> int:
    after = max((f.last for f in module.functions), default=-1) + 1
    for k in range(after, len(module.lines)):
        if module.lines[k].startswith(("attributes #", "!", "uselistorder")):
            return k
    return len(module.lines)


def _edits(
    module: Module,
    function: Function,
    rewrites: Sequence[Rewrite],
    instructions: Mapping[str, Instruction],
) -> Edits:
    lines: dict[int, tuple[str, ...]] = {}
    declarations: dict[str, str] = {}
    fresh = fresh_names(module, function)
    placed: dict[int, list[str]] = {}
    hoisted: dict[int, list[str]] = {}
    for r in sorted(rewrites, key=lambda r: r.site.line):
        emitted = emit(r.program, r.site.inputs, instructions, lambda: next(fresh))
        declarations.update(emitted.declarations)
        for root in r.site.roots:
            if root.line in lines:
                raise EmissionError(f"%{root.name} is rewritten twice")
            lines[root.line] = ()
        lines[r.site.line] = _body(module, r.site, emitted)
        for at, text in emitted.placed:
            placed.setdefault(at, []).append(_indent(module, at, text))
        if emitted.hoisted:
            assert r.site.home is not None  # or it would have no invariant leaves
            before = hoisted.setdefault(r.site.home, [])
            before.extend(_indent(module, r.site.home, text) for text in emitted.hoisted)
    body = {
        k: (*hoisted.get(k, ()), *lines.get(k, (module.lines[k],)))
        for k in range(function.first, function.last + 1)
    }
    candidates = {i.name: i for r in rewrites for i in r.site.nodes if i.line not in lines}
    dead = dead_in(body, candidates)
    for name in dead:
        lines[candidates[name].line] = ()
    for k, texts in body.items():
        if k not in lines and texts and texts[0].lstrip().startswith("#dbg_"):
            lines[k] = (without(texts[0], dead),)
    for k, new in placed.items():
        lines[k] = (*lines.get(k, (module.lines[k],)), *new)
    for k, new in hoisted.items():
        lines[k] = (*new, *lines.get(k, (module.lines[k],)))
    return Edits({k - function.first: new for k, new in sorted(lines.items())}, declarations)


def fresh_names(module: Module, function: Function) -> Iterator[str]:
    """Yield names that no value of a function has."""
    used = [
        int(n)
        for k in range(function.first, function.last + 1)
        for n in _OURS.findall(module.lines[k])
    ]
    number = max(used, default=-1)
    while True:
        number += 1
        yield f"isel.{number}"


def _body(module: Module, site: Site, emitted: Emitted) -> tuple[str, ...]:
    first = site.roots[0]
    lines = list(emitted.lines)
    claimed: set[str] = set()
    own = {f"%{m.group(1)}" for m in map(_DEFINITION.match, lines) if m is not None}
    for root, (type_, text) in zip(site.roots, emitted.roots, strict=True):
        if type_ != str(root.type):
            raise EmissionError(f"the result is {type_}, expected {root.type}")
        if text in own and text not in claimed:
            claimed.add(text)
            lines = [_rename(line, text, f"%{root.name}") for line in lines]
        else:
            source = (
                f"%{site.roots[[t for _, t in emitted.roots].index(text)].name}"
                if text in claimed
                else text
            )
            lines.append(f"%{root.name} = bitcast {type_} {source} to {type_}")
    where = location(first)
    return tuple(_indent(module, first.line, f"{line}{where}") for line in lines)


def _indent(module: Module, at: int, text: str) -> str:
    """Return a line with the indentation of another."""
    written = module.lines[at]
    return written[: len(written) - len(written.lstrip())] + text


def location(root: Instr) -> str:
    """Return the debug location of an instruction as text behind another one."""
    node = dict(root.metadata).get("dbg")
    return f", !dbg {node}" if node else ""


def _rename(line: str, old: str, new: str) -> str:
    return LOCAL.sub(lambda m: new if m.group() == old else m.group(), line)


def is_record(line: str) -> bool:
    """Tell whether a line is a debug record."""
    return line.lstrip().startswith("#dbg_")


def names_defined(line: str) -> Iterator[str]:
    """Yield the value that a line defines, if it does."""
    m = _DEFINITION.match(line)
    if m is not None:
        yield m.group(1)


def _uses(line: str) -> Iterator[str]:
    m = _DEFINITION.match(line)
    for found in LOCAL.finditer(line, m.end() if m else 0):
        yield found.group(1)


def dead_in(body: Mapping[int, tuple[str, ...]], candidates: Mapping[str, Instr]) -> list[str]:
    """Return which candidates nothing in a body uses, but for debug records and each other."""
    counts: dict[str, int] = {}
    for texts in body.values():
        for line in texts:
            if not is_record(line):
                for name in _uses(line):
                    counts[name] = counts.get(name, 0) + 1
    dead: list[str] = []
    for name, i in sorted(candidates.items(), key=lambda item: -item[1].line):
        if counts.get(name, 0) == 0:
            dead.append(name)
            for used in _uses(body[i.line][0]):
                counts[used] -= 1
    return dead


def without(record: str, dead: Sequence[str]) -> str:
    """Return a debug record that no longer mentions dead values."""
    return LOCAL.sub(lambda m: "poison" if m.group(1) in dead else m.group(), record)
