"""Small instruction sets in the ``.sem`` language, for the tests of similarity."""

from __future__ import annotations

from collections.abc import Sequence

from equiv_classes.build import Source
from isel.spec.instruction import Instruction
from isel.spec.sem import read_sem


def entry(
    name: str,
    *lines: str,
    result: str = "n x w",
    loops: Sequence[str] = ("w in 8 16", "bits in 64 128"),
) -> str:
    """Return an entry for two widths and two register sizes; ``{w}`` and ``{bits}`` are in its
    names.
    """
    head = [f"instruction {name}_{{w}}_{{bits}}", *(f"for {x}" for x in loops), "let n = bits / w"]
    return (
        "\n  ".join(
            [
                *head,
                *lines[:-1],
                f"result {result}",
                lines[-1],
                "features none",
                "emit %r = freeze <4 x i8> %a",
            ]
        )
        + "\n\n"
    )


def binary(name: str, formula: str) -> str:
    """Return an entry for a formula over ``a[i]`` and ``b[i]``."""
    return entry(name, "in a, b: n x w", f"lane {formula}")


def source(*entries: str, name: str = "toy") -> Source:
    """Return the instructions of some entries as a target."""
    return Source(name, "0" * 16, read_sem("".join(entries), check=False))


def instructions(*entries: str) -> tuple[Instruction, ...]:
    """Return the instructions of some entries."""
    return read_sem("".join(entries), check=False)
