"""Words for clang as Zig's driver of it takes them: to Zig ``-`` in the name of a CPU takes a
feature away, and the CPU that is tuned for is the one that is compiled for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# Names of clang's for CPUs and features that have others in Zig.
_OTHER: Final = {
    "corei7_avx": "sandybridge", "core_avx_i": "ivybridge", "core_avx2": "haswell",
    "fp16": "fullfp16", "simd": "neon", "fp": "fp_armv8",
}  # fmt: skip


def for_zig(words: list[str]) -> list[str]:
    """Return clang's arguments as ``zig cc`` takes them."""
    checks = "-fsyntax-only" in words  # Zig wants to move the output, which is none
    found: list[str] = []
    for word in words:
        flag, _, value = word.partition("=")
        if word == "-fsyntax-only":
            found += ["-E", "-Xclang", word]
        elif flag in ("-march", "-mcpu"):
            found.append(f"{flag}={_cpu(value)}")
        elif flag != "-mtune" and not (checks and word in ("-c", "-S")):
            found.append(word)
    return found


def _cpu(name: str) -> str:
    first, *features = name.split("+")
    own = first.replace("-", "_").replace(".", "_")
    if own.startswith("armv") and own.endswith("_a"):  # a version of the architecture
        own = f"generic+{own[3:-2]}a"
    signs = (f"-{f[2:]}" if f.startswith("no") else f"+{f}" for f in features)
    return _OTHER.get(own, own) + "".join(s[0] + _OTHER.get(s[1:], s[1:]) for s in signs)
