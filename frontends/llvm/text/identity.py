"""Are two functions the same text of LLVM's grammar, but for the names that they define themselves?

What is named outside of a function (types, attribute groups, metadata, globals, comdats) is
compared by what it says. Debug information says nothing about what code does and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.layout import type_names
from frontends.llvm.text.tokens import Cursor, callee_of

_GLOBAL: Final = re.compile(r'^([@$](?:"[^"]*"|[-\w$.]+)) = ')
_NODE: Final = re.compile(r"^(![\w.$-]+) = ")
_GROUP: Final = re.compile(r"^attributes (#\d+) = ")
DEBUG: Final = ("llvm.dbg.value", "llvm.dbg.declare", "llvm.dbg.label", "llvm.dbg.assign")
# How a machine hands values over, guards its code and is used.
_OF_THE_MACHINE: Final = re.compile(
    r"(?<![^\s(])(?:(?:(?:zero|sign|no)ext|inreg|uwtable|ssp(?:req|strong)?|vscale_range|nocf_check|"
    r'alignstack|dso_local|dso_preemptable)(?:\([^)]*\)|=\d+)?|"(?:(?:target|tune)-cpu|no-builtins|'
    r"target-features|(?:min-legal|prefer)-vector-width|frame-pointer|no-trapping-math|probe-stack|"
    r'stack-(?:probe|protector-buffer)-size)"(?:="[^"]*")?)(?![^\s),])'
)
_SILENT: Final = frozenset(("!llvm.ident", "!llvm.dbg.cu", "!llvm.commandline"))
Locals = Mapping[str, int]


def tokens(text: str) -> list[str]:
    """Return the tokens of a piece of LLVM IR, without attached debug locations."""
    found = [t for t in Cursor(text).tokens if t]
    while "!dbg" in found:
        at = found.index("!dbg")
        first = at - 1 if at and found[at - 1] == "," else at
        found[first : at + 1 + _node_length(found, at + 1)] = []
    return found


def _node_length(found: Sequence[str], at: int) -> int:
    """Return how many tokens a node takes: ``!7`` one, ``!DILocation(…)`` all to the bracket
    that closes.
    """
    if at + 1 >= len(found) or found[at + 1] not in ("(", "{") or re.fullmatch(r"!\d+", found[at]):
        return 1
    depth = 0
    for k in range(at + 1, len(found)):
        depth += (found[k] in ("(", "{")) - (found[k] in (")", "}"))
        if depth == 0:
            return k - at + 1
    return len(found) - at


@dataclass(frozen=True, slots=True)
class Contents:
    """What a module says beside its functions' bodies: text by name (``#0``, ``!1``, ``%type``,
    ``@global``, ``$comdat``).
    """

    named: Mapping[str, str]
    types: Mapping[str, str]
    frame: tuple[object, ...]  # data layout, triple, module assembly, named metadata
    parameters: Mapping[str, Locals]  # of the functions, by name

    def group(self, name: str) -> str:
        """Return the text between the braces of an attribute group."""
        return self.named[name].strip().removeprefix("{").removesuffix("}")


def _read_names(module: Module) -> dict[str, str]:
    """Return what globals, nodes and groups of attributes are, by name."""
    named: dict[str, str] = {}
    for line in module.lines:
        found = _GLOBAL.match(line) or _NODE.match(line) or _GROUP.match(line)
        if found is not None:
            named[found[1]] = line[found.end() :]
        elif line.startswith(("define ", "declare ")):
            named[f"@{callee_of(line)[0]}"] = line
    return named


def contents(module: Module, layout: str = "") -> Contents:
    """Read what a module names; ``layout`` is the data layout where it names none."""
    assembly = tuple(x for x in module.lines if x.startswith("module asm "))
    frame = (module.layout or layout, module.triple, assembly)
    parameters = {
        f"@{f.name}": {a.name: k for k, a in enumerate(f.arguments)} for f in module.functions
    }
    return Contents(_read_names(module), type_names(module.lines), frame, parameters)


@dataclass
class Pairing:
    """Two modules and what has been found to be the same in both, each distinct node of one
    with one of the other.
    """

    source: Contents
    target: Contents
    across: bool = False  # they are for two machines
    known: dict[tuple[str, str], bool] = field(default_factory=dict)
    forward: dict[str, str] = field(default_factory=dict)
    backward: dict[str, str] = field(default_factory=dict)

    def frames(self) -> str:
        """Return what keeps functions of the two modules from being compared at all; empty if
        nothing does.
        """
        for k, what in enumerate(("data layouts", "target triples", "module assemblies")):
            of_the_machine = self.across and what != "module assemblies"
            if self.source.frame[k] != self.target.frame[k] and not of_the_machine:
                return f"the {what} differ"
        nodes = (n for n in self._nodes() if not self.same([n], [n]))
        return next((f"the module's {n} differ" for n in nodes), "")

    def _nodes(self) -> list[str]:
        """Return the named metadata that has a say in what code does."""
        named = {n for c in (self.source, self.target) for n in c.named if n[0] == "!"}
        silent = _SILENT | {"!llvm.module.flags"} if self.across else _SILENT
        return sorted(n for n in named - silent if not n[1:].isdecimal())

    def same(
        self, mine: Sequence[str], theirs: Sequence[str], locals_: tuple[Locals, Locals] = ({}, {})
    ) -> bool:
        """Tell whether two sequences of tokens say the same; ``locals_`` numbers the names that
        each function defines.
        """
        before = (dict(self.known), dict(self.forward), dict(self.backward))
        if self._same(mine, theirs, locals_):
            return True
        self.known, self.forward, self.backward = before
        return False

    def says(self, mine: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]) -> bool:
        """Tell whether the metadata of the target says nothing that the source's does not."""
        return all(
            any(k == kind and self.same(tokens(t), tokens(text)) for k, t in mine)
            for kind, text in theirs
        )

    def _same(
        self, mine: Sequence[str], theirs: Sequence[str], locals_: tuple[Locals, Locals]
    ) -> bool:
        return len(mine) == len(theirs) and all(
            self._token(x, y, locals_) for x, y in zip(mine, theirs, strict=True)
        )

    def _token(self, x: str, y: str, locals_: tuple[Locals, Locals]) -> bool:
        if x[0] != y[0] or x == "blockaddress":  # which names a label of any function
            return False
        if x[0] == "%" and len(x) > 1:
            return self._percent(x, y, locals_)
        if x[0] in "#!@$" and len(x) > 1 and x[:2] != '!"':
            return self._name(x, y)
        return x == y

    def _percent(self, x: str, y: str, locals_: tuple[Locals, Locals]) -> bool:
        mine, theirs = locals_[0].get(x[1:]), locals_[1].get(y[1:])
        if (mine is None) != (theirs is None) or (
            mine is not None and (x in self.source.types or y in self.target.types)
        ):
            return False  # a name that may be of a type as well
        return (
            mine == theirs
            if mine is not None
            else self._content(x, y, self.source.types, self.target.types)
        )

    def _name(self, x: str, y: str) -> bool:
        if x[0] in "@$" and x != y:
            return False
        mine, theirs = self.source.named, self.target.named
        if x[0] == "!" and not (x[1:].isdecimal() and y[1:].isdecimal()):
            return x == y and (x not in mine or self._content(x, y, mine, theirs))
        same = self.source is self.target and x == y and x[0] != "!"
        return same or self._content(x, y, mine, theirs)

    def _content(self, x: str, y: str, mine: Mapping[str, str], theirs: Mapping[str, str]) -> bool:
        if (x, y) in self.known:
            return self.known[x, y]
        if x not in mine or y not in theirs:
            return False
        p, q = self._says(x, mine[x]), self._says(y, theirs[y])
        if (
            x[0] == "!"
            and "distinct" in (p[:1] + q[:1])
            and (self.forward.setdefault(x, y) != y or self.backward.setdefault(y, x) != x)
        ):
            return False
        self.known[x, y] = (
            True  # until something says otherwise: nodes and types may refer to themselves
        )
        found = self._same(
            p, q, (self.source.parameters.get(x, {}), self.target.parameters.get(y, {}))
        )
        self.known[x, y] = found
        return found

    def _says(self, name: str, text: str) -> list[str]:
        """Return the tokens of what is called so, as others see it."""
        if self.across and (name[0] == "#" or text.startswith(("define ", "declare "))):
            text = without_machine(text)
        found = _whole_comdat(tokens(text), name)
        begin = name[0] == "@" and found[0] in ("define", "declare")
        return found[begin : -1 if begin and found[0] == "define" else None]  # as others see it


def _whole_comdat(said: list[str], name: str) -> list[str]:
    """Name the comdat of a global or function, which has its own name where none is given."""
    found: list[str] = []
    for k, token in enumerate(said):
        found.append(token)
        if token == "comdat" and name[0] == "@" and said[k + 1 : k + 2] != ["("]:
            found += ["(", f"${name[1:]}", ")"]
    return found


def without_machine(text: str) -> str:
    """Return a function's head or attributes without what may differ on another machine."""
    return _OF_THE_MACHINE.sub("", text).strip()


def local_names(function: Function) -> dict[str, int]:
    """Number what a function defines, values and labels, in the order of the text."""
    found: dict[str, int] = {a.name: k for k, a in enumerate(function.arguments)}
    for block in function.blocks:
        found.setdefault(block.label, len(found))
        for i in block.instrs:
            if i.name:
                found.setdefault(i.name, len(found))
    return found


def _body(function: Function) -> Iterator[list[str]]:
    for block in function.blocks:
        yield [f"%{block.label}"]
        for i in block.instrs:
            if i.opcode != "dbg" and i.callee not in DEBUG:
                yield tokens(i.text)


def head_tokens(function: Function) -> list[str]:
    """Return the tokens of a definition's first line without the function's name."""
    name = f"@{function.name}"
    found = _whole_comdat(tokens(function.head), name)
    if name in found:
        found.remove(name)
    return found


def identical(source: Function, target: Function, pairing: Pairing) -> bool:
    """Tell whether two functions are the same but for their own names."""
    locals_ = (local_names(source), local_names(target))
    mine = [head_tokens(source), *_body(source)]
    theirs = [head_tokens(target), *_body(target)]
    if len(mine) != len(theirs):
        return False
    return pairing.same(
        [t for line in mine for t in [*line, "\n"]],
        [t for line in theirs for t in [*line, "\n"]],
        locals_,
    )


def mention(function: Function, said: Contents) -> frozenset[str]:
    """Return the globals (``@name``) that a function mentions, itself or by way of constants
    and aliases.
    """
    waiting = {t for line in _body(function) for t in line if t[0] == "@" and len(t) > 1}
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        text = said.named.get(name, "")
        if not text.startswith(("define ", "declare ")):
            waiting |= {t for t in tokens(text) if t[0] == "@" and len(t) > 1} - found
    return frozenset(found)
