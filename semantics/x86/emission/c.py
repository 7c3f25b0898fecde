"""The C functions of the Intrinsics Guide's entries.

Vectors travel through volatile memory, so that nothing depends on how a calling convention passes
wide registers and no operation is merged with a load or store.
"""

from __future__ import annotations

from typing import Final

from semantics.emission.clang import Case, Clang
from semantics.emission.prototype import Kind
from semantics.x86.emission.entries import Entry

_SPELLED: Final = {
    "__int32": "int",
    "__int64": "long long",
    "unsigned __int64": "unsigned long long",
    "_MM_CMPINT_ENUM": "int",
}


def c_function(case: Case[Entry], name: str) -> str:
    """Return a C function, in one line, that stores or returns what the intrinsic computes of
    its parameters.
    """
    e = case.entry
    parameters: list[str] = []
    given: list[str] = []
    for p in e.parameters:
        if p.immediate:
            given.append(str(case.immediate))
        elif p.c.kind is Kind.VECTOR:
            parameters.append(f"volatile {p.type} *{p.name}")
            given.append(f"*{p.name}")
        else:
            parameters.append(f"{_SPELLED.get(p.type, p.type)} {p.name}")
            given.append(p.name)
    call = f"{e.name}({', '.join(given)})"
    target = f'__attribute__((target("{",".join(e.features)}")))'
    if e.returned.kind is Kind.VECTOR:
        parameters.insert(0, f"volatile {e.result} *result")
        return f"{target} void {name}({', '.join(parameters)}) {{ *result = {call}; }}"
    result = _SPELLED.get(e.result, e.result)
    return f"{target} {result} {name}({', '.join(parameters)}) {{ return {call}; }}"


CLANG: Final = Clang(
    ("-target", "x86_64-linux-gnu", "-mcpu=x86_64"), "#include <immintrin.h>\n", c_function
)
