"""What a function for one machine may not be proved from one for another: an intrinsic of another
machine, and what C hands over in another way there.

Who extends an integer of less than 32 bits is part of a machine's calling convention: of
arguments the caller, but for AArch64, where it is the callee; of results the callee, but for
AArch64 and x86.  LLVM believes what ``signext`` and ``zeroext`` say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from frontends.llvm.refine.options import Options
from frontends.llvm.text.ast import Function, Instr, IntType, PtrType, Type, VectorType
from frontends.llvm.text.identity import Contents
from isel.spec.target import Target

_MACHINES: Final = (
    "aarch64", "amdgcn", "arm", "bpf", "dx", "hexagon", "loongarch", "mips", "nvvm", "ppc", "r600",
    "riscv", "s390", "spv", "ve", "wasm", "x86", "xcore",
)  # fmt: skip
_WORDS: Final = frozenset(("signext", "zeroext"))
_PLACES: Final = frozenset(("byval", "sret", "inreg", "byref", "inalloca", "preallocated"))
_OTHERS: Final = {"void": 0, "label": 0, "float": 32, "double": 64}  # bits
_LARGEST: Final = {False: 64, True: 128}  # scalar, and vector, that is handed over alike


def misplaced(functions: tuple[Function, Function], said: Contents, options: Options) -> str:
    """Return what keeps functions for two machines from being compared, empty if nothing does;
    ``said`` is of the target's module.
    """
    for f, isa in zip(functions, options.isas or (), strict=False) if options.across else ():
        reasons = [_of_others(i, isa) for i in _calls(f) if isa is not None]
        if f is functions[1] and isa is not None:
            reasons += _handed(
                f, said, isa.name if "-apple-" not in str(said.frame[1]) else "apple"
            )
        if bad := next(filter(None, reasons), ""):
            return bad
    return ""


def _calls(function: Function) -> Iterator[Instr]:
    return (i for i in function.view if i.opcode in ("call", "invoke", "callbr"))


def _of_others(i: Instr, isa: Target) -> str:
    of = i.callee.split(".")[1] if i.callee.startswith("llvm.") else ""
    if of in _MACHINES and not any(isa.handles(x) for x in (of, f"{of}_64")):
        return f"a call of '{i.callee}', which is of another machine"
    return "" if i.callee or " asm " not in i.text else "inline assembly for another machine"


def _handed(function: Function, said: Contents, machine: str) -> Iterator[str]:
    """Yield which values may be handed over in another way."""
    own = False if machine == "arm" else None
    of = f"of @{function.name} on {machine}"
    for a in function.arguments:
        yield _why(a.type, a.attributes, f"argument {of}", own)
    extended = None if machine in ("arm", "x86") else True
    yield _why(function.type, function.returns, f"result {of}", extended)
    for i in _calls(function):
        head = said.named.get(f"@{i.callee}", "")
        if i.callee.startswith("llvm.") or head.startswith(("define internal", "define private")):
            continue
        to = f"of @{i.callee} on {machine}" if i.callee else f"of a pointer on {machine}"
        for k, o in enumerate(i.operands):
            words = [x.rpartition(" @")[0] for x in i.attributes if x.endswith(f" @{k}")]
            yield _why(o.type, words, f"argument {to}", own is None or None)
        yield _why(i.type, i.attributes, f"result {to}", own)


def _why(kind: Type, said: Iterable[str], what: str, extended: bool | None) -> str:
    """Say that a value may be handed over in another way; an integer has to be ``extended``, or
    may not be, or (None) it does not matter.
    """
    words = {x.partition("(")[0] for x in said}
    vector = isinstance(kind, VectorType)
    bits = kind.count * _bits(kind.elem) if isinstance(kind, VectorType) else _bits(kind)
    known = bits <= _LARGEST[vector] and words.isdisjoint(_PLACES)
    if known and isinstance(kind, IntType) and bits < 32 and extended is not None:
        known = extended is not words.isdisjoint(_WORDS)
    return "" if known else f"how {kind} is handed over as {what} is not known"


def _bits(kind: Type) -> int:
    if isinstance(kind, IntType):
        return kind.bits
    return 64 if isinstance(kind, PtrType) else _OTHERS.get(str(kind), 1 << 16)
