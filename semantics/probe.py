"""Ask LLVM which features each CPU of a target has and what each feature implies.

LLVM has no interface for that, but its inliner has to know: a callee is inlined only where the
caller has all its features.  Features that only tune are ignored by it; they are recognised by
being inlined even where switched off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.names import target_names
from frontends.llvm.linked.worker import LlvmWorker

BASE: Final = "generic"
_STORE: Final = re.compile(r"store volatile i32 (\d+), ptr @sink")


def inlined(
    callers: Mapping[str, tuple[str, str]], features: Sequence[str], triple: str, without: str = ""
) -> dict[str, frozenset[str]]:
    """Return, for each caller (CPU and feature string), the features whose callee LLVM inlines
    into it; ``without`` is what the plain CPU has that others lack (``-a,-b,``).
    """
    lines = [f'target triple = "{triple}"', "@sink = external global i32"]
    for k, feature in enumerate(features):
        lines.append(
            f'define internal void @f{k}() "target-cpu"="{BASE}" '
            f'"target-features"="{without}+{feature}" {{ '
            f"store volatile i32 {k}, ptr @sink\nret void }}"
        )
    for n, (cpu, attributes) in enumerate(callers.values()):
        lines.append(
            f'define void @caller{n}() "target-cpu"="{cpu}" "target-features"="{attributes}" {{'
        )
        lines.extend(f"call void @f{k}()" for k in range(len(features)))
        lines.append("ret void }")
    text = binding.optimise("\n".join(lines), triple=triple, cpu=BASE, features="", level=2)
    bodies = {
        m.group(1): m.group(2)
        for m in re.finditer(r"define[^\n]*@caller(\d+)\(\)[^\n]*\n(.*?)\n}", text, re.DOTALL)
    }
    return {
        name: frozenset(features[int(k)] for k in _STORE.findall(bodies.get(str(n), "")))
        for n, name in enumerate(callers)
    }


def runs(cpu: str, worker: LlvmWorker, triple: str) -> bool:
    """Tell whether LLVM generates code for a CPU (it aborts for those of another width)."""
    text = f'target triple = "{triple}"\ndefine void @f() {{ ret void }}\n'
    return isinstance(worker.assembly(text, triple=triple, cpu=cpu, features=""), str)


def real_features(features: Sequence[str], triple: str, without: str = "") -> tuple[str, ...]:
    """Return the features that are instructions rather than tuning."""
    off = inlined({f: (BASE, f"-{f}") for f in features}, features, triple, without)
    return tuple(f for f in features if f not in off[f])


def table(
    cpus: Iterable[str],
    features: Sequence[str],
    triple: str,
    *,
    modes: frozenset[str],
    needed: str,
    without: str = "",
    tuned: Callable[[str, frozenset[str]], frozenset[str]] = lambda _cpu, _has: frozenset(),
) -> list[str]:
    """Return the rows of the table: what features imply, then what CPUs have.

    ``modes`` are features that say what a CPU is and are left out, CPUs without the feature
    ``needed`` are too; ``tuned`` adds to what a CPU has.
    """
    real = real_features([f for f in features if f not in modes], triple, without)
    implied = inlined({f: (BASE, f"{without}+{f}") for f in real}, real, triple, without)
    rows = [f"feature\t{f}\t{' '.join(sorted(implied[f] - {f}))}" for f in real]
    rows.extend(f"tuning\t{f}\t" for f in features if f not in real)
    found = inlined({c: (c, "") for c in cpus}, real, triple, without)
    for cpu, has in found.items():
        if needed in has:
            rows.append(f"cpu\t{cpu}\t{' '.join(sorted(has | tuned(cpu, has)))}")
    return rows


def cpus_of(triple: str) -> tuple[list[str], Sequence[str]]:
    """Return the CPUs that code can be generated for, and all names of features."""
    names = target_names(triple)
    with LlvmWorker() as worker:
        return [c for c in names.cpus if runs(c, worker, triple)], names.features
