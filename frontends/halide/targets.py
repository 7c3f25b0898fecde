"""What a name given to ``--target`` stands for: triple, CPU, register width, and what Halide
calls it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from frontends.llvm.linked import binding
from isel.errors import UnknownName
from isel.shipped import groups_of
from semantics import target_named

_STACK: Final = re.compile(r"-S(\d+)\b")  # its alignment in bits, in a data layout


@dataclass(frozen=True, slots=True)
class HalideTarget:
    """A target to build for.

    ``cpu`` and ``features`` (``+a,-b``) are LLVM's, ``vector_bits`` the widest register to use.
    ``generic`` is the Halide target whose code holds no target's intrinsics, ``own`` the one with
    Halide's own selection, without its run-time flags.
    """

    name: str
    triple: str
    cpu: str
    features: str
    vector_bits: int
    generic: str
    own: str

    def attributes(self) -> Mapping[str, str]:
        """Return the function attributes that give code generation this CPU and these registers.

        Where a vector is wider than the stack's alignment, so is the stack's: LLVM decides too late
        to spill vectors for asking that itself, and spills to two cache lines take twice as long.
        """
        found = {
            "target-cpu": self.cpu,
            "prefer-vector-width": str(self.vector_bits),
            "min-legal-vector-width": str(self.vector_bits),
        }
        if self.features:
            found["target-features"] = self.features
        stack = _STACK.search(binding.data_layout(self.triple))
        if stack is not None and int(stack[1]) < self.vector_bits:
            found["stackrealign"] = ""
        return found


@dataclass(frozen=True, slots=True)
class _Frame:
    """A target's defaults; ``flags`` are (Halide feature, LLVM features that it asks for)."""

    flags: tuple[tuple[str, frozenset[str]], ...]
    triple: str
    cpu: str
    features: str
    generic: str
    own: str


def _frames() -> dict[str, _Frame]:
    """Return the frames by name: a row of the table each, with a row for each flag below it."""
    return {
        name: _Frame(tuple((flag, frozenset(needs.split())) for flag, needs in flags), *words)
        for (name, *words), flags in groups_of(__file__, "targets.tsv")
    }


_FRAMES: Final = _frames()


def resolve(
    name: str, *, cpu: str = "", features: str = "", vector_bits: int | None = None
) -> HalideTarget:
    """Return the target called ``name`` with a CPU (default: the target's usual one, ``native``:
    this machine's) and features.

    ``vector_bits`` caps the registers; without it they are as wide as the CPU has them.
    Raises :class:`isel.errors.UnknownName` for a target, CPU or feature that is not known.
    """
    known = target_named(name)
    frame = _FRAMES.get(name)
    if frame is None:
        raise UnknownName("target", name, tuple(_FRAMES))
    if cpu == "native":
        if not known.handles(binding.host_triple()):
            raise UnknownName("CPU", "native")
        cpu, usual = binding.host_cpu(), binding.host_feature_string()
    else:
        cpu, usual = (cpu, "") if cpu else (frame.cpu, frame.features)
    features = ",".join(filter(None, (usual, features)))
    present = known.features(cpu, features)
    widest = known.vector_bits(present, {})
    bits = widest if vector_bits is None else min(vector_bits, widest)
    own = "-".join([frame.own, *(flag for flag, needs in frame.flags if needs <= present)])
    return HalideTarget(name, frame.triple, cpu, features, bits, frame.generic, own)
