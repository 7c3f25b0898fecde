"""An intrinsic of HVX as a call: every vector is words, every pair twice as many, predicates are a
bit a byte.
"""

from __future__ import annotations

from typing import Final

from semantics.hvx.importer.spec import Intrinsic

KINDS: Final = {
    "HVX_Vector": "<32 x i32>",
    "HVX_VectorPair": "<64 x i32>",
    "HVX_VectorPred": "<128 x i1>",
    "Word32": "i32",
    "Word64": "i64",
}
BYTES: Final = "<128 x i8>"


def callee(e: Intrinsic) -> str:
    """Return LLVM's name of an intrinsic, with ``@``."""
    return f"@llvm.hexagon.{e.builtin.replace('_', '.')}.128B"


def operands(e: Intrinsic) -> tuple[tuple[str, str], ...]:
    """Return the names and IR types of the registers."""
    return tuple((p.name, KINDS[p.c_type]) for p in e.parameters if not p.is_immediate)


def call_line(e: Intrinsic) -> str:
    """Return the line that gives ``%r``; an immediate is ``$name``; constants come last."""
    given = [
        f"i32 ${p.name}" if p.is_immediate else f"{KINDS[p.c_type]} %{p.name}" for p in e.parameters
    ]
    given += [f"i32 {value}" for value in e.constants.values()]
    return f"%r = call {KINDS[e.result.c_type]} {callee(e)}({', '.join(given)})"


def function_text(e: Intrinsic, name: str, attributes: str) -> str:
    """Return a function that is the call, over registers in memory: predicates as bytes there, of
    which a bit each counts, since LLVM has no other place for them.
    """
    line = call_line(e)
    lines: list[str] = []
    parameters = ["ptr %to"]
    for p in e.parameters:
        kind = KINDS[p.c_type]
        if p.is_immediate:
            line = line.replace(f"${p.name}", str(p.legal[-1]))
        elif kind.startswith("i"):
            parameters.append(f"{kind} %{p.name}")
        else:
            parameters.append(f"ptr %{p.name}.at")
            read = BYTES if p.is_mask else kind
            lines.append(f"%{p.name}{'.b' if p.is_mask else ''} = load {read}, ptr %{p.name}.at")
            if p.is_mask:
                lines.append(f"%{p.name} = icmp ne {BYTES} %{p.name}.b, zeroinitializer")
    lines.append(line)
    value = f"{KINDS[e.result.c_type]} %r"
    if e.result.is_mask:
        lines.append(f"%out = sext {value} to {BYTES}")
        value = f"{BYTES} %out"
    body = "\n  ".join([*lines, f"store {value}, ptr %to", "ret void"])
    return f"define void @{name}({', '.join(parameters)}) {attributes} {{\n  {body}\n}}\n"
