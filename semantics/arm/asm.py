"""Reading AArch64 assembly: one line into an operation with form, registers and branch target.

A form names the kinds of the operands in the order written: arrangements of vectors (``16b``),
elements (``s[]``), lists (``2x16b``), registers of SVE (``z.h``, ``p.h``, ``p/m``), registers of
scalars (``d``, ``x``), immediates, shifts and addresses (``mem``, ``mem(x:lsl)``, ``mem!`` with
writeback).  An address that is written back is not written here: it is ready long before what is
loaded, and an operation has one latency.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from isel.cost.code import Access, AsmLine, Dialect, Operation, Traffic, split_operands
from semantics.arm.access import access

_VECTOR: Final = re.compile(r"v(?P<n>\d+)\.(?P<arrangement>\d*[bhsdq])(?P<lane>\[\d+\])?$")
_SCALABLE: Final = re.compile(r"z(?P<n>\d+)(?P<elements>\.[bhsdq])$")
_PREDICATE: Final = re.compile(r"(?P<name>p\d+)(?P<how>\.[bhsd]|/[mz])$")
_SCALAR: Final = re.compile(r"(?P<kind>[bhsdq])(?P<n>\d+)$")
_GENERAL: Final = re.compile(r"(?P<kind>[xw])(?P<n>\d+)$")
_WORDS: Final = frozenset({"w", "x"})
_LANES: Final = re.compile(r"\d*[bhsdq](?:\[\])?$")
_OTHER: Final = {  # kind and number
    "sp": ("x", "sp"), "wsp": ("w", "sp"), "xzr": ("x", ""), "wzr": ("w", ""), "lr": ("x", "x30"),
}  # fmt: skip
_LIST: Final = re.compile(r"\{\s*(?P<inner>[^}]*?)\s*\}(?P<lane>\[\d+\])?$")
_SHIFT: Final = re.compile(r"(?P<how>lsl|lsr|asr|ror|msl|[su]xt[bhwx])(?:\s+#(?P<by>\d+))?$")
_CONDITION: Final = re.compile(r"eq|ne|[ch]s|lo|[lc]c|mi|pl|v[sc]|hi|ls|ge|lt|gt|le|al|nv")
_ZERO: Final = re.compile(r"#0+(?:\.0+)?$|[xw]zr$")
_BRANCH: Final = re.compile(r"b|b\.\w+|br|cbn?z|tbn?z")
_MAKES_CONSTANTS: Final = frozenset({"mov", "movi", "fmov"})  # zero is not like other constants
_CHEAP: Final = 4  # a shift to the left by at most this much costs less on some CPUs
_BITS: Final = dict.fromkeys(("8b", "4h", "2s", "1d", "d"), 64) | dict.fromkeys(
    ("16b", "8h", "4s", "2d", "1q", "q"), 128
)
_STRUCTURE: Final = re.compile(r"(ld|st)[234]$")
_CLOBBERED: Final = tuple(f"x{n}" for n in (0, 1, 8))  # by a call: what results come back in


@dataclass(frozen=True, slots=True)
class _Operand:
    kind: str
    registers: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    text: str = ""


@lru_cache(maxsize=65536)
def read_line(text: str) -> AsmLine:
    """Read one instruction (without label or comment); what cannot be read becomes a form
    without a price.
    """
    mnemonic, rest = (*text.partition(";")[0].split(None, 1), "")[:2]  # ; is Mach-O's comment
    if mnemonic == "movprfx":  # a move that cores take together with what comes next, or as one
        mnemonic, rest = "mov", re.sub(r"z(\d+)", r"v\1.16b", rest)
    operands = [_operand(o, mnemonic) for o in split_operands(rest, "[{", "]}")]
    if mnemonic in ("bl", "blr"):
        # What a call costs is the callee's; only an equal one on the other side cancels it.
        reads = tuple(r for o in operands for r in o.registers)
        operation = Operation(f"{mnemonic} {rest.strip()}", reads, (*_CLOBBERED, "flags"))
        return AsmLine(operation, "", branches=False, falls_through=True, returns=False)
    operation = _operation(mnemonic, operands)
    if _BRANCH.fullmatch(mnemonic):
        target = "" if mnemonic == "br" else operands[-1].text if operands else ""
        always = mnemonic in ("b", "br")
        return AsmLine(operation, target, branches=True, falls_through=not always, returns=False)
    returns = mnemonic in ("ret", "retaa", "retab")
    ends = returns or mnemonic in ("brk", "udf")
    return AsmLine(operation, "", branches=ends, falls_through=not ends, returns=returns)


def register_bits(form: str) -> int:
    """Return the bits of the vector register that a form writes, 0 where it writes none."""
    return _BITS.get(form.partition(" ")[2].split(",")[0], 0)


def written(form: str) -> str:
    """Return the kind of the register that a form writes, a vector's as the target names it."""
    kind = form.partition(" ")[2].split(",")[0].rpartition("x")[2]
    return {64: "d", 128: "q"}.get(_BITS.get(kind, 0), kind)


def accessed(form: str) -> Access:
    """Return what a form does to memory as a vector of at least 16 bytes."""
    mnemonic, _, operands = form.partition(" ")
    kinds = operands.split(",")
    if not mnemonic.startswith(("ld", "st")) or not any(k.startswith("mem") for k in kinds):
        return Access()
    bits = 0
    for kind in kinds:
        count, _, arrangement = kind.rpartition("x") if kind[:1].isdigit() else ("", "", kind)
        bits += _BITS.get(arrangement, 0) * int(count or 1)
    return Access(bits // 8 if bits >= 128 else 0, mnemonic.startswith("st"))


def moves(form: str) -> bool:
    """Tell whether a form moves a value between a general register and lanes."""
    kinds = form.partition(" ")[2].split(",")
    return "mem" not in form and not _WORDS.isdisjoint(kinds) and any(map(_LANES.match, kinds))


DIALECT: Final = Dialect(read_line, "//", register_bits, written, accessed, moves=moves)


def read_operation(text: str) -> Operation:
    """Return the operation that one line of assembly stands for."""
    return read_line(text).operation


def _operand(text: str, mnemonic: str) -> _Operand:
    if mnemonic in _MAKES_CONSTANTS and _ZERO.match(text):
        return _Operand("zero")
    if text.startswith(("#", ":")) or re.match(r"-?\d", text):
        return _Operand("imm")
    if text.startswith("["):
        return _memory(text)
    if m := _LIST.match(text):
        return _listed(m["inner"], m["lane"] is not None)
    if (register := _register(text)) is not None:
        return register
    if m := _SHIFT.match(text):
        cheap = m["how"] == "lsl" and m["by"] is not None and int(m["by"]) <= _CHEAP
        return _Operand("lsl:4" if cheap else m["how"])
    if _CONDITION.fullmatch(text):
        return _Operand("cond")
    if mnemonic.startswith("prf"):
        return _Operand("prfop")
    return _Operand("label", text=text)


def _register(text: str) -> _Operand | None:
    if m := _VECTOR.match(text):
        return _Operand(m["arrangement"] + ("[]" if m["lane"] else ""), (f"v{m['n']}",))
    if m := _SCALABLE.match(text):  # its low bits are the register of Neon
        return _Operand(f"z{m['elements']}", (f"v{m['n']}",))
    if m := _PREDICATE.match(text):
        return _Operand(f"p{m['how']}", (m["name"],))
    if m := _SCALAR.match(text):
        return _Operand(m["kind"], (f"v{m['n']}",))
    if m := _GENERAL.match(text):
        return _Operand(m["kind"], (f"x{m['n']}",))
    if text in _OTHER:
        kind, name = _OTHER[text]
        return _Operand(kind, (name,) if name else ())
    return None


def _listed(inner: str, lane: bool) -> _Operand:
    """Read ``v0.16b, v1.16b`` or ``v0.16b - v3.16b``."""
    first, dash, last = (part.strip() for part in inner.partition("-"))
    found = [m for part in (first, last) if dash and (m := _VECTOR.match(part))]
    if len(found) == 2:
        n = int(found[0]["n"])
        count = (int(found[1]["n"]) - n) % 32 + 1
        registers = tuple(f"v{(n + k) % 32}" for k in range(count))
        kind = found[0]["arrangement"]
    else:
        each = [o for part in inner.split(",") if (o := _register(part.strip())) is not None]
        registers = tuple(r for o in each for r in o.registers)
        kind = each[0].kind if each else ""
    return _Operand(f"{len(registers)}x{kind}{'[]' if lane else ''}", registers)


def _memory(text: str) -> _Operand:
    inner, _, behind = text[1:].partition("]")
    parts = [p.strip() for p in inner.split(",")]
    registers = tuple(r for p in parts if (o := _register(p)) is not None for r in o.registers)
    kind = "mem"
    if len(parts) > 1 and (index := _register(parts[1])) is not None:
        how = _SHIFT.match(parts[2]) if len(parts) > 2 else None
        scaled = how is not None and how["by"] is not None and how["how"] != "lsl"
        said = f":{how['how']}{'#' if scaled else ''}" if how is not None else ""
        kind = f"mem({index.kind}{said})"
    return _Operand(kind + behind.strip(), (), registers, text)


def _operation(mnemonic: str, operands: list[_Operand]) -> Operation:
    forms = tuple(o.kind for o in operands)
    if mnemonic == "movi" and forms[1:] == ("imm",):  # bytes, whatever elements it is written in
        forms = ({"2d": "16b", "d": "8b"}.get(forms[0], forms[0]), "imm")
    how = access(mnemonic, forms)
    reads = ["flags"] if how.reads_flags else []
    writes = ["flags"] if how.writes_flags else []
    for position, o in enumerate(operands):
        if position < how.written:
            writes.extend(o.registers)
        if position >= how.written or how.reads_written:
            reads.extend(o.registers)
    return Operation(
        f"{mnemonic} {','.join(forms)}" if forms else mnemonic,
        tuple(dict.fromkeys(reads)),
        tuple(dict.fromkeys(writes)),
        tuple(dict.fromkeys(a for o in operands for a in o.addresses)),
        _traffic(operands),
        plain_forms=_plain_forms(mnemonic, forms),
        accumulator=_accumulator(operands) if how.reads_written else "",
    )


def _accumulator(operands: list[_Operand]) -> str:
    """Return the register of Neon that is written, where it is read as no other operand too."""
    written, others = operands[0].registers, operands[1:]
    scalable = operands[0].kind.startswith("z")
    if not written or scalable or any(written[0] in o.registers for o in others):
        return ""
    return written[0]


def _plain_forms(mnemonic: str, forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return what would load or store the registers of a structure one by one."""
    found = _STRUCTURE.match(mnemonic)
    number, _, kind = forms[0].partition("x") if found is not None and forms else ("", "", "")
    if found is None or kind not in _BITS:
        return ()
    return (f"{found[1]}r {'q' if _BITS[kind] == 128 else 'd'},mem",) * int(number)


def _traffic(operands: list[_Operand]) -> Traffic:
    for o in operands:
        if o.kind.startswith("mem"):
            if re.search(r"\.?L?l?CPI\d+_\d+", o.text):
                return Traffic.CONSTANT
            if "sp" in o.addresses:
                return Traffic.SPILL
    return Traffic.NONE
