"""Ask LLVM which features each CPU has and what each feature implies:
``python -m semantics.x86.probe > semantics/x86/cpus.tsv``.

LLVM has no interface for that, but its inliner has to know: a callee is inlined only where the
caller has all its features.  Features that only tune are ignored by it; they are recognised by
being inlined even where switched off.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from frontends.llvm import binding
from frontends.llvm.binding_names import target_names
from frontends.llvm.worker import LlvmWorker

TRIPLE: Final = "x86_64-unknown-linux-gnu"
BASE: Final = "generic"
_MODES: Final = frozenset({"64bit", "64bit-mode", "32bit-mode", "16bit-mode", "soft-float"})
_STORE: Final = re.compile(r"store volatile i32 (\d+), ptr @sink")
_WIDE: Final = """target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr %p) "min-legal-vector-width"="0" {
  %a = load <16 x i32>, ptr %p, align 64
  %b = add <16 x i32> %a, %a
  store <16 x i32> %b, ptr %p, align 64
  ret void
}
"""


def inlined(
    callers: Mapping[str, tuple[str, str]], features: Sequence[str]
) -> dict[str, frozenset[str]]:
    """Return, for each caller (CPU and feature string), the features whose callee LLVM inlines
    into it.
    """
    lines = [f'target triple = "{TRIPLE}"', "@sink = external global i32"]
    for k, feature in enumerate(features):
        lines.append(
            f'define internal void @f{k}() "target-cpu"="{BASE}" "target-features"="+{feature}" {{ '
            f"store volatile i32 {k}, ptr @sink\nret void }}"
        )
    for n, (cpu, attributes) in enumerate(callers.values()):
        lines.append(
            f'define void @caller{n}() "target-cpu"="{cpu}" "target-features"="{attributes}" {{'
        )
        lines.extend(f"call void @f{k}()" for k in range(len(features)))
        lines.append("ret void }")
    text = binding.optimise("\n".join(lines), triple=TRIPLE, cpu=BASE, features="", level=2)
    bodies = {
        m.group(1): m.group(2)
        for m in re.finditer(r"define[^\n]*@caller(\d+)\(\)[^\n]*\n(.*?)\n}", text, re.DOTALL)
    }
    return {
        name: frozenset(features[int(k)] for k in _STORE.findall(bodies.get(str(n), "")))
        for n, name in enumerate(callers)
    }


def runs_64_bit(cpu: str, worker: LlvmWorker) -> bool:
    """Tell whether LLVM generates 64-bit code for a CPU (it aborts for those that have none)."""
    text = f'target triple = "{TRIPLE}"\ndefine void @f() {{ ret void }}\n'
    return isinstance(worker.assembly(text, triple=TRIPLE, cpu=cpu, features=""), str)


def real_features(features: Sequence[str]) -> tuple[str, ...]:
    """Return the features that are instructions rather than tuning."""
    tried = [f for f in features if f not in _MODES]
    off = inlined({f: (BASE, f"-{f}") for f in tried}, tried)
    return tuple(f for f in tried if f not in off[f])


def prefers_256(cpu: str) -> bool:
    """Tell whether LLVM tunes for vectors of 256 bits on a CPU that has 512."""
    return "zmm" not in binding.assembly(_WIDE, triple=TRIPLE, cpu=cpu, features="")


def table(cpus: Iterable[str], features: Sequence[str]) -> list[str]:
    """Return the rows of the table: what features imply, then what CPUs have."""
    real = real_features(features)
    implied = inlined({f: (BASE, f"+{f}") for f in real}, real)
    rows = [f"feature\t{f}\t{' '.join(sorted(implied[f] - {f}))}" for f in real]
    rows.extend(f"tuning\t{f}\t" for f in features if f not in real)
    found = inlined({c: (c, "") for c in cpus}, real)
    for cpu, has in found.items():
        if "sse2" in has:
            tuned = {"prefer-256-bit"} if "avx512f" in has and prefers_256(cpu) else set()
            rows.append(f"cpu\t{cpu}\t{' '.join(sorted(has | tuned))}")
    return rows


def main() -> None:
    """Print the table."""
    names = target_names(TRIPLE)
    with LlvmWorker() as worker:
        cpus = [c for c in names.cpus if runs_64_bit(c, worker)]
    sys.stdout.write(
        f"# CPUs and features of x86-64, asked of LLVM {binding.llvm_version()} by python -m "
        "semantics.x86.probe" + "\n"
    )
    sys.stdout.write("\n".join(table(cpus, names.features)) + "\n")


if __name__ == "__main__":
    main()
