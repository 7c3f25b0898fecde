"""Lanes that loops carry in more bits than the greatest of them ever needs, and what is computed
with them: as many lanes of fewer bits.

C computes in ``int``, so a loop that carries sums of bytes to its next iteration carries lanes of
32 bits, and all around it has as many.  Windows end at phis; what is between them is theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from frontends.llvm.meaning.bounds import bound_of, bounds_of
from frontends.llvm.splicing.write import location
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType, Literal, Local, Operand, VectorType
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.rewording import narrow_kind, narrow_literal, rename, spell
from frontends.llvm.text.syntax import is_below, shape_of
from frontends.llvm.text.view import incoming
from frontends.llvm.transform.site import Change, Opportunity, Scope

_WIDTHS: Final = (8, 16, 32)
_SHIFTS: Final = ("shl", "lshr")
_PLAIN: Final = ("add", "mul", "and", "or", "xor", *_SHIFTS)
_MOVES: Final = ("select", "shufflevector", "insertelement", "extractelement")
_AS_IT_IS: Final = {"zext": 0, "select": 0, "insertelement": 2, "extractelement": 1}  # operands
_NARROW: Final = ("phi", "zext", *_PLAIN, *_MOVES)


def _narrow(scope: Scope, members: Mapping[str, Instr], bits: int, names: Iterator[str]) -> Change:
    """Return values, each of which is computed from others or given to one, in fewer bits, extended
    for what else looks at them.
    """
    writer = _Writer(scope, members, bits, names)
    writer.write()
    return Change(writer.lines(), f"lanes of {bits} bits")


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield what is around phis of vectors whose lanes fit into fewer bits, in program
    order.
    """
    phis = [i for i in scope.view.work if i.opcode == "phi" and isinstance(i.type, VectorType)]
    bounds, met = bounds_of(scope.view) if phis else {}, set[str]()
    for phi in phis:
        bits = next((b for b in _WIDTHS if _may_be(phi, b, bounds)), 0)
        if bits and phi.name not in met:
            members = _members(scope, phi, bits, bounds)
            met.update(members)
            root = next(i for i in members.values() if i.opcode == "phi")
            yield Opportunity(root, partial(_narrow, scope, members, bits))


def _may_be(i: Instr, bits: int, bounds: Mapping[str, int]) -> bool:
    """Tell whether a value may be computed in so many bits from operands that are cut to them."""
    small = shape_of(i.type)[1] > bits and bound_of(i, bounds) < 1 << bits
    if not small or i.opcode not in _NARROW or not i.known:
        return False
    plain = i.opcode not in _SHIFTS or is_below(i.operands[1], bits)
    return plain and (i.opcode != "lshr" or bound_of(i.operands[0], bounds) < 1 << bits)


def _members(scope: Scope, phi: Instr, bits: int, bounds: Mapping[str, int]) -> dict[str, Instr]:
    """Return what may be computed in so many bits around a phi, in program order."""
    found, waiting = dict[str, Instr](), [phi]
    while waiting:
        i = waiting.pop()
        vector = isinstance(i.type, VectorType)
        if i.name in found or not (vector or i.opcode == "extractelement"):
            continue
        found[i.name] = i
        near = [d for o in i.operands if (d := scope.definition(o)) is not None]
        near += scope.view.used_by(i.name) if vector else ()
        waiting += [d for d in near if _may_be(d, bits, bounds)]
    return dict(sorted(found.items(), key=lambda x: x[1].line))


@dataclass(slots=True)
class _Writer:
    """Lines in place of members, and before other instructions."""

    scope: Scope
    members: Mapping[str, Instr]
    bits: int
    names: Iterator[str]
    called: dict[str, Operand] = field(default_factory=dict)  # members in fewer bits
    own: dict[int, list[str]] = field(default_factory=dict)
    before: dict[int, list[str]] = field(default_factory=dict)
    renamed: dict[int, dict[str, str]] = field(default_factory=dict)

    def write(self) -> None:
        """Write every member."""
        members = self.members
        self.called = {n: Local(next(self.names), self._kind(i)) for n, i in members.items()}
        for n, i in members.items():
            if self._is_there(i):
                self.called[n] = self._operand(i.operands[0], i)
        for i in members.values():
            new, self.own[i.line] = self.called[i.name], []
            if isinstance(new, Local) and not self._is_there(i):
                self.own[i.line].append(self._body(i).line(new.name, location(i)))
            self._extend(i)

    def lines(self) -> dict[int, tuple[str, ...]]:
        """Return what the lines of the function become."""
        found: dict[int, tuple[str, ...]] = {}
        for i in self.scope.view:
            if i.line in self.own or i.line in self.before:
                text = rename(i.text.strip(), self.renamed.get(i.line, {}))
                own = self.own.get(i.line, [text])
                found[i.line] = (*self.before.get(i.line, ()), *own)
        return found

    def _is_there(self, i: Instr) -> bool:
        """Tell whether a member extends a value of the bits that are wanted."""
        o = i.operands[0]
        same = o.type == self._kind(o) or (isinstance(o, Local) and o.name in self.members)
        return i.opcode == "zext" and same

    def _extend(self, i: Instr) -> None:
        """Extend a member for what else looks at it: where it is, or elsewhere for each."""
        others, block = self._others(i), self.scope.view.blocks[self.scope.view.places[i.line]]
        extended, at = build.cast("zext", self.called[i.name], i.type), location(i)
        if all(u.opcode not in ("phi", "dbg") and u not in block.instrs for u in others):
            for u in others:
                new = next(self.names)
                self.before.setdefault(u.line, []).append(extended.line(new, at))
                self.renamed.setdefault(u.line, {})[i.name] = new
        elif i.opcode != "phi":
            self.own[i.line].append(extended.line(i.name, at))
        else:
            first = next(x for x in block.instrs if x.opcode not in ("phi", "dbg"))
            self.before.setdefault(first.line, []).append(extended.line(i.name, at))

    def _others(self, i: Instr) -> list[Instr]:
        """Return what else looks at a member, debug records among it."""
        own = self.members
        notes = (x for x in self.scope.view if x.opcode == "dbg")
        debug = (x for x in notes if i.name in {o.name for o in x.operands if isinstance(o, Local)})
        return [*(u for u in self.scope.view.used_by(i.name) if u.name not in own), *debug]

    def _body(self, i: Instr) -> build.Body:
        """Return what computes a member in fewer bits; what it promises is left out."""
        if i.opcode == "phi":
            edges = ((spell(self._at_end(x, o)), x) for x, o in incoming(i).items())
            return build.phi(self._kind(i), edges)
        at = _AS_IT_IS.get(i.opcode)
        given = [o if k == at else self._operand(o, i) for k, o in enumerate(i.operands)]
        return build.like(i, given, self._kind(i), i.opcode)

    def _at_end(self, label: str, o: Operand) -> Operand:
        view = self.scope.view
        return self._operand(o, view.end(view.numbers[label]))

    def _kind(self, o: Operand | Instr) -> IntType | VectorType:
        return narrow_kind(o.type, self.bits)

    def _operand(self, o: Operand, at: Instr) -> Operand:
        """Return an operand in fewer bits, cut before an instruction where it is no member."""
        if isinstance(o, Literal):
            return narrow_literal(o, self.bits)
        if isinstance(o, Local) and o.name in self.called:
            return self.called[o.name]
        if o.type == self._kind(o):
            return o
        cut = Lines(self.names)
        new = cut.add(build.cast("trunc", o, self._kind(o)))
        self.before.setdefault(at.line, []).append(cut.lines[0] + location(at))
        return new
