"""Small guides of our own making, and what is made of their entries."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from isel.spec.instruction import Instruction
from isel.spec.sem import read_sem
from semantics.importing.run import Import
from semantics.x86.importer.run import import_list

Parameter = tuple[str, str, str]  # type, name, element type


def entry(
    name: str,
    result: Parameter,
    parameters: Sequence[Parameter],
    operation: str,
    cpuids: Sequence[str] = ("AVX2",),
    mnemonic: str = "VTEST",
) -> str:
    """Return an entry of the guide as XML."""
    kind, variable, element = result
    lines = [
        f"<intrinsic name={quoteattr(name)} tech='AVX'>",
        f"<return type={quoteattr(kind)} varname={quoteattr(variable)} etype={quoteattr(element)}/>",
    ]
    for kind, variable, element in parameters:
        width = " immwidth='8'" if element == "IMM" else ""
        lines.append(
            f"<parameter type={quoteattr(kind)} varname={quoteattr(variable)} etype={quoteattr(element)}{width}/>"
        )
    lines += [
        f"<operation>\n{escape(operation)}\n</operation>",
        f"<instruction name={quoteattr(mnemonic)} form='xmm, xmm'/>",
    ]
    lines += [f"<CPUID>{c}</CPUID>" for c in cpuids]
    return "\n".join([*lines, "<category>Arithmetic</category>", "</intrinsic>"]) + "\n"


def guide(*entries: str) -> str:
    """Return a guide of these entries."""
    return '<intrinsics_list version="0.1">\n' + "".join(entries) + "</intrinsics_list>\n"


def imported(*entries: str) -> Import:
    """Import a guide of these entries."""
    return import_list(guide(*entries).encode(), "guide.xml")


def instructions(found: Import) -> dict[str, Instruction]:
    """Return the instructions that the written files hold, by name."""
    return {i.name: i for text in found.files.values() for i in read_sem(text, bare=True)}


def one(
    operation: str, *parameters: Parameter, result: Parameter = ("__m128i", "dst", "UI16")
) -> Instruction:
    """Return the instruction of one entry, which must be imported without a mistake."""
    found = imported(
        entry(
            "_mm_test",
            result,
            parameters or (("__m128i", "a", "UI16"), ("__m128i", "b", "UI16")),
            operation,
        )
    )
    assert [p.message() for p in found.problems] == []
    return instructions(found)["_mm_test"]
