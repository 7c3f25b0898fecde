"""What keeps functions for two machines apart: an intrinsic of the other one, what C hands over in
another way there, such as an integer that is to be extended, and what a machine lacks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from frontends.llvm.refine.options import Options
from frontends.llvm.text.ast import Function, Instr, IntType, Type, VectorType
from frontends.llvm.text.identity import Contents
from frontends.llvm.text.syntax import element
from isel.errors import UnknownName
from isel.spec.target import Target

_MACHINES: Final = (
    "aarch64", "amdgcn", "arm", "bpf", "dx", "hexagon", "loongarch", "mips", "nvvm", "ppc", "r600",
    "riscv", "s390", "spv", "ve", "wasm", "x86", "xcore",
)  # fmt: skip
# Arguments and result of a function, then of a call: does code of the machine rely on an integer
# under 32 bits being extended by what we write (True), not by the other side (False)?
_EXTENDED: Final[dict[str, Sequence[bool | None]]] = {
    "arm": (False, None, None, False), "x86": (None, None, True, None),
}  # fmt: skip
_OTHERS: Final = (None, True, True, None)
# what is another thing on another machine, by a word of a function's text, and intrinsics that are
_OWN: Final = re.compile(
    r"\.\.\.\)[^()]*\{|\b(?:va_arg|x86_fp80|ppc_fp128|(?:x86_|arm_|aarch64_|win64)\w*cc)\b"
    r"|@llvm\.(?:va_|read_|write_|eh\.|[a-z]+\.fpenv|[a-z]+address|sponentry|thread|vscale)"
)
_EXTENSION: Final = re.compile(r"\b(?:sign|zero)ext\b")
_IN_PLACES: Final = frozenset(("byval", "sret", "inreg", "byref", "inalloca", "preallocated"))
_BITS: Final = {"void": 0, "label": 0, "ptr": 64, "float": 32, "double": 64}


def why_not_across(functions: tuple[Function, Function], said: Contents, options: Options) -> str:
    """Return what keeps functions for two machines from being compared, empty if nothing does;
    ``said`` is of the target's module.
    """
    (f, g), (a, b) = functions, options.isas or (None, None)
    if not options.across or a is None or b is None:
        return ""
    found = *_foreign(f, a), *_foreign(g, b), *_extensions(f, g, said), *_unlike(g, said, b), ""
    return found[0] or "module asm" * ("module asm" in str(said.frame))


def _calls(function: Function) -> Iterator[Instr]:
    return (i for i in function.view if i.opcode in ("call", "invoke", "callbr"))


def _foreign(function: Function, isa: Target) -> Iterator[str]:
    if found := _OWN.search("\n".join((function.head, *(i.text for i in function.view)))):
        yield f"'{found[0]}', which is another thing on another machine"
    for i in _calls(function):
        of = i.callee.split(".")[1] if i.callee.startswith("llvm.") else ""
        if of in _MACHINES and not any(map(isa.handles, (of, f"{of}_64"))):
            yield f"a call of '{i.callee}', which is of another machine"
        elif " asm " in i.text and not i.callee:
            yield "inline assembly for another machine"


def _extensions(f: Function, g: Function, said: Contents) -> Iterator[str]:
    """Yield extensions of the target that the source does not say, of arguments and in calls: its
    code relies on them; a callee's own count as the call's.
    """
    for a, b in zip(f.arguments, g.arguments, strict=True):
        if not set(_extension_words(b.attributes)) <= set(_extension_words(a.attributes)):
            yield f"the target extends %{b.name} on its own account"
    known = {(i.callee, *_extension_words(i.attributes)) for i in _calls(f)}
    for i in _calls(g):
        words = _extension_words(i.attributes)
        if words and (i.callee, *words) not in known:
            yield f"the target extends what @{i.callee} is given on its own account"
        own = Counter(x.partition(" @")[0] for x in words)
        if Counter(_EXTENSION.findall(said.named.get(f"@{i.callee}", ""))) - own:
            yield f"@{i.callee} extends what a call of it does not"


def _extension_words(attributes: Sequence[str]) -> list[str]:
    return [x for x in attributes if _EXTENSION.match(x)]


def _unlike(function: Function, said: Contents, isa: Target) -> Iterator[str]:
    rule = _OTHERS if "-apple-" in str(said.frame) else _EXTENDED.get(isa.name, _OTHERS)
    for k, name, kind, words in _values(function, said):
        whole = k == 1 and isa.name == "x86" and kind == IntType(1)  # of which AL is read whole
        alike = _is_alike(kind, {x.partition("(")[0] for x in words}, whole or rule[k])
        if not alike or (kind == IntType(1) and "signext" in words):
            yield f"how {kind} is handed {('to', 'from')[k % 2]} @{name} on {isa.name} is not known"


def _values(f: Function, said: Contents) -> Iterator[tuple[int, str, Type, Sequence[str]]]:
    """Yield what is handed over: where, as columns are, whose it is, and its attributes."""
    yield from ((0, f.name, a.type, a.attributes) for a in f.arguments)
    yield 1, f.name, f.type, f.returns
    for i in _calls(f):
        own = said.named.get(f"@{i.callee}", "").startswith(("define internal", "define private"))
        if not own and not i.callee.startswith("llvm."):
            for k, o in enumerate(i.operands):
                words = [x.partition(" @")[0] for x in i.attributes if x.endswith(f" @{k}")]
                yield 2, i.callee, o.type, words
            yield 3, i.callee, i.type, i.attributes


def _is_alike(kind: Type, words: set[str], extended: bool | None) -> bool:
    """Tell whether a value is handed over alike; the rest of an integer has to be ``extended``, or
    may not be, or (None) it does not matter.
    """
    if isinstance(kind, IntType) and kind.bits < 32 and extended is not None:
        return extended is not words.isdisjoint(("signext", "zeroext"))
    of, count = element(kind), kind.count if isinstance(kind, VectorType) else 2
    bits = of.bits if isinstance(of, IntType) else _BITS.get(str(of), 1 << 16)
    return count * bits <= 128 and (bits > 1 or of is kind) and words.isdisjoint(_IN_PLACES)


def why_illegal(function: Function, isa: Target | None, new: set[str]) -> str:
    """Return which instruction, that the target alone has, its function's features lack (R11);
    those of a function that names none are not known.
    """
    attributes = function.attributes
    if isa is None or not new or not {"target-features", "target-cpu"} & set(attributes):
        return ""
    try:
        features = isa.features(
            attributes.get("target-cpu", ""), attributes.get("target-features", "")
        )
    except UnknownName as problem:
        return problem.message()
    lacking = [i for i in isa.instructions() if i.name in new and not i.features <= features]
    # One intrinsic may be instructions of several features, as vpermd is of AVX2 and AVX-512.
    calls = {i.call for i in isa.instructions() if lacking and i.features <= features}
    return next(
        (f"the target's features lack '{i.name}'" for i in lacking if i.call not in calls - {""}),
        "",
    )
