"""The CPUs that an archive holds code for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """A CPU's instructions under a system: names as Python's ``platform`` has them, what the
    runner looks for in the machine's own list of features, what clang is told, the triple of
    objects, and what they are linked for.
    """

    name: str
    system: str
    machine: str
    needs: tuple[str, ...]
    clang: tuple[str, ...]
    triple: str
    linked: str

    @property
    def file(self) -> str:
        """The name of its library."""
        return f"{self.name}.{self.system}.lib".lower()


_V3: Final = ("-target", "x86_64-linux-gnu", "-march=x86_64_v3")
_V4: Final = ("-target", "x86_64-linux-gnu", "-march=x86_64_v4")
_NEON: Final = ("-target", "aarch64-linux-musl", "-mcpu=generic")
_DOT: Final = ("-target", "aarch64-linux-musl", "-mcpu=generic+dotprod")
_X86: Final = ("x86_64-unknown-linux-gnu", "x86_64-linux-musl")
_ARM: Final = ("aarch64-unknown-linux-gnu", "aarch64-linux-musl")
_MAC: Final = ("arm64-apple-macosx11.0.0", "aarch64-macos")
LEVELS: Final = (
    Level("x86-64-v3", "Linux", "x86_64", ("avx2", "bmi2", "fma"), _V3, *_X86),
    Level("x86-64-v4", "Linux", "x86_64", ("avx512f", "avx512bw", "avx512vl"), _V4, *_X86),
    Level("neon", "Linux", "aarch64", ("asimd",), _NEON, *_ARM),
    Level("dotprod", "Linux", "aarch64", ("asimddp",), _DOT, *_ARM),
    Level("dotprod", "Darwin", "arm64", ("hw.optional.arm.feat_dotprod",), _DOT, *_MAC),
)
