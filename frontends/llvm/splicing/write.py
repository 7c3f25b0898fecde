"""Rewrites put into a module's text: new lines before the root, dead source instructions out, the
rest as it was.

The last new instruction takes the root's own name, so its uses and debug records stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.splicing.emit import EmissionError, Emitted, emit
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr, Module, Symbol
from frontends.llvm.text.rewording import RESULT, locals_in, rename, respell, spell
from frontends.llvm.windows.scene import Site
from isel.model.program import Program
from isel.spec.instruction import Instructions

NAMED: Final = "isel.root."  # and a number: a value of several that are given in another order


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A window and the program that replaces it."""

    site: Site
    program: Program


@dataclass(frozen=True, slots=True)
class Edits:
    """What the lines of a function become, counted from its first, and the declarations that
    they need by name.  A line without indentation gets that of the one in whose place it stands.
    """

    lines: Mapping[int, tuple[str, ...]]
    declarations: Mapping[str, str]


def splice(module: Module, rewrites: Sequence[Rewrite], instructions: Instructions) -> str:
    """Return the module's text with every rewrite applied; raise :class:`EmissionError` if one
    cannot be written.
    """
    return edit(module, edits(module, rewrites, instructions))


def edits(
    module: Module, rewrites: Sequence[Rewrite], instructions: Instructions
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
            for k, new in own.lines.items():
                at = function.first + k
                lines[at] = tuple(_indent(module, at, x) for x in new)
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


def emitted_lines(module: Module, rewrite: Rewrite, instructions: Instructions) -> tuple[str, ...]:
    """Return the lines that replace a window."""
    function = next(f for f in module.functions if f.name == rewrite.site.function)
    fresh = function.view.free_names()
    emitted = emit(rewrite.program, rewrite.site.inputs, instructions, fresh)
    before = (*(text for _, text in emitted.placed), *emitted.hoisted)
    return (*before, *_body(rewrite.site, emitted))


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
    module: Module, function: Function, rewrites: Sequence[Rewrite], instructions: Instructions
) -> Edits:
    draft = _Draft(module)
    fresh = function.view.free_names()
    for r in sorted(rewrites, key=lambda r: r.site.line):
        draft.add(r.site, emit(r.program, r.site.inputs, instructions, fresh))
    nodes = (i for r in rewrites for i in r.site.nodes)
    return draft.edits(function, {i.name: i for i in nodes if i.line not in draft.lines})


@dataclass(slots=True)
class _Draft:
    """What lines of a function become, what goes behind others, and what goes before some; which
    values are ``named`` in all lines, as numbers would have to ascend.
    """

    module: Module
    lines: dict[int, tuple[str, ...]] = field(default_factory=dict)
    placed: dict[int, list[str]] = field(default_factory=dict)
    hoisted: dict[int, list[str]] = field(default_factory=dict)
    declarations: dict[str, str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)

    def add(self, site: Site, emitted: Emitted) -> None:
        """Write what replaces a window."""
        self.declarations.update(emitted.declarations)
        for root in site.roots:
            if root.line in self.lines:
                raise EmissionError(f"%{root.name} is rewritten twice")
            self.lines[root.line] = ()
        self.lines[site.line] = _body(site, emitted)
        numbers = (r.name for r in site.roots if r.name.isdecimal() and len(site.roots) > 1)
        self.named.update((n, f"{NAMED}{n}") for n in numbers)
        for at, text in emitted.placed:
            self.placed.setdefault(at, []).append(text)
        if emitted.hoisted:
            assert site.home is not None  # or it would have no invariant leaves
            self.hoisted.setdefault(site.home, []).extend(emitted.hoisted)

    def edits(self, function: Function, candidates: Mapping[str, Instr]) -> Edits:
        """Return the lines, those of ``candidates`` left out that nothing uses then."""
        lines, plain = self.lines, self.module.lines
        body = {k: (*self.hoisted.get(k, ()), *lines.get(k, (plain[k],))) for k in function.span}
        drop_unused(function, body, lines, candidates)
        for k, new in self.placed.items():
            lines[k] = (*lines.get(k, (plain[k],)), *new)
        for k, new in self.hoisted.items():
            lines[k] = (*new, *lines.get(k, (plain[k],)))
        for k in function.span if self.named else ():
            texts = tuple(rename(text, self.named) for text in lines.get(k, (plain[k],)))
            lines.update({k: texts} if texts != (plain[k],) else {})
        kept = {k - function.first: new for k, new in sorted(lines.items())}
        return Edits(kept, self.declarations)


def drop_unused(
    function: Function,
    body: Mapping[int, tuple[str, ...]],
    lines: dict[int, tuple[str, ...]],
    candidates: Mapping[str, Instr],
) -> None:
    """Take what nothing uses out of a function, and what nothing defines then out of its debug
    records: ``lines`` are those that change, ``body`` all of them.
    """
    lines.update({candidates[name].line: () for name in dead_in(body, candidates)})
    found = (RESULT.match(x) for texts in lines.values() for x in texts)
    kept = {m[1] for m in found if m is not None}
    gone = [i.name for i in function.view if i.line in lines and i.name and i.name not in kept]
    records = [k for k, x in body.items() if k not in lines and x and is_record(x[0])]
    lines.update({k: (without(body[k][0], gone),) for k in records})


def _body(site: Site, emitted: Emitted) -> tuple[str, ...]:
    lines = list(emitted.lines)
    claimed: dict[str, str] = {}
    own = {f"%{m.group(1)}" for m in map(RESULT.match, lines) if m is not None}
    for root, value in zip(site.roots, emitted.roots, strict=True):
        text = spell(value)
        if value.type != root.type:
            raise EmissionError(f"the result is {value.type}, expected {root.type}")
        if text in own and text not in claimed:
            claimed[text] = f"%{root.name}"
            lines = [rename(line, {text[1:]: root.name}) for line in lines]
        else:
            source = Symbol(claimed.get(text, text), root.type)
            lines.append(build.cast("bitcast", source, root.type).line(root.name))
    return tuple(f"{line}{location(site.roots[0])}" for line in lines)


def _indent(module: Module, at: int, text: str) -> str:
    """Return a line with the indentation of another, if it has none and is no label."""
    written = module.lines[at]
    has = text.startswith(" ") or text.endswith(":")
    return text if has else written[: len(written) - len(written.lstrip())] + text


def location(root: Instr) -> str:
    """Return the debug location of an instruction as text behind another one."""
    node = dict(root.metadata).get("dbg")
    return f", !dbg {node}" if node else ""


def is_record(line: str) -> bool:
    """Tell whether a line is a debug record."""
    return line.lstrip().startswith("#dbg_")


def _uses(line: str) -> list[str]:
    m = RESULT.match(line)
    return locals_in(line[m.end() if m else 0 :])


def dead_in(body: Mapping[int, tuple[str, ...]], candidates: Mapping[str, Instr]) -> list[str]:
    """Return which candidates nothing in a body uses, but for debug records and each other."""
    lines = (line for texts in body.values() for line in texts if not is_record(line))
    counts = Counter(name for line in lines for name in _uses(line))
    dead: list[str] = []
    for name, i in sorted(candidates.items(), key=lambda item: -item[1].line):
        if not counts[name]:
            dead.append(name)
            for used in _uses(body[i.line][0]):
                counts[used] -= 1
    return dead


def without(record: str, dead: Iterable[str]) -> str:
    """Return a debug record that no longer mentions dead values."""
    return respell(record, dict.fromkeys(dead, "poison"))
