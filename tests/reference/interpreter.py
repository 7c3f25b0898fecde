"""An interpreter of the accepted IR on concrete inputs: the reference for tests, independent of
LLVM and of ``lower.py``.

Poison is tracked per lane and, in memory, per bit.  Undef is *one* of its possible values: every
undef lane and never-written byte reads as the byte ``undef`` repeated.  Result lanes of target
intrinsics are poison where a bit that the lane reads is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from frontends.llvm.text.ast import (
    Block,
    Function,
    Instr,
    Literal,
    Local,
    Module,
    Operand,
    PtrType,
    Symbol,
    Type,
    VectorType,
)
from frontends.llvm.text.operands import read_type
from frontends.llvm.text.tokens import Cursor
from isel.spec.target import Target
from tests.reference.calls import call
from tests.reference.operations import BINARY, Outcome, cast, compare, signed
from tests.reference.values import (
    POISON,
    Lane,
    Memory,
    NotInterpreted,
    Pointer,
    Poison,
    StepLimit,
    UndefinedBehaviour,
    Value,
    from_bits,
    int_width,
    lane_count,
    stride,
    to_bits,
)


@dataclass(frozen=True, slots=True)
class Settings:
    """``steps`` bounds the instructions executed, ``undef`` is the byte that undef bits take."""

    target: Target | None = None
    steps: int = 1_000_000
    undef: int = 0
    functions: Mapping[str, Function] | None = None


def run(
    function: Function, arguments: Sequence[Value], memory: Memory, settings: Settings | None = None
) -> Value:
    """Execute ``function``; return its result (empty for void) and leave the stores in ``memory``.

    Raises :class:`UndefinedBehaviour`, :class:`StepLimit`, or :class:`NotInterpreted`.
    """
    settings = settings or Settings()
    return _Run(memory, settings, [settings.steps]).function(function, arguments)


def settings_for(
    module: Module, target: Target | None = None, steps: int = 1_000_000, undef: int = 0
) -> Settings:
    """Return settings under which the module's functions may call each other."""
    return Settings(target, steps, undef, {f.name: f for f in module.functions})


class _Run:
    def __init__(self, memory: Memory, settings: Settings, steps: list[int]) -> None:
        self.memory = memory
        self.settings = settings
        self.steps = steps
        self.values: dict[str, Value] = {}

    def function(self, function: Function, arguments: Sequence[Value]) -> Value:
        for argument, value in zip(function.arguments, arguments, strict=True):
            if "noundef" in argument.attributes and POISON in value:
                raise UndefinedBehaviour(f"a poison argument %{argument.name}")
            self.values[argument.name] = value
        blocks = {block.label: block for block in function.blocks}
        block, previous = function.blocks[0], ""
        while True:
            following, result = self.block(block, previous)
            if following is None:
                return result
            block, previous = blocks[following], block.label

    def block(self, block: Block, previous: str) -> tuple[str | None, Value]:
        phis = [i for i in block.instrs if i.opcode == "phi"]
        arriving = {i.name: self.value(_incoming(i, previous)) for i in phis}
        self.values.update(arriving)
        self.count(len(phis))
        for instr in block.instrs:
            if instr.opcode in ("phi", "dbg"):
                continue
            self.count(1)
            jump = _JUMPS.get(instr.opcode)
            if jump is not None:
                return jump(self, instr)
            result = self.instruction(instr)
            if instr.name:
                self.values[instr.name] = result
        raise NotInterpreted("a block without end")

    def count(self, steps: int) -> None:
        self.steps[0] -= steps
        if self.steps[0] < 0:
            raise StepLimit(f"more than {self.settings.steps} steps")

    def value(self, operand: Operand) -> Value:
        if isinstance(operand, Local):
            return self.values[operand.name]
        if isinstance(operand, Literal):
            return tuple(self.literal(lane, int_width(operand.type)) for lane in operand.lanes)
        if isinstance(operand.type, PtrType) and operand.text == "null":
            return (Pointer(-1, 0),)
        if operand.text == "poison":
            return (POISON,) * lane_count(operand.type)
        raise NotInterpreted(f"the operand {operand.text}")

    def literal(self, lane: int | str, width: int) -> Lane:
        if isinstance(lane, int):
            return lane
        filler = int.from_bytes(bytes([self.settings.undef]) * ((width + 7) // 8), "little") & (
            (1 << width) - 1
        )
        return POISON if lane == "poison" else filler

    def instruction(self, instr: Instr) -> Value:
        if not instr.known:
            raise NotInterpreted(f"the instruction {instr.text.strip()}")
        if instr.opcode == "call":
            return self.call(instr)
        reader = _MEANINGS.get(instr.opcode)
        if reader is None:
            raise NotInterpreted(f"the instruction {instr.opcode}")
        return reader(
            self, instr, [self.value(o) for o in instr.operands if not _names_type(instr, o)]
        )

    def call(self, instr: Instr) -> Value:
        called = (self.settings.functions or {}).get(instr.callee)
        if called is not None:
            inner = _Run(self.memory, self.settings, self.steps)
            result = inner.function(called, [self.value(o) for o in instr.operands])
        else:
            arguments = [self.value(o) for o in instr.operands if str(o.type) != "metadata"]
            result = call(instr, arguments, self.memory, self.settings.target, self.settings.undef)
        if "noundef" in instr.attributes and POISON in result:
            raise UndefinedBehaviour("a poison result of a call that has none")
        return result


def _names_type(instr: Instr, operand: Operand) -> bool:
    return instr.opcode in ("getelementptr", "alloca") and operand is instr.operands[0]


def _incoming(instr: Instr, previous: str) -> Operand:
    pairs = zip(instr.operands[::2], instr.operands[1::2], strict=True)
    return next(
        value for value, label in pairs if isinstance(label, Symbol) and label.text[1:] == previous
    )


def _both(a: Lane, b: Lane, function: Callable[[int, int], Outcome], mask: int) -> Lane:
    if isinstance(a, Poison) or isinstance(b, Poison):
        return POISON
    if not isinstance(a, int) or not isinstance(b, int):
        raise NotInterpreted("arithmetic on pointers")
    result = function(a, b)
    return result if isinstance(result, Poison) else result & mask


def _binary(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    w = int_width(instr.type)
    op = BINARY[instr.opcode]
    if instr.opcode in ("udiv", "sdiv", "urem", "srem") and (
        POISON in operands[1] or 0 in operands[1]
    ):
        raise UndefinedBehaviour("division by poison or zero")
    return tuple(
        _both(a, b, lambda x, y: op(w, x, y, instr.flags), (1 << w) - 1)
        for a, b in zip(*operands, strict=True)
    )


def _icmp(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    if isinstance(instr.operands[0].type, PtrType):
        return (_compare_pointers(instr.predicate, operands[0][0], operands[1][0]),)
    w = int_width(instr.operands[0].type)
    return tuple(
        _both(a, b, lambda x, y: compare(instr.predicate, w, x, y, instr.flags), 1)
        for a, b in zip(*operands, strict=True)
    )


def _compare_pointers(predicate: str, a: Lane, b: Lane) -> Lane:
    if not isinstance(a, Pointer) or not isinstance(b, Pointer):
        return POISON
    if a.region != b.region and predicate not in ("eq", "ne"):
        raise NotInterpreted("the order of objects in memory")
    if a.region != b.region:
        return int(predicate == "ne")
    mask = (1 << 64) - 1
    result = compare(predicate, 64, a.offset & mask, b.offset & mask, frozenset())
    return result


def _select(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    conditions, yes, no = operands
    if len(conditions) == 1:
        conditions = conditions * len(yes)
    return tuple(
        POISON if isinstance(c, Poison) else (a if c else b)
        for c, a, b in zip(conditions, yes, no, strict=True)
    )


def _cast(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    w, to = int_width(instr.operands[0].type), int_width(instr.type)
    mask = (1 << to) - 1
    return tuple(
        _both(a, 0, lambda x, _: cast(instr.opcode, x, w, to, instr.flags), mask)
        for a in operands[0]
    )


def _bitcast(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    if instr.operands[0].type == instr.type:
        return operands[0]
    return from_bits(to_bits(operands[0], instr.operands[0].type), instr.type, run.settings.undef)


def _freeze(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    if isinstance(instr.type, PtrType):
        return operands[0]
    frozen = run.literal("undef", int_width(instr.type))
    return tuple(frozen if isinstance(lane, Poison) else lane for lane in operands[0])


def _shuffle(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    pool = operands[0] + operands[1]
    return tuple(POISON if i is None else pool[i] for i in instr.mask)


def _position(index: Lane, count: int) -> int | None:
    return index if isinstance(index, int) and index < count else None


def _extract(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    at = _position(operands[1][0], len(operands[0]))
    return (POISON if at is None else operands[0][at],)


def _insert(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    at = _position(operands[2][0], len(operands[0]))
    if at is None:
        return (POISON,) * len(operands[0])
    return operands[0][:at] + operands[1] + operands[0][at + 1 :]


def _load(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    bits = run.memory.load(operands[0][0], instr.type, instr.align)
    value = from_bits(bits, instr.type, run.settings.undef)
    if any(kind == "noundef" for kind, _ in instr.metadata) and (POISON in value or bits.unset):
        raise UndefinedBehaviour("a load of poison marked noundef")
    return value


def _store(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    run.memory.store(operands[1][0], to_bits(operands[0], instr.operands[0].type), instr.align)
    return ()


def _alloca(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    count = operands[0][0] if operands else 1
    if not isinstance(count, int):
        raise UndefinedBehaviour("an allocation of poison size")
    return (run.memory.allocate(stride(instr.operands[0].type) * count, instr.align),)


def _address(run: _Run, instr: Instr, operands: list[Value]) -> Value:
    (base,) = operands[0]
    if isinstance(base, Poison) or any(POISON in index for index in operands[1:]):
        return (POISON,)
    if isinstance(instr.type, VectorType) or not isinstance(base, Pointer):
        raise NotInterpreted("a vector of addresses")
    kind: Type = instr.operands[0].type
    offset = base.offset
    for number, ((index,), operand) in enumerate(
        zip(operands[1:], instr.operands[2:], strict=True)
    ):
        assert isinstance(index, int)
        kind = _element(kind) if number else kind
        offset += signed(index, int_width(operand.type)) * stride(kind)
    if "inbounds" in instr.flags and not 0 <= offset <= len(run.memory.regions[base.region].data):
        return (POISON,)
    return (Pointer(base.region, offset),)


def _element(kind: Type) -> Type:
    if isinstance(kind, VectorType):
        return kind.elem
    text = str(kind)
    if not text.startswith("["):
        raise NotInterpreted(f"a member of {text}")
    return read_type(Cursor(text.partition(" x ")[2].removesuffix("]")))


def _truth(value: Value) -> bool:
    if value == (POISON,):
        raise UndefinedBehaviour("a branch on poison")
    return value == (1,)


def _branch(run: _Run, instr: Instr) -> tuple[str | None, Value]:
    *condition, first = (
        instr.operands if len(instr.operands) == 1 else (instr.operands[0], instr.operands[1])
    )
    taken = first if not condition or _truth(run.value(condition[0])) else instr.operands[2]
    assert isinstance(taken, Symbol)
    return taken.text[1:], ()


def _switch(run: _Run, instr: Instr) -> tuple[str | None, Value]:
    value = run.value(instr.operands[0])
    if POISON in value:
        raise UndefinedBehaviour("a switch on poison")
    cases = zip(instr.operands[2::2], instr.operands[3::2], strict=True)
    taken = next((label for case, label in cases if run.value(case) == value), instr.operands[1])
    assert isinstance(taken, Symbol)
    return taken.text[1:], ()


def _return(run: _Run, instr: Instr) -> tuple[str | None, Value]:
    return None, run.value(instr.operands[0]) if instr.operands else ()


def _unreachable(run: _Run, instr: Instr) -> tuple[str | None, Value]:
    raise UndefinedBehaviour("unreachable code")


_JUMPS: Final[Mapping[str, Callable[[_Run, Instr], tuple[str | None, Value]]]] = {
    "br": _branch,
    "switch": _switch,
    "ret": _return,
    "unreachable": _unreachable,
}
_MEANINGS: Final[Mapping[str, Callable[[_Run, Instr, list[Value]], Value]]] = {
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys(("zext", "sext", "trunc"), _cast),
    "icmp": _icmp,
    "select": _select,
    "bitcast": _bitcast,
    "freeze": _freeze,
    "shufflevector": _shuffle,
    "extractelement": _extract,
    "insertelement": _insert,
    "load": _load,
    "store": _store,
    "alloca": _alloca,
    "getelementptr": _address,
}
