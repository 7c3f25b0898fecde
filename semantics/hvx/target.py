"""Hexagon with HVX as a target: its instructions, CPUs and registers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from isel.spec.instruction import Instruction
from semantics.cpus import Cpus, cpus_of
from semantics.digest import own_sources
from semantics.hvx.shuffles import shuffle
from semantics.target import LibraryTarget

_LENGTH: Final = "hvx-length128b"
_FIRST: Final = "hvxv60"  # what every later version has


def cpus() -> Cpus:
    """Return the shipped table of CPUs."""
    return cpus_of("hvx", "hexagonv60", "")


class Hvx(LibraryTarget):
    """Implements :class:`isel.spec.target.Target`; ``own`` are the names and texts of the
    user's ``.sem`` files.
    """

    name = "hvx"
    cpus = staticmethod(cpus)

    planes: Final = 0

    def by_call(self, intrinsic: str) -> Instruction | None:
        """Return the instruction that an intrinsic stands for, shuffles by constants among them.

        What moves bytes by a general register reads its low seven bits (QEMU's ext.idef:
        V6_valignb, V6_vlalignb and V6_vror "RtV & (fVBYTES()-1)", V6_vshuffvdd and V6_vdealvdd
        "RtV & offset" for each offset under fVBYTES()).
        """
        found = super().by_call(intrinsic) or shuffle(intrinsic, self.by_name)
        if found is None or not any(m.name == "Rt" for m in found.immediates):
            return found
        bytes_in_all = 128  # of a register
        rest = (replace(m, modulo=bytes_in_all * (m.name == "Rt")) for m in found.immediates)
        return replace(found, immediates=tuple(rest))

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        """Return the features of ``cpu`` changed by ``attributes``; as in LLVM, vectors of no
        version named have the CPU's.
        """
        found = super().features(cpu, attributes)
        version = re.sub(r"hexagon(v\d+).*", r"+hvx\1", cpu or cpus().base)
        known = "hvx" in found and _FIRST not in found and version[1:] in cpus().implies
        return cpus().changed(found, version) if known else found

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        """Return the width of a pair of registers, 0 where vectors have 64 bytes or none."""
        return 2048 if {_LENGTH, _FIRST} <= features else 0

    def halves_cost(self, cpu: str) -> tuple[int, int]:
        """Return the prices of an element moved into the upper half, and of a shift of bytes."""
        join, high = self.by_name["Q6_W_vcombine_VV"], self.by_name["Q6_V_hi_W"]
        return self.operation_cost(join, cpu), self.operation_cost(high, cpu)

    def register_of(self, instruction: Instruction) -> str:
        """Return the kind of the register that an instruction writes."""
        if instruction.width == 1:
            return "q"
        return {True: "w", False: "v"}[instruction.bits > 1024] if instruction.bits > 64 else "r"


@cache
def target() -> Hvx:
    """Return the target."""
    return Hvx(own_sources("hvx"))
