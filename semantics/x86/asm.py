"""Reading x86-64 assembly in AT&T syntax: one line into an operation with form, registers and
branch target.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from isel.cost.code import AsmLine, Dialect, Operation, Place, Traffic, split_operands
from semantics.x86.access import Access, access
from semantics.x86.memory import accessed, bytes_of, narrows, widens
from semantics.x86.registers import canonical, register_kind

_PREFIXES = frozenset({
    "lock", "rep", "repe", "repz", "repne", "repnz", "notrack", "data16", "{vex}", "{evex}",
    "{vex2}", "{vex3}", "{disp8}", "{disp32}",
})  # fmt: skip
_SILENT_PREFIXES = frozenset(
    {"notrack", "data16", "{evex}", "{vex2}", "{vex3}", "{disp8}", "{disp32}"}
)
_MEMORY = re.compile(r"^(?:%[cdefgs]s:)?(?P<disp>[^()]*)\((?P<inner>[^()]*)\)$")
# what is added to an address with or without a symbol
_ADDRESS: Final = re.compile(
    r"(?P<name>(?:%[cdefgs]s:)?(?:[A-Za-z_.$@][\w.$@]*)?)(?P<distance>[+-]?(?:0x)?\d*)"
    r"(?P<inner>(?:\([^()]*\))?)$"
)
# a register of 32 or 64 bits moved as it is, or changed in memory
_PLAIN: Final = re.compile(r"(?:mov|add|sub|and|x?or)[lq]$")
_BROADCAST = re.compile(r"\{(1to\d+)\}$")
_SAME_IS_CONSTANT = re.compile(
    r"^v?(?:p?xor|psub|sub|pcmpeq|pcmpgt|pandn|andn)(?:[bwdlq]|us[bw]|s[bw]|p[sd])?$"
)
_BRANCH = re.compile(r"^(?:j[a-z]+|loop(?:n?e)?|xbegin)$")

_INSERTS: Final = re.compile(r"v?pinsr[bwdq]")
_REGISTER: Final = re.compile(r"\b([xyz])mm\b")
_GENERAL: Final = frozenset({"r8", "r16", "r32", "r64"})
_VALUES: Final = _GENERAL | {"xmm", "ymm", "zmm"}
_LANES: Final = frozenset({"xmm", "ymm", "zmm", "k"})
_BITS: Final = {"x": 128, "y": 256, "z": 512}


@dataclass(frozen=True, slots=True)
class _Operand:
    kind: str
    register: str = ""
    mask: str = ""
    zeroing: bool = False
    addresses: tuple[str, ...] = ()
    vector_address: str = ""
    is_memory: bool = False
    text: str = ""

    @property
    def form(self) -> str:
        decoration = ("{k}" if self.mask else "") + ("{z}" if self.zeroing else "")
        return self.kind + decoration


@lru_cache(maxsize=65536)
def read_line(text: str) -> AsmLine:
    """Read one instruction (without label or comment); what cannot be read becomes a form
    without a price.
    """
    prefix, mnemonic, rest = _split_mnemonic(text)
    if _BRANCH.match(mnemonic) or mnemonic in {"jmp", "jmpq", "callq", "call"}:
        return _control(prefix, mnemonic, rest)
    operands = [_operand(o, mnemonic) for o in split_operands(rest, "({", ")}")]
    form = _form(prefix, mnemonic, [o.form for o in operands])
    same = _same_sources(mnemonic, operands)
    operation = _operation(form + (" same" if same else ""), prefix, mnemonic, operands, same)
    ends = mnemonic in {"ret", "retq", "retl", "ud2"}
    return AsmLine(
        operation, "", branches=ends, falls_through=not ends, returns=mnemonic.startswith("ret")
    )


def register_bits(form: str) -> int:
    """Return the bits of the vector registers of a form, 0 where these are not of one size."""
    kinds = set(_REGISTER.findall(form))
    return _BITS[kinds.pop()] if len(kinds) == 1 else 0


def written(form: str) -> str:
    """Return the kind of the register that a form writes."""
    return form.split(" ", 1)[1].split(",")[0].partition("{")[0]


def moves(form: str) -> bool:
    """Tell whether a form moves a value between a general register and lanes, or their masks."""
    kinds = {o.partition("{")[0] for o in form.partition(" ")[2].split(",")}
    return not kinds.isdisjoint(_GENERAL) and not kinds.isdisjoint(_LANES)


DIALECT: Final = Dialect(read_line, "#", register_bits, written, accessed, moves=moves)


def read_operation(text: str) -> Operation:
    """Return the operation that one line of assembly stands for."""
    return read_line(text).operation


def _split_mnemonic(text: str) -> tuple[str, str, str]:
    words = text.strip().split(None, 1)
    prefixes: list[str] = []
    while len(words) == 2 and words[0] in _PREFIXES:
        if words[0] not in _SILENT_PREFIXES:
            prefixes.append(words[0])
        words = words[1].split(None, 1)
    return " ".join(prefixes), words[0] if words else "", words[1] if len(words) == 2 else ""


def _operand(text: str, mnemonic: str) -> _Operand:
    if text.startswith("$"):
        return _Operand("imm", text=text)
    if text in {"{sae}", "{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"}:
        return _Operand(text if text == "{sae}" else "{er}")
    body, mask, zeroing = _decorations(text)
    if body.startswith("%") and "(" not in body and ":" not in body:
        return _Operand(register_kind(body[1:]), canonical(body[1:]), mask, zeroing)
    return _memory(body, mask, zeroing, mnemonic)


def _decorations(text: str) -> tuple[str, str, bool]:
    zeroing = False
    mask = ""
    body = text
    while body.endswith("}") and not _BROADCAST.search(body):
        body, _, tail = body.rpartition("{")
        body = body.rstrip()
        if tail == "z}":
            zeroing = True
        elif tail.startswith("%k"):
            mask = tail[1:-1]
    return body, mask, zeroing


def _memory(body: str, mask: str, zeroing: bool, mnemonic: str) -> _Operand:
    broadcast = _BROADCAST.search(body)
    plain = body[: broadcast.start()].rstrip() if broadcast else body
    match = _MEMORY.match(plain)
    inner = [r.strip() for r in match["inner"].split(",")] if match else []
    registers = [r[1:] for r in inner[:2] if r.startswith("%")]
    vectors = [r for r in registers if r[:3] in {"xmm", "ymm", "zmm"}]
    kind = f"mem{{{broadcast[1]}}}" if broadcast else "mem"
    if vectors:
        kind = f"mem({vectors[0][:3]})"
    elif mnemonic.startswith("lea"):
        kind = _lea_kind(match["disp"] if match else plain, inner)
    addresses = tuple(canonical(r) for r in registers if r not in vectors and r != "rip")
    index = canonical(vectors[0]) if vectors else ""
    return _Operand(kind, "", mask, zeroing, addresses, index, is_memory=True, text=plain)


def _lea_kind(displacement: str, inner: list[str]) -> str:
    base = "b" if inner and inner[0] and inner[0] != "%rip" else ""
    index = "i" if len(inner) > 1 and inner[1] else ""
    scale = "s" if len(inner) > 2 and inner[2] not in {"", "1"} else ""
    return f"address({base}{index}{scale}{'d' if displacement.strip() not in {'', '0'} else ''})"


def _form(prefix: str, mnemonic: str, kinds: list[str]) -> str:
    head = f"{prefix} {mnemonic}" if prefix else mnemonic
    return f"{head} {','.join(reversed(kinds))}" if kinds else head


def _same_sources(mnemonic: str, operands: list[_Operand]) -> bool:
    if len(operands) not in (2, 3) or not _SAME_IS_CONSTANT.match(mnemonic) or operands[-1].mask:
        return False
    return operands[0].register != "" and operands[0].register == operands[1].register


def _control(prefix: str, mnemonic: str, rest: str) -> AsmLine:
    indirect = rest.startswith("*")
    call = mnemonic.startswith("call")
    always = mnemonic in {"jmp", "jmpq"}
    target = _operand(rest[1:], mnemonic) if indirect else _Operand("label")
    kind, addresses = target.kind, target.addresses
    reads = (target.register,) if target.register else ()
    if call:
        # What a call costs is the callee's; only an equal one on the other side cancels it.
        operation = Operation(
            f"{mnemonic} {rest}", reads, ("rax", "rcx", "rdx", "rsi", "rdi", "flags"), addresses
        )
        return AsmLine(operation, "", branches=False, falls_through=True, returns=False)
    operation = Operation(
        _form(prefix, mnemonic, [kind]), (*reads, *(() if always else ("flags",))), (), addresses
    )
    to = "" if indirect else rest.strip()
    return AsmLine(operation, to, branches=True, falls_through=not always, returns=False)


def _operation(
    form: str, prefix: str, mnemonic: str, operands: list[_Operand], same: bool
) -> Operation:
    how: Access = access(mnemonic, tuple(o.form for o in operands))
    reads: list[str] = [*how.implicit_reads]
    writes: list[str] = [*how.implicit_writes]
    for position, o in enumerate(operands):
        last = position == len(operands) - 1
        if o.mask:
            reads.append(o.mask)
        if o.vector_address:
            reads.append(o.vector_address)
        if not o.register:
            continue
        if last and how.writes_last:
            writes.append(o.register)
            if how.reads_last or (o.mask and not o.zeroing and o.kind != "k"):
                reads.append(o.register)
        elif not same:
            reads.append(o.register)
    if same and how.reads_last:
        reads = [r for r in reads if r != operands[-1].register]
    addresses = tuple(dict.fromkeys(a for o in operands for a in o.addresses))
    return Operation(
        form,
        tuple(dict.fromkeys(reads)),
        tuple(dict.fromkeys(writes)),
        addresses,
        _traffic(mnemonic, operands),
        _register_form(prefix, mnemonic, operands),
        _stored_form(prefix, mnemonic, operands),
        place=_place(mnemonic, operands, how),
        lanes=any(o.kind in _LANES for o in operands),
    )


def _place(mnemonic: str, operands: list[_Operand], how: Access) -> Place | None:
    """Return where in memory an instruction loads or stores, if it is known."""
    memory = next((o for o in operands if o.is_memory), _Operand(""))
    found = _ADDRESS.match(memory.text)
    size = bytes_of(mnemonic, tuple(o.form for o in operands))
    if found is None or not size:
        return None
    stores = memory is operands[-1] and how.writes_last
    base = " ".join((*memory.addresses, found["inner"], found["name"]))
    plain = _PLAIN.match(mnemonic) is not None and len(memory.addresses) == 1
    distance = int(found["distance"] or "0", 0)
    return Place(base, distance, size, not stores or how.reads_last, stores, plain)


def _traffic(mnemonic: str, operands: list[_Operand]) -> Traffic:
    if mnemonic.startswith("lea"):
        return Traffic.NONE
    for o in operands:
        if (
            o.is_memory
            and "(%rip)" in o.text
            and re.match(r"^\.?L?CPI\d+_\d+|^_*LCPI|^__(?:xmm|ymm|zmm|real)@", o.text)
        ):
            return Traffic.CONSTANT
        if (o.is_memory and "%rsp" in o.text) or (
            o.is_memory and o.text.endswith("(%rbp)") and o.text.startswith("-")
        ):
            return Traffic.SPILL
    return Traffic.NONE


def _stored_form(prefix: str, mnemonic: str, operands: list[_Operand]) -> str:
    """The form of what cuts lanes and stores them that leaves them in a register, or empty."""
    kinds = [o.form for o in operands]
    if not operands or not operands[-1].is_memory or not narrows(mnemonic):
        return ""
    return _form(prefix, mnemonic, [*kinds[:-1], _held(bytes_of(mnemonic, tuple(kinds)))])


def _held(size: int) -> str:
    """The kind of the least vector register that holds so many bytes."""
    return "zmm" if size > _BITS["y"] // 8 else "ymm" if size > _BITS["x"] // 8 else "xmm"


def _register_form(prefix: str, mnemonic: str, operands: list[_Operand]) -> str:
    """The form in which a loaded source comes from a register instead, or empty."""
    if not operands or operands[-1].is_memory or not any(o.is_memory for o in operands):
        return ""
    kinds = (o.kind for o in reversed(operands))
    kind = next((k for k in kinds if k in _VALUES), "")
    if not kind or mnemonic.startswith(("lea", "mov", "vmov")):
        return ""
    if _INSERTS.fullmatch(mnemonic):  # a lane comes from memory or from a general register
        kind = "r64" if mnemonic[-1] == "q" else "r32"
    if widens(mnemonic):
        kind = _held(bytes_of(mnemonic, tuple(o.form for o in operands)))
    return _form(prefix, mnemonic, [kind if o.is_memory else o.form for o in operands])
