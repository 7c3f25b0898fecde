"""The last word on a rewrite: what was written, read back and lowered again, against the
source's lanes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from frontends.llvm.meaning.choice import Chooser
from frontends.llvm.meaning.executor import EVERY, Executor
from frontends.llvm.meaning.lanes import NO, YES, Cannot, Value
from frontends.llvm.meaning.lower import literal_value
from frontends.llvm.meaning.spread import seen_in
from frontends.llvm.splicing.printed import match_values
from frontends.llvm.splicing.write import Rewrite
from frontends.llvm.text.ast import Instr, Literal, Local, Module, Operand, Symbol
from frontends.llvm.text.view import View
from frontends.llvm.windows.knowledge import Knowledge
from frontends.llvm.windows.leaves import leaf_value, operand_key
from frontends.llvm.windows.regions import Input
from frontends.llvm.windows.scene import Site
from isel.ir.expr import Expr, const, elem, leaves
from isel.model.verdict import Certificate, Unknown, Verdict
from isel.spec.target import Target
from isel.verify.prove import Obligation
from isel.verify.recorded import Recorded
from isel.verify.windows import prove_lanes

if TYPE_CHECKING:
    from frontends.llvm.splicing.loads import Memory


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
    _names: dict[str, Mapping[str, str] | None] = field(default_factory=dict)
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
        if apart := _why_apart(site, before.view, self.target, knowledge):
            return Unknown(apart)
        try:
            defs = self.printed.function(site.function).view.defs
            reader = _Reader(self.target, self._inputs(site, names), defs)
            obligations = _obligations(site, [reader.root(names[r.name]) for r in site.roots])
        except Cannot as problem:
            return Unknown(str(problem))
        checker = Recorded(certificate, self.effort) if certificate is not None else None
        return prove_lanes(site.window, obligations, self.effort, checker)

    def _match(self, name: str) -> Mapping[str, str] | None:
        if name not in self._names:
            mine, theirs = ({f.name: f for f in m.functions} for m in (self.spliced, self.printed))
            both = name in mine and name in theirs
            self._names[name] = match_values(mine[name], theirs[name]) if both else None
        return self._names[name]

    def _inputs(self, site: Site, names: Mapping[str, str]) -> Mapping[str, Input]:
        """Return what stands for leaves of a window, by how it is written."""
        found = dict(self._added(site, names)) if any(x.leaf.region for x in site.inputs) else {}
        for x in (x for x in site.inputs if x.made is None):
            o = x.operand
            found[f"%{names[o.name]}" if isinstance(o, Local) else operand_key(o)] = x
        return found

    def _added(self, site: Site, names: Mapping[str, str]) -> Iterator[tuple[str, Input]]:
        from frontends.llvm.splicing.loads import Memory, added_loads

        name, layout = site.function, self.source.layout
        if name not in self._memories:
            pair = (Memory(m, m.function(name), layout) for m in (self.source, self.printed))
            self._memories[name] = next(pair), next(pair)
        return added_loads(site.inputs, *self._memories[name], names)


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


class _Reader(Executor):
    """What was written, over the window's leaves: one that is not fixed is poison until it is
    frozen, each of its elements once.
    """

    def __init__(
        self, target: Target, inputs: Mapping[str, Input], defs: Mapping[str, Instr]
    ) -> None:
        # Instructions of any block: in SSA a value is what its instruction makes of the current
        # values of its operands wherever it may be used.
        super().__init__("target", target, Chooser("T"), defs=defs)
        self.inputs = inputs
        self.open: dict[Expr, tuple[Expr, str]] = {}  # poison bits: of which element, and whose
        self.frozen: set[Expr] = set()  # of these bits

    def root(self, name: str) -> Value:
        """Return the lanes of a value that was written."""
        self.compute(name)
        found = self.done[name]
        for _, whose in filter(None, map(self.open.get, leaves(*found.lanes, *found.poison))):
            raise Cannot(f"{whose} is used without a freeze")
        return found

    def value(self, o: Operand, lanes: slice = EVERY) -> Value:
        """Return an operand; others than values may be leaves, too."""
        if isinstance(o, Symbol) and (found := self._input(operand_key(o))) is not None:
            return found.of_lanes(lanes)
        return super().value(o, lanes)

    def _leaf(self, name: str) -> Value | None:
        return self._input(f"%{name}")

    def _input(self, key: str) -> Value | None:
        """Return the value that stands for a leaf: of a scalar in all lanes, the scalar."""
        if (x := self.inputs.get(key)) is None:
            return None
        name, count = x.leaf.name, 1 if x.leaf.scalar else x.leaf.lanes
        found = leaf_value(name, (count, x.leaf.width))
        if x.fixed:
            return found
        bits = tuple(elem(f"open.{name}", k, 1) for k in range(count))
        self.open.update((p, (e, key)) for p, e in zip(bits, found.lanes, strict=True))
        return Value(found.width, found.lanes, bits)

    def _literal(self, o: Literal) -> Value:
        value = literal_value(o)  # whose undef lanes are poison
        return Value(
            value.width, value.lanes, tuple(NO if isinstance(x, int) else YES for x in o.lanes)
        )

    def _is_free(self, value: Expr, poison: Expr) -> bool:
        """Tell whether a lane is an element of a leaf, which nothing else may look at: a second
        look at one could see another value.
        """
        element, whose = self.open.get(poison, (None, ""))
        if poison in self.frozen:
            raise Cannot(f"{whose} is frozen twice")
        self.frozen.update((poison,) if element is value else ())
        return element is value

    def _result(self, i: Instr, operands: Sequence[Value]) -> Value:
        try:
            return super()._result(i, operands)
        except Cannot as why:
            raise Cannot(f"'{i.opcode}' was written and cannot be read: {why}") from None


def _why_apart(site: Site, view: View, target: Target, knowledge: Knowledge) -> str:
    """Return why new code for a window would choose another time than the source does, as an
    instruction of the machine takes undef and poison as it likes each time that it is computed: an
    instruction of another block, or one that is seen behind the window too; "" if it does not.
    """
    inside = {i.name for i in site.nodes}
    here = {view.place(r.name) for r in site.roots}
    for i in site.nodes:
        ours = i.opcode == "call" and target.by_call(i.callee) is not None
        if not ours or all(map(knowledge.defined, i.operands)):
            continue
        if {view.place(i.name)} != here or i.name in site.given:
            return f"%{i.name} chooses in another block than the window"
        if not any(seen_in(i, r.name, inside, view.used_by) for r in site.roots):
            return f"%{i.name} chooses and is seen outside of the window"
    return ""
