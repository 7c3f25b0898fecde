"""The C functions of the entries of Arm's list.

Vectors travel through volatile memory, so that no operation is merged with a load or store; the
registers of a tuple do so one by one.
"""

from __future__ import annotations

from typing import Final

from semantics.arm.emission.entries import Entry
from semantics.arm.importer.spec import Argument, CKind, parameters_of
from semantics.emission.clang import Case, Clang

# what arm_neon.h asks of the functions that it inlines
_SPELLED: Final = {"rdm": "arch=armv8.1-a"}


def c_name(kind: CKind) -> str:
    """Return the C type of one register."""
    return f"{kind.base}{kind.width}{f'x{kind.lanes}' if kind.lanes else ''}_t"


def c_function(case: Case[Entry], name: str) -> str:
    """Return a C function, in one line, that stores or returns what the intrinsic computes of
    its parameters.
    """
    e = case.entry
    parameters: list[str] = []
    given: list[str] = []
    for a in e.arguments:
        if a.legal:
            given.append(str(case.immediate))
        elif not a.kind.lanes:
            parameters.append(f"{c_name(a.kind)} {a.name}")
            given.append(a.name)
        else:
            parameters.extend(f"volatile {c_name(a.kind)} *{p.name}" for p in parameters_of(a))
            given.append(_vector(a))
    call = f"{e.name}({', '.join(given)})"
    target = "".join(
        f'__attribute__((target("{_SPELLED.get(f, "+" + f)}"))) ' for f in e.features if f != "neon"
    )
    if e.result.kind.lanes:
        parameters.insert(0, f"volatile {e.spelled} *result")
        return f"{target}void {name}({', '.join(parameters)}) {{ *result = {call}; }}"
    return f"{target}{e.spelled} {name}({', '.join(parameters)}) {{ return {call}; }}"


def _vector(a: Argument) -> str:
    """Return an argument, a tuple by its registers; C converts vectors of other signs."""
    if a.kind.registers == 1:
        return f"*{a.name}"
    kind = f"{c_name(a.kind)[:-2]}x{a.kind.registers}_t"
    values = ", ".join(f"*{p.name}" for p in parameters_of(a))
    return f"({kind}){{{{{values}}}}}"


CLANG: Final = Clang(
    ("-target", "aarch64-linux-musl", "-flax-vector-conversions"),
    "#include <arm_neon.h>\n#include <arm_acle.h>\n",
    c_function,
)
