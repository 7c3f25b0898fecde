"""The last word on a rewrite: what was written, read back and lowered again, against the
source's lanes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from frontends.llvm.meaning.lanes import Side
from frontends.llvm.meaning.lower import Cannot, Value, literal_value, lower_instr
from frontends.llvm.splicing.choices import why_apart
from frontends.llvm.splicing.loads import Disagrees, Memory, added_loads
from frontends.llvm.splicing.write import NAMED, Rewrite
from frontends.llvm.text.ast import Function, Instr, Literal, Local, Module, Operand
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.windows.knowledge import Knowledge
from frontends.llvm.windows.leaves import leaf_value, operand_key
from frontends.llvm.windows.regions import Input
from frontends.llvm.windows.scene import Site
from isel.ir.build import ite
from isel.ir.expr import const, var
from isel.model.verdict import Certificate, Unknown, Verdict
from isel.spec.target import Target
from isel.verify.prove import Obligation
from isel.verify.recorded import Recorded
from isel.verify.windows import prove_lanes


class _Unreadable(Exception):
    """The written code cannot be read as lanes over the window's leaves."""


@dataclass(frozen=True, slots=True)
class Names:
    """How the values of the spliced text are called after LLVM printed it."""

    new: Mapping[str, str]
    function: Function


def match_values(spliced: Function, printed: Function) -> Names | None:
    """Pair the values of a function before and after printing; None if they are not the same
    instructions.

    Where LLVM reads an intrinsic of before, it puts bitcasts around the call, which have no
    partner.
    """
    new = {x.name: y.name for x, y in zip(spliced.arguments, printed.arguments, strict=True)}
    through: dict[str, str] = {}  # a bitcast without partner and what it is of
    waiting = list(spliced.view.work[::-1])
    for y in printed.view.work:
        if waiting and _alike(waiting[-1], y, new, through):
            x = waiting.pop()
            if x.name:
                new[x.name.removeprefix(NAMED)] = y.name
        elif y.opcode == "bitcast" and isinstance(y.operands[0], Local):
            of = y.operands[0].name
            through[y.name] = through.get(of, of)
        else:
            return None
    return None if waiting else Names(new, printed)


def _alike(x: Instr, y: Instr, new: Mapping[str, str], through: Mapping[str, str]) -> bool:
    """Tell whether an instruction may be another; bitcasts are if they are of the same value to
    the same type.
    """
    if x.opcode != y.opcode or x.opcode != "bitcast" or not isinstance(x.operands[0], Local):
        return x.opcode == y.opcode
    of = y.operands[0]
    return (
        x.type == y.type
        and isinstance(of, Local)
        and new.get(x.operands[0].name) in (of.name, through.get(of.name))
    )


@dataclass
class Checker:
    """Proofs about one printed module: what is known of its functions is found once for all
    their rewrites.
    """

    source: Module
    spliced: Module
    printed: Module
    target: Target
    effort: int
    assume_defined: bool = field(default=False, kw_only=True)
    _names: dict[str, Names | None] = field(default_factory=dict)
    _memories: dict[str, tuple[Memory, Memory]] = field(default_factory=dict)

    def check(self, rewrite: Rewrite, certificate: Certificate | None = None) -> Verdict:
        """Prove that the printed code of ``rewrite`` refines its window; queries of
        ``certificate`` are not asked again.
        """
        site = rewrite.site
        names = self._match(site.function)
        if names is None:
            return Unknown("the printed function is not the one that was spliced")
        before = self.source.function(site.function)
        knowledge = Knowledge(self.source, before, assume_defined=self.assume_defined)
        if apart := why_apart(site, before.view, self.target, knowledge):
            return Unknown(apart)
        try:
            reader = _Reader(site, names, self.target, self._add(site, names))
            obligations = _obligations(site, [reader.value(names.new[r.name]) for r in site.roots])
        except (_Unreadable, Disagrees) as problem:
            return Unknown(str(problem))
        checker = Recorded(certificate, self.effort) if certificate is not None else None
        return prove_lanes(site.window, obligations, self.effort, checker)

    def _match(self, name: str) -> Names | None:
        if name not in self._names:
            before, after = (
                next((f for f in m.functions if f.name == name), None)
                for m in (self.spliced, self.printed)
            )
            self._names[name] = (
                match_values(before, after) if before is not None and after is not None else None
            )
        return self._names[name]

    def _add(self, site: Site, names: Names) -> dict[str, Input]:
        if not any(x.leaf.region for x in site.inputs):
            return {}
        if site.function not in self._memories:
            layout = self.source.layout
            self._memories[site.function] = (
                Memory(self.source, self.source.function(site.function), layout),
                Memory(self.printed, names.function, layout),
            )
        old, new = self._memories[site.function]
        return dict(added_loads(site.inputs, old, new, names.new))


def _obligations(site: Site, values: list[Value]) -> list[Obligation]:
    made: list[Obligation] = []
    for root, value in zip(site.window.roots, values, strict=True):
        if (value.width, len(value.lanes)) != (root.width, len(root.lanes)):
            raise AssertionError("the written root has another type")
        for k, (e, d) in enumerate(zip(root.lanes, root.defined, strict=True)):
            if e is None:
                continue
            made.append(Obligation(d, e, value.lanes[k], f"lane {k}"))
            if not (value.poison[k].is_const and value.poison[k].value == 0):
                made.append(Obligation(d, value.poison[k], const(0, 1), f"poison of lane {k}"))
    return made


class _Reader:
    def __init__(
        self, site: Site, names: Names, target: Target, added: Mapping[str, Input]
    ) -> None:
        self.target = target
        self.leaves: dict[str, Input] = dict(added)
        for x in site.inputs:
            if x.made is None:
                key = (
                    f"%{names.new[x.operand.name]}"
                    if isinstance(x.operand, Local)
                    else operand_key(x.operand)
                )
                self.leaves[key] = x
        # Of any block: in SSA a value is what its instruction makes of the current values of its
        # operands wherever it may be used.
        self.defs = names.function.view.defs
        self.done: dict[str, Value] = {}
        self.frozen: dict[str, str] = {}
        self.looked: dict[str, set[int]] = {}  # elements of leaves that are frozen by themselves

    def value(self, name: str) -> Value:
        """Return the lanes of a value; its operands first, without recursion."""
        stack = [name]
        while stack:
            top = stack[-1]
            i = self._instr(top)
            names = (o.name for o in self._needs(i) if isinstance(o, Local))
            todo = [x for x in names if x not in self.done and f"%{x}" not in self.leaves]
            if top in self.done or not todo:
                stack.pop()
                if top not in self.done:
                    self.done[top] = self._lower(i)
            else:
                stack.extend(todo)
        return self.done[name]

    def _needs(self, i: Instr) -> tuple[Operand, ...]:
        return () if self._taken_apart(i) is not None else i.operands

    def _instr(self, name: str) -> Instr:
        found = self.defs.get(name)
        if found is None:
            raise _Unreadable(f"%{name} is neither a leaf nor written by the rewrite")
        return found

    def _lower(self, i: Instr) -> Value:
        if i.opcode == "freeze":
            return self._freeze(i)
        return self._meaning(i, [self._operand(o) for o in i.operands], "target")

    def _meaning(self, i: Instr, operands: Sequence[Value], role: Side) -> Value:
        try:
            return lower_instr(i, operands, self.target, role)
        except Cannot as why:
            raise _Unreadable(f"'{i.opcode}' was written and cannot be read: {why}") from None

    def _operand(self, o: Operand) -> Value:
        if isinstance(o, Literal):
            value = literal_value(o)  # whose undef lanes are poison
            poison = tuple(const(int(not isinstance(x, int)), 1) for x in o.lanes)
            return Value(value.width, value.lanes, poison)
        leaf = self.leaves.get(operand_key(o))
        if leaf is not None:
            if not leaf.fixed:
                raise _Unreadable(f"{operand_key(o)} is used without a freeze")
            return _leaf(leaf)
        if isinstance(o, Local):
            return self.done[o.name]
        raise _Unreadable(f"{operand_key(o)} is not a leaf of the window")

    def _freeze(self, i: Instr) -> Value:
        operand = i.operands[0]
        leaf = self.leaves.get(operand_key(operand))
        if leaf is not None:
            if not leaf.fixed and (
                self.frozen.setdefault(leaf.leaf.name, i.name) != i.name
                or leaf.leaf.name in self.looked
            ):
                raise _Unreadable(f"{operand_key(operand)} is frozen twice")
            return _leaf(leaf)
        if integer_shape(i.type) is None:
            raise _Unreadable("a freeze of a type other than integers")
        v = self._part(i) if self._taken_apart(i) is not None else self._operand(operand)
        free = (var(f"free.{i.line}.{k}", v.width) for k in range(len(v.lanes)))
        lanes = tuple(ite(p, f, e) for p, f, e in zip(v.poison, free, v.lanes, strict=True))
        return Value(v.width, lanes, tuple(const(0, 1) for _ in lanes))

    def _taken_apart(self, i: Instr) -> tuple[Instr, Input] | None:
        """Return the shuffle that a freeze is of, and the leaf that it is a shuffle of."""
        of = i.operands[0] if i.opcode == "freeze" else None
        shuffle = self.defs.get(of.name) if isinstance(of, Local) else None
        if shuffle is None or shuffle.opcode != "shufflevector" or not shuffle.known:
            return None
        leaf = self.leaves.get(operand_key(shuffle.operands[0]))
        return (shuffle, leaf) if leaf is not None and not leaf.fixed else None

    def _part(self, i: Instr) -> Value:
        """Return some elements of a leaf, which nothing else may look at: a second look at one
        could see another value.
        """
        found = self._taken_apart(i)
        assert found is not None
        shuffle, leaf = found
        given = [_leaf(leaf), self._operand(shuffle.operands[1])]
        v = self._meaning(shuffle, given, "source")
        seen = self.looked.setdefault(leaf.leaf.name, set())
        for e, p in v.rows:
            if p.is_const and p.value:
                continue
            if e.op != "elem" or e.offset in seen or leaf.leaf.name in self.frozen:
                raise _Unreadable(f"{operand_key(shuffle.operands[0])} is frozen twice")
            seen.add(e.offset)
        return v


def _leaf(x: Input) -> Value:
    """Return the value that stands for a leaf: of a scalar in all lanes, the scalar."""
    return leaf_value(x.leaf.name, (1 if x.leaf.scalar else x.leaf.lanes, x.leaf.width))
