"""One side of a refinement executed on symbols: the result's lanes, undefined behaviour,
memory, choices.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from frontends.llvm.meaning.intrinsics import generic_call, is_ignored, rounds
from frontends.llvm.meaning.lanes import NO, YES, Cannot, Meaning, Side, Value
from frontends.llvm.meaning.lower import meaning_of, out_of_ranges
from frontends.llvm.meaning.target_calls import Application, apply, result
from frontends.llvm.paths.border import Rule, rule_of, said, uncertain, why_refused
from frontends.llvm.paths.choice import Chooser
from frontends.llvm.paths.heads import argument_access, function_attributes
from frontends.llvm.paths.inputs import World, argument_value, constant, in_range
from frontends.llvm.paths.memory import Memory, Pointer, argument_pointers, step
from frontends.llvm.paths.size import is_float, put_in_order, why_instruction, why_operand
from frontends.llvm.text.ast import Block, Function, Instr, Literal, Local, Operand, Symbol
from frontends.llvm.text.identity import Contents
from frontends.llvm.text.view import incoming
from isel.ir import build as b
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, elem, leaves
from isel.spec.instruction import Instruction
from isel.spec.target import Target

_Edges: TypeAlias = dict[tuple[str, str], Expr]
_SIGNED: Final = ("sdiv", "srem")


@dataclass
class Execution:
    """The state while a function is executed."""

    function: Function
    agreed: Function
    contents: Contents
    target: Target | None
    role: Side
    world: World
    chooser: Chooser
    memory: Memory
    values: dict[str, Value] = field(default_factory=dict)
    pointers: dict[str, Pointer] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    may_return: bool = True
    # may each argument be read through, and written?
    allowed: list[tuple[bool, bool]] = field(default_factory=list)
    undefined: Expr = NO
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
        for k, (mine, agreed) in enumerate(
            zip(self.function.arguments, self.agreed.arguments, strict=True)
        ):
            given = argument_value(k, mine, agreed, self.world, self.chooser)
            if given is not None:
                self.values[mine.name] = given[0]
                self.undefined = b.bor(self.undefined, given[1])
        edges: _Edges = {}
        for block in put_in_order(self.function, frozenset(_ENDS)):
            arriving = [(p, e) for (p, s), e in edges.items() if s == block.label]
            self.reach = b.any_of(*(e for _, e in arriving)) if arriving else YES
            self._block(block, arriving, edges)

    def _block(self, block: Block, arriving: Sequence[tuple[str, Expr]], edges: _Edges) -> None:
        phis = [i for i in block.instrs if i.opcode == "phi"]
        self.values.update({i.name: self._phi(i, arriving) for i in phis})
        for i in block.instrs:
            if i.opcode in ("phi", "dbg"):
                continue
            if i.opcode in _ENDS:
                _ENDS[i.opcode](self, i, block, edges)
            else:
                self._instruction(i)

    def _phi(self, i: Instr, arriving: Sequence[tuple[str, Expr]]) -> Value:
        given = incoming(i)
        found: Value | None = None
        for label, when in arriving:
            value = self.operand(given[label])
            found = value if found is None else _either(when, value, found)
        if found is None:
            raise Cannot("a phi of a block that is not reached")
        return found

    def operand(self, o: Operand) -> Value:
        """Return an operand as this use of it sees it."""
        if isinstance(o, Literal):
            return constant(o, self.chooser)
        if isinstance(o, Local) and o.name in self.values:
            value = self.values[o.name]
            if o.name in self.seen:
                return self.chooser.again(value)
            self.seen.add(o.name)
            return value
        raise Cannot(why_operand(o))

    def _instruction(self, i: Instr) -> None:
        self._understand(i)
        if i.opcode == "getelementptr":
            self.pointers[i.name] = step(i, self.pointers, self.memory.sizes)
        elif i.opcode == "load":
            self._load(i)
        elif i.opcode == "store":
            self._only_once("memory")
            self.memory.store(i, self.operand(i.operands[0]), self.pointers, self.chooser)
            self._access()
        elif i.opcode == "freeze":
            self.values[i.name] = self.chooser.frozen(self.operand(i.operands[0]))
        elif i.opcode == "call" and is_ignored(i.callee):
            self._promise(i)
        else:
            self.values[i.name] = self._compute(i)

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
        self.values[i.name] = value

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
                self._find_undefined(
                    b.band(
                        undef,
                        self._corner((self.chooser.stripped(e), self.chooser.stripped(undef))),
                    )
                )

    def _find_undefined(self, when: Expr) -> None:
        self.undefined = b.bor(self.undefined, b.band(self.reach, when))

    def _promise(self, i: Instr) -> None:
        if i.callee == "llvm.sideeffect":
            raise Cannot("a call of 'llvm.sideeffect'")
        if not i.callee.startswith("llvm.assume"):
            return
        value = self.operand(i.operands[0])
        self._demand(value)
        self._find_undefined(b.bnot(value.lanes[0]))

    def _machine_call(self, i: Instr, called: Instruction, operands: Sequence[Value]) -> Value:
        """Return what an instruction of the machine gives."""
        self.called.add(called.name)
        lanes = (e for v in operands for e in v.lanes)
        if self.role == "source" and any(x in self.chooser.late for x in leaves(*lanes)):
            self.uncertain = (
                self.uncertain or "LangRef leaves open what a target intrinsic makes of undef"
            )
        application = apply(called, i, [self.chooser.settled(x) for x in operands])
        return result(self._apply(called.name, application), i)

    def _refuse(self, i: Instr) -> None:
        """Raise :class:`Cannot` for what is not modelled."""
        if i.opcode == "call" and i.callee.startswith("llvm.masked."):
            raise Cannot("memory: a masked access")
        kinds = (i.type, *(o.type for o in i.operands))
        if i.opcode in ("fcmp", "fneg") or any(map(is_float, kinds)):
            raise Cannot("floating point")
        if self.role == "target" and any(
            where == "operand of a call" and rule_of(where, a) is Rule.SOURCE
            for where, a in said(i, self.contents)
        ):
            raise Cannot(f"an attribute of an operand of '{i.callee}'")

    def _compute(self, i: Instr) -> Value:
        self._refuse(i)
        operands = [self.operand(o) for o in i.operands]
        called = (
            self.target.by_call(i.callee)
            if self.target is not None and i.opcode == "call"
            else None
        )
        if called is not None:
            return self._promise_all(i.attributes, self._machine_call(i, called, operands))
        if i.opcode == "call" and rounds(i):
            found = self._round_off(i, operands)
        else:
            role: Side = "source" if i.opcode in _SIGNED else self.role
            found = meaning_of(i, operands, self.target, role)
        self._find_undefined(found.undefined)
        self._undefined_division(i, operands)
        return self._promise_all(
            i.attributes,
            self.chooser.apart(i.mask, *operands) if i.opcode == "shufflevector" else found.value,
        )

    def _undefined_division(self, i: Instr, operands: Sequence[Value]) -> None:
        """A poison dividend by -1 is undefined behaviour on both sides or on none: LangRef
        leaves it open.
        """
        if i.opcode not in _SIGNED:
            return
        x, y = operands
        asked = b.any_of(
            *(b.band(p, b.eq(e, b.lit(-1, e))) for p, e in zip(x.poison, y.lanes, strict=True))
        )
        if asked is not NO:
            self._find_undefined(b.band(asked, self._corner("a poison dividend by -1")))

    def _round_off(self, i: Instr, operands: Sequence[Value]) -> Meaning:
        """Return a fixed-point product: equal ones are rounded alike; one of the source alone
        as suits it, one of the target alone in any way.
        """
        ups: list[Expr] = []
        for factors in zip(*(x.lanes for x in operands[:2]), strict=True):
            content = (
                "round",
                i.callee,
                operands[2].lanes,
                frozenset(self.chooser.stripped(e) for e in factors),
            )
            ups.append(elem(f"round{self.chooser.names.number(content)}", 0, 1))
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
            content = (
                name,
                frozenset(neutral[x] for x in leaves(f)),
                frozenset(self.chooser.stripped(p) for p in reasons),
            )
            corner = bad if bad is NO else b.band(bad, self._corner(content))
            rows.append((instantiate(f, fixed), corner))
        return Value.of(call.width, rows)

    def _corner(self, content: Hashable) -> Expr:
        bit = elem(f"corner{self.chooser.names.number(content)}", 0, 1)
        self.corners.add(bit)
        return bit

    def end_return(self, i: Instr, block: Block, edges: _Edges) -> None:
        """``ret``."""
        if not self.may_return:
            self._find_undefined(YES)
        value = self.operand(i.operands[0]) if i.operands else None
        if value is not None:
            value = self._promise_all(self.function.returns, value)
        self.returned.append((self.reach, value))

    def end_branch(self, i: Instr, block: Block, edges: _Edges) -> None:
        """``br``."""
        labels = [o.text[1:] for o in i.operands if isinstance(o, Symbol)]
        if len(labels) == 1:
            edges[block.label, labels[0]] = self.reach
            return
        condition = self.operand(i.operands[0])
        self._demand(condition)
        ways = condition.lanes[0], b.bnot(condition.lanes[0])
        for label, when in zip(labels, ways, strict=True):
            self._go(edges, block, label, when)

    def _go(self, edges: _Edges, block: Block, label: str, when: Expr) -> None:
        key = (block.label, label)
        edges[key] = b.bor(edges.get(key, NO), b.band(self.reach, when))

    def end_switch(self, i: Instr, block: Block, edges: _Edges) -> None:
        """``switch``."""
        value = self.operand(i.operands[0])
        self._demand(value)
        other = YES
        for case, label in zip(i.operands[2::2], i.operands[3::2], strict=True):
            assert isinstance(label, Symbol)
            here = b.eq(value.lanes[0], self.operand(case).lanes[0])
            other = b.band(other, b.bnot(here))
            self._go(edges, block, label.text[1:], here)
        default = i.operands[1]
        assert isinstance(default, Symbol)
        self._go(edges, block, default.text[1:], other)

    def end_unreachable(self, i: Instr, block: Block, edges: _Edges) -> None:
        """``unreachable``."""
        self._find_undefined(YES)

    def result(self) -> Value | None:
        """Return what the function returns; None for void and where it never returns."""
        if not self.returned:
            return None
        found = self.returned[0][1]
        for when, value in self.returned[1:]:
            found = None if value is None or found is None else _either(when, value, found)
        return found


_ENDS: Final[Mapping[str, Callable[[Execution, Instr, Block, _Edges], None]]] = {
    "ret": Execution.end_return,
    "br": Execution.end_branch,
    "switch": Execution.end_switch,
    "unreachable": Execution.end_unreachable,
}


def _either(when: Expr, a: Value, c: Value) -> Value:
    rows = zip(a.rows, c.rows, strict=True)
    return Value.of(a.width, ((b.ite(when, e, f), b.ite(when, p, q)) for (e, p), (f, q) in rows))
