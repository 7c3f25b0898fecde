"""Pointers and strides that are loaded, frozen behind their loads: each look at one sees the same
then, so that what a block accesses can be computed before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from frontends.llvm.text import build
from frontends.llvm.text.ast import Argument, Block, Instr, Local
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import rename, rename_uses
from frontends.llvm.transform.site import Scope
from isel.cost.loops import reach


@dataclass(frozen=True, slots=True)
class Frozen:
    """A scope with a function that is given values in place of those that are loaded, by name."""

    scope: Scope
    names: Mapping[str, str]

    def edits(self, names: Iterator[str]) -> tuple[dict[str, str], dict[int, tuple[str, ...]]]:
        """Return what is frozen by what is given in the scope, and the lines of that."""
        given, lines = {x: next(names) for x in self.names.values()}, dict[int, tuple[str, ...]]()
        for name, new in self.names.items():
            i = self.scope.view.defs[name]
            freeze = build.freeze(build.result(i)).line(given[new])
            lines[i.line] = (rename(i.text.strip(), given), freeze)
        return given, lines


def freeze_loaded(scope: Scope, label: str) -> Frozen | None:
    """Return a scope in which the addresses of a block rest on nothing that may be undef, None
    where something else than loads in other blocks is that.
    """
    roots = list(dict.fromkeys(_roots(scope, label)))
    found = (scope.view.defs[x] for x in roots if x in scope.view.defs)
    loads = [i for i in found if i.opcode == "load" and scope.view.label(i.name) != label]
    if not loads or len(loads) < len(roots):
        return None
    names, function = scope.view.free_names("isel.frozen"), scope.function
    new = {i.name: next(names) for i in loads}
    blocks = tuple(Block(b.label, tuple(_uses(b, new))) for b in function.blocks)
    given = (Argument(new[i.name], i.type, ("noundef",)) for i in loads)
    function = replace(function, blocks=blocks, arguments=(*function.arguments, *given))
    return Frozen(replace(scope, function=function), new)


def _uses(b: Block, names: Mapping[str, str]) -> Iterator[Instr]:
    """Return the instructions of a block, on their lines, with other names of what they use."""
    return (parse_instruction(rename_uses(i, names), i.line) for i in b.instrs)


def _roots(scope: Scope, label: str) -> Iterator[str]:
    """Yield values that the addresses of a block may be undef for."""
    addresses, settled = scope.writes.addresses, scope.writes.settled

    def above(name: str) -> list[str]:
        i = None if settled.holds(name) else scope.view.defs.get(name)
        given = () if i is None or i.opcode in ("load", "call") else i.operands
        return [o.name for o in given if isinstance(o, Local)]

    accesses = (i for i in scope.view.block(label).instrs if i.opcode in ("load", "store"))
    names = [x for i in accesses if (at := addresses.of(i.operands[-1])) for x in at.names]
    return (x for x in reach(names, above) if not settled.holds(x) and not above(x))
