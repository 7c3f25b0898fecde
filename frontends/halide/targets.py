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

    triple: str
    cpu: str
    features: str
    generic: str
    own: str
    flags: tuple[tuple[str, frozenset[str]], ...]


def _flag(name: str, *needs: str) -> tuple[str, frozenset[str]]:
    return name, frozenset(needs)


_SKYLAKE: Final = ("avx512f", "avx512cd", "avx512vl", "avx512dq", "avx512bw")
_ZEN4: Final = (
    *_SKYLAKE,
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2",
    "avx512vnni",
    "avx512bitalg",
    "avx512vpopcntdq",
    "avx512bf16",
)
_FRAMES: Final = {
    "x86": _Frame(
        "x86_64-unknown-linux-gnu",
        "sapphirerapids",
        "",
        "arm-64-linux-no_neon",
        "x86-64-linux",
        (
            _flag("sse41", "sse4.1"),
            _flag("avx", "avx"),
            _flag("f16c", "f16c"),
            _flag("fma", "fma"),
            _flag("avx2", "avx2"),
            _flag("avxvnni", "avxvnni"),
            _flag("avx512", "avx512f", "avx512cd"),
            _flag("avx512_skylake", *_SKYLAKE),
            _flag("avx512_cannonlake", *_SKYLAKE, "avx512ifma", "avx512vbmi"),
            _flag("avx512_zen4", *_ZEN4),
            _flag("avx512_sapphirerapids", *_ZEN4, "avxvnni", "amx-int8", "amx-bf16"),
        ),
    ),
    "arm": _Frame(
        "aarch64-unknown-linux-gnu",
        "neoverse-v1",
        "+dotprod,+i8mm,-sve,-sve2",
        "arm-64-linux-no_neon",
        "arm-64-linux",
        (_flag("arm_dot_prod", "dotprod"), _flag("arm_fp16", "fullfp16")),
    ),
    "hvx": _Frame(
        "hexagon-unknown-linux-musl",
        "hexagonv66",
        "+hvxv66,+hvx-length128b,-small-data",
        "arm-32-noos-no_neon",
        "hexagon-32-noos-hvx_128",
        (_flag("hvx_v66", "hvxv66"),),
    ),
}


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
        cpu, features = (
            binding.host_cpu(),
            ",".join(x for x in (binding.host_feature_string(), features) if x),
        )
    elif not cpu:
        cpu, features = frame.cpu, ",".join(x for x in (frame.features, features) if x)
    present = known.features(cpu, features)
    widest = known.vector_bits(present, {})
    bits = widest if vector_bits is None else min(vector_bits, widest)
    own = "-".join([frame.own, *(flag for flag, needs in frame.flags if needs <= present)])
    return HalideTarget(name, frame.triple, cpu, features, bits, frame.generic, own)
