"""One side of a refinement executed on symbols: the result's lanes, undefined behaviour,
memory, choices.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from frontends.llvm.meaning.border import Rule, rule_of, said, uncertain, why_refused
from frontends.llvm.meaning.executor import EVERY, Executor
from frontends.llvm.meaning.intrinsics import generic_call, is_ignored, rounds
from frontends.llvm.meaning.lanes import NO, YES, Cannot, Meaning, Value
from frontends.llvm.meaning.lower import meaning_of, out_of_ranges
from frontends.llvm.meaning.target_calls import Application, apply, result
from frontends.llvm.paths.heads import argument_access, function_attributes
from frontends.llvm.paths.inputs import World, argument_value, in_range
from frontends.llvm.paths.memory import Memory, Pointer, argument_pointers, step
from frontends.llvm.paths.size import is_float, put_in_order, why_instruction, why_operand
from frontends.llvm.text.ast import Block, Function, Instr, Literal, Local, Operand, Symbol
from frontends.llvm.text.identity import Contents
from frontends.llvm.text.view import incoming
from isel.ir import build as b
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, elem, leaves

_Edges: TypeAlias = dict[tuple[str, str], Expr]
_SIGNED: Final = ("sdiv", "srem")


@dataclass
class Execution(Executor):
    """The state while a function is executed."""

    function: Function = field(kw_only=True)
    agreed: Function = field(kw_only=True)
    contents: Contents = field(kw_only=True)
    world: World = field(kw_only=True)
    memory: Memory = field(kw_only=True)
    pointers: dict[str, Pointer] = field(default_factory=dict)
    may_return: bool = True
    # may each argument be read through, and written?
    allowed: list[tuple[bool, bool]] = field(default_factory=list)
    reach: Expr = YES
    returned: list[tuple[Expr, Value | None]] = field(default_factory=list)
    corners: set[Expr] = field(default_factory=set)  # bits: is a target intrinsic of poison poison?
    roundings: set[Expr] = field(default_factory=set)  # bits: is a fixed-point product rounded up?
    approximate: bool = False
    uncertain: str = ""  # why no counterexample counts
    called: set[str] = field(default_factory=set)  # the target intrinsics

    def run(self) -> None:
        """Execute every block in an order in which all that reaches a block comes first."""
        attributes = function_attributes(self.function, self.contents)
        self.may_return = "noreturn" not in attributes
        self.allowed = [argument_access(a, attributes) for a in self.function.arguments]
        self.pointers = argument_pointers(self.function)
        pairs = zip(self.function.arguments, self.agreed.arguments, strict=True)
        for k, (mine, agreed) in enumerate(pairs):
            given = argument_value(k, mine, agreed, self.world, self.chooser)
            if given is not None:
                self.done[mine.name] = given[0]
                self.undefined = b.bor(self.undefined, given[1])
        edges: _Edges = {}
        for block in put_in_order(self.function, frozenset(_ENDS)):
            arriving = [(p, e) for (p, s), e in edges.items() if s == block.label]
            self.reach = b.any_of(*(e for _, e in arriving)) if arriving else YES
            self._block(block, arriving, edges)

    def _block(self, block: Block, arriving: Sequence[tuple[str, Expr]], edges: _Edges) -> None:
        phis = [i for i in block.instrs if i.opcode == "phi"]
        self.done.update({i.name: self._phi(i, arriving) for i in phis})
        for i in block.instrs:
            if i.opcode in ("phi", "dbg"):
                continue
            if i.opcode in _ENDS:
                _ENDS[i.opcode](self, i, block, edges)
            else:
                self._follow(i)

    def _phi(self, i: Instr, arriving: Sequence[tuple[str, Expr]]) -> Value:
        given = incoming(i)
        found = [(when, self.value(given[label])) for label, when in arriving]
        if not found:
            raise Cannot("a phi of a block that is not reached")
        return _one_of(found)

    def value(self, o: Operand, lanes: slice = EVERY) -> Value:
        """Return an operand as this use of it sees it."""
        if isinstance(o, Literal) or (isinstance(o, Local) and o.name in self.done):
            return super().value(o, lanes)
        raise Cannot(why_operand(o))

    def _follow(self, i: Instr) -> None:
        self._understand(i)
        if i.opcode == "getelementptr":
            self.pointers[i.name] = step(i, self.pointers, self.memory.sizes)
        elif i.opcode == "load":
            self._load(i)
        elif i.opcode == "store":
            self._only_once("memory")
            self.memory.store(i, self.value(i.operands[0]), self.pointers, self.chooser)
            self._access()
        elif i.opcode == "call" and is_ignored(i.callee):
            self._promise(i)
        else:
            self._refuse(i)
            self.done[i.name] = self.execute(i)

    def _understand(self, i: Instr) -> None:
        reason = why_instruction(i) if not i.known else why_refused(i, self.contents)
        if reason:
            raise Cannot(reason)
        self.uncertain = self.uncertain or uncertain(i, self.contents)

    def _access(self) -> None:
        """Apply what the function's attributes say of the access that was made last."""
        last = self.memory.accesses[-1]
        if not self.allowed[last.at.base][last.store]:
            self._find_undefined(YES)

    def _only_once(self, what: str) -> None:
        if self.reach is not YES:
            raise Cannot(f"{what} in code that is not always executed")

    def _load(self, i: Instr) -> None:
        self._only_once("memory")
        value = self.memory.load(i, self.pointers, self.chooser, self.world)
        self._access()
        said = dict(i.metadata)
        if "range" in said:
            value = in_range(value, self.contents.named.get(said["range"], said["range"]))
        if "noundef" in said:
            self._demand(value)
        self.done[i.name] = value

    def _demand(self, value: Value) -> None:
        """Make it undefined behaviour that a value is poison or undef.

        An input with undef bits is undef.  A value computed from it need not be: a corner bit
        decides, the same on both sides for the same value.
        """
        self._find_undefined(b.any_of(*value.poison))
        for e in value.lanes:
            mine = [x for x in leaves(e) if x in self.chooser.late]
            if mine:
                undef = b.any_of(*(b.ne(m := self.chooser.masks[x], b.lit(0, m)) for x in mine))
                if self.chooser.untouched(e):
                    self._find_undefined(undef)
                    continue
                self.approximate = True
                corner = self._corner((*map(self.chooser.stripped, (e, undef)),))
                self._find_undefined(b.band(undef, corner))

    def _find_undefined(self, when: Expr) -> None:
        self.undefined = b.bor(self.undefined, b.band(self.reach, when))

    def _promise(self, i: Instr) -> None:
        if i.callee == "llvm.sideeffect":
            raise Cannot("a call of 'llvm.sideeffect'")
        if not i.callee.startswith("llvm.assume"):
            return
        value = self.value(i.operands[0])
        self._demand(value)
        self._find_undefined(b.bnot(value.lanes[0]))

    def _refuse(self, i: Instr) -> None:
        """Raise :class:`Cannot` for what is not modelled."""
        if i.opcode == "call" and i.callee.startswith("llvm.masked."):
            raise Cannot("memory: a masked access")
        kinds = (i.type, *(o.type for o in i.operands))
        if i.opcode in ("fcmp", "fneg") or any(map(is_float, kinds)):
            raise Cannot("floating point")
        if self.side == "target" and any(
            where == "operand of a call" and rule_of(where, a) is Rule.SOURCE
            for where, a in said(i, self.contents)
        ):
            raise Cannot(f"an attribute of an operand of '{i.callee}'")

    def _freeze(self, i: Instr, value: Value) -> Value:
        return self.chooser.frozen(value)

    def _choose(self, i: Instr, operands: Sequence[Value]) -> Sequence[Value]:
        """Return operands of an instruction of the machine, which looks at each once."""
        lanes = (e for v in operands for e in v.lanes)
        if self.side == "source" and any(x in self.chooser.late for x in leaves(*lanes)):
            self.uncertain = (
                self.uncertain or "LangRef leaves open what a target intrinsic makes of undef"
            )
        return [self.chooser.settled(x) for x in operands]

    def _result(self, i: Instr, operands: Sequence[Value]) -> Value:
        return self._promise_all(i.attributes, super()._result(i, operands))

    def _meaning(self, i: Instr, operands: Sequence[Value]) -> Meaning:
        if (called := self.machine(i)) is not None:
            self.called.add(called.name)
            return Meaning(result(self._apply(called.name, apply(called, i, operands)), i))
        if i.opcode == "call" and rounds(i):
            return self._round_off(i, operands)
        if i.opcode not in _SIGNED:
            return super()._meaning(i, operands)
        found = meaning_of(i, operands, self.isa, "source")
        return Meaning(found.value, b.bor(found.undefined, self._undefined_division(*operands)))

    def _note_undefined(self, i: Instr, when: Expr) -> None:
        self._find_undefined(when)

    def _undefined_division(self, x: Value, y: Value) -> Expr:
        """A poison dividend by -1 is undefined behaviour on both sides or on none: LangRef
        leaves it open.
        """
        asked = b.any_of(
            *(b.band(p, b.eq(e, b.lit(-1, e))) for p, e in zip(x.poison, y.lanes, strict=True))
        )
        return asked if asked is NO else b.band(asked, self._corner("a poison dividend by -1"))

    def _round_off(self, i: Instr, operands: Sequence[Value]) -> Meaning:
        """Return a fixed-point product: equal ones are rounded alike; one of the source alone
        as suits it, one of the target alone in any way.
        """
        ups: list[Expr] = []
        for factors in zip(*(x.lanes for x in operands[:2]), strict=True):
            both = frozenset(map(self.chooser.stripped, factors))
            content = ("round", i.callee, operands[2].lanes, both)
            ups.append(elem(f"round{self.chooser.number(content)}", 0, 1))
        self.roundings.update(ups)
        return generic_call(i, operands, ups)

    def _promise_all(self, attributes: Sequence[str], value: Value) -> Value:
        """Apply what the attributes of a result say of it."""
        for outside in out_of_ranges(attributes, value.width):
            value = value.poison_where(outside)
        if "noundef" in attributes:
            self._demand(value)
        return value

    def _apply(self, name: str, call: Application) -> Value:
        """Return the result of a target intrinsic: of frozen arguments, and poison where the
        corner bit of its lane says so.
        """
        fixed: dict[Expr, Expr] = {}
        for x in leaves(*call.lanes):
            value = Value(x.width, (call.values[x],), (call.poison[x],))
            fixed[x] = self.chooser.frozen(value).lanes[0]
        neutral = {x: self.chooser.stripped(e) for x, e in call.values.items()}
        rows = list[tuple[Expr, Expr]]()
        for f in call.lanes:
            reasons = [call.poison[x] for x in leaves(f)]
            bad = b.any_of(*reasons)
            given, why = (neutral[x] for x in leaves(f)), map(self.chooser.stripped, reasons)
            content = (name, frozenset(given), frozenset(why))
            corner = bad if bad is NO else b.band(bad, self._corner(content))
            rows.append((instantiate(f, fixed), corner))
        return Value.of(call.width, rows)

    def _corner(self, content: Hashable) -> Expr:
        bit = elem(f"corner{self.chooser.number(content)}", 0, 1)
        self.corners.add(bit)
        return bit

    def _end_return(self, i: Instr, block: Block, edges: _Edges) -> None:
        if not self.may_return:
            self._find_undefined(YES)
        value = self.value(i.operands[0]) if i.operands else None
        if value is not None:
            value = self._promise_all(self.function.returns, value)
        self.returned.append((self.reach, value))

    def _end_branch(self, i: Instr, block: Block, edges: _Edges) -> None:
        labels = [o.text[1:] for o in i.operands if isinstance(o, Symbol)]
        if len(labels) == 1:
            edges[block.label, labels[0]] = self.reach
            return
        condition = self.value(i.operands[0])
        self._demand(condition)
        ways = condition.lanes[0], b.bnot(condition.lanes[0])
        for label, when in zip(labels, ways, strict=True):
            self._go(edges, block, label, when)

    def _go(self, edges: _Edges, block: Block, label: str, when: Expr) -> None:
        key = (block.label, label)
        edges[key] = b.bor(edges.get(key, NO), b.band(self.reach, when))

    def _end_switch(self, i: Instr, block: Block, edges: _Edges) -> None:
        value = self.value(i.operands[0])
        self._demand(value)
        other = YES
        for case, label in zip(i.operands[2::2], i.operands[3::2], strict=True):
            assert isinstance(label, Symbol)
            here = b.eq(value.lanes[0], self.value(case).lanes[0])
            other = b.band(other, b.bnot(here))
            self._go(edges, block, label.text[1:], here)
        default = i.operands[1]
        assert isinstance(default, Symbol)
        self._go(edges, block, default.text[1:], other)

    def _end_unreachable(self, i: Instr, block: Block, edges: _Edges) -> None:
        self._find_undefined(YES)

    def result(self) -> Value | None:
        """Return what the function returns; None for void and where it never returns."""
        found = [(when, value) for when, value in self.returned if value is not None]
        return _one_of(found) if found else None


_ENDS: Final[Mapping[str, Callable[[Execution, Instr, Block, _Edges], None]]] = {
    "ret": Execution._end_return,
    "br": Execution._end_branch,
    "switch": Execution._end_switch,
    "unreachable": Execution._end_unreachable,
}


def _one_of(ways: Sequence[tuple[Expr, Value]]) -> Value:
    """Return what comes by the last of some ways that is gone, by the first if none of the others
    is.
    """
    found = ways[0][1]
    for when, new in ways[1:]:
        rows = zip(new.rows, found.rows, strict=True)
        lanes = ((b.ite(when, e, f), b.ite(when, p, q)) for (e, p), (f, q) in rows)
        found = Value.of(found.width, lanes)
    return found
