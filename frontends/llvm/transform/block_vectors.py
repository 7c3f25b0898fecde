"""What LLVM's passes make of one block by itself, where it is known that no two extents of it meet.

The block's lines, loads first (:mod:`frontends.llvm.transform.split`), become the body of a
function.  Several lanes of a vector look at a value at once, so that what may be undef is frozen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final

from frontends.llvm.function.addresses import Address
from frontends.llvm.function.alias import Writes
from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.passes.left import Left, require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Local, Operand, PtrType, VectorType
from frontends.llvm.text.parse import parse_instruction, parse_module
from frontends.llvm.text.rewording import locals_in, rename, without_promises
from frontends.llvm.text.syntax import UNLIKELY
from frontends.llvm.text.tokens import callee_of
from frontends.llvm.transform.frozen_addresses import Frozen, freeze_loaded
from frontends.llvm.transform.site import Change, Opportunity, Scope, stay
from frontends.llvm.transform.split import Split, split
from frontends.llvm.windows.webs import computed_from
from isel.errors import IselError

_NAMED: Final = re.compile(r"(?<=%)[-\w$.]+|^[-\w$.]+(?=:$)")
_GROUP: Final = re.compile(r" #\d+")
_NAME: Final = "isel.block"


def _text(s: Split, given: Mapping[str, str]) -> Iterator[str]:
    """Yield what comes in place of the end of a block, before that; ``given`` are other names of
    what it gives.
    """
    yield from (*s.check, s.branch())
    for label, own in zip(s.labels, (s.disjoint, s.plain), strict=False):
        yield from (f"{label}:", *own, build.go(s.labels[2]))
    yield from (f"{s.labels[2]}:", *(rename(x, given) for x in s.phis()))


def _with_names(
    lines: Iterable[str], own: Collection[str], names: Iterator[str], known: Mapping[str, str]
) -> Iterator[str]:
    """Yield lines with names that are free, or known, in place of those of a split."""
    fresh = {**known}

    def new(m: re.Match[str]) -> str:
        if m[0] in own and m[0] not in fresh:
            begins = UNLIKELY if m[0].startswith(UNLIKELY) else "isel."
            fresh[m[0]] = next(names).replace("isel.", begins)
        return fresh.get(m[0], m[0])

    return (_NAMED.sub(new, line) for line in lines)


class Vectors:
    """The blocks of a function as vectors."""

    def __init__(self, scope: Scope, frozen: Frozen | None = None) -> None:
        self._scope, self._frozen = scope, frozen

    @cached_property
    def _stores(self) -> list[Address | None]:
        """Where the function stores."""
        address = self._scope.writes.addresses.of
        return [address(i.operands[1]) for i in self._scope.view if i.opcode == "store"]

    def of(self, label: str, root: Instr) -> Opportunity:
        """Return a block with vectors behind a check, by a load behind its first store."""
        found = self._split(label, root)
        frozen = freeze_loaded(self._scope, label) if found.why_not else None
        other = found if frozen is None else Vectors(frozen.scope, frozen)._split(label, root)
        return found if other.why_not else other

    def _write(
        self, s: Split, declared: Mapping[str, str], own: Collection[str], names: Iterator[str]
    ) -> Change:
        """Return what the lines of a split block become, and of what is behind it; of the names in
        it ``own`` stand for others.
        """
        scope = self._scope
        frozen, lines = self._frozen.edits(names) if self._frozen else ({}, {})
        given = {i.name: next(names) for i, _, _ in s.outs}  # numbers are in order in LLVM's text
        text = list(_with_names(_text(s, given), own, names, frozen))
        given |= frozen
        phis = {s.label: text[-1 - len(s.outs)].removesuffix(":")}
        block = scope.view.block(s.label).instrs
        lines.update({i.line: () for i in block if i.opcode == "dbg" or i in s.late})
        for i in scope.view:
            new = rename(i.text.strip(), given | phis if i.opcode == "phi" else given)
            if new != i.text.strip():
                lines.setdefault(i.line, (new,))
        at = s.graph.end(s.label).line
        lines[at] = (*text, *lines.get(at, (scope.module.lines[at],)))
        says = "vectors, behind a check of what is accessed"
        return Change(lines, says, declarations=declared)

    def _split(self, label: str, root: Instr) -> Opportunity:
        scope, own = self._scope, dict[str, str]()
        names = (own.setdefault(x, x) for x in scope.view.free_names("isel.split"))
        try:
            require(not scope.why_small, scope.why_small)
            alone = _Alone(split(scope.graph, label, names), names)
            writes = scope.writes
            read = [x.operands[0] for x in alone.split.late if x.opcode == "load"]
            met = (_meet(writes, writes.addresses.of(o), i) for o in read for i in self._stores)
            # of a vector that is still being stored in parts a load waits for all
            require(not any(met), "what it loads may just have been stored in parts")
            text = _optimise(scope, alone.text(scope))
            found = _Back(alone, _read(text), names).split()
        except (Left, Cannot) as why:
            return stay(root, str(why))
        own[found.labels[1]] = ""
        declared = dict(_declarations(text.splitlines()))
        return Opportunity(root, partial(self._write, found, declared, own))


def _meet(writes: Writes, one: Address | None, other: Address | None) -> bool:
    """Tell whether two addresses may lead into one object, not by constants from each other."""
    if one is None or other is None:
        return True
    a, b = writes.object(one.base), writes.object(other.base)
    return one.line != other.line and (a == b or not (a and b))


def _optimise(scope: Scope, text: str) -> str:
    try:
        found = scope.optimise(text)
    except IselError as why:
        raise Left("LLVM's passes fail on it") from why
    if not isinstance(found, str):
        raise Left(f"LLVM's passes fail on it: {found.reason}")
    return found


def _read(text: str) -> Sequence[Instr]:
    """Return what LLVM's passes make of a block, without its return."""
    blocks = parse_module(text).function(_NAME).blocks
    require(len(blocks) == 1, "LLVM's passes make several blocks of it")
    instrs = blocks[0].instrs[:-1]
    vectors = any(i.opcode == "load" and isinstance(i.type, VectorType) for i in instrs)
    require(vectors, "LLVM's passes make no vectors of what it loads")
    return instrs


class _Alone:
    """A split block's lines behind its check as the body of a function, with the ``steps`` from
    address to address.  What it gives is stored once there, as LLVM joins the lanes of sums that
    have one use; the block's own stores of it are the ``rest``.
    """

    def __init__(self, s: Split, names: Iterator[str]) -> None:
        self.split = s
        self.steps = _steps(s)
        self.outs = [next(names) for _ in s.outs]
        self.rest: list[str] = []
        self._body: list[Instr] = []
        given = {x for _, x, _ in s.outs}
        for k, x in enumerate((*(i.text.strip() for i in self.steps), *s.disjoint)):
            i = parse_instruction(x, k)
            if i.opcode == "store" and _name(i.operands[0]) in given:
                self.rest.append(x)
            else:
                self._body.append(i)
        self._inputs = _inputs(self._body)
        self.arguments = {next(names): o.name for o in self._inputs}

    def text(self, scope: Scope) -> str:
        """Return the text of a module."""
        said = " ".join(f'"{k}"="{v}"' for k, v in scope.function.attributes.items() if v)
        called = {i.callee for i in self.split.late if i.callee}
        lines = [
            f'target datalayout = "{scope.module.layout}"',
            f'target triple = "{scope.module.triple}"',
            *(x for name, x in _declarations(scope.module.lines) if name in called),
            f"define void @{_NAME}({', '.join(self._head())}) nounwind {said} {{",
            *self._lines(),
            "ret void",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def _head(self) -> Iterator[str]:
        own = zip(self._inputs, self.arguments, strict=True)
        yield from (f"{o.type} %{x}" for o, x in own)
        yield from (f"ptr noalias %{x}" for x in self.outs)

    def _lines(self) -> Iterator[str]:
        own = {name: x for x, name in self.arguments.items()}
        yield from (rename(i.text.partition(", !")[0], own) for i in self._body)
        for (i, x, _), to in zip(self.split.outs, self.outs, strict=True):
            yield build.store(Local(own.get(x, x), i.type), Local(to, PtrType()), 0)


@dataclass
class _Back:
    """What LLVM's passes make of a block, in the function that it is of."""

    alone: _Alone
    instrs: Sequence[Instr]
    names: Iterator[str]
    _places: dict[str, str] = field(default_factory=dict)
    _outs: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        alone = self.alone
        self._own = {i.name: next(self.names) for i in self.instrs if i.name} | alone.arguments
        self._known = {
            (x.opcode, _place(i, {})): i.name
            for i in alone.steps
            for x in alone.split.late
            if [_name(o) for o in x.operands[-1:]] == [i.name]
        }

    def split(self) -> Split:
        """Return the split with vectors behind its check."""
        alone = self.alone
        new = [*self._freezes(), *(x for i in self.instrs for x in self._lines(i))]
        pairs = zip(alone.split.outs, alone.outs, strict=True)
        outs = [(i, self._outs[to], y) for (i, _, y), to in pairs]
        given = {x: y for (_, x, _), (_, y, _) in zip(alone.split.outs, outs, strict=True)}
        new += (rename(x, given) for x in alone.rest)
        return replace(alone.split, disjoint=list(_in_use(new)), outs=outs)

    def _near(self, i: Instr) -> dict[str, str]:
        """Return the name of an access's address in the block, where the block does the same
        there.
        """
        to = _name(i.operands[-1])
        known = self._known.get((i.opcode, self._places.get(to, "")))
        return {} if known is None else {to: known}

    def _freezes(self) -> Iterator[str]:
        for o in _scalars(self.instrs):
            name = self.alone.arguments.get(o.name)
            if name is not None and str(o.type) != "ptr":
                self._own[o.name] = next(self.names)
                yield build.freeze(Local(name, o.type)).line(self._own[o.name])

    def _lines(self, i: Instr) -> Iterator[str]:
        own = self._own
        to = _name(i.operands[-1]) if i.opcode == "store" else ""
        if to in self.alone.outs:
            value = _name(i.operands[0])
            require(bool(value), "it gives a constant")
            self._outs[to] = own[value]
        elif i.opcode == "getelementptr":  # what it promises need not be so of what is read
            self._places[i.name] = _place(i, own)
            yield f"%{own[i.name]} = {self._places[i.name]}"
        elif i.opcode == "load":
            read = next(self.names)
            yield rename(i.text.strip(), {**own, i.name: read, **self._near(i)})
            yield build.freeze(Local(read, i.type)).line(own[i.name])
        elif i.opcode == "store":
            yield rename(i.text.strip(), own | self._near(i))
        else:
            yield _GROUP.sub("", rename(i.text.strip(), own))


def _in_use(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines without addresses that nothing is done at."""
    names = Counter(m for x in lines for m in locals_in(x))
    return (x for x in lines if "= getelementptr " not in x or names[locals_in(x)[0]] > 1)


def _inputs(instrs: Sequence[Instr]) -> list[Local]:
    """Return what instructions use of others."""
    own = {i.name for i in instrs}
    used = (o for i in instrs for o in i.operands if isinstance(o, Local))
    return list({o.name: o for o in used if o.name not in own}.values())


def _name(o: Operand) -> str:
    return o.name if isinstance(o, Local) else ""


def _scalars(instrs: Sequence[Instr]) -> list[Local]:
    """Return the values that scalars are computed from which become lanes."""
    defined = {i.name: i for i in instrs}
    waiting = [i.operands[1] for i in instrs if i.opcode == "insertelement"]
    found = dict[Local, None]()
    while waiting:
        o = waiting.pop()
        if isinstance(o, Local) and o not in found:
            found[o] = None
            i = defined.get(o.name)
            waiting += i.operands if i is not None and i.opcode != "load" else ()
    return list(found)


def _steps(s: Split) -> list[Instr]:
    """Return what computes the addresses of a split block from each other."""
    roots, defs = [o for i in s.late for o in i.operands], s.graph.function.view.defs
    steps = computed_from(defs, roots, lambda i: i.opcode == "getelementptr")
    return sorted(steps, key=lambda i: i.line)


def _place(i: Instr, names: Mapping[str, str]) -> str:
    """Return what a step adds, with other names and without its promises."""
    return rename(without_promises(i).partition(" = ")[2], names)


def _declarations(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return the declarations of a module by name."""
    return ((callee_of(x)[0], _GROUP.sub("", x)) for x in lines if x.startswith("declare "))
