"""Bodies as LLVM IR: QEMU's macros, the body of each instruction as a C function, and the clang of
the package ``ziglang``, with nothing optimised but calls inlined and variables in registers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.text.ast import Function
from frontends.llvm.text.parse import parse_module
from isel.errors import IselError
from semantics.emission import clang
from semantics.hvx.importer.patches import PRELUDE, STATED, macros_in_other_words, reword
from semantics.hvx.importer.spec import Intrinsic

_FLAGS: Final = (
    "-target", "x86_64-linux-musl", "-std=gnu11", "-O1", "-Xclang", "-disable-llvm-passes",
    "-S", "-emit-llvm", "-g0", "-w", "-fwrapv", "-fno-strict-aliasing", "-fno-sanitize=all",
    "-ferror-limit=0",
)  # fmt: skip
_REGISTER: Final = re.compile(r"\b(?:[VQ][a-z]{1,2}V|R[a-z]{1,2}V|[us]iV)\b")


class NoClang(IselError):
    """The import needs the optional package."""

    def message(self) -> str:
        """Say what to install."""
        return "importing HVX needs clang: install isel[clang]"


@dataclass(frozen=True, slots=True)
class Compiled:
    """The functions of bodies by name, in LLVM IR, and why other bodies have none."""

    functions: Mapping[str, Function]
    failed: Mapping[str, str]


def compile_bodies(entries: Sequence[Intrinsic], macros: str) -> Compiled:
    """Compile the body of each entry, once each, under the name of its builtin.

    Raises :class:`NoClang`.
    """
    left = {e.builtin: reword(STATED.get(e.builtin, e.body)) for e in entries}
    own = re.sub(r"^\s*#\s*include.*$", "", macros, flags=re.MULTILINE)
    head = f"{PRELUDE}{own}\n{macros_in_other_words()}"
    failed: dict[str, str] = {}
    while True:
        names = list(left)
        first = head.count("\n") + 1
        text = head + "".join(function_of(n, body, _registers(body)) for n, body in left.items())
        ir, errors = _ir_of(text)
        if not errors:
            break
        wrong = {names[n - first]: what for n, what in errors.items() if n >= first}
        if not wrong:
            raise RuntimeError(f"clang: {next(iter(errors.values()))}")
        failed.update(wrong)
        left = {name: body for name, body in left.items() if name not in wrong}
    module = parse_module(binding.promote(ir))
    return Compiled({f.name: f for f in module.functions}, failed)


def registers(entry: Intrinsic) -> list[str]:
    """Return the registers of a body in the order of its parameters: by address, then by value."""
    return _registers(STATED.get(entry.builtin, entry.body))


def _registers(body: str) -> list[str]:
    found = dict.fromkeys(_REGISTER.findall(reword(body)))
    return sorted(found, key=lambda r: not _by_address(r))


def _by_address(register: str) -> bool:
    return register[0] in "VQ" or register == "RdV"


def function_of(name: str, body: str, registers: Sequence[str]) -> str:
    """Return a body as a C function in one line, with its registers as parameters."""
    parameters = [
        f"void *{r}_void" if _by_address(r) else f"int{64 if r == 'RttV' else 32}_t {r}"
        for r in registers
    ]
    whole = " ".join(body.split())
    return f"void {name}({', '.join(parameters) or 'void'}) {{ {whole} ; }}\n"


def _ir_of(text: str) -> tuple[str, Mapping[int, str]]:
    try:
        return clang.ir_of(text, _FLAGS)
    except clang.NoClang:
        raise NoClang from None
