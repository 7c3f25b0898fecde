"""One instruction of LLVM IR: a reader per opcode, after ``llvm/lib/AsmParser/LLParser.cpp`` of
LLVM 22.

Beyond :class:`frontends.llvm.text.ast.Instr`'s own description: the first operand of
``getelementptr`` and ``alloca`` is a :class:`Symbol` with the element type; ``phi`` has values and
labels in turn; the operands of ``br`` and ``switch`` stand in the order of the text; an indirect
call has its callee as the last operand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from frontends.llvm.text.ast import IntType, OtherType, PtrType, Symbol, Type, VectorType
from frontends.llvm.text.calls import Draft, read_call, read_invoke
from frontends.llvm.text.operands import (
    read_mask,
    read_node,
    read_operand,
    read_type,
    read_typed,
)
from frontends.llvm.text.tokens import Cursor, NotUnderstood

_FLAGS: Final = frozenset((
    "nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw", "volatile",
    "atomic", "inalloca", "swifterror", "weak", "nnan", "ninf", "nsz", "arcp", "contract", "afn",
    "reassoc", "fast", "tail", "musttail", "notail",
))  # fmt: skip
_BINARY: Final = (
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
    "fadd", "fsub", "fmul", "fdiv", "frem",
)  # fmt: skip
_CASTS: Final = (
    "zext", "sext", "trunc", "bitcast", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp",
    "ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast",
)  # fmt: skip


def read_instruction(c: Cursor, opcode: str, draft: Draft) -> None:
    """Read what follows the opcode into ``draft``; raise :class:`NotUnderstood` where that
    fails (the draft keeps what was read).
    """
    reader = _READERS.get(opcode)
    if reader is None:
        raise NotUnderstood(f"the instruction {opcode}")
    while c.token in _FLAGS:
        draft.flags.append(c.next())
    reader(c, draft)
    _attachments(c, draft)
    if c.token:
        raise NotUnderstood(f"{c.token!r} after the instruction")


def _attachments(c: Cursor, d: Draft) -> None:
    while c.token == "," and c.peek()[:1] == "!":
        c.at += 1
        kind = c.next()[1:]
        d.metadata.append((kind, read_node(c)))


def _read_typed(c: Cursor, d: Draft, count: int) -> None:
    """Read so many operands, each with its type, with commas between them."""
    for k in range(count):
        if k:
            c.expect(",")
        d.operands.append(read_typed(c))


def _binary(c: Cursor, d: Draft) -> None:
    d.type = read_type(c)
    _read_pair(c, d, d.type)


def _read_pair(c: Cursor, d: Draft, kind: Type) -> None:
    d.operands.append(read_operand(c, kind))
    c.expect(",")
    d.operands.append(read_operand(c, kind))


def _peek_type(c: Cursor) -> Type:
    start = c.at
    kind = read_type(c)
    c.at = start
    return kind


def _alike(count: int, c: Cursor, d: Draft) -> None:
    """Read so many operands, the result of the type of the first, if any."""
    d.type = _peek_type(c) if count else d.type
    _read_typed(c, d, count)


def _truth(kind: Type) -> Type:
    if isinstance(kind, VectorType):
        return VectorType(kind.count, IntType(1))
    text = str(kind)
    if not text.startswith("<vscale x "):
        return IntType(1)
    return OtherType(f"<vscale x {text.removeprefix('<vscale x ').split(' ', 1)[0]} x i1>")


def _compare(c: Cursor, d: Draft) -> None:
    d.predicate = c.next()
    kind = read_type(c)
    d.type = _truth(kind)
    _read_pair(c, d, kind)


def _select(c: Cursor, d: Draft) -> None:
    _read_typed(c, d, 1)
    c.expect(",")
    d.type = _peek_type(c)
    _read_typed(c, d, 2)


def _cast(c: Cursor, d: Draft) -> None:
    _read_typed(c, d, 1)
    c.expect("to")
    d.type = read_type(c)


def _shuffle(c: Cursor, d: Draft) -> None:
    kind = _peek_type(c)
    _read_typed(c, d, 2)
    c.expect(",")
    d.type = _peek_type(c)  # right but for the element, should the mask not be understood
    d.mask = read_mask(c)
    if not isinstance(kind, VectorType):
        raise NotUnderstood("a shuffle of scalable vectors")
    d.type = VectorType(len(d.mask), kind.elem)


def _element(kind: Type) -> Type:
    if isinstance(kind, VectorType):
        return kind.elem
    text = str(kind)
    if not text.startswith("<vscale"):
        return OtherType("?")
    return read_type(Cursor(text.removesuffix(">").split(" x ", 2)[2]))


def _extract_element(c: Cursor, d: Draft) -> None:
    d.type = _element(_peek_type(c))
    _read_typed(c, d, 2)


def _memory_tail(c: Cursor, d: Draft) -> None:
    if c.take("syncscope"):
        c.skip_balanced()
    if "atomic" in d.flags:
        d.attributes.append(c.next())
    if c.token == "," and c.peek() == "align":
        c.at += 2
        d.align = int(c.next())
    d.known = d.known and "volatile" not in d.flags and "atomic" not in d.flags


def _load(c: Cursor, d: Draft) -> None:
    d.type = read_type(c)
    c.expect(",")
    _read_typed(c, d, 1)
    _memory_tail(c, d)


def _store(c: Cursor, d: Draft) -> None:
    _read_typed(c, d, 2)
    _memory_tail(c, d)


def _alloca(c: Cursor, d: Draft) -> None:
    d.type = PtrType()
    kind = read_type(c)
    d.operands.append(Symbol(str(kind), kind))
    while c.token == "," and c.peek()[:1] != "!":
        c.at += 1
        if c.take("align"):
            d.align = int(c.next())
        elif c.token == "addrspace":
            c.at += 2
            d.type = PtrType(int(c.next()))
            c.expect(")")
        else:
            d.operands.append(read_typed(c))
    d.known = not d.flags


def _address(c: Cursor, d: Draft) -> None:
    d.type = PtrType()
    if c.take("inrange"):
        c.skip_balanced()
        d.known = False
    kind = read_type(c)
    d.operands.append(Symbol(str(kind), kind))
    shape: VectorType | None = None
    while c.token == "," and c.peek()[:1] != "!":
        c.at += 1
        operand = read_typed(c)
        if len(d.operands) == 1:
            d.type = operand.type
        if isinstance(operand.type, VectorType):
            shape = operand.type
        d.operands.append(operand)
    if shape is not None and isinstance(d.type, PtrType):
        d.type = VectorType(shape.count, d.type)


def _phi(c: Cursor, d: Draft) -> None:
    d.type = kind = read_type(c)
    while True:
        c.expect("[")
        d.operands.append(read_operand(c, kind))
        c.expect(",")
        d.operands.append(Symbol(c.next(), OtherType("label")))
        c.expect("]")
        if c.token != "," or c.peek() != "[":
            return
        c.at += 1


def _return(c: Cursor, d: Draft) -> None:
    if not c.take("void"):
        d.operands.append(read_typed(c))


def _branch(c: Cursor, d: Draft) -> None:
    _read_typed(c, d, 1 if c.token == "label" else 3)


def _switch(c: Cursor, d: Draft) -> None:
    _read_typed(c, d, 2)
    c.expect("[")
    while not c.take("]"):
        _read_typed(c, d, 2)


def _first_type(c: Cursor, d: Draft) -> None:
    d.known = False
    d.type = read_type(c)
    raise NotUnderstood("an instruction that is only passed over")


def _extract_value(c: Cursor, d: Draft) -> None:
    kind = read_type(c)
    d.operands.append(read_operand(c, kind))
    d.type = OtherType("?")
    d.known = False
    while c.token == "," and c.peek().isdecimal():
        kind = _member(kind, int(c.peek()))
        c.at += 2
    d.type = kind


def _member(kind: Type, index: int) -> Type:
    inner = Cursor(str(kind))
    if inner.take("["):
        inner.at += 2
        return read_type(inner)
    inner.take("<")
    if not inner.take("{"):
        raise NotUnderstood("a member of a named type")
    for _ in range(index):
        read_type(inner)
        inner.expect(",")
    return read_type(inner)


def _indirect_branch(c: Cursor, d: Draft) -> None:
    d.known = False
    _read_typed(c, d, 1)
    c.expect(",")
    c.expect("[")
    while not c.take("]"):
        _read_typed(c, d, 1)
        c.take(",")


def _atomic_update(c: Cursor, d: Draft) -> None:
    c.next()
    d.operands.append(read_typed(c))
    c.expect(",")
    d.type = read_type(c)
    raise NotUnderstood("an atomic update")


def _compare_exchange(c: Cursor, d: Draft) -> None:
    read_typed(c)
    c.expect(",")
    d.type = OtherType(f"{{ {read_type(c)}, i1 }}")
    raise NotUnderstood("an atomic update")


def _va_arg(c: Cursor, d: Draft) -> None:
    read_typed(c)
    c.expect(",")
    _first_type(c, d)


def _token(c: Cursor, d: Draft) -> None:
    d.type = OtherType("token")
    raise NotUnderstood("an exception pad")


_READERS: Final[dict[str, Callable[[Cursor, Draft], None]]] = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_CASTS, _cast),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    **dict.fromkeys(("freeze", "fneg"), partial(_alike, 1)),
    **dict.fromkeys(("catchpad", "cleanuppad", "catchswitch"), _token),
    **dict.fromkeys(("landingpad", "insertvalue"), _first_type),
    "extractvalue": _extract_value,
    "indirectbr": _indirect_branch,
    **dict.fromkeys(("invoke", "callbr"), read_invoke),
    "select": _select,
    "shufflevector": _shuffle,
    "extractelement": _extract_element,
    "insertelement": partial(_alike, 3),
    "load": _load,
    "store": _store,
    "alloca": _alloca,
    "getelementptr": _address,
    "phi": _phi,
    "call": read_call,
    "ret": _return,
    "br": _branch,
    "switch": _switch,
    "unreachable": partial(_alike, 0),
    "atomicrmw": _atomic_update,
    "cmpxchg": _compare_exchange,
    "va_arg": _va_arg,
}
